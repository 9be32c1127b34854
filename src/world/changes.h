/* The changes of a world since its last epoch. */
#ifndef WORLD_CHANGES_H
#define WORLD_CHANGES_H

#include "base/inlining.h"
#include "world/world.h"

/* What the changes do to an epoch. */
typedef struct ChangeSum
{
    uint32_t present_count, moving_count, closed_count;
    uint64_t mesh_bytes;
    bool rests_as_before; /* the resting instances are those of the last epoch */
    Vec3 low, high;       /* around the resting instances that are not, before and after */
} ChangeSum;

ChangeSum sidle_world_sum_changes(const sidle_world *world);

static inline const Placed *world_published(const sidle_world *world, uint32_t slot)
{
    return store_item(&world->placed, world->slots[slot].published);
}

/* ---- what is far from the processor ---- */

/* Changes are spread over memory, so that each step asks for what later steps read: first what leads there, then the
 * lines themselves. Each number is a multiple of the changes that fit into a miss. */
#define NODES_AHEAD  4
#define PLACES_AHEAD 8
#define SLOTS_AHEAD  16

FORCE_INLINE void prefetch_placed(const Placed *placed)
{
    __builtin_prefetch(placed);
    __builtin_prefetch(&placed->moves);
    __builtin_prefetch(placed->box_half);
}

FORCE_INLINE void prefetch_slot(const sidle_world *world, uint32_t i)
{
    if (i < world->change_count)
    {
        __builtin_prefetch(&world->slots[world->changes[i]]);
        __builtin_prefetch(&world->index_of[world->changes[i]]);
        __builtin_prefetch(&world->leaves[world->changes[i]]);
    }
}

#endif
