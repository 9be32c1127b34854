/* The triangles around an agent, cached from tick to tick with a margin, so that most ticks walk no tree and read no
 * leaf. The cache holds stored corners. Every tick takes those that overlap its reach, so that candidates, and results,
 * never depend on history. An empty or outdated cache costs time and changes no bit.
 *
 * Triangles are in runs by instance. Only resting instances are cached. */
#ifndef NARROW_TRIANGLE_CACHE_H
#define NARROW_TRIANGLE_CACHE_H

#include "base/inlining.h"

#include <stddef.h>
#include <stdint.h>

#define CACHE_TRIANGLES 48
#define CACHE_RUNS      12
#define CACHE_LEAVES    48         /* [Limit] in the box; beyond it a search goes on without a cache */
#define CACHE_INSTANCES 64         /* [Limit] resting ones whose boxes overlap it, likewise */
#define CACHE_CROWDED   UINT32_MAX /* as run_count: the triangles in the box do not fit */

/* Rows of numbers: each coordinate of each corner, then the leaf, the triangle and the tag (as in Corners). */
#define CACHE_CORNER_ROWS 9
#define CACHE_ROWS        12

/* Share of the margin by which the box is shifted along the path, since most agents walk on as they do. With .4 moves take
 * .3 % more instructions in gen:city. */
#define CACHE_AHEAD .7

typedef union CacheNumber
{
    float corner;
    uint32_t origin;
} CacheNumber;

/* Free space around a place, in which searches for walls need no triangles: crowd/walls.inl. Ellipsoid space but for the centre. */
typedef struct Clearing
{
    double center[3]; /* world */
    float within;     /* radius of the search for walls; 0: unknown */
    float again;      /* a search for walls nearer than this to the centre does not repeat that one */
    /* How far an agent can move along -x, x, -y, y, -z and z before the first wall touches its rest shell. Each wall counts along the
     * axis along which it is farthest. */
    float room[6];
    uint32_t profile;
} Clearing;

/* The head lies before the numbers, and the numbers without gaps, so that an agent with few triangles reads few lines. */
typedef struct TriangleCache
{
    uint64_t agent;
    uint64_t resting; /* serial of the resting instances; 0: empty */
    double center[3]; /* of the covered box, world */
    float half[4];    /* rounded down; the last is 0, so that all are loaded as one vector */
    uint32_t run_count;
    uint32_t stride;   /* numbers of a row: the triangles, rounded up to whole vectors of eight */
    Clearing clearing; /* reset with the triangles */
    uint32_t run_slots[CACHE_RUNS]; /* the instance of each run */
    uint8_t run_ends[CACHE_RUNS];   /* one past its last triangle */
    uint32_t rests;                 /* enum RestKept: the crowd keeps the agent's last move (crowd/rest.h) */
    /* Up to 15 numbers behind a row are read: the widest vector. */
    _Alignas(64) CacheNumber numbers[CACHE_ROWS * CACHE_TRIANGLES + 16];
} TriangleCache;

_Static_assert(offsetof(TriangleCache, clearing) == 64 && offsetof(TriangleCache, run_slots) == 128 &&
                   offsetof(TriangleCache, numbers) == 192,
               "the head: a cache line each");
_Static_assert(sizeof(TriangleCache) == 40 * 64, "whole cache lines");

/* Prefetches what a gather reads of the head of a cache. */
FORCE_INLINE void cache_prefetch_head(const TriangleCache *cache)
{
    __builtin_prefetch(cache);
    __builtin_prefetch(cache->run_slots);
}

/* As many lines as eight triangles take. */
FORCE_INLINE void cache_prefetch_lines(const TriangleCache *cache, uint32_t first)
{
    const char *line = (const char *)(cache->numbers + CACHE_ROWS * first);
    __builtin_prefetch(line);
    __builtin_prefetch(line + 64);
    __builtin_prefetch(line + 128);
    __builtin_prefetch(line + 192);
    __builtin_prefetch(line + 256);
    __builtin_prefetch(line + 320);
}

/* Prefetches the triangles of a cache whose head has arrived. The lines of 16 are prefetched in any case: to ask how many there are
 * costs more, since the branch is often mispredicted. */
FORCE_INLINE void cache_prefetch_triangles(const TriangleCache *cache)
{
    cache_prefetch_lines(cache, 0);
    cache_prefetch_lines(cache, 8);
    for (uint32_t i = 16; i < cache->stride; i += 8)
    {
        cache_prefetch_lines(cache, i);
    }
}

#endif
