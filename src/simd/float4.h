/* Four floats, for boxes: x, y, z and a spare, whose bits may be anything. */
#ifndef SIMD_FLOAT4_H
#define SIMD_FLOAT4_H

#include <simde/x86/sse2.h>
#include <stdbool.h>

typedef simde__m128 Float4;

static inline Float4 float4_load(const void *p)
{
    return simde_mm_loadu_ps((const float *)p);
}

static inline void float4_store(void *p, Float4 a)
{
    simde_mm_storeu_ps((float *)p, a);
}

static inline Float4 float4_all(float a)
{
    return simde_mm_set1_ps(a);
}

static inline Float4 float4_set(float x, float y, float z, float w)
{
    return simde_mm_setr_ps(x, y, z, w);
}

static inline Float4 float4_add(Float4 a, Float4 b)
{
    return simde_mm_add_ps(a, b);
}

static inline Float4 float4_sub(Float4 a, Float4 b)
{
    return simde_mm_sub_ps(a, b);
}

static inline Float4 float4_mul(Float4 a, Float4 b)
{
    return simde_mm_mul_ps(a, b);
}

static inline Float4 float4_div(Float4 a, Float4 b)
{
    return simde_mm_div_ps(a, b);
}

static inline Float4 float4_abs(Float4 a)
{
    return simde_mm_andnot_ps(simde_mm_set1_ps(-0.0f), a);
}

/* b if a number of either is NaN. */
static inline Float4 float4_min(Float4 a, Float4 b)
{
    return simde_mm_min_ps(a, b);
}

static inline Float4 float4_max(Float4 a, Float4 b)
{
    return simde_mm_max_ps(a, b);
}

/* As masks, of numbers that are less. */
static inline Float4 float4_less(Float4 a, Float4 b)
{
    return simde_mm_cmplt_ps(a, b);
}

static inline Float4 float4_select(Float4 mask, Float4 a, Float4 b)
{
    return simde_mm_or_ps(simde_mm_and_ps(mask, a), simde_mm_andnot_ps(mask, b));
}

static inline Float4 float4_and(Float4 a, Float4 b)
{
    return simde_mm_and_ps(a, b);
}

static inline Float4 float4_or(Float4 a, Float4 b)
{
    return simde_mm_or_ps(a, b);
}

/* Of these bits: x, y and z, and the spare. */
static inline Float4 float4_bits(uint32_t first3, uint32_t spare)
{
    int first = (int)first3;
    return simde_mm_castsi128_ps(simde_mm_setr_epi32(first, first, first, (int)spare));
}

/* With 0 as the spare. */
static inline Float4 float4_first3(Float4 a)
{
    return simde_mm_and_ps(a, simde_mm_castsi128_ps(simde_mm_set_epi32(0, -1, -1, -1)));
}

/* Rounded towards zero. */
static inline void float4_store_integers(int32_t p[4], Float4 a)
{
    simde_mm_storeu_si128((simde__m128i *)p, simde_mm_cvttps_epi32(a));
}

static inline float float4_first(Float4 a)
{
    return simde_mm_cvtss_f32(a);
}

/* (x + y) + z of the products, without the spares. */
static inline float float4_dot3(Float4 a, Float4 b)
{
    Float4 p = simde_mm_mul_ps(a, b);
    Float4 xy = simde_mm_add_ss(p, simde_mm_shuffle_ps(p, p, SIMDE_MM_SHUFFLE(1, 1, 1, 1)));
    return simde_mm_cvtss_f32(simde_mm_add_ss(xy, simde_mm_movehl_ps(p, p)));
}

/* x y + y z + z x of four vectors. */
static inline Float4 float4_half_areas(const Float4 v[4])
{
    Float4 xy0 = simde_mm_unpacklo_ps(v[0], v[1]), xy2 = simde_mm_unpacklo_ps(v[2], v[3]),
           z0 = simde_mm_unpackhi_ps(v[0], v[1]), z2 = simde_mm_unpackhi_ps(v[2], v[3]),
           x = simde_mm_movelh_ps(xy0, xy2), y = simde_mm_movehl_ps(xy2, xy0), z = simde_mm_movelh_ps(z0, z2);
    return simde_mm_add_ps(simde_mm_add_ps(simde_mm_mul_ps(x, y), simde_mm_mul_ps(y, z)),
                           simde_mm_mul_ps(z, x));
}

/* A bit for each number that equals its counterpart. */
static inline int float4_equal(Float4 a, Float4 b)
{
    return simde_mm_movemask_ps(simde_mm_cmpeq_ps(a, b));
}

/* Whether all four have the same bits. */
static inline bool float4_is_same(Float4 a, Float4 b)
{
    simde__m128i equal = simde_mm_cmpeq_epi32(simde_mm_castps_si128(a), simde_mm_castps_si128(b));
    return simde_mm_movemask_epi8(equal) == 0xffff;
}

/* A bit for each number that is at most its counterpart. NaN sets none. */
static inline int float4_less_equal(Float4 a, Float4 b)
{
    return simde_mm_movemask_ps(simde_mm_cmple_ps(a, b));
}

#endif
