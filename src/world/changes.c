/* What changes add up to: counts, and where the resting instances are others. */
#include "world/changes.h"

#include "world/pose.h"

FORCE_INLINE void prefetch_change(const sidle_world *world, uint32_t i)
{
    prefetch_slot(world, i + PLACES_AHEAD);
    if (i + NODES_AHEAD < world->change_count)
    {
        prefetch_placed(world_placed(world, world->changes[i + NODES_AHEAD]));
    }
}

static uint64_t bytes_of(const Placed *placed)
{
    const sidle_mesh *mesh = placed->mesh;
    return mesh->packet_bytes + mesh->node_count * sizeof *mesh->nodes;
}

/* An instance that was moved and taken back rests as before. */
static bool rests_alike(const sidle_world *world, uint32_t slot, const Placed *after)
{
    const Slot *before = &world->slots[slot];
    bool rests = after->mesh && !after->moves;
    if (before->rests != rests || !rests || before->published == world->index_of[slot])
    {
        return before->rests == rests;
    }
    return !before->replaced && sidle_pose_equal(&world_published(world, slot)->to, &after->to);
}

static void add_box(ChangeSum *sum, const Placed *placed)
{
    Vec3 center = vec3(placed->box_center[0], placed->box_center[1], placed->box_center[2]);
    Vec3 half = vec3(placed->box_half[0], placed->box_half[1], placed->box_half[2]);
    sum->low = vec3_lesser(sum->low, vec3_sub(center, half));
    sum->high = vec3_larger(sum->high, vec3_add(center, half));
}

/* The resting instances change here. */
static void add_unrest(const sidle_world *world, uint32_t slot, const Placed *after, ChangeSum *sum)
{
    sum->rests_as_before = false;
    if (world->slots[slot].hit)
    {
        add_box(sum, world_published(world, slot));
    }
    if (placed_can_be_hit(after))
    {
        add_box(sum, after); /* mutant: cache_without_new_wall */
    }
}

static uint32_t is_closed(const Placed *placed)
{
    return (placed->flags & SIDLE_INSTANCE_CLOSED) != 0;
}

/* Reads the Placed of the last epoch only if it has to: it is rarely in a cache. */
static void add_change(const sidle_world *world, uint32_t slot, ChangeSum *sum)
{
    const Slot *before = &world->slots[slot];
    const Placed *after = world_placed(world, slot);
    bool is = placed_can_be_hit(after);
    if (before->hit != is || before->replaced)
    {
        sum->present_count += (uint32_t)is - (uint32_t)before->hit;
        sum->mesh_bytes += is ? bytes_of(after) : 0;
        sum->mesh_bytes -= before->hit ? bytes_of(world_published(world, slot)) : 0;
        sum->closed_count += is ? is_closed(after) : 0;
        sum->closed_count -= before->hit ? is_closed(world_published(world, slot)) : 0;
    }
    sum->moving_count += is && after->moves;
    if (!rests_alike(world, slot, after))
    {
        add_unrest(world, slot, after, sum);
    }
}

ChangeSum sidle_world_sum_changes(const sidle_world *world)
{
    const sidle_snapshot *last = world->current;
    ChangeSum sum = {.present_count = last->present_count,
                     .closed_count = last->closed_count,
                     .mesh_bytes = last->mesh_bytes,
                     .rests_as_before = true,
                     .low = {INFINITY, INFINITY, INFINITY},
                     .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < world->change_count; ++i)
    {
        prefetch_change(world, i);
        add_change(world, world->changes[i], &sum);
    }
    return sum;
}
