/* The walls around an agent: hints for the rounds of agents that collide, and for steering. */
#include "crowd/steer.h"

/* Radii from that place within which an agent near a wall does not repeat that search: .3 seconds of walking, and so a few turns of
 * steering. It changes the time of a tick and no result. */
#define CLEAR_NEAR 1.0

/* What rounding may change from place to place, of a distance in radii and of the squared cosine of a slope. Corners S radii away
 * are rounded by 6 u S = 4e-7 S. That turns a face of height h by 4e-7 S / h, and its cosine squared by twice as much: by less than
 * 1e-3 if h is at least CLEAR_HEIGHT S. Lower faces do not count as ground. */
#define CLEAR_ROUNDING 1e-3
#define CLEAR_HEIGHT   1e-3 /* mutant: clear_of_slivers */

/* Triangles of which the walls are chosen. */
#define WALL_CANDIDATES 16

/* [Limit] triangles and leaves near an agent, beyond which it gets no hints. */
#define WALL_CAPACITY 512

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

static void lane_corners(const Candidates *candidates, uint32_t lane, Vec3 v[3])
{
    const float *rows = candidates->wide.rows + lane;
    size_t stride = candidates->wide.row_stride;
    for (int k = 0; k < 3; ++k, rows += 3 * stride)
    {
        v[k] = vec3((double)rows[0], (double)rows[stride], (double)rows[2 * stride]);
    }
}

/* The square of the least length of a triangle's normal, which is the product of two edges, with which it can be ground. */
static double least_across2(const WallView *view, const Vec3 v[3])
{
    double longest2 = 0, farthest2 = 0;
    for (int i = 0; i < 3; ++i)
    {
        longest2 = larger(longest2, vec3_length2(vec3_sub(v[(i + 1) % 3], v[i])));
        farthest2 = larger(farthest2, vec3_length2(v[i]));
    }
    return view->least_height * view->least_height * farthest2 * longest2;
}

/* Whether an agent on the ground can stand on a triangle. */
static bool is_ground(const WallView *view, const Vec3 v[3])
{
    const Frame *frame = view->frame;
    Vec3 across = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    Vec3 face =
        frame->is_upright ? vec3_mul(frame->inverse, across) : mat3_mul_transposed(frame->to_e, across);
    double rise = vec3_dot(face, view->up);
    return view->is_flat && rise * rise >= view->least_rise2 * vec3_length2(face) && rise != 0 &&
           vec3_length2(across) >= least_across2(view, v);
}

/* As a wall: false if it leans too much for an agent on the ground. */
static bool wall_of(const WallView *view, const WallContact *contact, PeerWall *wall)
{
    const Frame *frame = view->frame;
    Vec3 stretched = frame->is_upright ? vec3_mul(frame->inverse, contact->normal)
                                       : mat3_mul_transposed(frame->to_e, contact->normal);
    double length = vec3_length(stretched); /* of a unit of ellipsoid space along the normal, inverse */
    Vec3 m = vec3_scale(stretched, 1 / length);
    Vec3 n = view->is_flat ? vec3_without(m, view->up) : m;
    double flat = vec3_length(n), gap = (contact->distance - view->rest) / length;
    n = vec3_scale(n, 1 / flat);
    *wall = (PeerWall){{(float)n.x, (float)n.y, (float)n.z}, (float)(gap / flat)};
    return flat >= LEAST_UPRIGHT;
}

/* Of a triangle whose lane does not do. */
static WallContact contact_in_double(const WallView *view, const Vec3 v[3])
{
    Vec3 origin = vec3(0, 0, 0);
    KernelContact contact = view->frame->is_capsule ? sidle_contact_of_core(v, view->frame->core.y, origin)
                                                    : sidle_contact_of_closest(v, origin, origin);
    return (WallContact){contact.normal, contact.t};
}

static bool is_step_for(const WallView *view, const Vec3 v[3])
{
    double highest = -(double)INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        highest = larger(highest, vec3_dot(frame_to_world(view->frame, v[i]), view->up));
    }
    return highest <= view->step; /* mutant: walls_are_steps */
}

/* The gap to a step is at least the agent's own displacement into it, or one that is pressed would never climb. */
static void leave_the_wish_free(const WallView *view, PeerWall *wall)
{
    Vec3 n = vec3((double)wall->normal[0], (double)wall->normal[1], (double)wall->normal[2]);
    double into = -vec3_dot(view->wish, n);
    if (into > larger((double)wall->gap, 0)) /* mutant: steps_are_walls */
    {
        wall->gap = (float)into;
    }
}

