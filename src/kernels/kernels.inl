/* The kernels of one width: KERNELS_TABLE names the table. */
#include "kernels/constants.h"
#include "kernels/kernels.h"

#include "simd/lane_vec3.h"

/* In the order in which they build on each other. */
// clang-format off
#include "kernels/block.inl"
#include "kernels/finish.inl"
#include "kernels/path.inl"
#include "kernels/closest.inl"
#include "kernels/touch.inl"
#include "kernels/sweep.inl"
#include "kernels/cast.inl"
#include "kernels/count.inl"
#include "kernels/capsule.inl"
#include "kernels/capsule_sweep.inl"
// clang-format on

#ifndef KERNELS_IN_DOUBLE
// clang-format off
#include "kernels/append.inl"
#include "kernels/ray.inl"
#include "kernels/overlap.inl"
#include "kernels/pairs.inl"
// clang-format on
#ifndef KERNELS_COLLECT /* a width has its own walks, or names another's */
#include "kernels/collect.inl"
#include "kernels/trace.inl"
#define KERNELS_COLLECT collect_leaves
#define KERNELS_TRACE   trace_leaves
#endif
const Kernels KERNELS_TABLE = {
    .lane_count = LANE_COUNT,
    .collect = KERNELS_COLLECT,
    .append = append_packets,
    .finish = finish_batch,
    .sweep = sweep_batch,
    .closest = closest_batch,
    .cast_faces = cast_faces,
    .cast_edges = cast_edges,
    .trace = KERNELS_TRACE,
    .ray = ray_batch,
    .pierce_pairs = pierce_pairs,
    .closest_pairs = closest_pairs,
    .overlap_pairs = overlap_pairs,
    .count = count_sweep,
    .core_sweep = core_sweep_batch,
    .core_near = core_near_batch,
    .core_cast_faces = core_cast_faces,
    .core_cast_edges = core_cast_edges,
    .core_count = core_count_sweep,
};
#else
const Kernels KERNELS_TABLE = {
    .lane_count = LANE_COUNT,
    .finish = finish_batch,
    .sweep = sweep_batch,
    .closest = closest_batch,
    .cast_faces = cast_faces,
    .cast_edges = cast_edges,
    .count = count_sweep,
    .core_sweep = core_sweep_batch,
    .core_near = core_near_batch,
    .core_cast_faces = core_cast_faces,
    .core_cast_edges = core_cast_edges,
    .core_count = core_count_sweep,
};
#endif
