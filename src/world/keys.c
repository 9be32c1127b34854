#include "world/keys.h"

#include "base/memory.h"

/* D. Knuth, "The Art of Computer Programming" 3, 6.4: the golden ratio. The high bits are the best mixed ones. */
static uint32_t chain_of(uint64_t key, uint32_t capacity)
{
    key = (key ^ key >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(key >> 32) & (capacity - 1);
}

void sidle_keys_add(Keys *keys, uint32_t slot, uint64_t key)
{
    uint32_t *first = &keys->first[chain_of(key, keys->capacity)];
    keys->links[slot] = (KeyLink){key, *first, NO_SLOT};
    if (*first != NO_SLOT)
    {
        keys->links[*first].previous = slot;
    }
    *first = slot;
}

void sidle_keys_remove(Keys *keys, uint32_t slot)
{
    const KeyLink *link = &keys->links[slot];
    if (link->next != NO_SLOT)
    {
        keys->links[link->next].previous = link->previous;
    }
    if (link->previous != NO_SLOT)
    {
        keys->links[link->previous].next = link->next;
    }
    else
    {
        keys->first[chain_of(link->key, keys->capacity)] = link->next;
    }
}

uint32_t sidle_keys_find(const Keys *keys, uint64_t key)
{
    uint32_t lowest = NO_SLOT;
    uint32_t slot = keys->capacity > 0 ? keys->first[chain_of(key, keys->capacity)] : NO_SLOT;
    for (; slot != NO_SLOT; slot = keys->links[slot].next)
    {
        if (keys->links[slot].key == key && slot < lowest)
        {
            lowest = slot;
        }
    }
    return lowest;
}

bool sidle_keys_grow(Keys *keys, const sidle_allocator *allocator, uint32_t capacity)
{
    Keys grown = {.capacity = capacity};
    grown.first = sidle_memory_allocate(allocator, capacity, sizeof *grown.first);
    grown.links = sidle_memory_allocate(allocator, capacity, sizeof *grown.links);
    if (!grown.first || !grown.links)
    {
        sidle_keys_close(&grown, allocator);
        return false;
    }
    for (uint32_t chain = 0; chain < capacity; ++chain)
    {
        grown.first[chain] = NO_SLOT;
    }
    for (uint32_t chain = 0; chain < keys->capacity; ++chain)
    {
        for (uint32_t slot = keys->first[chain]; slot != NO_SLOT; slot = keys->links[slot].next)
        {
            sidle_keys_add(&grown, slot, keys->links[slot].key);
        }
    }
    sidle_keys_close(keys, allocator);
    *keys = grown;
    return true;
}

void sidle_keys_close(Keys *keys, const sidle_allocator *allocator)
{
    sidle_memory_free(allocator, keys->first, keys->capacity, sizeof *keys->first);
    sidle_memory_free(allocator, keys->links, keys->capacity, sizeof *keys->links);
    *keys = (Keys){.capacity = 0};
}
