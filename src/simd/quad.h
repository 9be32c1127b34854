/* Four doubles, for boxes and centres: x, y, z and a spare. One vector where AVX is on; elsewhere SIMDe makes two of it,
 * with the same bits. */
#ifndef SIMD_QUAD_H
#define SIMD_QUAD_H

#include <simde/x86/avx2.h>
#include <stdbool.h>

typedef simde__m256d Quad;

static inline Quad quad_load(const double p[4])
{
    return simde_mm256_loadu_pd(p);
}

static inline void quad_store(double p[4], Quad a)
{
    simde_mm256_storeu_pd(p, a);
}

static inline Quad quad_all(double a)
{
    return simde_mm256_set1_pd(a);
}

static inline Quad quad_set(double x, double y, double z, double w)
{
    return simde_mm256_set_pd(w, z, y, x);
}

static inline Quad quad_abs(Quad a)
{
    return simde_mm256_andnot_pd(quad_all(-0.0), a);
}

/* A bit for each number that is no larger than its counterpart. NaN sets none. */
static inline int quad_less_equal(Quad a, Quad b)
{
    return simde_mm256_movemask_pd(simde_mm256_cmp_pd(a, b, SIMDE_CMP_LE_OQ));
}

/* Rounded to nearest. */
static inline void quad_store_floats(float p[4], Quad a)
{
    simde_mm_storeu_ps(p, simde_mm256_cvtpd_ps(a));
}
static inline Quad quad_add(Quad a, Quad b)
{
    return simde_mm256_add_pd(a, b);
}

static inline Quad quad_sub(Quad a, Quad b)
{
    return simde_mm256_sub_pd(a, b);
}

static inline Quad quad_mul(Quad a, Quad b)
{
    return simde_mm256_mul_pd(a, b);
}

/* a + s b */
static inline Quad quad_add_scaled(Quad a, Quad b, double s)
{
    return quad_add(a, quad_mul(b, quad_all(s)));
}

/* 0: no infinity and no NaN among four floats in a row. */
static inline int floats_not_finite(const float *x)
{
    simde__m128i exponent = simde_mm_set1_epi32(0x7f800000);
    simde__m128i bits = simde_mm_and_si128(simde_mm_loadu_si128((const simde__m128i *)x), exponent);
    return simde_mm_movemask_epi8(simde_mm_cmpeq_epi32(bits, exponent));
}

/* No infinity and no NaN among 12 to 16 floats in a row. */
static inline bool floats_are_finite(const float *x, int count)
{
    return (floats_not_finite(x) | floats_not_finite(x + 4) | floats_not_finite(x + 8) |
            floats_not_finite(x + count - 4)) == 0;
}

#endif
