/* One double: for the lanes whose size asks for it, and for the contact of the winner. */
#define LANES_REAL    double
#define REAL_ROUNDOFF 0x1p-53
#include "simd/lanes_scalar.h"
