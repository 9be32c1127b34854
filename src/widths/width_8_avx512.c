/* Eight lanes, built for AVX-512's masks and its twice as many registers, and only called where the processor has
 * them: a tenth less for a sweep than with AVX2. A walk for
 * a box gains nothing; that of a cast gains by being compiled with what it finds. */
#define LANES_8_HAVE_MASKS
#include "simd/lanes_8.h"
#define KERNELS_TABLE   kernels_8_avx512
#define KERNELS_COLLECT collect_leaves_8
#include "widths/width.inl"
