/* The shortest displacement out of an overlap, by a search over directions. */
#ifndef TESTS_SUPPORT_EXITS_H
#define TESTS_SUPPORT_EXITS_H

#include "kernels/kernels.h"

/* By how far a triangle is beyond a shape along n; negative: they overlap. `extents`: radii, or half the edges of a box. */
typedef double gap_along_fn(const Vec3 corners[3], Vec3 extents, Vec3 n);

/* An upper bound, mostly close. */
double shortest_exit(gap_along_fn *gap_along, const Vec3 corners[3], Vec3 extents);

/* The size of a triangle and a shape: the largest coordinate. */
double pair_size(const Vec3 corners[3], Vec3 extents);

#endif
