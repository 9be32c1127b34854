/* Sixteen lanes, built for AVX-512 and only called where the processor has it. */
#include "simd/lanes_16.h"
#define PAIR_KERNELS sidle_pair_kernels_16
#include "intersect/pairs.inl"
