#include "simd/lanes_16.h"
#define FLOOR_WIDTH 16
#include "floor.inl"
