/* Four lanes. */
#include "simd/lanes_4.h"
#define KERNELS_TABLE kernels_4
#include "widths/width.inl"
