/* What all widths share of casts. */
#ifndef QUERY_CAST_H
#define QUERY_CAST_H

#include "sidle/query.h"

#include "kernels/kernels.h"

/* What is wrong with a cast; SIDLE_OK: nothing. */
sidle_status cast_check(const sidle_cast *cast);

/* The time of the epoch's motion that a desc asks for: 0 means its end. */
static inline double motion_end(float given)
{
    return given > 0 ? (double)given : 1;
}

#endif
