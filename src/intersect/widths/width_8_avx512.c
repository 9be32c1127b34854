/* Eight lanes, built for AVX-512's masks and only called where the processor has them. */
#define LANES_8_HAVE_MASKS
#include "simd/lanes_8.h"
#define PAIR_KERNELS sidle_pair_kernels_8_avx512
#include "intersect/pairs.inl"
