/* An independent look at a level and at the states that the library hands back: everything in double, over a
 * uniform grid of its own, so that an error in the library's trees or kernels cannot hide itself. */
#ifndef SIDLE_TOOLS_CHECK_H
#define SIDLE_TOOLS_CHECK_H

#include "level.h"
#include "sidle/base.h"
#include "sidle/crowd.h"

#include <stdbool.h>
#include <stdint.h>

/* Cosine of the steepest slope that agents walk on: the default of sidle_profile. */
#define WALKABLE_COS .70710678

typedef struct CheckGrid CheckGrid;

/* Borrows the level, whose numbers and indices must be good (a baked mesh says so). NULL: not enough memory.
 */
CheckGrid *check_create(const Level *level);
void check_destroy(CheckGrid *grid);

/* Height of the lowest corner of a walkable triangle; of any triangle if none is. */
double check_lowest_floor(const CheckGrid *grid);

/* Height of the lowest corner of all. */
double check_lowest(const CheckGrid *grid);

/* Is every triangle at least `distance` away from the shape's centre or, of a capsule, from its core, in
 * ellipsoid space where the shape is the unit ball? */
bool check_is_free(const CheckGrid *grid, sidle_position center, sidle_shape shape, double distance);

/* Is a triangle closer than 1 - K u S, K = 6, u = 2^-24, S the largest distance in ellipsoid space from the
 * centre to one of its corners, at least 1, and half of a capsule's core? That is what float cannot explain.
 */
bool check_penetrates(const CheckGrid *grid, sidle_position center, sidle_shape shape);

double check_distance(sidle_position a, sidle_position b);

/* Distance to the nearest triangle, or `limit` if that is less. */
double check_clearance(const CheckGrid *grid, sidle_position center, double limit);

/* Does the way properly cross a triangle? Touching one with an end does not count. */
bool check_crosses(const CheckGrid *grid, sidle_position from, sidle_position to);

/* The next triangle straight above a point. */
typedef struct CheckHit
{
    bool hit;
    bool faces_down; /* its front is what the point sees */
    double height;
} CheckHit;

CheckHit check_above(const CheckGrid *grid, sidle_position point);

#endif
