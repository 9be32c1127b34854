/* Sixteen lanes, built for AVX-512 and only called where the processor has it. A node has eight children and
 * a leaf at most eight triangles, so the walks of trees and the rays are those of eight lanes. */
#include "simd/lanes_16.h"
#define KERNELS_TABLE   sidle_kernels_16
#define KERNELS_COLLECT sidle_collect_leaves_8
#define KERNELS_NEXT    sidle_trace_next_8
#define KERNELS_LOOK    sidle_trace_look_8
#define KERNELS_GROUP   sidle_trace_group_8
#define KERNELS_RAYS    sidle_cast_rays_8
#define KERNELS_RAY     sidle_cast_ray_8
#include "widths/width.inl"
