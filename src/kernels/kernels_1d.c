/* One double lane, for triangles whose size or shape is too much for float, and the contact of a winner. */
#include "simd/lanes_1d.h"

#include <string.h>

#define KERNELS_IN_DOUBLE
#define KERNELS_TABLE kernels_1d
#include "kernels/kernels.inl"

// clang-format off
#include "kernels/contact.inl"
#include "kernels/capsule_contact.inl"
// clang-format on
