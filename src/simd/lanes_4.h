/* Four floats: SSE2 and, through SIMDe, NEON and WebAssembly SIMD128. */
#ifndef SIMD_LANES_4_H
#define SIMD_LANES_4_H

#include <simde/x86/sse2.h>

#define LANE_COUNT          4
#define LANES_OF(operation) simde_mm_##operation
#ifndef SIMDE_X86_SSE_NATIVE
#define LANES_EMULATED
#endif

typedef simde__m128 Lanes;
#include "simd/lanes_vector.h"

static inline Mask lanes_less(Lanes a, Lanes b)
{
    return simde_mm_cmplt_ps(a, b);
}

static inline Mask lanes_less_equal(Lanes a, Lanes b)
{
    return simde_mm_cmple_ps(a, b);
}

static inline Lanes lanes_select(Mask mask, Lanes a, Lanes b)
{
    return simde_mm_or_ps(simde_mm_and_ps(mask, a), simde_mm_andnot_ps(mask, b));
}

/* min(a, b) in lanes of the mask, else b. Outside the mask a can be any value. */
static inline Lanes lanes_min_where(Mask mask, Lanes a, Lanes b)
{
#ifdef LANES_EMULATED
    return lanes_select(mask_and(mask, lanes_less(a, b)), a, b);
#else
    /* All bits are set in lanes outside the mask: a NaN, for which min returns b. */
    Mask every = simde_mm_castsi128_ps(simde_mm_set1_epi32(-1));
    return lanes_min(simde_mm_or_ps(a, simde_mm_andnot_ps(mask, every)), b);
#endif
}

/* The least of all lanes. None of them is NaN. */
static inline Real lanes_least(Lanes a)
{
    a = lanes_min(a, simde_mm_movehl_ps(a, a));
    return simde_mm_cvtss_f32(lanes_min(a, simde_mm_shuffle_ps(a, a, 1)));
}

/* Stores the lanes in `bits` one after the other. Up to LANE_COUNT numbers are overwritten. */
static inline void lanes_store_chosen(float *p, Lanes a, uint32_t bits)
{
    _Alignas(16) float each[LANE_COUNT];
    for (lanes_store(each, a); bits; bits &= bits - 1)
    {
        *p++ = each[__builtin_ctz(bits)];
    }
}

#endif
