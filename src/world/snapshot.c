#include "world/snapshot.h"

#include "base/memory.h"
#include "bvh/build.h"

void placed_set(Placed *placed, Vec3 position, sidle_quat rotation, Vec3 scale)
{
    Mat3 axes = mat3_transpose(mat3_from_quat(rotation)); /* rows: the mesh's axes in the world */
    placed->position = position;
    placed->scale = scale;
    placed->inverse = (Mat3){{vec3_scale(axes.row[0], 1 / scale.x), vec3_scale(axes.row[1], 1 / scale.y),
                              vec3_scale(axes.row[2], 1 / scale.z)}};
    placed->linear =
        mat3_transpose((Mat3){{vec3_scale(axes.row[0], scale.x), vec3_scale(axes.row[1], scale.y),
                               vec3_scale(axes.row[2], scale.z)}});
}

const Placed *placed_at(const Placed *placed, double time, Placed *between)
{
    if (!placed->moves || time >= 1)
    {
        return placed;
    }
    Vec3 a = vec3_from_position(placed->from.position);
    sidle_quat p = placed->from.rotation, q = placed->to.rotation;
    float dot = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    float back = (float)(1 - time), forth = dot < 0 ? -(float)time : (float)time; /* the shorter arc */
    sidle_quat rotation = {back * p.x + forth * q.x, back * p.y + forth * q.y, back * p.z + forth * q.z,
                           back * p.w + forth * q.w};
    *between = *placed;
    placed_set(between, vec3_add_scaled(a, vec3_sub(placed->position, a), time), rotation, placed->scale);
    return between;
}

/* Adds the box of the mesh at a pose. */
static void add_pose_bounds(const Placed *placed, const sidle_pose *pose, Vec3 *low, Vec3 *high)
{
    Vec3 min = bounds_low(&placed->mesh->bounds), max = bounds_high(&placed->mesh->bounds);
    Vec3 half = vec3_scale(vec3_sub(max, min), .5);
    Vec3 center = vec3_mul(placed->scale, vec3_add(placed->mesh->origin, vec3_add(min, half)));
    Mat3 rotation = mat3_from_quat(pose->rotation);
    Vec3 scaled = vec3_mul(vec3_abs(placed->scale), half), position = vec3_from_position(pose->position);
    Vec3 at = vec3_add(position, mat3_mul(rotation, center)), extent = mat3_mul_abs(rotation, scaled);
    if (placed->moves)
    {
        /* Between two rotations a corner can leave the union of both boxes, but not the ball around the position. */
        double reach = vec3_length(scaled) + vec3_length(center);
        at = position;
        extent = vec3(reach, reach, reach);
    }
    *low = vec3_lesser(*low, vec3_sub(at, extent));
    *high = vec3_larger(*high, vec3_add(at, extent));
}

void placed_bounds(const Placed *placed, Vec3 *low, Vec3 *high)
{
    *low = vec3(INFINITY, INFINITY, INFINITY);
    *high = vec3(-INFINITY, -INFINITY, -INFINITY);
    add_pose_bounds(placed, &placed->to, low, high);
    if (placed->moves)
    {
        add_pose_bounds(placed, &placed->from, low, high);
    }
}

/* Boxes of the tree are float, relative to the middle of the world, so that they are precise far from zero. A side is
 * computed by six sums and differences of world positions, each with an error of 2^-53 of the farthest. */
static void choose_origin(sidle_snapshot *snapshot)
{
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < snapshot->present_count; ++i)
    {
        Vec3 l, h;
        placed_bounds(&snapshot->placed[snapshot->present[i]], &l, &h);
        low = vec3_lesser(low, l);
        high = vec3_larger(high, h);
    }
    snapshot->origin = vec3_add_scaled(low, vec3_sub(high, low), .5);
    Vec3 farthest = vec3_add(vec3_abs(low), vec3_abs(high));
    snapshot->doubt = 0x1p-49 * vec3_max_component(farthest);
}

static void fill_primitives(const sidle_snapshot *snapshot, BvhPrimitive *primitives)
{
    for (uint32_t i = 0; i < snapshot->present_count; ++i)
    {
        Vec3 low, high;
        placed_bounds(&snapshot->placed[snapshot->present[i]], &low, &high);
        Vec3 half = vec3_scale(vec3_sub(high, low), .5);
        Vec3 center = vec3_sub(vec3_add(low, half), snapshot->origin);
        primitives[i] = (BvhPrimitive){bounds_around(center, half), snapshot->present[i]};
    }
}

