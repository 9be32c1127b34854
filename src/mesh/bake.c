/* From triangles to a mesh, as phases of a sidle_work. What only one task can do (choosing the origin, the
 * top of the tree, laying out memory) stands in phases of one task between the parallel ones. */
#include "mesh/mesh.h"

#include "base/memory.h"
#include "base/status.h"
#include "bvh/build.h"
#include "jobs/loop.h"
#include "mesh/leaves.h"

#include <stdatomic.h>
#include <string.h>

#define VERTICES_PER_TASK  65536
#define TRIANGLES_PER_TASK 16384
#define LEAF_TASKS         64

enum
{
    MEASURE, /* vertices: are they numbers, what do they span */
    PLACE,   /* the origin */
    BOX,     /* triangles: do their indices exist, what do they span */
    SPLIT,   /* the top of the tree */
    BUILD,   /* its subtrees */
    WIDEN,   /* eight-wide nodes */
    SIZE,    /* of the packets */
    LAY_OUT, /* their places */
    PACK,    /* and their contents */
    PHASE_COUNT
};

static const char *const phase_names[PHASE_COUNT] = {
    "sidle bake: measure", "sidle bake: place",   "sidle bake: box",
    "sidle bake: split",   "sidle bake: build",   "sidle bake: widen",
    "sidle bake: size",    "sidle bake: lay out", "sidle bake: pack",
};

typedef struct TaskReport /* what a task of MEASURE, BOX or SIZE found */
{
    double min[3], max[3];
    uint64_t bad_index; /* UINT64_MAX: none */
    sidle_status status;
    uint32_t degenerate_count;
    uint64_t units;
} TaskReport;

typedef struct Bake
{
    Source source;
    sidle_allocator allocator;
    sidle_mesh *mesh;
    BvhBuild tree;
    TaskReport *reports;
    uint32_t report_count, vertex_tasks, triangle_tasks;
    BvhLeaf *leaves;
    uint32_t *leaf_units; /* offset inside its task's part */
    sidle_status status;
    atomic_uint tasks_left;
} Bake;

static uint32_t task_count(uint32_t items, uint32_t per_task)
{
    return items / per_task + (items % per_task != 0);
}

/* ---- the phases ---- */

static void measure(Bake *bake, uint32_t task)
{
    TaskReport report = {
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, UINT64_MAX, SIDLE_OK, 0, 0};
    uint32_t begin = task * VERTICES_PER_TASK, left = bake->source.desc.vertex_count - begin;
    uint32_t end = begin + (left < VERTICES_PER_TASK ? left : VERTICES_PER_TASK);
    for (uint32_t i = begin; i < end && report.status == SIDLE_OK; ++i)
    {
        Vec3 v = source_vertex(&bake->source, i);
        const double c[3] = {v.x, v.y, v.z};
        for (int axis = 0; axis < 3; ++axis)
        {
            report.min[axis] = c[axis] < report.min[axis] ? c[axis] : report.min[axis];
            report.max[axis] = c[axis] > report.max[axis] ? c[axis] : report.max[axis];
            if (!(fabs(c[axis]) <= SIDLE_MAX_COORDINATE))
            {
                report.status = isfinite(c[axis]) ? SIDLE_ERROR_LIMIT : SIDLE_ERROR_NOT_FINITE;
                report.bad_index = i;
            }
        }
    }
    bake->reports[task] = report;
}

/* The first task with a complaint has the lowest index: which one is told does not depend on the schedule. */
static bool reports_are_good(Bake *bake, uint32_t count, const char *format)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const TaskReport *r = &bake->reports[i];
        if (r->status != SIDLE_OK)
        {
            bake->status = status_fail(bake->source.desc.error, r->status, r->bad_index, format,
                                       (unsigned long long)r->bad_index, sidle_status_text(r->status));
            return false;
        }
    }
    return true;
}

/* A multiple of a power of two no smaller than the mesh: a mesh around zero keeps zero as its origin and so
 * all the bits of its vertices; one far away is stored as if it stood near zero. */
static void place(Bake *bake)
{
    if (!reports_are_good(bake, bake->vertex_tasks, "vertex %llu: %s"))
    {
        return;
    }
    double *origin[3] = {&bake->source.origin.x, &bake->source.origin.y, &bake->source.origin.z};
    double extent = 0, center[3] = {0, 0, 0};
    for (int axis = 0; axis < 3 && bake->vertex_tasks > 0; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < bake->vertex_tasks; ++i)
        {
            low = bake->reports[i].min[axis] < low ? bake->reports[i].min[axis] : low;
            high = bake->reports[i].max[axis] > high ? bake->reports[i].max[axis] : high;
        }
        center[axis] = low + (high - low) / 2;
        extent = high - low > extent ? high - low : extent;
    }
    double step = 0x1p-40;
    while (step < extent)
    {
        step *= 2;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        *origin[axis] = floor(center[axis] / step + .5) * step;
    }
}

