/* Candidates as walls, in float lanes. Most candidates are ground or too far away. The contacts of balls are computed for all lanes
 * at once, since an agent near a wall is near several of its triangles. */
#include "crowd/steer.h"

/* What a wall is for one agent. */
typedef struct WallView
{
    const Frame *frame;
    Vec3 up;
    WallReach reach;
    double rest, least_rise2; /* of a normal of ground, squared */
    double least_height; /* of a face that can be ground, as a share of the distance of its farthest corner */
    /* On the ground: only the horizontal part of a wall counts, and nothing that it can stand on. */
    bool is_flat;
    bool in_lanes; /* float lanes may decide what is ground */
    /* Of the rounds: what rises no higher than this above the frame's centre, along up, can be stepped over. A wish to do so is
     * free; what neighbours add to it is not. -INFINITY: nothing is. */
    double step;
    Vec3 wish;
} WallView;

/* Radii and squares of cosines by which float lanes may differ from double: for axes of at most LANE_ASPECT, and triangles whose
 * normal's length is more than LANE_NARROW of the product of two edges. */
#define LANE_DOUBT  1e-3
#define LANE_ASPECT 8
#define LANE_NARROW 1e-2

static inline LaneVec3 lane3_in(Vec3 v)
{
    return lane3_set((Real)v.x, (Real)v.y, (Real)v.z);
}

static inline Mask is_broad(LaneVec3 a, LaneVec3 b, LaneVec3 across)
{
    Lanes narrow =
        lanes_mul(lanes_mul(lane3_dot(a, a), lane3_dot(b, b)), lanes_set((Real)(LANE_NARROW * LANE_NARROW)));
    return lanes_less(narrow, lane3_dot(across, across));
}

/* The lanes whose height over the longest edge is more than a share of the distance of the farthest corner. */
static inline Mask is_high(const LaneVec3 v[3], LaneVec3 a, LaneVec3 b, LaneVec3 across, Real share)
{
    LaneVec3 c = lane3_sub(b, a);
    Lanes longest2 = lanes_max(lanes_max(lane3_dot(a, a), lane3_dot(b, b)), lane3_dot(c, c));
    Lanes farthest2 =
        lanes_max(lanes_max(lane3_dot(v[0], v[0]), lane3_dot(v[1], v[1])), lane3_dot(v[2], v[2]));
    Lanes least2 = lanes_mul(lanes_mul(longest2, lanes_set(share * share)), farthest2);
    return lanes_less(least2, lane3_dot(across, across));
}

/* The lanes that an agent on the ground can stand on for sure. */
static inline Mask lanes_of_ground(const WallView *view, const LaneVec3 v[3])
{
    LaneVec3 a = lane3_sub(v[1], v[0]), b = lane3_sub(v[2], v[0]), across = lane3_cross(a, b);
    LaneVec3 face = lane3_mul(lane3_in(view->frame->inverse), across);
    Lanes rise = lane3_dot(face, lane3_in(view->up)),
          least = lanes_set((Real)(view->least_rise2 + 2 * LANE_DOUBT));
    Mask is_certain = is_broad(a, b, across);
    if (view->least_height > 0)
    {
        is_certain = mask_and(is_certain, is_high(v, a, b, across, (Real)view->least_height));
    }
    return mask_and(is_certain,
                    lanes_less_equal(lanes_mul(least, lane3_dot(face, face)), lanes_mul(rise, rise)));
}

/* Bits of the candidates from `at` on that can be walls within a distance: most are ground, or farther away. */
static uint32_t lanes_may(const WallView *view, const Candidates *candidates, uint32_t at,
                          const LaneVec3 v[3], double within)
{
    LaneVec3 low = lane3_min(lane3_min(v[0], v[1]), v[2]), high = lane3_max(lane3_max(v[0], v[1]), v[2]);
    LaneVec3 core = lane3_in(vec3_abs(view->frame->core)), zero = lane3_in(vec3(0, 0, 0));
    LaneVec3 apart = lane3_max(lane3_sub(lane3_max(low, lane3_sub(zero, high)), core), zero);
    Lanes most = lanes_set((Real)(within * (1 + LANE_DOUBT) + LANE_DOUBT));
    Mask may = lanes_less_equal(lane3_dot(apart, apart), lanes_mul(most, most));
    if (view->is_flat && view->in_lanes)
    {
        may = mask_without(may, lanes_of_ground(view, v));
    }
    return mask_bits(may) & bits_left(candidates->wide.count - at);
}

