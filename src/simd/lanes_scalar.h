/* One lane: the reference that every wider form matches bit for bit. LANES_REAL selects float or double. */
#ifndef SIMD_LANES_SCALAR_H
#define SIMD_LANES_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LANE_COUNT 1

typedef LANES_REAL Real;
typedef Real Lanes;
typedef bool Mask;

static inline Lanes lanes_set(Real a)
{
    return a;
}

static inline Lanes lanes_load(const Real *p)
{
    return *p;
}

static inline Lanes lanes_load_unaligned(const float *p)
{
    return (Real)*p;
}

static inline void lanes_store(Real *p, Lanes a)
{
    *p = a;
}

#define LANES_BINARY(type, name, operator)                                                                   \
    static inline type name(Lanes a, Lanes b)                                                                \
    {                                                                                                        \
        return a operator b;                                                                                 \
    }

LANES_BINARY(Lanes, lanes_add, +)
LANES_BINARY(Lanes, lanes_sub, -)
LANES_BINARY(Lanes, lanes_mul, *)
LANES_BINARY(Lanes, lanes_div, /)
LANES_BINARY(Mask, lanes_less, <)
LANES_BINARY(Mask, lanes_less_equal, <=)

static inline Lanes lanes_sqrt(Lanes a)
{
    return sizeof(Real) == sizeof(float) ? (Real)sqrtf((float)a) : (Real)sqrt((double)a);
}

static inline Lanes lanes_min(Lanes a, Lanes b)
{
    return a < b ? a : b;
}

static inline Lanes lanes_max(Lanes a, Lanes b)
{
    return a > b ? a : b;
}

/* min(a, b) in lanes of the mask, else b. Outside the mask a can be any value. */
static inline Lanes lanes_min_where(Mask mask, Lanes a, Lanes b)
{
    return mask && a < b ? a : b;
}

static inline Real lanes_least(Lanes a)
{
    return a;
}

static inline Lanes lanes_abs(Lanes a)
{
    return sizeof(Real) == sizeof(float) ? (Real)fabsf((float)a) : (Real)fabs((double)a);
}

static inline Lanes lanes_negate(Lanes a)
{
    return -a;
}

static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b)
{
    return mask ? a : b;
}

static inline Mask mask_and(Mask a, Mask b)
{
    return a && b;
}

static inline Mask mask_or(Mask a, Mask b)
{
    return a || b;
}

static inline Mask mask_without(Mask a, Mask b)
{
    return a && !b;
}

static inline uint32_t mask_bits(Mask mask)
{
    return mask;
}

/* Stores the lanes in `bits` one after the other. Up to LANE_COUNT numbers are overwritten. */
static inline void lanes_store_chosen(float *p, Lanes a, uint32_t bits)
{
    if (bits)
    {
        *p = (float)a;
    }
}

#endif
