#include "world/store.h"

#include "base/inlining.h"
#include "base/memory.h"
#include "world/snapshot.h"

#include <string.h>

#define LEAST_ITEMS 64
#define TAKES_AHEAD 8

void sidle_block_release(Block *block)
{
    if (!block || !reference_release(&block->reference))
    {
        return;
    }
    for (uint32_t i = 0; block->release && i < block->used; ++i)
    {
        block->release(block->items + (size_t)i * block->unit);
    }
    sidle_allocator allocator = block->allocator;
    sidle_memory_free(&allocator, block->items, block->capacity, block->unit);
    sidle_memory_free(&allocator, block, 1, sizeof *block);
}

/* The block of a store, and the lists for its indices. */
typedef struct Parts
{
    Block *block;
    uint32_t *unused;
    Retired *retired;
} Parts;

static void free_lists(const Store *store, const Parts *parts, uint32_t capacity)
{
    sidle_memory_free(store->allocator, parts->unused, capacity, sizeof *parts->unused);
    sidle_memory_free(store->allocator, parts->retired, capacity, sizeof *parts->retired);
}

static bool make_parts(const Store *store, uint32_t capacity, Parts *parts)
{
    const sidle_allocator *allocator = store->allocator;
    Block *block = sidle_memory_allocate(allocator, 1, sizeof *block);
    void *items = sidle_memory_allocate(allocator, capacity, store->unit);
    parts->unused = sidle_memory_allocate(allocator, capacity, sizeof *parts->unused);
    parts->retired = sidle_memory_allocate(allocator, capacity, sizeof *parts->retired);
    parts->block = block;
    if (!block || !items || !parts->unused || !parts->retired)
    {
        free_lists(store, parts, capacity);
        sidle_memory_free(allocator, items, capacity, store->unit);
        sidle_memory_free(allocator, block, 1, sizeof *block);
        return false;
    }
    *block = (Block){.allocator = *allocator,
                     .unit = store->unit,
                     .capacity = capacity,
                     .release = store->release,
                     .items = items};
    reference_init(&block->reference);
    return true;
}

static void use_parts(Store *store, const Parts *parts, const Living *living)
{
    Parts old = {store->block, store->unused, store->retired};
    free_lists(store, &old, old.block ? old.block->capacity : 0);
    sidle_block_release(old.block);
    store->block = parts->block;
    store->unused = parts->unused;
    store->retired = parts->retired;
    store->unused_count = store->retired_first = store->retired_count = 0;
    store->first_epoch = living->next_epoch;
}

bool sidle_store_restart(Store *store, uint32_t capacity, const Living *living)
{
    Parts parts;
    if (!make_parts(store, capacity, &parts))
    {
        return false;
    }
    use_parts(store, &parts, living);
    return true;
}

void sidle_store_close(Store *store)
{
    Parts parts = {store->block, store->unused, store->retired};
    free_lists(store, &parts, store->block ? store->block->capacity : 0);
    sidle_block_release(store->block);
}

static const Retired *oldest_retired(const Store *store)
{
    return &store->retired[store->retired_first];
}

static uint32_t take_retired(Store *store)
{
    uint32_t index = oldest_retired(store)->index;
    store->retired_first = store->retired_first + 1 < store->block->capacity ? store->retired_first + 1 : 0;
    --store->retired_count;
    return index;
}

/* The retired items are not copied: only snapshots of the old array read them. */
static void copy_items(Store *store, const Parts *parts)
{
    const Block *from = store->block;
    Block *to = parts->block;
    memcpy(to->items, from->items, from->used * from->unit);
    to->used = from->used;
    memcpy(parts->unused, store->unused, store->unused_count * sizeof *parts->unused);
    while (store->retired_count > 0)
    {
        uint32_t index = take_retired(store);
        memset(to->items + (size_t)index * to->unit, 0, to->unit);
        parts->unused[store->unused_count++] = index;
    }
    for (uint32_t i = 0; store->retain && i < to->used; ++i)
    {
        store->retain(to->items + (size_t)i * to->unit);
    }
}

