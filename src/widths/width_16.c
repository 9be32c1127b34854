/* Sixteen lanes, built for AVX-512 and only called where the processor has it. A node has eight children, so
 * the walks of trees are those of eight lanes. */
#include "simd/lanes_16.h"
#define KERNELS_TABLE   kernels_16
#define KERNELS_COLLECT collect_leaves_8
#define KERNELS_TRACE   trace_leaves_8
#define KERNELS_WALK    trace_walk_8
#define KERNELS_LOOK    trace_look_8
#define KERNELS_GROUP   trace_group_8
#include "widths/width.inl"
