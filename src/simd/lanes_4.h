/* Four floats: SSE2, and through SIMDe NEON and WebAssembly SIMD128. */
#ifndef SIMD_LANES_4_H
#define SIMD_LANES_4_H

#include <simde/x86/sse2.h>
#include <stdint.h>

#define LANE_COUNT    4
#define REAL_ROUNDOFF 0x1p-24

typedef float Real;
typedef simde__m128 Lanes;
typedef simde__m128 Mask; /* all bits of a lane or none */

static inline Lanes lanes_set(Real a)
{
    return simde_mm_set1_ps(a);
}

static inline Lanes lanes_load(const Real *p)
{
    return simde_mm_load_ps(p);
}

static inline Lanes lanes_load_unaligned(const float *p)
{
    return simde_mm_loadu_ps(p);
}

static inline void lanes_store(Real *p, Lanes a)
{
    simde_mm_store_ps(p, a);
}

static inline Lanes lanes_add(Lanes a, Lanes b)
{
    return simde_mm_add_ps(a, b);
}

static inline Lanes lanes_sub(Lanes a, Lanes b)
{
    return simde_mm_sub_ps(a, b);
}

static inline Lanes lanes_mul(Lanes a, Lanes b)
{
    return simde_mm_mul_ps(a, b);
}

static inline Lanes lanes_div(Lanes a, Lanes b)
{
    return simde_mm_div_ps(a, b);
}

static inline Lanes lanes_sqrt(Lanes a)
{
    return simde_mm_sqrt_ps(a);
}

static inline Mask lanes_less(Lanes a, Lanes b)
{
    return simde_mm_cmplt_ps(a, b);
}

static inline Mask lanes_less_equal(Lanes a, Lanes b)
{
    return simde_mm_cmple_ps(a, b);
}

static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b)
{
    return simde_mm_or_ps(simde_mm_and_ps(mask, a), simde_mm_andnot_ps(mask, b));
}

/* SSE's own min and max are exactly "a < b ? a : b" and "a > b ? a : b"; the others' differ on NaN and -0. */
static inline Lanes lanes_min(Lanes a, Lanes b)
{
#ifdef SIMDE_X86_SSE_NATIVE
    return simde_mm_min_ps(a, b);
#else
    return lanes_select(lanes_less(a, b), a, b);
#endif
}

static inline Lanes lanes_max(Lanes a, Lanes b)
{
#ifdef SIMDE_X86_SSE_NATIVE
    return simde_mm_max_ps(a, b);
#else
    return lanes_select(lanes_less(b, a), a, b);
#endif
}

/* Of all lanes; none may be NaN. */
static inline Real lanes_least(Lanes a)
{
    a = lanes_min(a, simde_mm_movehl_ps(a, a));
    return simde_mm_cvtss_f32(lanes_min(a, simde_mm_shuffle_ps(a, a, 1)));
}

static inline Lanes lanes_abs(Lanes a)
{
    return simde_mm_andnot_ps(simde_mm_set1_ps(-0.0f), a);
}

static inline Lanes lanes_negate(Lanes a)
{
    return simde_mm_xor_ps(simde_mm_set1_ps(-0.0f), a);
}

static inline Mask mask_and(Mask a, Mask b)
{
    return simde_mm_and_ps(a, b);
}

static inline Mask mask_or(Mask a, Mask b)
{
    return simde_mm_or_ps(a, b);
}

/* min(a, b) where the mask holds, else b: a may be anything there. */
static inline Lanes lanes_min_where(Mask mask, Lanes a, Lanes b)
{
#ifdef SIMDE_X86_SSE_NATIVE
    Mask every = simde_mm_castsi128_ps(simde_mm_set1_epi32(-1)); /* also a NaN: then the answer is b */
    return lanes_min(simde_mm_or_ps(a, simde_mm_andnot_ps(mask, every)), b);
#else
    return lanes_select(mask_and(mask, lanes_less(a, b)), a, b);
#endif
}

static inline Mask mask_without(Mask a, Mask b)
{
    return simde_mm_andnot_ps(b, a);
}

static inline uint32_t mask_bits(Mask mask)
{
    return (uint32_t)simde_mm_movemask_ps(mask);
}

/* The lanes of `bits`, one after the other; what follows them up to LANE_COUNT is overwritten. */
static inline void lanes_store_chosen(float *p, Lanes a, uint32_t bits)
{
    _Alignas(16) float each[LANE_COUNT];
    for (lanes_store(each, a); bits; bits &= bits - 1)
    {
        *p++ = each[__builtin_ctz(bits)];
    }
}

#endif
