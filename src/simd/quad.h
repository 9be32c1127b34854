/* Four doubles, for boxes and centres: x, y, z and a spare. Compiled with the flags of the width that includes it. */
#ifndef SIMD_QUAD_H
#define SIMD_QUAD_H

#include <simde/x86/avx2.h>
#include <stdbool.h>

typedef simde__m256d Quad;

static inline Quad quad_set(double x, double y, double z, double w)
{
    return simde_mm256_set_pd(w, z, y, x);
}

static inline Quad quad_all(double a)
{
    return simde_mm256_set1_pd(a);
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

static inline Quad quad_abs(Quad a)
{
    return simde_mm256_andnot_pd(quad_all(-0.0), a);
}

/* A bit for each number that is no larger than its counterpart. NaN sets none. */
static inline int quad_less_equal(Quad a, Quad b)
{
    return simde_mm256_movemask_pd(simde_mm256_cmp_pd(a, b, SIMDE_CMP_LE_OQ));
}

static inline void quad_store(double p[4], Quad a)
{
    simde_mm256_storeu_pd(p, a);
}

/* Rounded to nearest. */
static inline void quad_store_floats(float p[4], Quad a)
{
    simde_mm_storeu_ps(p, simde_mm256_cvtpd_ps(a));
}

/* The nearest floats, as doubles. */
static inline Quad quad_round_to_floats(Quad a)
{
    return simde_mm256_cvtps_pd(simde_mm256_cvtpd_ps(a));
}

/* No infinity and no NaN among so many floats in a row, 8 to 16. */
static inline bool floats_are_finite(const float *x, int count)
{
    simde__m256i exponent = simde_mm256_set1_epi32(0x7f800000);
    simde__m256i a = simde_mm256_loadu_si256((const simde__m256i *)x);
    simde__m256i b = simde_mm256_loadu_si256((const simde__m256i *)(x + count - 8));
    a = simde_mm256_cmpeq_epi32(simde_mm256_and_si256(a, exponent), exponent);
    b = simde_mm256_cmpeq_epi32(simde_mm256_and_si256(b, exponent), exponent);
    return simde_mm256_movemask_epi8(simde_mm256_or_si256(a, b)) == 0;
}

#endif
