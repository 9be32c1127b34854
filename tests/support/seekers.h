/* Agents that look for walls: the library's search, from caches with any history. */
#ifndef TESTS_SUPPORT_SEEKERS_H
#define TESTS_SUPPORT_SEEKERS_H

#include "crowd/peers.h"
#include "support/random.h"
#include "support/vector.h"

/* Balls, ellipsoids, one of them of an aspect beyond that of float lanes, and capsules. */
#define SEEKER_SHAPES 8
extern const sidle_shape seeker_shapes[SEEKER_SHAPES];
extern const float seeker_slopes[SEEKER_SHAPES]; /* max_slope_cos; 0: the default */

/* A profile for each shape. `kernels`: NULL for the default width. */
sidle_crowd *seekers_crowd(const Kernels *kernels);

typedef struct Walls
{
    uint32_t count;
    PeerWall list[PEER_WALLS];
} Walls;

bool same_walls(const Walls *a, const Walls *b);

typedef struct Seeker
{
    sidle_move move;
    PeerShape shape;
    Peer peer;
} Seeker;

/* Upright for the most part, on the ground for the most part. */
void seeker_draw(Random *random, const sidle_crowd *crowd, uint64_t id, Seeker *out);
void seeker_set_center(Seeker *seeker, Vector center);
Vector seeker_center(const Seeker *seeker);

/* Where walls are looked for: around an agent, or along a step aside. */
typedef struct SeekRegion
{
    double reach; /* smallest radii */
    Vec3 aside;   /* world */
} SeekRegion;

double seeker_draw_reach(Random *random);
SeekRegion seeker_draw_region(Random *random, const Seeker *seeker);

/* `fill`: the displacement of an ordinary gather before, which may fill the cache; 0: none. */
Walls seeker_walls(sidle_crowd *crowd, sidle_snapshot *snapshot, Seeker *seeker, SeekRegion region,
                   double fill, TriangleCache *cache);
Walls seeker_walls_without_cache(sidle_crowd *crowd, sidle_snapshot *snapshot, Seeker *seeker,
                                 SeekRegion region);

#endif