/* Room for as many items again. */
static bool grow(Store *store, const Living *living)
{
    Parts parts;
    uint32_t used = store->block ? store->block->used : 0;
    uint32_t capacity = 2 * (used - store->unused_count - store->retired_count);
    capacity = capacity < LEAST_ITEMS ? LEAST_ITEMS : capacity;
    capacity = capacity < used ? used : capacity;
    if (!make_parts(store, capacity, &parts))
    {
        return false;
    }
    if (store->block)
    {
        copy_items(store, &parts);
    }
    uint32_t unused_count = store->unused_count;
    use_parts(store, &parts, living);
    store->unused_count = unused_count;
    return true;
}

/* A later item: it is written soon, and rarely in a cache. */
FORCE_INLINE void prefetch_unused(const Store *store)
{
    if (store->unused_count > TAKES_AHEAD)
    {
        const char *item = store_item(store, store->unused[store->unused_count - TAKES_AHEAD]);
        for (size_t byte = 0; byte < store->unit && byte < 512; byte += 64)
        {
            __builtin_prefetch(item + byte, 1);
        }
    }
}

uint32_t sidle_store_take(Store *store, const Living *living)
{
    bool full = !store->block || (store->unused_count == 0 && store->block->used == store->block->capacity);
    if (full && store->block)
    {
        sidle_store_reclaim(store, living);
    }
    if (full && (!store->block || store->unused_count == 0) && !grow(store, living))
    {
        return NO_ITEM;
    }
    if (store->unused_count == 0)
    {
        return store->block->used++;
    }
    prefetch_unused(store);
    return store->unused[--store->unused_count];
}

void sidle_store_give_back(Store *store, uint32_t index)
{
    if (store->release)
    {
        store->release(store_item(store, index));
    }
    store->unused[store->unused_count++] = index;
}

void sidle_store_retire(Store *store, uint32_t index, uint64_t next_epoch)
{
    uint32_t at = store->retired_first + store->retired_count++;
    at -= at < store->block->capacity ? 0 : store->block->capacity;
    store->retired[at] = (Retired){next_epoch, index};
}

/* The first epoch that a snapshot with the store's block still shows. */
static uint64_t first_in_use(const Store *store, const Living *living)
{
    for (uint32_t i = 0; i < living->count; ++i)
    {
        sidle_snapshot *snapshot = living->list[i];
        if (snapshot->epoch >= store->first_epoch && snapshot_is_in_use(snapshot))
        {
            return snapshot->epoch;
        }
    }
    return living->next_epoch;
}

FORCE_INLINE void prefetch_retired(const Store *store)
{
    if (store->release && store->retired_count > TAKES_AHEAD)
    {
        uint32_t at = store->retired_first + TAKES_AHEAD;
        at -= at < store->block->capacity ? 0 : store->block->capacity;
        __builtin_prefetch(store_item(store, store->retired[at].index), 1);
    }
}

void sidle_store_reclaim(Store *store, const Living *living)
{
    if (store->retired_count == 0)
    {
        return;
    }
    uint64_t epoch = first_in_use(store, living);
    while (store->retired_count > 0 &&
           oldest_retired(store)->epoch <= epoch) /* mutant: item_in_use_reclaimed */
    {
        prefetch_retired(store);
        sidle_store_give_back(store, take_retired(store));
    }
}

bool sidle_living_reserve(Living *living, const sidle_allocator *allocator)
{
    if (living->count < living->capacity)
    {
        return true;
    }
    uint32_t capacity = living->capacity ? 2 * living->capacity : 8;
    sidle_snapshot **list = sidle_memory_allocate(allocator, capacity, sizeof(sidle_snapshot *));
    if (!list)
    {
        return false;
    }
    if (living->count > 0)
    {
        memcpy(list, living->list, living->count * sizeof *list);
    }
    sidle_memory_free(allocator, living->list, living->capacity, sizeof *living->list);
    living->list = list;
    living->capacity = capacity;
    return true;
}

void sidle_living_prune(Living *living)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < living->count; ++i)
    {
        if (snapshot_is_in_use(living->list[i]))
        {
            living->list[kept++] = living->list[i];
        }
        else
        {
            sidle_snapshot_forget(living->list[i]);
        }
    }
    living->count = kept;
}
