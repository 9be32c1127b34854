/* The kernels of one width: KERNELS_TABLE names the table. */
#include "kernels/constants.h"
#include "kernels/kernels.h"

#include "simd/lane_vec3.h"

#include "kernels/block.inl"
#include "kernels/finish.inl"
#include "kernels/sweep.inl"

#include "kernels/closest.inl"

#ifndef KERNELS_IN_DOUBLE
#include "kernels/append.inl"
#include "kernels/collect.inl"
const Kernels KERNELS_TABLE = {LANE_COUNT,   collect_leaves, append_packets,
                               finish_batch, sweep_batch,    closest_batch};
#else
const Kernels KERNELS_TABLE = {LANE_COUNT, NULL, NULL, finish_batch, sweep_batch, closest_batch};
#endif
