/* A level and a patch of its ground that is filled with agents at a given density. */
#ifndef SIDLE_BENCH_CROWD_PATCH_H
#define SIDLE_BENCH_CROWD_PATCH_H

#include "sidle/sidle.h"
#include "tools/check.h"
#include "tools/level.h"

#include <stdbool.h>
#include <stdint.h>

#define PATCH_RADIUS 0.4f /* of an agent, horizontally [m] */
#define PATCH_HEIGHT 0.9f /* its vertical radius [m] */

typedef struct Patch
{
    Level level;
    CheckGrid *grid;
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_shape shape;      /* of the agents: an ellipsoid of these radii, or another shape */
    sidle_position *places; /* centres of agents: of ellipsoids, none of which overlap */
    uint32_t count;
    double x, z, half; /* the square that holds the places */
} Patch;

/* Loads and bakes a level. Returns false, after a message on standard error, on failure. */
bool patch_open(Patch *patch, const char *level);
void patch_close(Patch *patch);

/* Places `count` agents around the middle of the level, in place of those of an earlier call. They stand in
 * a jittered triangular lattice, less the places that a wall, a car or a tree takes. So `density` is
 * the number of agents for each square metre of ground where an agent has room. It is at most 1.6. Ground more
 * than `highest` metres above the lowest floor is not used: roofs of houses. Returns false, after a message,
 * if the level has too little room. */
bool patch_fill(Patch *patch, uint32_t count, double density, double highest);

/* The same at random places of the whole level, where agents may overlap. */
bool patch_spread(Patch *patch, uint32_t count, double highest);

#endif
