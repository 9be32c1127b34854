/* The kernels of one width. */
#include "kernels/constants.h"
#include "kernels/kernels.h"

#include "simd/lane_vec3.h"

/* In the order in which they build on each other. */
// clang-format off
#include "wide/face.inl"
#include "kernels/block.inl"
#include "kernels/setup.inl"
#include "wide/closest.inl"
#include "kernels/path.inl"
#include "kernels/closest.inl"
#include "kernels/features.inl"
#include "kernels/sweep.inl"
#include "kernels/count.inl"
#include "kernels/capsule.inl"
#include "kernels/capsule_sweep.inl"
// clang-format on

#ifndef KERNELS_IN_DOUBLE
// clang-format off
#include "kernels/axis.inl"
#include "kernels/append.inl"
#include "kernels/cast_leaf.inl"
#include "wide/pierce.inl"
#include "wide/overlap.inl"
#include "kernels/overlap.inl"
// clang-format on
#ifndef KERNELS_COLLECT /* a width has its own walks, or names another's */
#include "kernels/collect.inl"
#define KERNELS_COLLECT collect_leaves
#endif
#include "kernels/trace_stack.inl"
#ifndef KERNELS_NEXT
#include "kernels/trace.inl"
#define KERNELS_NEXT trace_next
#define KERNELS_LOOK trace_look
#include "kernels/trace_group.inl"
#define KERNELS_GROUP trace_group
#endif
#endif