/* Bounds of a triangle and whether it spans an area; false if it names a vertex that is none. */
static bool box_triangle(const Source *source, uint32_t triangle, BvhPrimitive *out, bool *degenerate)
{
    uint32_t corners[3];
    source_triangle(source, triangle, corners);
    float v[3][3];
    out->bounds = bounds_empty();
    out->id = triangle;
    out->reserved = 0;
    for (int i = 0; i < 3; ++i)
    {
        if (corners[i] >= source->desc.vertex_count)
        {
            return false;
        }
        source_stored_vertex(source, corners[i], v[i]);
        bounds_add_point(&out->bounds, v[i]);
    }
    Vec3 a = vec3((double)v[1][0] - (double)v[0][0], (double)v[1][1] - (double)v[0][1],
                  (double)v[1][2] - (double)v[0][2]);
    Vec3 b = vec3((double)v[2][0] - (double)v[0][0], (double)v[2][1] - (double)v[0][1],
                  (double)v[2][2] - (double)v[0][2]);
    *degenerate = vec3_is_zero(vec3_cross(a, b));
    return true;
}

static void box(Bake *bake, uint32_t task)
{
    TaskReport report = {.bad_index = UINT64_MAX};
    uint32_t begin = task * TRIANGLES_PER_TASK, left = bake->tree.count - begin;
    uint32_t end = begin + (left < TRIANGLES_PER_TASK ? left : TRIANGLES_PER_TASK);
    for (uint32_t i = begin; i < end; ++i)
    {
        bool degenerate = false;
        if (!box_triangle(&bake->source, i, &bake->tree.primitives[i], &degenerate))
        {
            report.status = SIDLE_ERROR_INDEX;
            report.bad_index = i;
            break;
        }
        report.degenerate_count += degenerate;
    }
    bake->reports[task] = report;
}

static void split(Bake *bake)
{
    if (!reports_are_good(bake, bake->triangle_tasks, "triangle %llu: %s"))
    {
        return;
    }
    for (uint32_t i = 0; i < bake->triangle_tasks; ++i)
    {
        bake->mesh->degenerate_count += bake->reports[i].degenerate_count;
    }
    bvh_build_top(&bake->tree);
}

static void widen(Bake *bake)
{
    sidle_mesh *mesh = bake->mesh;
    BvhSize size = bvh_count_nodes(&bake->tree);
    mesh->nodes = memory_allocate(&bake->allocator, size.node_count, sizeof *mesh->nodes);
    mesh->node_count = mesh->nodes ? size.node_count : 0;
    mesh->leaf_count = size.leaf_count;
    bake->leaves = memory_allocate(&bake->allocator, size.leaf_count, sizeof *bake->leaves);
    bake->leaf_units = memory_allocate(&bake->allocator, size.leaf_count, sizeof *bake->leaf_units);
    if (!mesh->nodes || !bake->leaves || !bake->leaf_units)
    {
        bake->status = status_fail(bake->source.desc.error, SIDLE_ERROR_MEMORY, 0, NULL);
        return;
    }
    mesh->sah_cost = bvh_write_nodes(&bake->tree, mesh->nodes, bake->leaves);
    mesh->bounds = bake->tree.binary[bake->tree.root].bounds;
    mesh->origin = bake->source.origin;
}

static uint32_t leaf_begin(const Bake *bake, uint32_t task)
{
    return (uint32_t)((uint64_t)bake->mesh->leaf_count * task / LEAF_TASKS);
}

static void size_leaves(Bake *bake, uint32_t task)
{
    uint64_t units = 0;
    for (uint32_t i = leaf_begin(bake, task); i < leaf_begin(bake, task + 1); ++i)
    {
        bake->leaf_units[i] = (uint32_t)units;
        units += leaf_measure(&bake->source, bake->tree.primitives, &bake->leaves[i]);
    }
    bake->reports[task].units = units;
}

