/* The leaves around an agent, kept from tick to tick with a margin: most ticks need no walk of the trees. The
 * triangles are filtered with the exact reach again every tick, so candidates, and thus results, never depend on
 * history: a cache that is empty, old or another agent's costs time and changes no bit. Caching vertices or
 * packed batches would.
 *
 *     0       8          16       40     52      56                  128 bytes
 *     | agent | snapshot | center | half | count | words[18]         |
 *
 * The words are runs: the slot of an instance, how many of its leaves follow, and these. Only instances that rest are
 * kept. */
#ifndef NARROW_LEAF_CACHE_H
#define NARROW_LEAF_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define LEAF_CACHE_SIZE    18
#define LEAF_CACHE_CROWDED UINT32_MAX /* count: more words than fit; do not try again inside the box */

/* Leaves in the box, with those that have no triangle in it. A box with more is crowded: so a gather that sees more in
 * instances that rest sees as many without a cache. */
#define LEAF_CACHE_SEARCHED 64

/* Of the shape's smallest half extent: a quarter of a metre for a person, four to ten ticks of walking. */
#define LEAF_CACHE_MARGIN .6

typedef struct LeafCache
{
    uint64_t agent;
    uint64_t snapshot; /* its serial; 0: nothing is kept */
    double center[3];  /* of the box that is covered, world */
    float half[3];     /* rounded down */
    uint32_t count;    /* of words */
    uint32_t words[LEAF_CACHE_SIZE];
} LeafCache;

_Static_assert(sizeof(LeafCache) == 128, "two cache lines");

#endif
