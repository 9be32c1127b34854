/* One lane: the reference width. */
#include "simd/lanes_1.h"
#define PAIR_KERNELS sidle_pair_kernels_1
#include "intersect/pairs.inl"
