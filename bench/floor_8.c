#include "simd/lanes_8.h"
#define FLOOR_WIDTH 8
#include "floor.inl"