/* Inserts the walls among a block of candidates. Returns the count. */
static uint32_t insert_walls(const WallView *view, const Candidates *candidates, uint32_t at, PeerWall *walls,
                             uint32_t count)
{
    double reach = view->rest + view->reach.ball;
    WallLanes lanes;
    for (uint32_t near = lanes_near(view, candidates, at, &lanes); near; near &= near - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(near);
        Vec3 v[3];
        PeerWall wall;
        lane_corners(candidates, at + lane, v);
        WallContact contact =
            lanes.in_double >> lane & 1 ? contact_in_double(view, v) : wall_contact(&lanes, lane);
        if (contact.distance < reach && !is_ground(view, v) && wall_of(view, &contact, &wall))
        {
            if (is_step_for(view, v))
            {
                leave_the_wish_free(view, &wall);
            }
            count = insert_wall(walls, count, wall);
        }
    }
    return count;
}

/* The box of a step aside is larger than that of a move, so a cache that is filled for it does for moves, too. Other searches leave
 * the cache as it is. */
static bool gather_around(const sidle_crowd *crowd, Candidates *candidates, const WallView *view, Reach reach,
                          const Filter *filter, TriangleCache *cache)
{
    reach.swell += view->rest;
    reach.path = 1;
    reach.aside = vec3_is_zero(reach.segment);
    uint32_t capacity = candidates->capacity;
    candidates->work = candidates->leaves_seen = 0;
    candidates->capacity = capacity < WALL_CAPACITY ? capacity : WALL_CAPACITY;
    bool fits =
        candidates_corners_in(candidates, crowd->tick.desc.snapshot, view->frame, &reach, filter, cache);
    candidates->capacity = capacity;
    return fits;
}

/* Radii beyond the rest shell within which the cache has all resting triangles. A search beyond them is right, but slow. */
static double covered_around(const WallView *view, const sidle_snapshot *snapshot, const TriangleCache *cache)
{
    if (cache->resting != snapshot->resting || cache->run_count == CACHE_CROWDED)
    {
        return 0;
    }
    const Frame *frame = view->frame;
    Vec3 center = vec3(cache->center[0], cache->center[1], cache->center[2]);
    Vec3 half = vec3((double)cache->half[0], (double)cache->half[1], (double)cache->half[2]);
    Vec3 inside = vec3_sub(vec3_sub(half, vec3_abs(vec3_sub(frame->center, center))), frame->core_extent);
    return vec3_min_component(vec3_div(inside, frame->extent)) - view->rest;
}

/* Shortens the free space along the axis along which a triangle is farthest. */
static void clearing_keep_off(Clearing *clearing, const WallView *strict, const Vec3 v[3])
{
    Vec3 half = vec3_abs(strict->frame->core), low = vec3_lesser(vec3_lesser(v[0], v[1]), v[2]);
    Vec3 high = vec3_larger(vec3_larger(v[0], v[1]), v[2]);
    Vec3 before = vec3_scale(vec3_add(high, half), -1), behind = vec3_sub(low, half);
    const double gaps[6] = {before.x, behind.x, before.y, behind.y, before.z, behind.z};
    int farthest = 0;
    for (int side = 1; side < 6; ++side)
    {
        farthest = gaps[side] > gaps[farthest] ? side : farthest;
    }
    double gap = gaps[farthest] - strict->rest - CLEAR_ROUNDING; /* mutant: clear_too_far */
    if (gap < (double)clearing->room[farthest] && !is_ground(strict, v))
    {
        clearing->room[farthest] = (float)gap;
        clearing->again = (float)CLEAR_NEAR;
    }
}

/* Finds the free space within a distance of the rest shell. All resting triangles count, whatever the agent ignores in this tick. */
static void find_clearing(const sidle_crowd *crowd, Candidates *candidates, const WallView *view,
                          double within, TriangleCache *cache)
{
    Filter all = {.collides_with = UINT32_MAX, .ignored_group = NO_GROUP, .time = crowd->tick.time};
    WallView strict = *view;
    Clearing *clearing = &cache->clearing;
    strict.least_rise2 += CLEAR_ROUNDING;
    strict.least_height = CLEAR_HEIGHT;
    clearing->again = 0;
    for (int side = 0; side < 6; ++side)
    {
        clearing->room[side] = (float)within;
    }
    if (!gather_around(crowd, candidates, view, (Reach){.swell = within}, &all, cache))
    {
        clearing->within = 0;
        return;
    }
    clearing->within = (float)(within - CLEAR_ROUNDING);
    for (uint32_t at = 0; at < candidates->wide.count; at += LANE_COUNT)
    {
        LaneVec3 corners[3];
        corners_load_rows(&candidates->wide, at, corners);
        uint32_t may = lanes_may(&strict, candidates, at, corners, view->rest + within);
        for (; may; may &= may - 1)
        {
            Vec3 v[3];
            lane_corners(candidates, at + (uint32_t)__builtin_ctz(may), v);
            clearing_keep_off(clearing, &strict, v);
        }
    }
}

