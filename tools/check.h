/* An independent check of a level and of the states that the library returns. Everything is double, over a
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

/* Borrows the level, whose numbers and indices must be valid (the level of a baked mesh is). NULL: not
 * enough memory. */
CheckGrid *check_create(const Level *level);
void check_destroy(CheckGrid *grid);

/* Height of the lowest corner of a walkable triangle, or of any triangle if none is walkable. */
double check_lowest_floor(const CheckGrid *grid);

/* Height of the lowest corner of all triangles. */
double check_lowest(const CheckGrid *grid);

/* Returns true if every triangle is at least `distance` away from the shape's centre, or from its core if
 * it is a capsule, in ellipsoid space where the shape is the unit ball. */
bool check_is_free(const CheckGrid *grid, sidle_position center, sidle_shape shape, double distance);

/* Returns true if a triangle is closer than 1 - K u S, which float rounding cannot explain. K = 6 and u =
 * 2^-24. S is the largest distance in ellipsoid space from the centre to a corner, at least 1, plus half of
 * a capsule's core. */
bool check_penetrates(const CheckGrid *grid, sidle_position center, sidle_shape shape);

double check_distance(sidle_position a, sidle_position b);

/* Distance to the nearest triangle, or `limit` if that is less. */
double check_clearance(const CheckGrid *grid, sidle_position center, double limit);

/* Returns true if the line properly crosses a triangle. A triangle touched by an end does not count. */
bool check_crosses(const CheckGrid *grid, sidle_position from, sidle_position to);

/* The next triangle straight above a point. */
typedef struct CheckHit
{
    bool hit;
    bool faces_down; /* the point sees its front */
    double height;
} CheckHit;

CheckHit check_above(const CheckGrid *grid, sidle_position point);

#endif
