/* One lane: the reference width. */
#include "simd/lanes_1.h"
#define KERNELS_TABLE sidle_kernels_1
#include "widths/width.inl"
