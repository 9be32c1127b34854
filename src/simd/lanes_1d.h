/* One double: for triangles that exceed the precision of float, and for contacts. */
#define LANES_REAL    double
#define REAL_ROUNDOFF 0x1p-53
#include "simd/lanes_scalar.h"
