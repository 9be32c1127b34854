/* The walls around an agent: hints for the rounds of agents that collide, and for steering. */
#include "crowd/steer.h"

/* Radii within which the nearest wall is looked for: as long as an agent stays nearer to the place of that search, it hits no
 * wall. The triangles within are in the cache anyway (CACHE_MARGIN). */
#define CLEAR_REACH 1.7

/* Radii from that place within which an agent near a wall does not repeat that search: .3 seconds of walking, and so a few turns of
 * steering. It changes the time of a tick and no result. */
#define CLEAR_NEAR 1.0

/* What rounding may change from place to place, of a distance in radii and of the squared cosine of a slope. Corners S radii away
 * are rounded by 6 u S = 4e-7 S. That turns a face of height h by 4e-7 S / h, and its cosine squared by twice as much: less than
 * 1e-3 for S up to 1,200 h. */
#define CLEAR_ROUNDING 1e-3

/* Triangles of which the walls are chosen. */
#define WALL_CANDIDATES 16

/* Cosine of 2 degrees: the nearer of two such walls stands for both. */
#define SAME_WALL .9994f

/* Least length of the horizontal part of a wall's normal, 6 degrees. */
#define LEAST_UPRIGHT .1

/* Of walls equally far the order of the normals decides: the order of the candidates depends on the search. */
static bool is_nearer_wall(const PeerWall *a, const PeerWall *b)
{
    return a->gap != b->gap ? a->gap < b->gap : memcmp(a->normal, b->normal, sizeof a->normal) < 0;
}

static bool is_same_wall(const PeerWall *a, const PeerWall *b)
{
    float cosine = a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] + a->normal[2] * b->normal[2];
    return cosine > SAME_WALL;
}

/* Inserts a wall by distance; of more than WALL_CANDIDATES the farthest is dropped. Returns the count. */
static uint32_t insert_wall(PeerWall *walls, uint32_t count, PeerWall wall)
{
    uint32_t at = count < WALL_CANDIDATES ? count : WALL_CANDIDATES - 1;
    if (count == WALL_CANDIDATES && !is_nearer_wall(&wall, &walls[at]))
    {
        return count;
    }
    for (; at > 0 && is_nearer_wall(&wall, &walls[at - 1]); --at)
    {
        walls[at] = walls[at - 1];
    }
    walls[at] = wall;
    return count < WALL_CANDIDATES ? count + 1 : count;
}

/* The nearest wall of each direction. */
static uint32_t distinct_walls(const PeerWall *sorted, uint32_t count, PeerWall *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && kept < PEER_WALLS; ++i)
    {
        bool is_new = true;
        for (uint32_t j = 0; j < kept; ++j)
        {
            is_new = is_new && !is_same_wall(&sorted[i], &out[j]);
        }
        out[kept] = sorted[i];
        kept += is_new;
    }
    return kept;
}

/* What a wall is for one agent. */
typedef struct WallView
{
    const Frame *frame;
    Vec3 up;
    double rest, reach, least_rise2; /* of a normal of ground, squared */
    /* On the ground: only the horizontal part of a wall counts, and nothing that it can stand on. */
    bool is_flat;
    bool in_lanes; /* float lanes may decide what is ground */
} WallView;

static void lane_corners(const Candidates *candidates, uint32_t lane, Vec3 v[3])
{
    const float *rows = candidates->wide.rows + lane;
    size_t stride = candidates->wide.row_stride;
    for (int k = 0; k < 3; ++k, rows += 3 * stride)
    {
        v[k] = vec3((double)rows[0], (double)rows[stride], (double)rows[2 * stride]);
    }
}

/* Of any length, in ellipsoid space. */
static Vec3 across_triangle(const Vec3 v[3])
{
    return vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
}

/* Whether an agent on the ground can stand on a triangle with this normal. */
static bool is_ground(const WallView *view, Vec3 across)
{
    const Frame *frame = view->frame;
    Vec3 face =
        frame->is_upright ? vec3_mul(frame->inverse, across) : mat3_mul_transposed(frame->to_e, across);
    double rise = vec3_dot(face, view->up);
    return view->is_flat && rise * rise >= view->least_rise2 * vec3_length2(face) && rise != 0;
}

/* The squared distance of a triangle's box, or less. */
static double box_distance2(const WallView *view, const Vec3 v[3])
{
    Vec3 half = vec3_abs(view->frame->core), low = vec3_lesser(vec3_lesser(v[0], v[1]), v[2]);
    Vec3 high = vec3_larger(vec3_larger(v[0], v[1]), v[2]);
    Vec3 apart = vec3_sub(vec3_larger(low, vec3_scale(high, -1)), half);
    return vec3_length2(vec3_larger(apart, vec3(0, 0, 0)));
}