/* Whether an ordinary agent on the ground is far from everything that it cannot stand on: most agents are, most of the time.
 * The answer is that of the search for walls, so it does not depend on what the cache holds. */
static bool is_clear(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                     const WallView *view, TriangleCache *cache)
{
    const sidle_snapshot *snapshot = crowd->tick.desc.snapshot;
    Clearing *clearing = &cache->clearing;
    bool ordinary =
        view->is_flat && view->frame->is_upright && is_zero(&move->up) && snapshot->moving_count == 0;
    if (!ordinary)
    {
        return false;
    }
    Vec3 moved;
    if (peer_moved_since_search(cache, snapshot, move, view->frame->inverse, &moved))
    {
        bool is_known = peer_is_clear_after(clearing, moved, view->reach);
        if (is_known || vec3_length(moved) < (double)clearing->again)
        {
            return is_known;
        }
    }
    double within = covered_around(view, snapshot, cache) - CLEAR_ROUNDING;
    if (within <= view->reach.ball + CLEAR_ROUNDING)
    {
        return false;
    }
    find_clearing(crowd, candidates, view, within, cache);
    Vec3 here = view->frame->center;
    clearing->center[0] = here.x;
    clearing->center[1] = here.y;
    clearing->center[2] = here.z;
    clearing->profile = move->profile;
    return peer_is_clear_after(clearing, vec3(0, 0, 0), view->reach);
}

/* `wall_reach`: smallest radii beyond the rest shell. `aside`: a path, world. */
static WallReach reach_along(const Frame *frame, double wall_reach, Vec3 aside)
{
    Vec3 path = frame_to_ellipsoid(frame, aside), none = vec3(0, 0, 0);
    WallReach reach = wall_reach_around(wall_reach);
    reach.ball += vec3_length(path);
    reach.low = vec3_add(reach.low, vec3_larger(vec3_scale(path, -1), none));
    reach.high = vec3_add(reach.high, vec3_larger(path, none));
    return reach;
}

/* The height above the frame's centre up to which an agent on the ground steps; that of is_step. */
static double highest_step(const Profile *profile, const sidle_move *move, const Frame *frame, Vec3 up)
{
    Ground ground;
    take_ground(&move->body, &up, &ground);
    Vec3 foot = frame_to_world(frame, frame_support(frame, ground.normal, profile->rest));
    return vec3_dot(foot, up) + profile->step_up + profile->skin_w;
}

/* The nearest walls around an agent and along a path aside; returns how many. They are hints, so no triangle is set up for them: most
 * agents are near nothing but ground. */
static uint32_t peer_walls(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                           const Peer *peer, double wall_reach, Vec3 aside, TriangleCache *cache,
                           PeerWall *out)
{
    const Profile *profile = &crowd->profiles[move->profile];
    Frame *frame = &candidates->frame;
    take_frame(profile, move, frame);
    take_cache(cache, move);
    Vec3 extent = frame->radii;
    WallView view = {.frame = frame,
                     .up = peer->shape->up,
                     .reach = reach_along(frame, wall_reach, aside),
                     .rest = profile->rest,
                     .least_rise2 = profile->max_slope_cos * profile->max_slope_cos,
                     .is_flat = peer->flags & PEER_FLAT,
                     .in_lanes = frame->is_upright &&
                                 vec3_max_component(extent) <= LANE_ASPECT * vec3_min_component(extent),
                     .step = -(double)INFINITY,
                     .wish = peer->wish};
    Reach reach = {.radius = wall_reach * vec3_min_component(extent), .segment = aside};
    Filter filter;
    take_filter(crowd, move, &filter);
    if (is_clear(crowd, candidates, move, &view, cache) ||
        !gather_around(crowd, candidates, &view, reach, &filter, cache))
    {
        return 0;
    }
    if (view.is_flat && vec3_is_zero(aside))
    {
        view.step = highest_step(profile, move, frame, view.up);
    }
    PeerWall walls[WALL_CANDIDATES];
    uint32_t count = 0;
    for (uint32_t at = 0; at < candidates->wide.count; at += LANE_COUNT)
    {
        count = insert_walls(&view, candidates, at, walls, count);
    }
    return distinct_walls(walls, count, out);
}
