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
// clang-format on

#ifndef KERNELS_IN_DOUBLE
#include "kernels/append.inl"
#include "kernels/collect.inl"
#include "kernels/ray.inl"
#include "kernels/trace.inl"
const Kernels KERNELS_TABLE = {LANE_COUNT,    collect_leaves, append_packets, finish_batch, sweep_batch,
                               closest_batch, cast_faces,     cast_edges,     trace_leaves, ray_batch};
#else
const Kernels KERNELS_TABLE = {LANE_COUNT,    NULL,       NULL,       finish_batch, sweep_batch,
                               closest_batch, cast_faces, cast_edges, NULL,         NULL};
#endif
