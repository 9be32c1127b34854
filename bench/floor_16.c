#include "simd/lanes_16.h"
#define FLOOR_TABLE   floor_16
#define FLOOR_KERNELS floor_kernels_16
#include "floor.inl"
