#include "simd/lanes_4.h"
#define FLOOR_TABLE   floor_4
#define FLOOR_KERNELS floor_kernels_4
#include "floor.inl"