/* Radii and squares of cosines by which float lanes may differ from double: for axes of at most LANE_ASPECT, and triangles whose
 * normal's length is more than LANE_NARROW of the product of two edges. */
#define LANE_DOUBT  1e-3
#define LANE_ASPECT 8
#define LANE_NARROW 1e-2

static inline LaneVec3 lane3_in(Vec3 v)
{
    return lane3_set((Real)v.x, (Real)v.y, (Real)v.z);
}

/* The lanes that an agent on the ground can stand on for sure. */
static inline Mask lanes_of_ground(const WallView *view, const LaneVec3 v[3])
{
    LaneVec3 a = lane3_sub(v[1], v[0]), b = lane3_sub(v[2], v[0]), across = lane3_cross(a, b);
    LaneVec3 face = lane3_mul(lane3_in(view->frame->inverse), across);
    Lanes rise = lane3_dot(face, lane3_in(view->up)),
          least = lanes_set((Real)(view->least_rise2 + 2 * LANE_DOUBT));
    Lanes narrow =
        lanes_mul(lanes_mul(lane3_dot(a, a), lane3_dot(b, b)), lanes_set((Real)(LANE_NARROW * LANE_NARROW)));
    return mask_and(lanes_less(narrow, lane3_dot(across, across)),
                    lanes_less_equal(lanes_mul(least, lane3_dot(face, face)), lanes_mul(rise, rise)));
}

/* Bits of the candidates from `at` on that can be walls within a distance: most are ground, or farther away. */
static uint32_t may_be_walls(const WallView *view, const Candidates *candidates, uint32_t at, double within)
{
    LaneVec3 v[3];
    corners_load_rows(&candidates->wide, at, v);
    LaneVec3 low = lane3_min(lane3_min(v[0], v[1]), v[2]), high = lane3_max(lane3_max(v[0], v[1]), v[2]);
    LaneVec3 core = lane3_in(vec3_abs(view->frame->core)), zero = lane3_in(vec3(0, 0, 0));
    LaneVec3 apart = lane3_max(lane3_sub(lane3_max(low, lane3_sub(zero, high)), core), zero);
    Lanes most = lanes_set((Real)(within * (1 + LANE_DOUBT) + LANE_DOUBT));
    Mask may = lanes_less_equal(lane3_dot(apart, apart), lanes_mul(most, most));
    if (view->is_flat && view->in_lanes)
    {
        may = mask_without(may, lanes_of_ground(view, v));
    }
    uint32_t left = candidates->wide.count - at;
    return mask_bits(may) & (left < LANE_COUNT ? (1u << left) - 1 : UINT32_MAX);
}

/* Whether a triangle, in ellipsoid space, is a wall within reach. */
static bool wall_of(const WallView *view, const Vec3 v[3], PeerWall *wall)
{
    const Frame *frame = view->frame;
    double reach = view->rest + view->reach;
    if (box_distance2(view, v) > reach * reach || is_ground(view, across_triangle(v)))
    {
        return false;
    }
    Vec3 origin = vec3(0, 0, 0);
    KernelContact contact = frame->is_capsule ? sidle_contact_of_core(v, frame->core.y, origin)
                                              : sidle_contact_of_closest(v, origin, origin);
    if (!(contact.t < reach))
    {
        return false;
    }
    Vec3 stretched = frame->is_upright ? vec3_mul(frame->inverse, contact.normal)
                                       : mat3_mul_transposed(frame->to_e, contact.normal);
    double length = vec3_length(stretched); /* of a unit of ellipsoid space along the normal, inverse */
    Vec3 m = vec3_scale(stretched, 1 / length);
    Vec3 n = view->is_flat ? vec3_add_scaled(m, view->up, -vec3_dot(m, view->up)) : m;
    double flat = vec3_length(n), gap = (contact.t - view->rest) / length;
    n = vec3_scale(n, 1 / flat);
    *wall = (PeerWall){{(float)n.x, (float)n.y, (float)n.z}, (float)(gap / flat)};
    return flat >= LEAST_UPRIGHT;
}

/* Gathers the triangles within a distance of the agent, in its radii beyond the rest shell. */
static bool gather_around(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                          const WallView *view, double distance, bool all, TriangleCache *cache)
{
    const Profile *profile = &crowd->profiles[move->profile];
    Reach reach = {.swell = profile->rest + distance, .slack = profile->slack, .path = 1, .aside = all};
    Filter filter = filter_of(crowd, move);
    if (all) /* the answer holds whatever the agent ignores in other ticks */
    {
        filter.collides_with = UINT32_MAX;
        filter.ignored_surfaces = 0;
        filter.ignored_group = NO_GROUP;
        filter.ignore = (sidle_instance){0, 0};
    }
    candidates->work = candidates->leaves_seen = 0;
    return candidates_corners_in(candidates, crowd->tick.desc.snapshot, view->frame, &reach, &filter, cache);
}

