/* The phases of a bake. */
#include "mesh/bake.h"

#include "base/memory.h"
#include "base/status.h"
#include "jobs/loop.h"

#include <stdio.h>
#include <string.h>

sidle_status sidle_bake_check_place(Vec3 v, uint64_t index, const char *name, sidle_error *error)
{
    const double values[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i)
    {
        if (!isfinite(values[i]))
        {
            return sidle_status_fail(error, SIDLE_ERROR_NOT_FINITE, index, "%s: %c is %g, but must be finite",
                                     name, 'x' + i, values[i]);
        }
        if (fabs(values[i]) > SIDLE_MAX_COORDINATE)
        {
            return sidle_status_fail(error, SIDLE_ERROR_LIMIT, index,
                                     "%s: %c is %.9g, but must be from %g to %g", name, 'x' + i, values[i],
                                     -SIDLE_MAX_COORDINATE, SIDLE_MAX_COORDINATE);
        }
    }
    return SIDLE_OK;
}

static void measure(Bake *bake, uint32_t task)
{
    TaskReport report = {.low = vec3(INFINITY, INFINITY, INFINITY),
                         .high = vec3(-INFINITY, -INFINITY, -INFINITY),
                         .bad_index = NOTHING_BAD};
    uint32_t end = task_end(task, VERTICES_PER_TASK, bake->source.desc.vertex_count);
    for (uint32_t i = task * VERTICES_PER_TASK; i < end && report.bad_index == NOTHING_BAD; ++i)
    {
        Vec3 v = source_vertex(&bake->source, i);
        report.low = vec3_lesser(v, report.low);
        report.high = vec3_larger(v, report.high);
        report.bad_index = source_is_place(v) ? NOTHING_BAD : i;
    }
    bake->reports[task] = report;
}

/* The failure of the lowest task, so that it does not depend on the schedule; NULL: none. */
static const TaskReport *find_failure(const Bake *bake, uint32_t count)
{
    const TaskReport *report = bake->reports;
    while (report < bake->reports + count && report->bad_index == NOTHING_BAD)
    {
        ++report;
    }
    return report < bake->reports + count ? report : NULL;
}

sidle_status sidle_bake_check_vertex(const Source *source, uint32_t vertex)
{
    char name[32];
    snprintf(name, sizeof name, "vertex %u", vertex);
    return sidle_bake_check_place(source_vertex(source, vertex), vertex, name, source->desc.error);
}

sidle_status sidle_bake_check_triangle(const Source *source, uint32_t triangle)
{
    uint32_t corners[3], i = 0, count = source->desc.vertex_count;
    source_triangle(source, triangle, corners);
    while (i < 3 && corners[i] < count)
    {
        ++i;
    }
    return i == 3 ? SIDLE_OK
                  : sidle_status_fail(source->desc.error, SIDLE_ERROR_INDEX, triangle,
                                      "triangle %u: index %u is %u, but must be below the vertex_count of %u",
                                      triangle, i, corners[i], count);
}

/* Chooses the origin, a multiple of a power of two that is at least the size of the mesh. A mesh around zero keeps zero
 * as its origin, and so all bits of its vertices. A mesh far from zero is stored relative to a near origin. */
static void place(Bake *bake)
{
    const TaskReport *failure = find_failure(bake, bake->vertex_tasks);
    if (failure)
    {
        bake->status = sidle_bake_check_vertex(&bake->source, failure->bad_index);
        return;
    }
    if (bake->source.desc.origin)
    {
        return;
    }
    Vec3 low = vec3(0, 0, 0), high = low;
    for (uint32_t i = 0; i < bake->vertex_tasks; ++i)
    {
        low = i > 0 ? vec3_lesser(bake->reports[i].low, low) : bake->reports[i].low;
        high = i > 0 ? vec3_larger(bake->reports[i].high, high) : bake->reports[i].high;
    }
    Vec3 extent = vec3_sub(high, low), center = vec3_add_scaled(low, extent, .5);
    double step = 0x1p-40;
    while (step < vec3_max_component(extent))
    {
        step *= 2;
    }
    const Vec3 most = vec3(SIDLE_MAX_COORDINATE, SIDLE_MAX_COORDINATE, SIDLE_MAX_COORDINATE);
    Vec3 nearest = vec3(floor(center.x / step + .5) * step, floor(center.y / step + .5) * step,
                        floor(center.z / step + .5) * step);
    bake->source.origin = vec3_larger(vec3_scale(most, -1), vec3_lesser(nearest, most));
}