/* Each leaf is one instance, identified by its slot. */
static bool write_tree(sidle_snapshot *snapshot, BvhBuild *build, BvhLeaf *leaves)
{
    fill_primitives(snapshot, build->primitives);
    bvh_build_top(build);
    for (uint32_t i = 0; i < build->subtree_count; ++i)
    {
        bvh_build_subtree(build, i);
    }
    uint32_t node_count = bvh_count_nodes(build).node_count;
    snapshot->nodes = memory_allocate(&snapshot->allocator, node_count, sizeof *snapshot->nodes);
    if (!snapshot->nodes)
    {
        return false;
    }
    snapshot->node_count = node_count;
    bvh_write_nodes(build, snapshot->nodes, leaves);
    for (uint32_t n = 0; n < node_count * BVH_WIDTH; ++n)
    {
        uint32_t *child = &snapshot->nodes[n / BVH_WIDTH].child[n % BVH_WIDTH];
        if (*child & BVH_LEAF)
        {
            *child = BVH_LEAF | build->primitives[leaves[*child & ~BVH_LEAF].first].id;
        }
    }
    return true;
}

static bool build_tree(sidle_snapshot *snapshot)
{
    uint32_t count = snapshot->present_count;
    const sidle_allocator *allocator = &snapshot->allocator;
    if (count == 0)
    {
        return true;
    }
    choose_origin(snapshot);
    BvhBuild build = {.count = count, .leaf_size = 1};
    build.primitives = memory_allocate(allocator, count, sizeof *build.primitives);
    build.binary = memory_allocate(allocator, count, 2 * sizeof *build.binary);
    BvhLeaf *leaves = memory_allocate(allocator, count, sizeof *leaves);
    bool good = build.primitives && build.binary && leaves && write_tree(snapshot, &build, leaves);
    memory_free(allocator, build.primitives, count, sizeof *build.primitives);
    memory_free(allocator, build.binary, count, 2 * sizeof *build.binary);
    memory_free(allocator, leaves, count, sizeof *leaves);
    return good;
}

/* Copies the table into the snapshot and retains its meshes. The snapshot's release then releases them. */
static bool copy_table(sidle_snapshot *snapshot, const Placed *placed, uint32_t count)
{
    if (count == 0)
    {
        return true;
    }
    Placed *table = memory_allocate(&snapshot->allocator, count, sizeof *table + sizeof *snapshot->present);
    if (!table)
    {
        return false;
    }
    snapshot->placed = table;
    snapshot->present = (uint32_t *)(table + count);
    snapshot->placed_count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        table[i] = placed[i];
        if (table[i].mesh)
        {
            sidle_mesh_retain(table[i].mesh);
            snapshot->present[snapshot->present_count] = i;
            bool hits = table[i].mesh->node_count > 0;
            snapshot->present_count += hits;
            snapshot->moving_count += hits && table[i].moves;
        }
    }
    return true;
}

sidle_snapshot *snapshot_create(const sidle_allocator *allocator, uint64_t epoch, const Placed *placed,
                                uint32_t count, uint64_t resting)
{
    sidle_snapshot *snapshot = memory_allocate(allocator, 1, sizeof *snapshot);
    if (!snapshot)
    {
        return NULL;
    }
    static atomic_uint_least64_t serials;
    *snapshot = (sidle_snapshot){.allocator = *allocator,
                                 .epoch = epoch,
                                 .resting = resting ? resting : 1 + atomic_fetch_add(&serials, 1)};
    reference_init(&snapshot->reference);
    if (!copy_table(snapshot, placed, count) || !build_tree(snapshot))
    {
        sidle_snapshot_release(snapshot);
        return NULL;
    }
    return snapshot;
}

void sidle_snapshot_retain(sidle_snapshot *snapshot)
{
    reference_retain(&snapshot->reference);
}

void sidle_snapshot_release(sidle_snapshot *snapshot)
{
    if (!snapshot || !reference_release(&snapshot->reference))
    {
        return;
    }
    for (uint32_t i = 0; i < snapshot->placed_count; ++i)
    {
        sidle_mesh_release(snapshot->placed[i].mesh);
    }
    sidle_allocator allocator = snapshot->allocator;
    memory_free(&allocator, snapshot->placed, snapshot->placed_count,
                sizeof *snapshot->placed + sizeof *snapshot->present);
    memory_free(&allocator, snapshot->nodes, snapshot->node_count, sizeof *snapshot->nodes);
    memory_free(&allocator, snapshot, 1, sizeof *snapshot);
}

uint64_t sidle_snapshot_epoch(const sidle_snapshot *snapshot)
{
    return snapshot ? snapshot->epoch : 0;
}
