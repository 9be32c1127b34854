/* The triangles around an agent, kept from tick to tick with a margin: most ticks walk no tree and read no leaf. They are
 * stored corners, and every tick takes those that meet its reach: candidates, and thus results, never depend on
 * history. A cache that is empty, old or another agent's costs time and changes no bit.
 *
 * Runs of triangles by instance; only instances that rest are kept. */
#ifndef NARROW_TRIANGLE_CACHE_H
#define NARROW_TRIANGLE_CACHE_H

#include <stdint.h>

typedef struct Run
{
    uint32_t slot, end; /* end: behind the last */
} Run;

#define CACHE_TRIANGLES 48
#define CACHE_RUNS      12
#define CACHE_LEAVES    48 /* found in a box; where there are more, a search goes on without a cache */
#define CACHE_CROWDED   UINT32_MAX /* run_count: more than fits; do not try again inside the box */

/* Of the shape's smallest half extent. The first is .7 m for a person, ten to thirty ticks of walking; the second is tried
 * where that holds too many triangles. */
#define CACHE_MARGIN         1.8
#define CACHE_MARGIN_CROWDED .5

typedef struct TriangleCache
{
    float rows[9][CACHE_TRIANGLES]; /* a coordinate of a corner each */
    uint32_t leaf[CACHE_TRIANGLES], triangle[CACHE_TRIANGLES], tag[CACHE_TRIANGLES]; /* as in Corners */
    uint64_t agent;
    uint64_t resting; /* serial of the resting instances; 0: nothing is kept */
    double center[3]; /* of the box that is covered, world */
    float half[3];    /* rounded down */
    uint32_t run_count;
    Run runs[CACHE_RUNS];
    uint64_t unused[5];
} TriangleCache;

_Static_assert(sizeof(TriangleCache) == 39 * 64, "whole cache lines");

/* Asks the memory for what a gather will read of a third as many triangles as there is room for. */
static inline void cache_prefetch(const TriangleCache *cache)
{
#pragma GCC unroll 9
    for (int row = 0; row < 9; ++row)
    {
        __builtin_prefetch(cache->rows[row]);
    }
    __builtin_prefetch(cache->leaf);
    __builtin_prefetch(cache->triangle);
    __builtin_prefetch(cache->tag);
    __builtin_prefetch(&cache->agent);
    __builtin_prefetch(cache->runs);
}

#endif