static void lay_out(Bake *bake)
{
    uint64_t units = 0;
    for (uint32_t task = 0; task < LEAF_TASKS; ++task)
    {
        uint64_t own = bake->reports[task].units;
        bake->reports[task].units = units;
        units += own;
    }
    sidle_mesh *mesh = bake->mesh;
    if (units >= BVH_LEAF)
    {
        bake->status =
            status_fail(bake->source.desc.error, SIDLE_ERROR_LIMIT, 0, "the leaves take more than 32 GiB");
        return;
    }
    mesh->packet_bytes = units * PACKET_UNIT;
    mesh->packets = memory_allocate(&bake->allocator, mesh->packet_bytes, 1);
    if (!mesh->packets)
    {
        bake->status = status_fail(bake->source.desc.error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
}

static void pack_leaves(Bake *bake, uint32_t task)
{
    for (uint32_t i = leaf_begin(bake, task); i < leaf_begin(bake, task + 1); ++i)
    {
        bake->leaf_units[i] += (uint32_t)bake->reports[task].units;
        LeafPacket *packet = (LeafPacket *)(bake->mesh->packets + (size_t)bake->leaf_units[i] * PACKET_UNIT);
        leaf_write(&bake->source, bake->tree.primitives, &bake->leaves[i], packet);
    }
}

/* The nodes learn where their leaves came to lie. Runs at the end: it is a fraction of a percent of a bake.
 */
static void link_leaves(Bake *bake)
{
    for (uint32_t n = 0; n < bake->mesh->node_count; ++n)
    {
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t *child = &bake->mesh->nodes[n].child[i];
            if (*child & BVH_LEAF)
            {
                *child = BVH_LEAF | bake->leaf_units[*child & ~BVH_LEAF];
            }
        }
    }
}

/* ---- the work ---- */

static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)worker;
    Bake *bake = state;
    atomic_fetch_sub_explicit(&bake->tasks_left, 1, memory_order_relaxed);
    if (bake->status != SIDLE_OK) /* written in phases of one task only */
    {
        return;
    }
    switch (phase)
    {
    case MEASURE:
        measure(bake, task);
        break;
    case PLACE:
        place(bake);
        break;
    case BOX:
        box(bake, task);
        break;
    case SPLIT:
        split(bake);
        break;
    case BUILD:
        if (task < bake->tree.subtree_count)
        {
            bvh_build_subtree(&bake->tree, task);
        }
        break;
    case WIDEN:
        widen(bake);
        break;
    case SIZE:
        size_leaves(bake, task);
        break;
    case LAY_OUT:
        lay_out(bake);
        break;
    default:
        pack_leaves(bake, task);
        break;
    }
}

static void release(Bake *bake)
{
    sidle_allocator allocator = bake->allocator;
    uint32_t leaf_count = bake->mesh ? bake->mesh->leaf_count : 0;
    memory_free(&allocator, bake->leaves, leaf_count, sizeof *bake->leaves);
    memory_free(&allocator, bake->leaf_units, leaf_count, sizeof *bake->leaf_units);
    memory_free(&allocator, bake->tree.primitives, bake->tree.count, sizeof *bake->tree.primitives);
    memory_free(&allocator, bake->tree.binary, bake->tree.count, 2 * sizeof *bake->tree.binary);
    memory_free(&allocator, bake->reports, bake->report_count, sizeof *bake->reports);
    sidle_mesh_release(bake->mesh);
    memory_free(&allocator, bake, 1, sizeof *bake);
}

static sidle_status check_desc(const sidle_mesh_desc *desc)
{
    sidle_error *error = desc->error;
    if (desc->triangle_count > SIDLE_MAX_TRIANGLES || desc->vertex_count > SIDLE_MAX_TRIANGLES)
    {
        return status_fail(error, SIDLE_ERROR_LIMIT, 0, "more than 2^28 triangles or vertices");
    }
    if (desc->vertex_count > 0 && !desc->vertices_f == !desc->vertices_d)
    {
        return status_fail(error, SIDLE_ERROR_ARGUMENT, 0,
                           "exactly one of vertices_f and vertices_d is needed");
    }
    size_t smallest = desc->vertices_f ? 3 * sizeof(float) : 3 * sizeof(double);
    size_t unit = desc->vertices_f ? sizeof(float) : sizeof(double);
    if (desc->vertex_stride && (desc->vertex_stride < smallest || desc->vertex_stride % unit))
    {
        return status_fail(error, SIDLE_ERROR_ARGUMENT, 0,
                           "vertex_stride is smaller than a vertex or misaligned");
    }
    if (desc->index_stride &&
        (desc->index_stride < 3 * sizeof(uint32_t) || desc->index_stride % sizeof(uint32_t)))
    {
        return status_fail(error, SIDLE_ERROR_ARGUMENT, 0,
                           "index_stride is smaller than a triangle or misaligned");
    }
    return SIDLE_OK;
}

static Source source_from(const sidle_mesh_desc *desc)
{
    Source source = {*desc, vec3(0, 0, 0)};
    size_t vertex_size = desc->vertices_f ? 3 * sizeof(float) : 3 * sizeof(double);
    source.desc.vertex_stride = desc->vertex_stride ? desc->vertex_stride : vertex_size;
    source.desc.index_stride = desc->index_stride ? desc->index_stride : 3 * sizeof(uint32_t);
    return source;
}