/* How far no wall is, up to CLEAR_REACH. Counts all resting triangles, whatever the agent ignores in this tick. */
static double find_clear(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                         const WallView *view, TriangleCache *cache)
{
    WallView strict = *view;
    strict.least_rise2 += CLEAR_ROUNDING;
    double clear = CLEAR_REACH, nearest2 = (view->rest + CLEAR_REACH) * (view->rest + CLEAR_REACH);
    if (!gather_around(crowd, candidates, move, view, CLEAR_REACH + CLEAR_ROUNDING, true, cache))
    {
        return 0;
    }
    for (uint32_t at = 0; at < candidates->wide.count; at += LANE_COUNT)
    {
        for (uint32_t may = may_be_walls(&strict, candidates, at, view->rest + CLEAR_REACH); may;
             may &= may - 1)
        {
            Vec3 v[3];
            lane_corners(candidates, at + (uint32_t)__builtin_ctz(may), v);
            double distance2 = box_distance2(view, v);
            if (distance2 < nearest2 && !is_ground(&strict, across_triangle(v)))
            {
                nearest2 = distance2;
                clear = sqrt(distance2) - view->rest;
            }
        }
    }
    return clear - CLEAR_ROUNDING;
}

/* Whether an ordinary agent on the ground is far from everything that it cannot stand on: most agents are, most of the time.
 * The answer is that of the search for walls, so it does not depend on what the cache holds. */
static bool is_clear(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                     const WallView *view, TriangleCache *cache)
{
    const sidle_snapshot *snapshot = crowd->tick.desc.snapshot;
    bool ordinary = view->reach <= STEER_WALL_REACH && view->is_flat && view->frame->is_upright &&
                    is_zero(&move->up) && snapshot->moving_count == 0;
    if (!ordinary)
    {
        return false;
    }
    double moved = peer_moved_since_clear(cache, snapshot, move, view->frame->inverse);
    if (moved < larger(CLEAR_NEAR, cache->clear - view->reach))
    {
        return moved < cache->clear - view->reach;
    }
    double clear = find_clear(crowd, candidates, move, view, cache);
    if (cache->resting == snapshot->resting) /* what the search saw is what the cache holds */
    {
        Vec3 here = view->frame->center;
        cache->clear_center[0] = here.x;
        cache->clear_center[1] = here.y;
        cache->clear_center[2] = here.z;
        cache->clear_profile = move->profile;
        cache->clear = clear;
    }
    return clear > view->reach;
}

/* The nearest walls around an agent; returns how many. `wall_reach`: radii beyond the rest shell. They are hints, so no
 * triangle is set up for them: most agents are near nothing but ground. */
static uint32_t peer_walls(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                           const Peer *peer, double wall_reach, TriangleCache *cache, PeerWall *out)
{
    const Profile *profile = &crowd->profiles[move->profile];
    Frame *frame = &candidates->frame;
    take_frame(profile, move, frame);
    take_cache(cache, move);
    double least_rise2 = profile->max_slope_cos * profile->max_slope_cos;
    Vec3 extent = frame->radii;
    WallView view = {.frame = frame,
                     .up = peer->shape->up,
                     .rest = profile->rest,
                     .reach = wall_reach,
                     .least_rise2 = least_rise2,
                     .is_flat = peer->flags & PEER_FLAT,
                     .in_lanes = frame->is_upright &&
                                 vec3_max_component(extent) <= LANE_ASPECT * vec3_min_component(extent)};
    if (is_clear(crowd, candidates, move, &view, cache) ||
        !gather_around(crowd, candidates, move, &view, wall_reach, false, cache))
    {
        return 0;
    }
    PeerWall walls[WALL_CANDIDATES], wall;
    uint32_t count = 0;
    for (uint32_t at = 0; at < candidates->wide.count; at += LANE_COUNT)
    {
        for (uint32_t may = may_be_walls(&view, candidates, at, view.rest + view.reach); may; may &= may - 1)
        {
            Vec3 v[3];
            lane_corners(candidates, at + (uint32_t)__builtin_ctz(may), v);
            count = wall_of(&view, v, &wall) ? insert_wall(walls, count, wall) : count;
        }
    }
    return distinct_walls(walls, count, out);
}
