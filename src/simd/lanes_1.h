/* One float: the reference width. */
#define LANES_REAL float
#include "simd/lanes_scalar.h"
