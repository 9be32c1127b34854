/* Masks of a bit a lane, in registers of their own: what AVX-512 has at any width. Included where Mask is known. */
#ifndef SIMD_MASK_BITS_H
#define SIMD_MASK_BITS_H

/* C's operators, not _mm512_kand: gcc 12 then folds an "and" into the compare before it, which the kernels do
 * often enough to be 13 % faster for it. */
static inline Mask mask_and(Mask a, Mask b)
{
    return (Mask)(a & b);
}

static inline Mask mask_or(Mask a, Mask b)
{
    return (Mask)(a | b);
}

static inline Mask mask_without(Mask a, Mask b)
{
    return (Mask)(a & ~b);
}

static inline uint32_t mask_bits(Mask mask)
{
    return mask;
}

#endif
