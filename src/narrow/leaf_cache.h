/* The leaves around an agent, kept from tick to tick with a margin: most ticks need no walk of the tree. The
 * leaves are filtered with the exact reach again every tick, so candidates, and thus results, never depend on
 * history: a cache that is empty, old or somebody else's costs time and changes no bit. Caching vertices or
 * packed batches would.
 *
 *     0       8          16         20      24            48                         128 bytes
 *     | agent | snapshot | instance | count | box         | leaves[20]               |              */
#ifndef NARROW_LEAF_CACHE_H
#define NARROW_LEAF_CACHE_H

#include "base/bounds.h"

#include <stdbool.h>
#include <stdint.h>

#define LEAF_CACHE_SIZE 20
#define LEAF_CACHE_CROWDED                                                                                   \
    UINT32_MAX /* count: more leaves around here than fit; do not try again inside the box */

/* Of the shape's smallest half extent: a quarter of a metre for a person, four to ten ticks of walking. */
#define LEAF_CACHE_MARGIN .6

typedef struct LeafCache
{
    uint64_t agent;
    uint64_t snapshot; /* its serial; 0: nothing is kept */
    uint32_t instance, count;
    Bounds box; /* stored space of the instance */
    uint32_t leaves[LEAF_CACHE_SIZE];
} LeafCache;

_Static_assert(sizeof(LeafCache) == 128, "two cache lines");

static inline bool leaf_cache_covers(const LeafCache *cache, uint64_t snapshot, uint32_t instance,
                                     const Bounds *box)
{
    bool covers = cache->snapshot == snapshot && cache->instance == instance;
    for (int axis = 0; axis < 3; ++axis)
    {
        covers = covers && cache->box.min[axis] <= box->min[axis] && box->max[axis] <= cache->box.max[axis];
    }
    return covers;
}

#endif
