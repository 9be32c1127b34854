/* One double lane, for triangles whose size or shape is too much for float, and the contact of a winner. */
#include "simd/lanes_1d.h"
#define KERNELS_IN_DOUBLE
#define KERNELS_TABLE kernels_1d
#include "kernels/kernels.inl"

#include "kernels/contact.inl"
