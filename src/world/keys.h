/* The slots of a world by their keys: hashed chains, doubly linked, so that many instances of one key cost nothing. */
#ifndef WORLD_KEYS_H
#define WORLD_KEYS_H

#include "sidle/base.h"

#include <stdbool.h>

#define NO_SLOT UINT32_MAX

typedef struct KeyLink
{
    uint64_t key;
    uint32_t next, previous; /* slots of the chain; NO_SLOT: its ends */
} KeyLink;

typedef struct Keys
{
    uint32_t *first; /* of the chains; capacity */
    KeyLink *links;  /* by slot; capacity */
    uint32_t capacity;
} Keys;

/* Makes room for `capacity` slots, a power of two. Returns false, with nothing changed, without memory. */
bool sidle_keys_grow(Keys *keys, const sidle_allocator *allocator, uint32_t capacity);
void sidle_keys_close(Keys *keys, const sidle_allocator *allocator);

void sidle_keys_add(Keys *keys, uint32_t slot, uint64_t key);
void sidle_keys_remove(Keys *keys, uint32_t slot);

/* The lowest slot of a key, or NO_SLOT. */
uint32_t sidle_keys_find(const Keys *keys, uint64_t key);

#endif
