/* A mesh with the tree of another one and other vertices, as phases of a sidle_work.
 *
 *     packets and boxes of leaves ─► boxes of nodes ─► packets to their places
 *     (parallel)                     (1 task)          (parallel)
 *
 * The tree keeps its form, so no triangle is sorted: that is most of a bake. Absent triangles have no place in a packet, and empty
 * packets none in a node; the form, with all triangles, is that of the first mesh. */
#include "bvh/box.h"
#include "mesh/bake.h"

#include "base/fp_environment.h"
#include "base/memory.h"
#include "base/status.h"
#include "jobs/loop.h"

#include <string.h>

#define NODES_PER_TASK 256 /* some 10,000 triangles */

enum
{
    REFIT_PACK,
    REFIT_SETTLE,
    REFIT_COPY,
    REFIT_PHASE_COUNT
};

static const char *const phase_names[REFIT_PHASE_COUNT] = {"sidle refit: pack", "sidle refit: settle",
                                                           "sidle refit: copy"};

/* The nodes of one task. */
typedef struct Part
{
    uint32_t first_leaf, first_triangle; /* of the form */
    uint32_t leaf_count, units;          /* with triangles; the size of their packets, and then */
    uint32_t first_unit;                 /* their place */
    ShapeCounts counts;
    uint32_t absent_count;
    uint32_t bad_triangle; /* the lowest; UINT32_MAX: none */
} Part;

typedef struct Refit
{
    const sidle_mesh *form;
    Source source;
    sidle_mesh *mesh;
    BvhNode *nodes; /* of the mesh, writable */
    uint8_t *packets, *scratch;
    uint32_t *leaf_units; /* by leaf of the form: the place of its packet, from the task's first one */
    Part *parts;
    uint32_t part_count;
    sidle_status status;
} Refit;

/* ---- leaves ---- */

static bool is_absent(const Source *source, uint32_t triangle)
{
    uint32_t corners[3];
    source_triangle(source, triangle, corners);
    return source->desc.indices && corners[0] == SIDLE_NO_TRIANGLE;
}

static bool names_vertices(const Source *source, uint32_t triangle)
{
    uint32_t corners[3], count = source->desc.vertex_count;
    source_triangle(source, triangle, corners);
    return corners[0] < count && corners[1] < count && corners[2] < count;
}

static void add_failure(Part *part, uint32_t triangle)
{
    part->bad_triangle = triangle < part->bad_triangle ? triangle : part->bad_triangle;
}

/* The present triangles of a packet; returns how many. */
static uint32_t take_triangles(const Refit *refit, Part *part, const LeafPacket *packet,
                               BvhPrimitive own[PACKET_TRIANGLES])
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    uint32_t count = 0;
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        uint32_t triangle = packet_source(&origins, i);
        if (is_absent(&refit->source, triangle)) /* mutant: absent_triangle_stays */
        {
            ++part->absent_count;
        }
        else if (!names_vertices(&refit->source, triangle))
        {
            add_failure(part, triangle);
        }
        else
        {
            own[count++].id = triangle;
        }
    }
    return count;
}

static bool is_place(Vec3 v)
{
    return fabs(v.x) <= SIDLE_MAX_COORDINATE && fabs(v.y) <= SIDLE_MAX_COORDINATE &&
           fabs(v.z) <= SIDLE_MAX_COORDINATE; /* false for NaN */
}

/* Returns whether all vertices can be stored, else notes the triangles that cannot. */
static bool check_vertices(const Refit *refit, Part *part, const BvhPrimitive *own, const LeafPacket *packet,
                           const LeafVertices *vertices)
{
    uint32_t bad = 0; /* a bit for each vertex */
    for (uint32_t i = 0; i < vertices->count; ++i)
    {
        bad |= (uint32_t)!is_place(source_vertex(&refit->source, vertices->numbers[i])) << i;
    }
    for (uint32_t i = 0; bad && i < 3u * packet->triangle_count; ++i)
    {
        if (bad >> packet->rest[i] & 1)
        {
            add_failure(part, own[i / 3].id);
        }
    }
    return !bad;
}

