/* The parts of casts that do not depend on the width. */
#ifndef QUERY_CAST_H
#define QUERY_CAST_H

#include "sidle/query.h"

#include "kernels/kernels.h"

/* Returns SIDLE_OK if the cast is valid. */
sidle_status sidle_cast_check(const sidle_cast *cast);

/* Returns true if the cast is a valid one of a ball, which most are. Tested without branches. NaN fails every
 * comparison, and infinity is above every limit. */
static inline bool cast_is_plain(const sidle_cast *cast)
{
    const sidle_quat *q = &cast->rotation;
    const sidle_vec3 *d = &cast->displacement, *r = &cast->shape.radii;
    const double most = SIDLE_MAX_COORDINATE;
    int good =
        (fabs(cast->origin.x) <= most) & (fabs(cast->origin.y) <= most) & (fabs(cast->origin.z) <= most);
    good &= ((double)fabsf(d->x) <= most) & ((double)fabsf(d->y) <= most) & ((double)fabsf(d->z) <= most);
    good &= (fabsf(q->x) <= FLT_MAX) & (fabsf(q->y) <= FLT_MAX) & (fabsf(q->z) <= FLT_MAX) &
            (fabsf(q->w) <= FLT_MAX);
    good &= (r->x == r->y) & (r->x == r->z) & (cast->shape.half_height == 0);
    good &= ((double)r->x >= SIDLE_MIN_RADIUS) & ((double)r->x <= SIDLE_MAX_LENGTH);
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
