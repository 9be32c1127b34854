/* Eight lanes, built for AVX2 and only called where the processor has it. */
#include "simd/lanes_8.h"
#define PAIR_KERNELS sidle_pair_kernels_8
#include "intersect/pairs.inl"
