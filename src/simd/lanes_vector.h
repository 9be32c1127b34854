/* The lane functions that all vectors of floats share. Included by a lanes_N.h, which first defines Lanes, LANE_COUNT
 * and
 *     LANES_OF(operation)  the intrinsic's name at this width
 *     LANES_MASK           with AVX-512 only: the type of a mask, one bit a lane
 *     LANES_EMULATED       if SIMDe emulates min_ps and max_ps */
#ifndef SIMD_LANES_VECTOR_H
#define SIMD_LANES_VECTOR_H

#include <stdint.h>

#define REAL_ROUNDOFF 0x1p-24

typedef float Real;

static inline Lanes lanes_set(Real a)
{
    return LANES_OF(set1_ps)(a);
}

static inline Lanes lanes_load(const Real *p)
{
    return LANES_OF(load_ps)(p);
}

static inline Lanes lanes_load_unaligned(const float *p)
{
    return LANES_OF(loadu_ps)(p);
}

static inline void lanes_store(Real *p, Lanes a)
{
    LANES_OF(store_ps)(p, a);
}

#define LANES_BINARY(name, operation)                                                                        \
    static inline Lanes name(Lanes a, Lanes b)                                                               \
    {                                                                                                        \
        return LANES_OF(operation)(a, b);                                                                    \
    }

LANES_BINARY(lanes_add, add_ps)
LANES_BINARY(lanes_sub, sub_ps)
LANES_BINARY(lanes_mul, mul_ps)
LANES_BINARY(lanes_div, div_ps)

static inline Lanes lanes_sqrt(Lanes a)
{
    return LANES_OF(sqrt_ps)(a);
}

static inline Lanes lanes_abs(Lanes a)
{
    return LANES_OF(andnot_ps)(lanes_set(-0.0f), a);
}

static inline Lanes lanes_negate(Lanes a)
{
    return LANES_OF(xor_ps)(lanes_set(-0.0f), a);
}

#ifdef LANES_MASK
typedef LANES_MASK Mask;

/* C's operators instead of _mm512_kand, since gcc 12 then folds an "and" into the compare before it. */
static inline Mask mask_and(Mask a, Mask b)
{
    return (Mask)(a & b);
}

static inline Mask mask_or(Mask a, Mask b)
{
    return (Mask)(a | b);
}

static inline Mask mask_without(Mask a, Mask b)
{
    return (Mask)(a & ~b);
}

static inline uint32_t mask_bits(Mask mask)
{
    return mask;
}

static inline Mask lanes_less(Lanes a, Lanes b)
{
    return LANES_OF(cmp_ps_mask)(a, b, _CMP_LT_OQ);
}

static inline Mask lanes_less_equal(Lanes a, Lanes b)
{
    return LANES_OF(cmp_ps_mask)(a, b, _CMP_LE_OQ);
}

static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b)
{
    return LANES_OF(mask_blend_ps)(mask, b, a);
}

static inline Lanes lanes_min_where(Mask mask, Lanes a, Lanes b)
{
    return LANES_OF(mask_min_ps)(b, mask, a, b);
}
#else
typedef Lanes Mask; /* all bits of a lane or none */

LANES_BINARY(mask_and, and_ps)
LANES_BINARY(mask_or, or_ps)

static inline Mask mask_without(Mask a, Mask b)
{
    return LANES_OF(andnot_ps)(b, a);
}

static inline uint32_t mask_bits(Mask mask)
{
    return (uint32_t)LANES_OF(movemask_ps)(mask);
}

static inline Mask lanes_less(Lanes a, Lanes b);
static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b);
#endif

/* The instructions are exactly "a < b ? a : b" and "a > b ? a : b". Emulations can differ for NaN and zeros. */
#ifdef LANES_EMULATED
static inline Lanes lanes_min(Lanes a, Lanes b)
{
    return lanes_select(lanes_less(a, b), a, b);
}

static inline Lanes lanes_max(Lanes a, Lanes b)
{
    return lanes_select(lanes_less(b, a), a, b);
}
#else
LANES_BINARY(lanes_min, min_ps)
LANES_BINARY(lanes_max, max_ps)
#endif

#endif