static void count_shapes(const LeafPacket *packet, const LeafVertices *vertices, ShapeCounts *counts)
{
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        StoredTriangle triangle;
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            uint32_t vertex = packet_index(packet)[i][corner];
            triangle.v[corner][0] = vertices->at[0][vertex];
            triangle.v[corner][1] = vertices->at[1][vertex];
            triangle.v[corner][2] = vertices->at[2][vertex];
        }
        sidle_count_shape(&triangle, counts);
    }
}

/* Packets of a task, one after the other. Few of the reserved bytes are touched. */
static uint8_t *scratch_of(const Refit *refit, const Part *part)
{
    return refit->scratch + (size_t)part->first_triangle * PACKET_MOST;
}

/* Writes the packet of what is present in a leaf of the form, and its box. Returns false if that is nothing. */
static bool pack_leaf(Refit *refit, Part *part, const LeafPacket *form, Bounds *box)
{
    BvhPrimitive own[PACKET_TRIANGLES];
    LeafVertices vertices;
    LeafPacket *packet = (void *)(scratch_of(refit, part) + (size_t)part->units * PACKET_UNIT);
    uint32_t count = take_triangles(refit, part, form, own);
    if (count == 0)
    {
        return false;
    }
    if (count < form->triangle_count || !sidle_leaf_begin_as(form, &refit->source, own, packet, &vertices))
    {
        sidle_leaf_begin(&refit->source, own, count, packet, &vertices);
    }
    if (!check_vertices(refit, part, own, packet, &vertices))
    {
        return false;
    }
    count_shapes(packet, &vertices, &part->counts);
    part->units += sidle_leaf_end(&refit->source, own, packet, &vertices, box);
    part->leaf_count += 1;
    return true;
}

static void pack(Refit *refit, uint32_t task)
{
    Part *part = &refit->parts[task];
    uint32_t leaf = part->first_leaf;
    uint32_t end = task_end(task, NODES_PER_TASK, refit->form->node_count);
    part->leaf_count = part->units = part->absent_count = 0;
    part->counts = (ShapeCounts){0, 0};
    part->bad_triangle = UINT32_MAX;
    for (uint32_t n = task * NODES_PER_TASK; n < end; ++n)
    {
        BvhNode *node = &refit->nodes[n];
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t child = refit->form->nodes[n].child[i];
            bool is_leaf = child & BVH_LEAF;
            Bounds box;
            bvh_write_child(node, i, NULL, is_leaf ? 0 : child);
            if (!is_leaf)
            {
                continue;
            }
            refit->leaf_units[leaf] = part->units;
            if (pack_leaf(refit, part, packet_at(refit->form->packets, child & ~BVH_LEAF), &box))
            {
                bvh_write_child(node, i, &box, BVH_LEAF | leaf);
            }
            ++leaf;
        }
    }
}

/* ---- nodes ---- */

static sidle_status report_failure(const Refit *refit, uint32_t triangle)
{
    const Source *source = &refit->source;
    sidle_status status = sidle_bake_check_triangle(source, triangle);
    for (uint32_t i = 0, corners[3]; i < 3 && status == SIDLE_OK; ++i)
    {
        source_triangle(source, triangle, corners);
        status = sidle_bake_check_vertex(source, corners[i]);
    }
    return status;
}

static sidle_status find_failure(const Refit *refit)
{
    uint32_t lowest = UINT32_MAX;
    for (uint32_t i = 0; i < refit->part_count; ++i)
    {
        uint32_t bad = refit->parts[i].bad_triangle;
        lowest = bad < lowest ? bad : lowest;
    }
    return lowest == UINT32_MAX ? SIDLE_OK : report_failure(refit, lowest);
}

