/* Sixteen floats: AVX-512 (F and DQ). Masks are a bit a lane, in registers of their own. */
#ifndef SIMD_LANES_16_H
#define SIMD_LANES_16_H

#include <math.h>
#include <simde/x86/avx512.h>
#include <stdint.h>

#include "simd/pick.h"

#define LANE_COUNT    16
#define REAL_ROUNDOFF 0x1p-24

typedef float Real;
typedef simde__m512 Lanes;
typedef simde__mmask16 Mask;
#include "simd/mask_bits.h"

static inline Lanes lanes_set(Real a)
{
    return simde_mm512_set1_ps(a);
}

static inline Lanes lanes_load(const Real *p)
{
    return simde_mm512_load_ps(p);
}

static inline Lanes lanes_load_unaligned(const float *p)
{
    return simde_mm512_loadu_ps(p);
}

static inline void lanes_store(Real *p, Lanes a)
{
    simde_mm512_store_ps(p, a);
}

static inline Lanes lanes_add(Lanes a, Lanes b)
{
    return simde_mm512_add_ps(a, b);
}

static inline Lanes lanes_sub(Lanes a, Lanes b)
{
    return simde_mm512_sub_ps(a, b);
}

static inline Lanes lanes_mul(Lanes a, Lanes b)
{
    return simde_mm512_mul_ps(a, b);
}

static inline Lanes lanes_div(Lanes a, Lanes b)
{
    return simde_mm512_div_ps(a, b);
}

static inline Lanes lanes_sqrt(Lanes a)
{
    return simde_mm512_sqrt_ps(a);
}

static inline Mask lanes_less(Lanes a, Lanes b)
{
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LT_OQ);
}

static inline Mask lanes_less_equal(Lanes a, Lanes b)
{
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ);
}

static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b)
{
    return simde_mm512_mask_blend_ps(mask, b, a);
}

/* The instructions are exactly "a < b ? a : b" and "a > b ? a : b"; an emulation's need not be. */
static inline Lanes lanes_min(Lanes a, Lanes b)
{
#ifdef SIMDE_X86_AVX512F_NATIVE
    return simde_mm512_min_ps(a, b);
#else
    return lanes_select(lanes_less(a, b), a, b);
#endif
}

static inline Lanes lanes_max(Lanes a, Lanes b)
{
#ifdef SIMDE_X86_AVX512F_NATIVE
    return simde_mm512_max_ps(a, b);
#else
    return lanes_select(lanes_less(b, a), a, b);
#endif
}

/* min(a, b) where the mask holds, else b: a may be anything there. */
static inline Lanes lanes_min_where(Mask mask, Lanes a, Lanes b)
{
#ifdef SIMDE_X86_AVX512F_NATIVE
    return simde_mm512_mask_min_ps(b, mask, a, b);
#else
    return lanes_select(mask, lanes_min(a, b), b);
#endif
}

/* Of all lanes; none may be NaN. */
static inline Real lanes_least(Lanes a)
{
    simde__m128 b = simde_mm_min_ps(simde_mm512_castps512_ps128(a), simde_mm512_extractf32x4_ps(a, 1));
    b = simde_mm_min_ps(b, simde_mm512_extractf32x4_ps(a, 2));
    b = simde_mm_min_ps(b, simde_mm512_extractf32x4_ps(a, 3));
    b = simde_mm_min_ps(b, simde_mm_movehl_ps(b, b));
    return simde_mm_cvtss_f32(simde_mm_min_ps(b, simde_mm_shuffle_ps(b, b, 1)));
}

static inline Lanes lanes_abs(Lanes a)
{
    return simde_mm512_abs_ps(a);
}

static inline Lanes lanes_negate(Lanes a)
{
    return simde_mm512_xor_ps(simde_mm512_set1_ps(-0.0f), a);
}

/* The lanes of `bits`, one after the other; what follows them up to LANE_COUNT is overwritten. */
static inline void lanes_store_chosen(float *p, Lanes a, uint32_t bits)
{
    _Alignas(64) float each[LANE_COUNT];
    lanes_store(each, a);
    simde_mm256_storeu_ps(p, pick_again(simde_mm256_load_ps(each), picks_to_front(bits & 0xFF)));
    p += __builtin_popcount(bits & 0xFF);
    simde_mm256_storeu_ps(p, pick_again(simde_mm256_load_ps(each + 8), picks_to_front(bits >> 8)));
}

#endif
