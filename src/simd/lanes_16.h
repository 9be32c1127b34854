/* Sixteen floats: AVX-512 (F and DQ). */
#ifndef SIMD_LANES_16_H
#define SIMD_LANES_16_H

#include "simd/pick.h"

#include <immintrin.h>
#include <math.h>

#define LANE_COUNT          16
#define LANES_OF(operation) _mm512_##operation
#define LANES_MASK          __mmask16

typedef __m512 Lanes;
#include "simd/lanes_vector.h"

/* The least of all lanes. None of them is NaN. */
static inline Real lanes_least(Lanes a)
{
    __m128 b = _mm_min_ps(_mm512_castps512_ps128(a), _mm512_extractf32x4_ps(a, 1));
    b = _mm_min_ps(b, _mm512_extractf32x4_ps(a, 2));
    b = _mm_min_ps(b, _mm512_extractf32x4_ps(a, 3));
    b = _mm_min_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_min_ps(b, _mm_shuffle_ps(b, b, 1)));
}

/* Stores the lanes in `bits` one after the other. Up to LANE_COUNT numbers are overwritten. */
static inline void lanes_store_chosen(float *p, Lanes a, uint32_t bits)
{
    __m256 low = _mm512_castps512_ps256(a), high = _mm512_extractf32x8_ps(a, 1);
    _mm256_storeu_ps(p, pick_again(low, picks_to_front(bits & 0xFF)));
    p += __builtin_popcount(bits & 0xFF);
    _mm256_storeu_ps(p, pick_again(high, picks_to_front(bits >> 8)));
}

#endif
