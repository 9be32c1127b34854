#include "simd/lanes_8.h"
#define FLOOR_TABLE   floor_8
#define FLOOR_KERNELS floor_kernels_8
#include "floor.inl"
