/* One double lane, for triangles whose size or shape exceeds the precision of float, and the contacts of hits. */
#include "base/exact.h"
#include "simd/lanes_1d.h"

#include <string.h>

#define KERNELS_IN_DOUBLE
#include "kernels/kernels.inl"

// clang-format off
#include "kernels/contact.inl"
#include "kernels/capsule_contact.inl"
// clang-format on

const Kernels sidle_kernels_1d = {
    .lane_count = LANE_COUNT,
    .setup = setup_batch,
    .sweep = sweep_batch,
    .closest = closest_batch,
    .count = count_sweep,
    .core_sweep = core_sweep_batch,
    .core_near = core_near_batch,
    .core_cast_faces = core_cast_faces,
    .core_cast_edges = core_cast_edges,
    .core_count = core_count_sweep,
};
