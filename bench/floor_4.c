#include "simd/lanes_4.h"
#define FLOOR_WIDTH 4
#include "floor.inl"
