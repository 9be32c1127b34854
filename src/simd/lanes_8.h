/* Eight floats: AVX2; or, with LANES_8_HAVE_MASKS defined, AVX-512 (VL and DQ), which has twice as many registers and
 * others for masks. */
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
typedef __m256i Bits;
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

static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b)
{
    return _mm256_blendv_ps(b, a, mask);
}

/* min(a, b) where the mask holds, else b: a may be anything there. */
static inline Lanes lanes_min_where(Mask mask, Lanes a, Lanes b)
{
    return lanes_min(lanes_select(mask, a, lanes_set((Real)INFINITY)), b);
}

static inline Bits mask_to_bits(Mask mask, uint32_t bits)
{
    return _mm256_and_si256(_mm256_castps_si256(mask), _mm256_set1_epi32((int32_t)bits));
}
#endif

/* Of all lanes; none may be NaN. */
static inline Real lanes_least(Lanes a)
{
    __m128 b = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    b = _mm_min_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_min_ps(b, _mm_shuffle_ps(b, b, 1)));
}

static inline Bits bits_or(Bits a, Bits b)
{
    return _mm256_or_si256(a, b);
}

static inline void bits_store_bytes(uint8_t *p, Bits a)
{
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    _mm_storel_epi64((__m128i *)p, _mm_packus_epi16(words, words));
}

#endif
