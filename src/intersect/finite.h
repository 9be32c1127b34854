/* Whether all numbers of an input are numbers: what is neither NaN nor infinite leaves 0 of itself. */
#ifndef INTERSECT_FINITE_H
#define INTERSECT_FINITE_H

#include "base/vector.h"

/* 0, or NaN. Sums of these stay what they are, so that one comparison asks for a whole shape. */
static inline double nothing_of(double a)
{
    return a - a;
}

static inline double nothing_of_vec3(Vec3 a)
{
    return nothing_of(a.x) + nothing_of(a.y) + nothing_of(a.z);
}

static inline double nothing_of_position(sidle_position a)
{
    return nothing_of(a.x) + nothing_of(a.y) + nothing_of(a.z);
}

#endif