static bool reserve(Bake *bake)
{
    const sidle_mesh_desc *desc = &bake->source.desc;
    bake->vertex_tasks = task_count(desc->vertex_count, VERTICES_PER_TASK);
    bake->triangle_tasks = task_count(desc->triangle_count, TRIANGLES_PER_TASK);
    bake->report_count = LEAF_TASKS + bake->vertex_tasks + bake->triangle_tasks;
    bake->tree.count = desc->triangle_count;
    bake->tree.leaf_size = PACKET_TRIANGLES;
    bake->mesh = memory_allocate(&bake->allocator, 1, sizeof *bake->mesh);
    bake->reports = memory_allocate(&bake->allocator, bake->report_count, sizeof *bake->reports);
    bake->tree.primitives =
        memory_allocate(&bake->allocator, bake->tree.count, sizeof *bake->tree.primitives);
    bake->tree.binary = memory_allocate(&bake->allocator, bake->tree.count, 2 * sizeof *bake->tree.binary);
    if (!bake->mesh)
    {
        return false;
    }
    memset(bake->mesh, 0, sizeof *bake->mesh);
    reference_init(&bake->mesh->reference);
    bake->mesh->allocator = bake->allocator;
    bake->mesh->triangle_count = desc->triangle_count;
    bake->mesh->bounds = bounds_empty();
    return bake->reports && (bake->tree.count == 0 || (bake->tree.primitives && bake->tree.binary));
}

static void plan(Bake *bake, uint32_t worker_count, sidle_work *work)
{
    bool empty = bake->tree.count == 0; /* its vertices are checked all the same */
    *work = (sidle_work){.run = run,
                         .state = bake,
                         .phase_names = phase_names,
                         .phase_count = empty ? BOX : PHASE_COUNT,
                         .worker_count = worker_count,
                         .task_count = {[MEASURE] = bake->vertex_tasks,
                                        [PLACE] = 1,
                                        [BOX] = bake->triangle_tasks,
                                        [SPLIT] = 1,
                                        [BUILD] = BVH_MAX_SUBTREES,
                                        [WIDEN] = 1,
                                        [SIZE] = LEAF_TASKS,
                                        [LAY_OUT] = 1,
                                        [PACK] = LEAF_TASKS}};
    uint32_t total = 0;
    for (uint32_t phase = 0; phase < work->phase_count; ++phase)
    {
        total += work->task_count[phase];
    }
    atomic_init(&bake->tasks_left, total);
}

sidle_status sidle_mesh_create_begin(const sidle_mesh_desc *desc, uint32_t worker_count,
                                     const sidle_allocator *allocator, sidle_work *work)
{
    sidle_allocator chosen;
    if (!desc || desc->size < sizeof *desc || !work || worker_count < 1 || worker_count > SIDLE_MAX_WORKERS ||
        !memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = check_desc(desc);
    if (status != SIDLE_OK)
    {
        return status;
    }
    Bake *bake = memory_allocate(&chosen, 1, sizeof *bake);
    if (!bake)
    {
        return status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    memset(bake, 0, sizeof *bake);
    bake->source = source_from(desc);
    bake->allocator = chosen;
    if (!reserve(bake))
    {
        release(bake);
        return status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    plan(bake, worker_count, work);
    return SIDLE_OK;
}

sidle_status sidle_mesh_create_end(sidle_work *work, sidle_mesh **out)
{
    if (!work || work->run != run || !work->state)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    Bake *bake = work->state;
    sidle_status status = bake->status;
    if (status == SIDLE_OK && atomic_load_explicit(&bake->tasks_left, memory_order_relaxed) != 0)
    {
        status = status_fail(bake->source.desc.error, SIDLE_ERROR_BUSY, 0, "not every task has run");
    }
    if (status == SIDLE_OK && !out)
    {
        status = SIDLE_ERROR_ARGUMENT;
    }
    if (status == SIDLE_OK)
    {
        link_leaves(bake);
        sidle_mesh_retain(bake->mesh); /* ours goes with the bake */
        *out = bake->mesh;
    }
    release(bake);
    work->state = NULL;
    return status;
}

sidle_status sidle_mesh_create(const sidle_mesh_desc *desc, const sidle_jobs *jobs,
                               const sidle_allocator *allocator, sidle_mesh **out)
{
    sidle_work work;
    if (!out || !jobs_are_valid(jobs))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_mesh_create_begin(desc, jobs_worker_count(jobs), allocator, &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_work_execute(&work, jobs);
    return sidle_mesh_create_end(&work, out);
}
