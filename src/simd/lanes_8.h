/* Eight floats: AVX2 or, if LANES_8_HAVE_MASKS is defined, AVX-512 (VL and DQ) with its mask registers. */
#ifndef SIMD_LANES_8_H
#define SIMD_LANES_8_H

#include "simd/pick.h"

#include <immintrin.h>
#include <math.h>

#define LANE_COUNT          8
#define LANES_OF(operation) _mm256_##operation
#ifdef LANES_8_HAVE_MASKS
#define LANES_MASK __mmask8
#endif

typedef __m256 Lanes;
#include "simd/lanes_vector.h"

#ifndef LANES_8_HAVE_MASKS
static inline Mask lanes_less(Lanes a, Lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static inline Mask lanes_less_equal(Lanes a, Lanes b)
{
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}

/* gcc 12 replaces the intrinsic by a comparison with zero and a blend, and keeps the comparison if several blends share a
 * mask. */
static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b)
{
#if defined __GNUC__ && !defined __clang__
    Lanes selected;
    __asm__("vblendvps %3, %2, %1, %0" : "=x"(selected) : "x"(b), "xm"(a), "x"(mask));
    return selected;
#else
    return _mm256_blendv_ps(b, a, mask);
#endif
}

/* min(a, b) in lanes of the mask, else b. Outside the mask a can be any value. */
static inline Lanes lanes_min_where(Mask mask, Lanes a, Lanes b)
{
    return lanes_min(lanes_select(mask, a, lanes_set((Real)INFINITY)), b);
}
#endif

/* The least of all lanes. None of them is NaN. */
static inline Real lanes_least(Lanes a)
{
    __m128 b = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    b = _mm_min_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_min_ps(b, _mm_shuffle_ps(b, b, 1)));
}

/* Stores the lanes in `bits` one after the other. Up to LANE_COUNT numbers are overwritten. */
static inline void lanes_store_chosen(float *p, Lanes a, uint32_t bits)
{
    _mm256_storeu_ps(p, pick_again(a, picks_to_front(bits)));
}

#endif
