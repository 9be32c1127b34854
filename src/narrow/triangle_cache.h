/* The triangles around an agent, cached from tick to tick with a margin, so that most ticks walk no tree and read no
 * leaf. The cache holds stored corners. Every tick takes those that overlap its reach, so that candidates, and results,
 * never depend on history. An empty or outdated cache costs time and changes no bit.
 *
 * Triangles are in runs by instance. Only resting instances are cached. */
#ifndef NARROW_TRIANGLE_CACHE_H
#define NARROW_TRIANGLE_CACHE_H

#include "base/inlining.h"

#include <stdint.h>

typedef struct Run
{
    uint32_t slot, end; /* end: one past the last */
} Run;

#define CACHE_TRIANGLES 48
#define CACHE_RUNS      12
#define CACHE_LEAVES    48         /* [Limit] in the box; beyond it a search goes on without a cache */
#define CACHE_CROWDED   UINT32_MAX /* as run_count: the triangles in the box do not fit */

/* In units of the shape's smallest half extent. The first is .7 m for a person, ten to thirty ticks of walking. The
 * second is tried if that holds too many triangles. */
#define CACHE_MARGIN         1.8
#define CACHE_MARGIN_CROWDED .5

/* Share of the margin by which the box is shifted along the path, since most agents walk on as they do. With .4 moves take .3 % more
 * instructions in gen:city. */
#define CACHE_AHEAD .7

typedef struct TriangleCache
{
    float rows[9][CACHE_TRIANGLES]; /* one for each coordinate of each corner */
    uint32_t leaf[CACHE_TRIANGLES], triangle[CACHE_TRIANGLES], tag[CACHE_TRIANGLES]; /* as in Corners */
    uint64_t agent;
    uint64_t resting; /* serial of the resting instances; 0: empty */
    double center[3]; /* of the covered box, world */
    float half[3];    /* rounded down */
    uint32_t run_count;
    Run runs[CACHE_RUNS];
    /* Written by crowd/walls.inl: how far no wall is from a place, in ellipsoid space; 0: unknown. Reset with the
     * triangles. */
    double clear_center[3];
    double clear;
    uint32_t clear_profile;
    float clear_again; /* a search for walls nearer than this to that place does not repeat that one */
} TriangleCache;

_Static_assert(sizeof(TriangleCache) == 39 * 64, "whole cache lines");

/* Prefetches what a gather reads of a cache that is a third full. */
FORCE_INLINE void cache_prefetch(const TriangleCache *cache)
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
