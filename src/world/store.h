/* Items that many epochs share: an array of items of one size. The world adds items and retires them; snapshots read those
 * of their epoch. An index stays valid as long as the item, whatever else is added.
 *
 * An item that an epoch has replaced is used again after the last snapshot of an earlier epoch has ended. If snapshots
 * keep too many, the array is copied without these, so that a kept snapshot costs one array at most. */
#ifndef WORLD_STORE_H
#define WORLD_STORE_H

#include "base/reference.h"
#include "sidle/base.h"

#define NO_ITEM UINT32_MAX

/* The array. Its references are those of the world and of each snapshot. */
typedef struct Block
{
    Reference reference;
    sidle_allocator allocator;
    size_t unit; /* bytes of an item */
    uint32_t capacity, used;
    void (*release)(void *item); /* or NULL; once for each item, and again for one that is released */
    char *items;
} Block;

static inline void block_retain(Block *block)
{
    reference_retain(&block->reference);
}

/* NULL does nothing. */
void sidle_block_release(Block *block);

/* The snapshots of a world that may still be in use, in the order of their epochs. */
typedef struct Living
{
    struct sidle_snapshot **list;
    uint32_t count, capacity;
    uint64_t next_epoch; /* of the next commit */
} Living;

/* Makes room for one more. Returns false without memory. */
bool sidle_living_reserve(Living *living, const sidle_allocator *allocator);

/* Forgets the snapshots that have ended. */
void sidle_living_prune(Living *living);

typedef struct Retired
{
    uint64_t epoch; /* the first one without the item */
    uint32_t index;
} Retired;

typedef struct Store
{
    const sidle_allocator *allocator;
    size_t unit;
    void (*retain)(void *item), (*release)(void *item); /* or NULL */
    Block *block;                                       /* NULL before the first item */
    uint32_t *unused;                                   /* indices */
    uint32_t unused_count;
    Retired *retired; /* a ring of block->capacity */
    uint32_t retired_first, retired_count;
    uint64_t first_epoch; /* whose snapshot holds the block */
} Store;

static inline void *store_item(const Store *store, uint32_t index)
{
    return store->block->items + (size_t)index * store->unit;
}

/* Returns the index of an item of undefined contents, or NO_ITEM without memory. May move the array. */
uint32_t sidle_store_take(Store *store, const Living *living);

/* Takes back an item that no epoch has. */
void sidle_store_give_back(Store *store, uint32_t index);

/* Retires an item that the next epoch does not have. */
void sidle_store_retire(Store *store, uint32_t index, uint64_t next_epoch);

/* Makes the items that no snapshot reads available. */
void sidle_store_reclaim(Store *store, const Living *living);

/* Replaces the array by an empty one for the next epoch. Returns false, with nothing changed, without memory. */
bool sidle_store_restart(Store *store, uint32_t capacity, const Living *living);

void sidle_store_close(Store *store);

#endif
