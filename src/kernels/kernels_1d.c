/* One double lane, for triangles whose size or shape is too much for float, and the contact of a winner. */
#include "simd/lanes_1d.h"
#define KERNELS_IN_DOUBLE
#include "kernels/kernels.inl"

#include "kernels/contact.inl"

const Kernels kernels_1d = {
    .lane_count = LANE_COUNT,
    .guard = guard_backs,
    .hide = hide_backs,
    .finish = finish_batch,
    .sweep = sweep_batch,
    .closest = closest_batch,
    .cast_faces = cast_faces,
    .cast_edges = cast_edges,
    .count = count_sweep,
};
