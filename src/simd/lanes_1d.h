/* One double: for the lanes whose size asks for it, and for the contact of the winner. */
#define LANES_REAL double
#include "simd/lanes_scalar.h"
