/* Unit vectors of vectors whose squares overflow or vanish, and points between two points. */
#ifndef INTERSECT_DIRECTION_H
#define INTERSECT_DIRECTION_H

#include "base/vector.h"

/* The vector times a power of two, so that the square of its largest part neither overflows nor vanishes, and
 * parts that vanish beside it are too small to matter. The product is exact, so scaling changes no result.
 * Zero where there is no direction: zero, NaN, infinite. */
static inline Vec3 direction_scaled(Vec3 v)
{
    double size = vec3_max_component(vec3_abs(v));
    int exponent = 0;
    if (!vec3_is_finite(v) || !(size > 0))
    {
        return vec3(0, 0, 0);
    }
    if (size > 0x1p-400 && size < 0x1p400)
    {
        return v;
    }
    (void)frexp(size, &exponent);
    return vec3(ldexp(v.x, -exponent), ldexp(v.y, -exponent), ldexp(v.z, -exponent));
}

/* The unit vector, or zero where there is none. Each number errs by at most 3.5 u of itself, in first order:
 * the squares by u and two sums by 2 u, of which the root makes 1.5 u; root and quotient by u each. */
static inline Vec3 direction_unit(Vec3 v)
{
    Vec3 scaled = direction_scaled(v);
    double length = vec3_length(scaled);
    return length > 0 ? vec3(scaled.x / length, scaled.y / length, scaled.z / length) : scaled;
}

/* From a at time 0 to b at time 1: exactly there at both, and where a and b agree it stays. */
static inline double place_between(double a, double b, double time)
{
    double offset = b - a;
    return time < 0.5 ? a + time * offset : b - (1 - time) * offset;
}

static inline Vec3 places_between(Vec3 a, Vec3 b, double time)
{
    return vec3(place_between(a.x, b.x, time), place_between(a.y, b.y, time), place_between(a.z, b.z, time));
}

static inline sidle_position position_from(Vec3 v)
{
    return (sidle_position){v.x, v.y, v.z};
}

#endif
