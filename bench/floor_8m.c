#define LANES_8_HAVE_MASKS
#include "simd/lanes_8.h"
#define FLOOR_WIDTH 8m
#include "floor.inl"