/* From the last node to the first, as children follow their parents. */
static void settle_nodes(Refit *refit)
{
    double cost = 0;
    for (uint32_t n = refit->form->node_count; n-- > 0;)
    {
        BvhNode *node = &refit->nodes[n];
        const Part *part = &refit->parts[n / NODES_PER_TASK];
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t child = node->child[i];
            if (child & BVH_LEAF)
            {
                Bounds box = bvh_child_box(node, i);
                cost += BVH_LEAF_COST * (double)bounds_half_area(&box);
                node->child[i] = BVH_LEAF | (part->first_unit + refit->leaf_units[child & ~BVH_LEAF]);
            }
            else if (child)
            {
                Bounds box = bvh_node_box(&refit->nodes[child / BVH_NODE_ROWS]);
                bool is_empty = !(box.min[0] <= box.max[0]);
                bvh_write_child(node, i, is_empty ? NULL : &box, is_empty ? 0 : child);
            }
        }
        Bounds box = bvh_node_box(node);
        cost += box.min[0] <= box.max[0] ? BVH_NODE_COST * (double)bounds_half_area(&box) : 0;
    }
    refit->mesh->bounds = bvh_node_box(&refit->nodes[0]);
    double area = (double)bounds_half_area(&refit->mesh->bounds);
    refit->mesh->sah_cost = area > 0 ? cost / area : 0;
}

static void settle(Refit *refit)
{
    sidle_mesh *mesh = refit->mesh;
    refit->status = find_failure(refit);
    if (refit->status != SIDLE_OK)
    {
        return;
    }
    uint64_t units = 0, absent_count = 0;
    for (uint32_t i = 0; i < refit->part_count; ++i)
    {
        Part *part = &refit->parts[i];
        part->first_unit = (uint32_t)units;
        units += part->units;
        mesh->leaf_count += part->leaf_count;
        mesh->degenerate_count += part->counts.degenerate;
        mesh->sliver_count += part->counts.slivers;
        absent_count += part->absent_count;
    }
    if (absent_count > 0) /* what comes back must have a place */
    {
        mesh->form = (sidle_mesh *)refit->form;
        sidle_mesh_retain(mesh->form);
    }
    settle_nodes(refit);
    if (mesh->leaf_count == 0) /* an empty mesh has no nodes */
    {
        sidle_memory_free(&mesh->allocator, refit->nodes, mesh->node_count, sizeof *refit->nodes);
        mesh->nodes = NULL;
        mesh->node_count = 0;
        return;
    }
    mesh->packet_bytes = units * PACKET_UNIT + PACKET_SLACK;
    refit->packets = sidle_memory_allocate(&mesh->allocator, (size_t)mesh->packet_bytes, 1);
    mesh->packets = refit->packets;
    if (!refit->packets)
    {
        refit->status = sidle_status_fail(refit->source.desc.error, SIDLE_ERROR_MEMORY, 0, NULL);
        return;
    }
    memset(refit->packets + units * PACKET_UNIT, 0, PACKET_SLACK);
}

static void copy(Refit *refit, uint32_t task)
{
    const Part *part = &refit->parts[task];
    memcpy(refit->packets + (size_t)part->first_unit * PACKET_UNIT, scratch_of(refit, part),
           (size_t)part->units * PACKET_UNIT);
}

/* ---- the call ---- */

static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)worker;
    Refit *refit = state;
    if (phase == REFIT_PACK)
    {
        pack(refit, task);
    }
    else if (phase == REFIT_SETTLE)
    {
        settle(refit);
    }
    else if (refit->status == SIDLE_OK && refit->mesh->node_count > 0)
    {
        copy(refit, task);
    }
}

/* What comes before the nodes of each task. */
static void count_leaves(Refit *refit)
{
    const sidle_mesh *form = refit->form;
    uint32_t leaf = 0, triangle = 0;
    for (uint32_t n = 0; n < form->node_count; ++n)
    {
        if (n % NODES_PER_TASK == 0)
        {
            refit->parts[n / NODES_PER_TASK] = (Part){.first_leaf = leaf, .first_triangle = triangle};
        }
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t child = form->nodes[n].child[i];
            if (child & BVH_LEAF)
            {
                ++leaf;
                triangle += packet_at(form->packets, child & ~BVH_LEAF)->triangle_count;
            }
        }
    }
}

