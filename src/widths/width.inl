/* The code that is compiled once for each width: the kernels, the gather, casts and moves. It is one translation unit,
 * so that the compiler can inline a move as a whole. A width_N.c selects the lanes and names the table. */
#include "kernels/kernels.inl"

/* In the order in which they build on each other. */
// clang-format off
#include "narrow/mapping.inl"
#include "narrow/identity.inl"
#include "narrow/search.inl"
#include "narrow/gather.inl"
#include "narrow/query.inl"
#include "narrow/near.inl"
#include "query/caster.inl"
#include "query/square.inl"
#include "query/copies.inl"
#include "query/walk.inl"
#include "query/ball.inl"
#include "query/leaf.inl"
#include "query/capsule.inl"
// clang-format on
#ifndef KERNELS_RAYS /* a width has its own, or names another's */
#include "query/ray.inl"
#include "query/rays.inl"
#define KERNELS_RAYS cast_rays
#define KERNELS_RAY  cast_ray
#endif
// clang-format off
#include "query/flight.inl"
#include "crowd/contact.inl"
#include "crowd/recover.inl"
#include "crowd/cover.inl"
#include "crowd/ground.inl"
#include "crowd/moving_ground.inl"
#include "crowd/planes.inl"
#include "crowd/limits.inl"
#include "crowd/impact.inl"
#include "crowd/slide.inl"
#include "crowd/push.inl"
#include "crowd/carry.inl"
#include "crowd/modes.inl"
#include "crowd/gaps.inl"
#include "crowd/follow.inl"
#include "crowd/step.inl"
#include "crowd/walk.inl"
#include "crowd/request.inl"
#include "crowd/agent.inl"
#include "crowd/rim.inl"
#include "crowd/answer.inl"
#include "crowd/turns.inl"
#include "crowd/peers.inl"
#include "crowd/four_pairs.inl"
#include "crowd/wall_lanes.inl"
#include "crowd/walls.inl"
#include "crowd/beside.inl"
#include "crowd/avoid.inl"
// clang-format on

static bool gather_and_list(Candidates *candidates, const sidle_snapshot *snapshot, const Frame *frame,
                            const Reach *reach, const Filter *filter, TriangleCache *cache)
{
    bool fits = candidates_gather(candidates, snapshot, frame, reach, filter, cache);
    if (fits)
    {
        list_candidates(candidates);
    }
    return fits;
}

const Kernels KERNELS_TABLE = {
    .lane_count = LANE_COUNT,
    .move = agent_tick,
    .turn = turn_of,
    .peer = peer_make,
    .walls = peer_walls,
    .ground_beside = has_ground_beside,
    .pairs = describe_four_pairs,
    .avoid = avoid_others,
    .cast_many = cast_many,
    .cast_one = cast_one,
    .gather = gather_and_list,
    .corners = candidates_corners,
    .ask = candidates_sweep,
    .collect = KERNELS_COLLECT,
    .append = append_packets,
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
