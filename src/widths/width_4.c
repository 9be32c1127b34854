/* Four lanes. */
#include "simd/lanes_4.h"
#define KERNELS_TABLE sidle_kernels_4
#include "widths/width.inl"
