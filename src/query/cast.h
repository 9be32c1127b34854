/* The parts of casts that do not depend on the width. */
#ifndef QUERY_CAST_H
#define QUERY_CAST_H

#include "sidle/query.h"

#include "kernels/kernels.h"

/* Returns SIDLE_OK if the cast is valid. */
sidle_status sidle_cast_check(const sidle_cast *cast);

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
