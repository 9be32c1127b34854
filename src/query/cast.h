/* The parts of casts that do not depend on the width. */
#ifndef QUERY_CAST_H
#define QUERY_CAST_H

#include "sidle/query.h"

#include "kernels/kernels.h"
#include "simd/float4.h"
#include "simd/quad.h"

/* Returns SIDLE_OK if the cast is valid. */
sidle_status sidle_cast_check(const sidle_cast *cast);

_Static_assert(offsetof(sidle_cast, origin) == 0 &&
                   offsetof(sidle_cast, displacement) == offsetof(sidle_cast, rotation) + 16 &&
                   offsetof(sidle_cast, shape) == offsetof(sidle_cast, displacement) + 12,
               "vectors of four read across fields");

/* Returns true if the cast is a valid one of a ball or a ray, as most are. Tested without branches. NaN fails every
 * comparison, and infinity is above every limit. */
static inline bool cast_is_plain(const sidle_cast *cast)
{
    const float most = (float)SIDLE_MAX_COORDINATE, radius = cast->shape.radii.x,
                *path = &cast->displacement.x;
    const Float4 limits = float4_set(most, most, most, (float)SIDLE_MAX_LENGTH);
    int origin = quad_less_equal(quad_abs(quad_load((const double *)(const void *)cast)),
                                 quad_all(SIDLE_MAX_COORDINATE)) &
                 7;
    int turn = float4_less_equal(float4_abs(float4_load(&cast->rotation)), float4_all(FLT_MAX));
    int moves = float4_less_equal(float4_abs(float4_load(path)), limits);
    int is_even = float4_equal(float4_load(&cast->shape), float4_set(radius, radius, radius, 0));
    int good = (origin == 7) & ((turn & moves & is_even) == 15);
    good &= (radius >= (float)SIDLE_MIN_RADIUS) | (radius == 0);
    return good & !(cast->flags & ~(uint32_t)(SIDLE_CAST_ONE_SIDED | SIDLE_CAST_ANY));
}

static inline bool motion_is_good(float time)
{
    return (time >= 0 && time <= 1) || time == SIDLE_MOTION_BEGIN; /* false for NaN */
}

/* The time of the epoch's motion that a desc asks for: 0 means its end. */
static inline double motion_end(float given)
{
    return given > 0 ? (double)given : given < 0 ? 0 : 1;
}

#endif