/* Below this a triangle is a sliver, whose face needs double beyond a size of 450 radii (docs/numerics.md). */
#define SLIVER_KAPPA 0x1p-6

/* kappa is |A x B| / (|A| |B|) of the two shortest edges, the sine of the largest angle. */
void sidle_count_shape(const StoredTriangle *triangle, ShapeCounts *counts)
{
    Vec3 corner[3];
    double edge2[3], longest2 = 0;
    for (int i = 0; i < 3; ++i)
    {
        const float *v = triangle->v[i];
        corner[i] = vec3((double)v[0], (double)v[1], (double)v[2]);
    }
    for (int i = 0; i < 3; ++i)
    {
        edge2[i] = vec3_length2(vec3_sub(corner[(i + 1) % 3], corner[i]));
        longest2 = larger(longest2, edge2[i]);
    }
    Vec3 normal = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
    double sliver2 = SLIVER_KAPPA * SLIVER_KAPPA * (edge2[0] * edge2[1] * edge2[2]);
    bool is_degenerate = vec3_is_zero(normal);
    counts->degenerate += is_degenerate;
    counts->slivers += !is_degenerate && vec3_length2(normal) * longest2 < sliver2;
}

static void box(Bake *bake, uint32_t task)
{
    TaskReport report = {.bad_index = NOTHING_BAD};
    uint32_t end = task_end(task, TRIANGLES_PER_TASK, bake->tree.count);
    for (uint32_t i = task * TRIANGLES_PER_TASK; i < end; ++i)
    {
        BvhPrimitive *primitive = &bake->tree.primitives[i];
        if (!source_names_vertices(&bake->source, i))
        {
            report.bad_index = i;
            break;
        }
        StoredTriangle stored = source_stored_triangle(&bake->source, i);
        Bounds bounds = bounds_empty();
        for (int corner = 0; corner < 3; ++corner)
        {
            bounds_add_point(&bounds, stored.v[corner]);
        }
        *primitive = bvh_primitive(&bounds, i);
        sidle_count_shape(&stored, &report.shapes);
    }
    bake->reports[task] = report;
}

static void split(Bake *bake)
{
    const TaskReport *failure = find_failure(bake, bake->triangle_tasks);
    if (failure)
    {
        bake->status = sidle_bake_check_triangle(&bake->source, failure->bad_index);
        return;
    }
    for (uint32_t i = 0; i < bake->triangle_tasks; ++i)
    {
        bake->mesh->degenerate_count += bake->reports[i].shapes.degenerate;
        bake->mesh->sliver_count += bake->reports[i].shapes.slivers;
    }
    sidle_bvh_sample(&bake->tree);
}

static void reserve(Bake *bake)
{
    sidle_mesh *mesh = bake->mesh;
    BvhSize size = sidle_bvh_place_branches(&bake->tree);
    bake->nodes = sidle_memory_allocate(&bake->allocator, size.node_count, sizeof *bake->nodes);
    mesh->nodes = bake->nodes;
    mesh->node_count = bake->nodes ? size.node_count : 0;
    mesh->leaf_count = size.leaf_count;
    bake->leaves = sidle_memory_allocate(&bake->allocator, size.leaf_count, sizeof *bake->leaves);
    bake->leaf_units = sidle_memory_allocate(&bake->allocator, size.leaf_count, sizeof *bake->leaf_units);
    if (!mesh->nodes || !bake->leaves || !bake->leaf_units)
    {
        bake->status = sidle_status_fail(bake->source.desc.error, SIDLE_ERROR_MEMORY, 0, NULL);
        return;
    }
    mesh->bounds = bake->tree.binary[bake->tree.root].bounds;
    mesh->origin = bake->source.origin;
}

/* The leaves of a task: of a branch, or of the nodes above all. */
typedef struct Leaves
{
    uint32_t first, end;
} Leaves;

static Leaves leaves_of(const Bake *bake, uint32_t task)
{
    const BvhBuild *tree = &bake->tree;
    if (task >= tree->branch_count)
    {
        return (Leaves){0, task == tree->branch_count ? tree->top_size.leaf_count : 0};
    }
    const BvhBranch *branch = &tree->branches[task];
    return (Leaves){branch->first.leaf_count, branch->first.leaf_count + branch->size.leaf_count};
}

