/* One float: the reference width. */
#define LANES_REAL    float
#define REAL_ROUNDOFF 0x1p-24
#include "simd/lanes_scalar.h"
