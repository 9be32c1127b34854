#include "world/snapshot.h"

#include "base/memory.h"

#include <string.h>

void sidle_placed_set(Placed *placed, Vec3 position, sidle_quat rotation, Vec3 scale)
{
    Mat3 axes = mat3_transpose(mat3_from_quat(rotation)); /* rows: the mesh's axes in the world */
    placed->position = position;
    placed->scale = scale;
    placed->inverse = (Mat3){{vec3_scale(axes.row[0], 1 / scale.x), vec3_scale(axes.row[1], 1 / scale.y),
                              vec3_scale(axes.row[2], 1 / scale.z)}};
    placed->linear =
        mat3_transpose((Mat3){{vec3_scale(axes.row[0], scale.x), vec3_scale(axes.row[1], scale.y),
                               vec3_scale(axes.row[2], scale.z)}});
    const Mat3 identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    placed->is_plain = memcmp(&placed->linear, &identity, sizeof identity) == 0;
    placed->is_even = fabs(scale.x) == fabs(scale.y) && fabs(scale.y) == fabs(scale.z);
}

const Placed *sidle_placed_at(const Placed *placed, double time, Placed *between)
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
    sidle_placed_set(between, vec3_add_scaled(a, vec3_sub(placed->position, a), time), rotation,
                     placed->scale);
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

/* Searches take triangles of up to 2^-21 of their coordinates beyond a box (BOX_GROWTH), and an instance must be found
 * if any of its triangles is. Twice that for each of two roundings. */
#define BOX_SLACK 0x1p-19

void sidle_placed_set_box(Placed *placed)
{
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3(-INFINITY, -INFINITY, -INFINITY);
    add_pose_bounds(placed, &placed->to, &low, &high);
    if (placed->moves)
    {
        add_pose_bounds(placed, &placed->from, &low, &high);
    }
    Vec3 half = vec3_scale(vec3_sub(high, low), .5), center = vec3_add(low, half);
    Vec3 farthest = vec3_larger(vec3_abs(bounds_low(&placed->mesh->bounds)),
                                vec3_abs(bounds_high(&placed->mesh->bounds)));
    half = vec3_add_scaled(half, vec3(1, 1, 1),
                           BOX_SLACK * vec3_length(vec3_mul(vec3_abs(placed->scale), farthest)));
    memcpy(placed->box_center, &center, sizeof center);
    memcpy(placed->box_half, &half, sizeof half);
    placed->box_center[3] = placed->box_half[3] = 0;
}

uint64_t sidle_snapshot_serial(void)
{
    static atomic_uint_least64_t serials;
    return 1 + atomic_fetch_add(&serials, 1);
}

sidle_snapshot *sidle_snapshot_create(const sidle_allocator *allocator, uint32_t page_count)
{
    sidle_snapshot *snapshot = sidle_memory_allocate(allocator, 1, sizeof *snapshot);
    const uint32_t **pages = sidle_memory_allocate(allocator, page_count, sizeof *pages);
    if (!snapshot || (page_count > 0 && !pages))
    {
        sidle_memory_free(allocator, (void *)pages, page_count, sizeof *pages);
        sidle_memory_free(allocator, snapshot, 1, sizeof *snapshot);
        return NULL;
    }
    *snapshot = (sidle_snapshot){.allocator = *allocator, .pages = pages, .page_count = page_count};
    reference_init(&snapshot->reference);
    reference_init(&snapshot->memory);
    return snapshot;
}

void sidle_snapshot_retain(sidle_snapshot *snapshot)
{
    reference_retain(&snapshot->reference);
}

void sidle_snapshot_forget(sidle_snapshot *snapshot)
{
    if (reference_release(&snapshot->memory))
    {
        sidle_allocator allocator = snapshot->allocator;
        sidle_memory_free(&allocator, snapshot, 1, sizeof *snapshot);
    }
}

/* The world sees the reference count and may reuse items, but it keeps the memory of the structure. */
void sidle_snapshot_release(sidle_snapshot *snapshot)
{
    if (!snapshot || !reference_release(&snapshot->reference))
    {
        return;
    }
    for (int i = 0; i < 3; ++i)
    {
        sidle_block_release(snapshot->blocks[i]);
    }
    sidle_memory_free(&snapshot->allocator, (void *)snapshot->pages, snapshot->page_count,
                      sizeof *snapshot->pages);
    sidle_snapshot_forget(snapshot);
}

uint64_t sidle_snapshot_epoch(const sidle_snapshot *snapshot)
{
    return snapshot ? snapshot->epoch : 0;
}
