/* Axis-aligned boxes in float. Boxes made from double are rounded outward, so that they contain the exact box. */
#ifndef BASE_BOUNDS_H
#define BASE_BOUNDS_H

#include "base/vector.h"

#include <float.h>

typedef struct Bounds
{
    float min[3], max[3];
} Bounds;

static inline Bounds bounds_empty(void)
{
    return (Bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

static inline Vec3 bounds_low(const Bounds *b)
{
    return vec3((double)b->min[0], (double)b->min[1], (double)b->min[2]);
}

static inline Vec3 bounds_high(const Bounds *b)
{
    return vec3((double)b->max[0], (double)b->max[1], (double)b->max[2]);
}

static inline void bounds_add_point(Bounds *b, const float p[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        b->min[axis] = p[axis] < b->min[axis] ? p[axis] : b->min[axis];
        b->max[axis] = p[axis] > b->max[axis] ? p[axis] : b->max[axis];
    }
}

static inline void bounds_add(Bounds *b, const Bounds *other)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        b->min[axis] = other->min[axis] < b->min[axis] ? other->min[axis] : b->min[axis];
        b->max[axis] = other->max[axis] > b->max[axis] ? other->max[axis] : b->max[axis];
    }
}

/* Half the surface; 0 for an empty box. */
static inline float bounds_half_area(const Bounds *b)
{
    float x = b->max[0] - b->min[0], y = b->max[1] - b->min[1], z = b->max[2] - b->min[2];
    return x < 0 ? 0 : x * y + y * z + z * x;
}

/* The conversion rounds to nearest, possibly inward by half a unit in the last place. A relative 2^-23 plus the
 * smallest normal number is more than that. */
static inline float round_down(double value)
{
    return (float)(value - fabs(value) * 0x1p-23 - 0x1p-126);
}

static inline float round_up(double value)
{
    return (float)(value + fabs(value) * 0x1p-23 + 0x1p-126);
}

static inline Bounds bounds_around(Vec3 center, Vec3 half)
{
    return (Bounds){
        {round_down(center.x - half.x), round_down(center.y - half.y), round_down(center.z - half.z)},
        {round_up(center.x + half.x), round_up(center.y + half.y), round_up(center.z + half.z)}};
}

#endif
