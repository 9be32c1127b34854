/* Four doubles, for boxes and centres: x, y, z and a spare. One vector with AVX; elsewhere SIMDe uses two, with the
 * same bits. */
#ifndef SIMD_QUAD_H
#define SIMD_QUAD_H

#include "simd/float4.h"

#include <simde/x86/avx2.h>
#include <stdbool.h>

typedef simde__m256d Quad;

static inline Quad quad_load(const double *p)
{
    return simde_mm256_loadu_pd(p);
}

static inline void quad_store(double *p, Quad a)
{
    simde_mm256_storeu_pd(p, a);
}

/* Three numbers, with 0 as the spare. */
static inline Quad quad_load3(const double *p)
{
    return simde_mm256_set_m128d(simde_mm_load_sd(p + 2), simde_mm_loadu_pd(p));
}

static inline void quad_store3(double *p, Quad a)
{
    simde_mm_storeu_pd(p, simde_mm256_castpd256_pd128(a));
    simde_mm_store_sd(p + 2, simde_mm256_extractf128_pd(a, 1));
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

/* A bit for each number that is at most its counterpart. NaN sets none. */
static inline int quad_less_equal(Quad a, Quad b)
{
    return simde_mm256_movemask_pd(simde_mm256_cmp_pd(a, b, SIMDE_CMP_LE_OQ));
}

/* The same as masks. */
static inline Quad quad_at_most(Quad a, Quad b)
{
    return simde_mm256_cmp_pd(a, b, SIMDE_CMP_LE_OQ);
}

static inline Quad quad_less(Quad a, Quad b)
{
    return simde_mm256_cmp_pd(a, b, SIMDE_CMP_LT_OQ);
}

static inline Quad quad_and(Quad a, Quad b)
{
    return simde_mm256_and_pd(a, b);
}

static inline Quad quad_select(Quad mask, Quad a, Quad b)
{
    return simde_mm256_blendv_pd(b, a, mask);
}

/* A bit for each mask that is set. */
static inline uint32_t quad_bits(Quad mask)
{
    return (uint32_t)simde_mm256_movemask_pd(mask);
}

/* As `larger` and `lesser` of numbers: b if both are equal, and for NaN. */
static inline Quad quad_larger(Quad a, Quad b)
{
    return quad_select(quad_less(b, a), a, b);
}

static inline Quad quad_lesser(Quad a, Quad b)
{
    return quad_select(quad_less(a, b), a, b);
}

static inline Quad quad_sqrt(Quad a)
{
    return simde_mm256_sqrt_pd(a);
}

/* Rounded to nearest. */
static inline Float4 quad_to_float4(Quad a)
{
    return simde_mm256_cvtpd_ps(a);
}

static inline void quad_store_floats(float *p, Quad a)
{
    simde_mm_storeu_ps(p, simde_mm256_cvtpd_ps(a));
}

static inline Quad quad_load_floats(const float *p)
{
    return simde_mm256_cvtps_pd(simde_mm_loadu_ps(p));
}

static inline Quad quad_of_float4(Float4 a)
{
    return simde_mm256_cvtps_pd(a);
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

static inline Quad quad_div(Quad a, Quad b)
{
    return simde_mm256_div_pd(a, b);
}

static inline Quad quad_min(Quad a, Quad b)
{
    return simde_mm256_min_pd(a, b);
}

static inline Quad quad_max(Quad a, Quad b)
{
    return simde_mm256_max_pd(a, b);
}

/* y, z, the spare and x. */
static inline Quad quad_turn(Quad a)
{
    return simde_mm256_permute4x64_pd(a, SIMDE_MM_SHUFFLE(0, 3, 2, 1));
}

/* y, z, x and the spare. */
static inline Quad quad_turn3(Quad a)
{
    return simde_mm256_permute4x64_pd(a, SIMDE_MM_SHUFFLE(3, 0, 2, 1));
}

/* (x + y) + z */
static inline double quad_sum3(Quad a)
{
    simde__m128d xy = simde_mm256_castpd256_pd128(a);
    simde__m128d sum = simde_mm_add_sd(xy, simde_mm_unpackhi_pd(xy, xy));
    return simde_mm_cvtsd_f64(simde_mm_add_sd(sum, simde_mm256_extractf128_pd(a, 1)));
}

static inline double quad_dot3(Quad a, Quad b)
{
    return quad_sum3(quad_mul(a, b));
}

static inline Quad quad_cross(Quad a, Quad b)
{
    return quad_turn3(quad_sub(quad_mul(a, quad_turn3(b)), quad_mul(quad_turn3(a), b)));
}

/* y */
static inline double quad_second(Quad a)
{
    simde__m128d xy = simde_mm256_castpd256_pd128(a);
    return simde_mm_cvtsd_f64(simde_mm_unpackhi_pd(xy, xy));
}

/* a + s b */
static inline Quad quad_add_scaled(Quad a, Quad b, double s)
{
    return quad_add(a, quad_mul(b, quad_all(s)));
}

/* A mask of eight floats whose product with its scale is at most the limit in size. False for NaN and for infinities,
 * with any scale. */
static inline simde__m256 eight_within(const float *x, const float *scales, simde__m256 limit)
{
    simde__m256 product = simde_mm256_mul_ps(simde_mm256_loadu_ps(x), simde_mm256_loadu_ps(scales));
    simde__m256 size = simde_mm256_andnot_ps(simde_mm256_set1_ps(-0.0f), product);
    return simde_mm256_cmp_ps(size, limit, SIMDE_CMP_LE_OQ);
}

/* A row of 8 to 16 floats, each with its scale. */
typedef struct ScaledFloats
{
    const float *x, *scales;
    int count;
} ScaledFloats;

static inline simde__m256 row_within(ScaledFloats row, simde__m256 limit)
{
    int last = row.count - 8;
    return simde_mm256_and_ps(eight_within(row.x, row.scales, limit),
                              eight_within(row.x + last, row.scales + last, limit));
}

/* Returns true if eight_within holds for all floats of both rows. */
static inline bool floats_are_within(ScaledFloats a, ScaledFloats b, float limit)
{
    simde__m256 most = simde_mm256_set1_ps(limit);
    return simde_mm256_movemask_ps(simde_mm256_and_ps(row_within(a, most), row_within(b, most))) == 255;
}

#endif
