/* The shortest displacement out of an overlap, by a search over directions. */
#ifndef TESTS_SUPPORT_EXITS_H
#define TESTS_SUPPORT_EXITS_H

#include "kernels/kernels.h"

typedef struct Extents
{
    Vec3 half;   /* radii, or half the edges of a box */
    double core; /* half of a capsule's core, along y */
} Extents;

/* By how far a triangle is beyond a shape along n; negative: they overlap. */
typedef double gap_along_fn(const Vec3 corners[3], Extents extents, Vec3 n);

/* An upper bound, mostly close. */
double shortest_exit(gap_along_fn *gap_along, const Vec3 corners[3], Extents extents);

/* The size of a triangle and a shape: the largest coordinate. */
double pair_size(const Vec3 corners[3], Extents extents);

#endif
