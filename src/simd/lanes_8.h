/* Eight floats: AVX2; or, for who defines LANES_8_HAVE_MASKS, AVX-512 (VL and DQ), which has twice as many registers,
 * and others for masks. */
#ifndef SIMD_LANES_8_H
#define SIMD_LANES_8_H

#include <math.h>
#include <simde/x86/avx2.h>
#include <stdint.h>

#if defined(LANES_8_HAVE_MASKS) && !(defined(SIMDE_X86_AVX512VL_NATIVE) && defined(SIMDE_X86_AVX512DQ_NATIVE))
#error "these lanes are built with -mavx512vl -mavx512dq"
#endif

#include "simd/pick.h"

#define LANE_COUNT    8
#define REAL_ROUNDOFF 0x1p-24

typedef float Real;
typedef simde__m256 Lanes;

static inline Lanes lanes_set(Real a)
{
    return simde_mm256_set1_ps(a);
}

static inline Lanes lanes_load(const Real *p)
{
    return simde_mm256_load_ps(p);
}

static inline Lanes lanes_load_unaligned(const float *p)
{
    return simde_mm256_loadu_ps(p);
}

static inline void lanes_store(Real *p, Lanes a)
{
    simde_mm256_store_ps(p, a);
}

static inline Lanes lanes_add(Lanes a, Lanes b)
{
    return simde_mm256_add_ps(a, b);
}

static inline Lanes lanes_sub(Lanes a, Lanes b)
{
    return simde_mm256_sub_ps(a, b);
}

static inline Lanes lanes_mul(Lanes a, Lanes b)
{
    return simde_mm256_mul_ps(a, b);
}

static inline Lanes lanes_div(Lanes a, Lanes b)
{
    return simde_mm256_div_ps(a, b);
}

static inline Lanes lanes_sqrt(Lanes a)
{
    return simde_mm256_sqrt_ps(a);
}

/* The lanes of `bits`, one after the other; what follows them up to LANE_COUNT is overwritten. */
static inline void lanes_store_chosen(float *p, Lanes a, uint32_t bits)
{
    simde_mm256_storeu_ps(p, pick_again(a, picks_to_front(bits)));
}

#ifdef LANES_8_HAVE_MASKS
typedef __mmask8 Mask;
#include "simd/mask_bits.h"

static inline Mask lanes_less(Lanes a, Lanes b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline Mask lanes_less_equal(Lanes a, Lanes b)
{
    return _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b)
{
    return _mm256_mask_blend_ps(mask, b, a);
}
#else
typedef simde__m256 Mask; /* all bits of a lane or none */

static inline Mask lanes_less(Lanes a, Lanes b)
{
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ);
}

static inline Mask lanes_less_equal(Lanes a, Lanes b)
{
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ);
}

static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b)
{
    return simde_mm256_blendv_ps(b, a, mask);
}

static inline Mask mask_and(Mask a, Mask b)
{
    return simde_mm256_and_ps(a, b);
}

static inline Mask mask_or(Mask a, Mask b)
{
    return simde_mm256_or_ps(a, b);
}

static inline Mask mask_without(Mask a, Mask b)
{
    return simde_mm256_andnot_ps(b, a);
}

static inline uint32_t mask_bits(Mask mask)
{
    return (uint32_t)simde_mm256_movemask_ps(mask);
}
#endif

/* AVX's own min and max are exactly "a < b ? a : b" and "a > b ? a : b"; an emulation's need not be. */
static inline Lanes lanes_min(Lanes a, Lanes b)
{
#ifdef SIMDE_X86_AVX_NATIVE
    return simde_mm256_min_ps(a, b);
#else
    return lanes_select(lanes_less(a, b), a, b);
#endif
}

static inline Lanes lanes_max(Lanes a, Lanes b)
{
#ifdef SIMDE_X86_AVX_NATIVE
    return simde_mm256_max_ps(a, b);
#else
    return lanes_select(lanes_less(b, a), a, b);
#endif
}

/* min(a, b) where the mask holds, else b: a may be anything there. */
static inline Lanes lanes_min_where(Mask mask, Lanes a, Lanes b)
{
#ifdef LANES_8_HAVE_MASKS
    return _mm256_mask_min_ps(b, mask, a, b);
#else
    return lanes_min(lanes_select(mask, a, lanes_set((Real)INFINITY)), b);
#endif
}

/* Of all lanes; none may be NaN. */
static inline Real lanes_least(Lanes a)
{
    simde__m128 b = simde_mm_min_ps(simde_mm256_castps256_ps128(a), simde_mm256_extractf128_ps(a, 1));
    b = simde_mm_min_ps(b, simde_mm_movehl_ps(b, b));
    return simde_mm_cvtss_f32(simde_mm_min_ps(b, simde_mm_shuffle_ps(b, b, 1)));
}

static inline Lanes lanes_abs(Lanes a)
{
    return simde_mm256_andnot_ps(simde_mm256_set1_ps(-0.0f), a);
}

static inline Lanes lanes_negate(Lanes a)
{
    return simde_mm256_xor_ps(simde_mm256_set1_ps(-0.0f), a);
}

#endif
