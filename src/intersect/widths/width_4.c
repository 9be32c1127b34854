/* Four lanes. */
#include "simd/lanes_4.h"
#define PAIR_KERNELS sidle_pair_kernels_4
#include "intersect/pairs.inl"