/* The nearest point of a triangle to an agent: its distance in radii, and the unit normal from there to the agent. */
typedef struct WallContact
{
    Vec3 normal;
    double distance;
} WallContact;

/* The contacts of a block of candidates. */
typedef struct WallLanes
{
    uint32_t in_double; /* bits: lanes without a contact */
    _Alignas(64) Real normal[3 * LANE_COUNT];
    _Alignas(64) Real distance[LANE_COUNT];
} WallLanes;

static inline WallContact wall_contact(const WallLanes *lanes, uint32_t lane)
{
    const Real *n = lanes->normal + lane;
    return (WallContact){vec3((double)n[0], (double)n[LANE_COUNT], (double)n[2 * LANE_COUNT]),
                         (double)lanes->distance[lane]};
}

/* The nearest point to the origin: of the edges, or of the plane where the origin lies above the triangle. */
static inline LaneVec3 nearest_of_triangle(const LaneVec3 v[3], LaneVec3 across)
{
    Lanes zero = lanes_set(0), one = lanes_set(1), least = lanes_set((Real)INFINITY);
    Lanes height = lanes_div(lane3_dot(v[0], across), lane3_dot(across, across));
    LaneVec3 nearest = lane3_scale(across, height);
    Mask is_above = lanes_less_equal(zero, zero);
    LaneVec3 of_edges = nearest;
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i)
    {
        LaneVec3 e = lane3_sub(v[(i + 1) % 3], v[i]);
        is_above = mask_and(is_above, lanes_less_equal(zero, lane3_dot(lane3_cross(v[i], e), across)));
        Lanes along = lanes_div(lanes_negate(lane3_dot(v[i], e)), lane3_dot(e, e));
        LaneVec3 q = lane3_add_scaled(v[i], e, lanes_min(lanes_max(along, zero), one));
        Lanes q2 = lane3_dot(q, q);
        of_edges = lane3_select(lanes_less(q2, least), q, of_edges);
        least = lanes_min(q2, least);
    }
    return lane3_select(is_above, nearest, of_edges); /* mutant: wall_of_plane */
}

/* Bits of the candidates from `at` on that can be walls within reach. Capsules get no contacts. */
static uint32_t lanes_near(const WallView *view, const Candidates *candidates, uint32_t at, WallLanes *out)
{
    LaneVec3 v[3];
    corners_load_rows(&candidates->wide, at, v);
    uint32_t may = lanes_may(view, candidates, at, v, view->rest + view->reach.ball);
    out->in_double = may;
    if (!may || view->frame->is_capsule)
    {
        return may;
    }
    LaneVec3 a = lane3_sub(v[1], v[0]), b = lane3_sub(v[2], v[0]), across = lane3_cross(a, b);
    LaneVec3 nearest = nearest_of_triangle(v, across);
    Lanes distance = lanes_sqrt(lane3_dot(nearest, nearest));
    lane3_store(out->normal, lane3_scale(nearest, lanes_div(lanes_set(-1), distance)));
    lanes_store(out->distance, distance);
    /* A nearest point at the centre has no direction. */
    Mask is_plain = mask_and(is_broad(a, b, across), lanes_less(lanes_set((Real)LANE_DOUBT), distance));
    uint32_t far = mask_bits(lanes_less_equal(lanes_set((Real)(view->rest + view->reach.ball)), distance));
    out->in_double &= ~mask_bits(is_plain);
    return may & (out->in_double | ~far);
}
