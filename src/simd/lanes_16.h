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
typedef __m512i Bits;
#include "simd/lanes_vector.h"

/* The first `count` numbers at p, a multiple of four; zero in the other lanes, for which nothing is read: a mesh may
 * end there. */
static inline Lanes lanes_load_some(const float *p, uint32_t count)
{
    return _mm512_maskz_loadu_ps((Mask)(count < LANE_COUNT ? (1u << count) - 1 : 0xFFFFu), p);
}

/* Of all lanes; none may be NaN. */
static inline Real lanes_least(Lanes a)
{
    __m128 b = _mm_min_ps(_mm512_castps512_ps128(a), _mm512_extractf32x4_ps(a, 1));
    b = _mm_min_ps(b, _mm512_extractf32x4_ps(a, 2));
    b = _mm_min_ps(b, _mm512_extractf32x4_ps(a, 3));
    b = _mm_min_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_min_ps(b, _mm_shuffle_ps(b, b, 1)));
}

static inline Bits bits_or(Bits a, Bits b)
{
    return _mm512_or_si512(a, b);
}

static inline void bits_store_bytes(uint8_t *p, Bits a)
{
    _mm_storeu_si128((__m128i *)p, _mm512_cvtsepi32_epi8(a));
}

#endif