static bool reserve(Refit *refit, const sidle_allocator *allocator)
{
    const sidle_mesh *form = refit->form;
    sidle_mesh *mesh = sidle_memory_allocate(allocator, 1, sizeof *mesh);
    if (!mesh)
    {
        return false;
    }
    *mesh = (sidle_mesh){.allocator = *allocator,
                         .node_count = form->node_count,
                         .triangle_count = form->triangle_count,
                         .bounds = bounds_empty(),
                         .origin = refit->source.origin};
    reference_init(&mesh->reference);
    refit->mesh = mesh;
    refit->part_count = tasks_over(form->node_count, NODES_PER_TASK);
    refit->nodes = sidle_memory_allocate(allocator, form->node_count, sizeof *refit->nodes);
    mesh->nodes = refit->nodes;
    refit->parts = sidle_memory_allocate(allocator, refit->part_count, sizeof *refit->parts);
    refit->leaf_units = sidle_memory_allocate(allocator, form->leaf_count, sizeof *refit->leaf_units);
    refit->scratch = sidle_memory_allocate(allocator, form->triangle_count, PACKET_MOST);
    return form->node_count == 0 || (refit->nodes && refit->parts && refit->leaf_units && refit->scratch);
}

static sidle_status refit_all(Refit *refit, const sidle_jobs *jobs)
{
    sidle_work work = {.run = run,
                       .state = refit,
                       .phase_names = phase_names,
                       .phase_count = REFIT_PHASE_COUNT,
                       .worker_count = jobs_worker_count(jobs),
                       .task_count = {refit->part_count, 1, refit->part_count}};
    if (refit->form->node_count == 0)
    {
        return SIDLE_OK;
    }
    count_leaves(refit);
    sidle_work_begin(&work);
    sidle_work_execute(&work, jobs);
    sidle_status ran = sidle_work_end(&work);
    if (refit->status == SIDLE_OK && ran != SIDLE_OK)
    {
        return sidle_status_fail(refit->source.desc.error, ran, 0, "not every task has run once");
    }
    return refit->status;
}

static sidle_status check(const sidle_mesh *mesh, const sidle_mesh_desc *desc)
{
    if (desc->triangle_count != mesh->triangle_count)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "triangle_count is %u, but must be that of the mesh, %u",
                                 desc->triangle_count, mesh->triangle_count);
    }
    if (mesh->field)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_UNSUPPORTED, 0, "the mesh is a heightfield");
    }
    return sidle_bake_check_desc(desc);
}

static FP_BODY sidle_status refit_mesh(const sidle_mesh *mesh, const sidle_mesh_desc *desc,
                                       const sidle_jobs *jobs, const sidle_allocator *allocator,
                                       sidle_mesh **out)
{
    sidle_allocator chosen;
    if (!mesh || !desc || desc->size != sizeof *desc || !out || !sidle_jobs_are_valid(jobs) ||
        !sidle_memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = check(mesh, desc);
    if (status != SIDLE_OK)
    {
        return status;
    }
    Refit refit = {.form = mesh->form ? mesh->form : mesh, .source = sidle_bake_source(desc)};
    refit.source.origin = desc->origin ? refit.source.origin : mesh->origin;
    status = reserve(&refit, &chosen) ? refit_all(&refit, jobs)
                                      : sidle_status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    sidle_memory_free(&chosen, refit.scratch, refit.form->triangle_count, PACKET_MOST);
    sidle_memory_free(&chosen, refit.leaf_units, refit.form->leaf_count, sizeof *refit.leaf_units);
    sidle_memory_free(&chosen, refit.parts, refit.part_count, sizeof *refit.parts);
    if (status == SIDLE_OK)
    {
        *out = refit.mesh;
    }
    else
    {
        sidle_mesh_release(refit.mesh);
    }
    return status;
}

sidle_status sidle_mesh_refit(const sidle_mesh *mesh, const sidle_mesh_desc *desc, const sidle_jobs *jobs,
                              const sidle_allocator *allocator, sidle_mesh **out)
{
    FpEnvironment host = fp_enter();
    sidle_status status = refit_mesh(mesh, desc, jobs, allocator, out);
    fp_leave(host);
    return status;
}
