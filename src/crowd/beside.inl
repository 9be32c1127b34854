/* Whether a step aside has ground: a ray beside the agent, straight down. Most of the time the cached triangles show that it hits.
 * Then no ray is cast. */
#include "crowd/steer.h"

/* Radii below the foot to which cached triangles are asked. */
#define GROUND_NEAR .5

/* Share of the product of the lengths that enter a volume by which floats may miss it. Coordinates are off by 8 u of the farthest
 * corner, u = 2^-24, more where axes differ much; this is 128 u. */
#define VOLUME_DOUBT 0x1p-17f

static inline Lanes size_of(LaneVec3 v)
{
    return lanes_add(lanes_abs(v.x), lanes_add(lanes_abs(v.y), lanes_abs(v.z)));
}

/* The triangles that a segment crosses for sure, from `from` along `path`. */
static inline Mask lanes_crossed(const LaneVec3 corners[3], LaneVec3 from, LaneVec3 path)
{
    LaneVec3 a = lane3_sub(corners[0], from), b = lane3_sub(corners[1], from),
             c = lane3_sub(corners[2], from);
    Lanes far = lanes_max(size_of(a), lanes_max(size_of(b), size_of(c))), zero = lanes_set(0);
    Lanes size = lanes_add(far, lanes_add(size_of(from), size_of(path)));
    Lanes doubt = lanes_mul(lanes_mul(size, lanes_mul(size, size)), lanes_set(VOLUME_DOUBT));
    Lanes u = lane3_dot(path, lane3_cross(b, c)), v = lane3_dot(path, lane3_cross(c, a)),
          w = lane3_dot(path, lane3_cross(a, b));
    Lanes side = lanes_add(u, lanes_add(v, w)), start = lane3_dot(a, lane3_cross(b, c));
    /* From below all volumes change their signs. */
    Lanes inside = lanes_min(u, lanes_min(v, w)), outside = lanes_negate(lanes_max(u, lanes_max(v, w)));
    Mask is_front = lanes_less(zero, side);
    Lanes in = lanes_select(is_front, inside, outside),
          before = lanes_select(is_front, start, lanes_negate(start));
    Lanes behind = lanes_sub(lanes_abs(side), before);
    return lanes_less(doubt, lanes_min(in, lanes_min(before, behind))); /* mutant: ground_nearby */
}

/* Whether a cached triangle is hit for sure. */
static bool cache_has_ground(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                             Vec3 beside, Vec3 down, TriangleCache *cache)
{
    const sidle_snapshot *snapshot = crowd->tick.desc.snapshot;
    Frame *frame = &candidates->frame;
    take_frame(&crowd->profiles[move->profile], move, frame);
    take_cache(cache, move);
    Reach reach = {.center = beside, .segment = down, .path = 1, .aside = true};
    Box box = reach_box(frame, &reach);
    box.center = quad_add(box.center, quad_of(frame->center));
    if (snapshot->moving_count > 0 || !cache_covers(cache, snapshot, box) ||
        cache->run_count == CACHE_CROWDED)
    {
        return false;
    }
    Filter filter;
    take_filter(crowd, move, &filter);
    candidates->work = candidates->leaves_seen = 0;
    if (!candidates_corners_in(candidates, snapshot, frame, &reach, &filter, cache) ||
        candidates->hides_backs)
    {
        return false;
    }
    LaneVec3 from = lane3_in(frame_to_ellipsoid(frame, beside)),
             path = lane3_in(frame_to_ellipsoid(frame, down));
    uint32_t crossed = 0;
    for (uint32_t at = 0; at < candidates->wide.count && !crossed; at += LANE_COUNT)
    {
        LaneVec3 corners[3];
        corners_load_rows(&candidates->wide, at, corners);
        crossed = mask_bits(lanes_crossed(corners, from, path)) & bits_left(candidates->wide.count - at);
    }
    return crossed;
}

/* Whether a ray beside a walking agent finds ground, no deeper than the agent follows. */
static bool has_ground_beside(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                              const Peer *peer, Vec3 beside, TriangleCache *cache)
{
    const Profile *profile = &crowd->profiles[move->profile];
    const PeerShape *shape = peer->shape;
    if (!(move->body.flags & SIDLE_BODY_GROUNDED) || profile->mode == SIDLE_FLY)
    {
        return true;
    }
    double deep = shape->height + profile->step_down + vec3_length(beside) * profile->max_slope_tan;
    deep = lesser(deep, SIDLE_MAX_COORDINATE / 2); /* slopes can be nearly vertical */
    double near = lesser(deep, shape->height + GROUND_NEAR * shape->least);
    if (cache_has_ground(crowd, candidates, move, beside, vec3_scale(shape->up, -near), cache))
    {
        return true;
    }
    Vec3 origin = vec3_add(peer->center, beside);
    sidle_cast ray = {.origin = {origin.x, origin.y, origin.z},
                      .displacement = vec3_to_float(vec3_scale(shape->up, -deep)),
                      .ignore = move->ignore,
                      .collides_with = move->collides_with,
                      .ignored_surfaces = move->ignored_surfaces,
                      .ignored_group = move->ignored_group};
    sidle_cast_hit hit = {.hit = SIDLE_CAST_MISS};
    cast_one(crowd->tick.desc.snapshot, crowd->tick.time, &ray, &hit);
    return hit.hit != SIDLE_CAST_MISS;
}
