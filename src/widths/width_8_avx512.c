/* Eight lanes with the masks and the 32 registers of AVX-512, only called if the processor has them. The walk with a
 * box is that of AVX2, which is as fast. */
#define LANES_8_HAVE_MASKS
#include "simd/lanes_8.h"
#define KERNELS_TABLE   sidle_kernels_8_avx512
#define KERNELS_COLLECT sidle_collect_leaves_8
#include "widths/width.inl"
