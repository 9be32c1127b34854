/* The structure of a world: the table of instances, from which commits make snapshots. */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "world/keys.h"
#include "world/tree.h"

typedef struct Slot
{
    uint32_t generation; /* kept when the instance is removed, so that old ids stay stale */
    uint32_t published;  /* index of its Placed in the last epoch, or NO_PLACED */
    uint32_t next_free;  /* of a free slot */
    bool listed;         /* in world->changes */
    /* Of the Placed in the last epoch: it can be hit, it rests, and it is not of this generation. */
    bool hit, rests, replaced;
} Slot;

struct sidle_world
{
    sidle_allocator allocator;
    Slot *slots;
    uint32_t *index_of; /* by slot: of its Placed in the next epoch, or NO_PLACED */
    Leaf *leaves;       /* by slot: in the tree */
    uint32_t *changes;  /* slots that may differ between the last epoch and the next one */
    uint32_t change_count, slot_count, slot_capacity;
    uint32_t first_free;  /* of the free slots, chained by `next_free`; NO_SLOT: none */
    uint32_t *page_of;    /* by slot / PAGE_SLOTS: the page in the next epoch, or NO_ITEM */
    uint64_t *page_epoch; /* in which the page was copied */
    Keys keys;
    Store placed, pages;
    Tree tree;
    Living living;
    sidle_snapshot *current;
    bool changed;      /* the next epoch differs from the current one, or is the first */
    sidle_error error; /* of the last refused _add, _move, _loop, _teleport or _replace */
};

static inline Placed *world_placed(const sidle_world *world, uint32_t slot)
{
    return store_item(&world->placed, world->index_of[slot]);
}

static inline bool world_has(const sidle_world *world, sidle_instance id)
{
    return world && id.generation && id.index < world->slot_count &&
           world->slots[id.index].generation == id.generation && world->index_of[id.index] != NO_PLACED;
}

static inline void world_list_change(sidle_world *world, uint32_t slot)
{
    world->changed = true;
    if (!world->slots[slot].listed)
    {
        world->slots[slot].listed = true;
        world->changes[world->change_count++] = slot;
    }
}

static inline uint32_t pages_over(uint32_t slots)
{
    return (slots + PAGE_SLOTS - 1) / PAGE_SLOTS;
}

/* Makes a Placed like another one in the store, and retains its mesh. Returns its index, or NO_ITEM without memory. */
uint32_t sidle_world_keep(sidle_world *world, const Placed *placed);

/* Refuses closed heightfields. */
sidle_status sidle_world_check_mesh(uint32_t flags, const sidle_mesh *mesh, sidle_error *error);

/* Sets the motion. The caller has entered the library's floating-point environment, since the matrices affect every
 * result. */
void sidle_placed_move(Placed *placed, const sidle_pose *from, const sidle_pose *to);

/* Publishes the empty first epoch. Returns false without memory. */
bool sidle_world_publish_empty(sidle_world *world);

#endif
