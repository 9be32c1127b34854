/* Eight lanes, built for AVX2 and only called where the processor has it. */
#include "simd/lanes_8.h"
#define KERNELS_TABLE kernels_8
#include "kernels/kernels.inl"