/* A packet needs no more memory than the binary nodes of its triangles, which are read no more. */
static LeafPacket *scratch_packet(const Bake *bake, uint32_t leaf)
{
    return (LeafPacket *)(void *)&bake->tree.binary[2 * (size_t)bake->leaves[leaf].first];
}

_Static_assert(PACKET_MOST <= 2 * sizeof(BinaryNode), "a packet fits");

static void pack(Bake *bake, uint32_t task)
{
    Leaves leaves = leaves_of(bake, task);
    for (uint32_t i = leaves.first; i < leaves.end; ++i)
    {
        bake->leaf_units[i] =
            sidle_leaf_write(&bake->source, bake->tree.primitives, &bake->leaves[i], scratch_packet(bake, i));
    }
}

/* A packet of one triangle takes at most 10 units, but its sibling has eight triangles, and theirs takes 49. */
_Static_assert(7ull * SIDLE_MAX_TRIANGLES < BVH_LEAF, "the units of all packets have numbers");

/* Replaces leaf numbers in the nodes by the offsets of the packets. */
static void link_leaves(Bake *bake)
{
    for (uint32_t n = 0; n < bake->mesh->node_count * BVH_WIDTH; ++n)
    {
        uint32_t *child = &bake->nodes[n / BVH_WIDTH].child[n % BVH_WIDTH];
        if (*child & BVH_LEAF)
        {
            *child = BVH_LEAF | bake->leaf_units[*child & ~BVH_LEAF];
        }
    }
}

static void lay_out(Bake *bake)
{
    sidle_mesh *mesh = bake->mesh;
    uint64_t units = 0;
    for (uint32_t i = 0; i < mesh->leaf_count; ++i)
    {
        uint32_t size = bake->leaf_units[i];
        bake->leaf_units[i] = (uint32_t)units;
        units += size;
    }
    link_leaves(bake);
    mesh->sah_cost = sidle_bvh_cost(&bake->tree, &mesh->bounds);
    mesh->packet_bytes = units * PACKET_UNIT + PACKET_SLACK;
    bool fits = mesh->packet_bytes <= SIZE_MAX; /* WebAssembly's addresses have 32 bits */
    bake->packets = fits ? sidle_memory_allocate(&bake->allocator, (size_t)mesh->packet_bytes, 1) : NULL;
    mesh->packets = bake->packets;
    if (!bake->packets)
    {
        bake->status = sidle_status_fail(bake->source.desc.error, SIDLE_ERROR_MEMORY, 0, NULL);
        return;
    }
    memset(bake->packets + units * PACKET_UNIT, 0, PACKET_SLACK);
}

static void copy(Bake *bake, uint32_t task)
{
    Leaves leaves = leaves_of(bake, task);
    for (uint32_t i = leaves.first; i < leaves.end; ++i)
    {
        const LeafPacket *packet = scratch_packet(bake, i);
        memcpy(bake->packets + (size_t)bake->leaf_units[i] * PACKET_UNIT, packet,
               (size_t)sidle_packet_size(packet) * PACKET_UNIT);
    }
}

void sidle_bake_run_phase(Bake *bake, enum BakePhase phase, uint32_t task)
{
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
    case COUNT:
        if (bake->tree.plane_count > 0)
        {
            sidle_bvh_count_chunk(&bake->tree, task);
        }
        break;
    case PLAN:
        sidle_bvh_place_chunks(&bake->tree);
        break;
    case MOVE:
        if (bake->tree.plane_count > 0)
        {
            sidle_bvh_move_chunk(&bake->tree, task);
        }
        break;
    case BUILD:
        if (task < bake->tree.subtree_count)
        {
            sidle_bvh_build_subtree(&bake->tree, task);
        }
        break;
    case WIDEN:
        sidle_bvh_settle(&bake->tree);
        break;
    case MEASURE_BRANCH:
        if (task < bake->tree.branch_count)
        {
            sidle_bvh_count_branch(&bake->tree, task);
        }
        break;
    case RESERVE:
        reserve(bake);
        break;
    case WRITE:
        if (task <= bake->tree.branch_count)
        {
            sidle_bvh_write_branch(&bake->tree, task, bake->nodes, bake->leaves);
        }
        break;
    case PACK:
        pack(bake, task);
        break;
    case LAY_OUT:
        lay_out(bake);
        break;
    default:
        copy(bake, task);
        break;
    }
}
