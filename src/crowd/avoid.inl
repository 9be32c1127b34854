/* The velocity that avoids predicted collisions.
 *
 * Each neighbour in front that the agent would hit within the horizon adds a weight. The sum of the weights is the step
 * aside. A weight falls with the time to collision, as the interaction force of I. Karamouzas, B. Skinner, S. J. Guy,
 * "Universal Power Law Governing Pedestrian Interactions", 2014. Departures:
 *
 *   - The force acts to the right only. The paper's acts along the normal of the predicted contact, which is ahead for two
 *     agents that walk straight at each other. One side for all also sorts streams into lanes.
 *   - The time to collision is that of the preferred velocity. A blocked agent has no other.
 *   - The force turns the preferred velocity directly, so no state is kept between ticks.
 *   - A rational function with an end replaces the power law and its exponential cutoff. Dense streams sort before they
 *     touch only if collisions that are seconds away count (docs/tuning.md).
 *   - Many opposed agents near are a throng. Then an agent keeps to the right whether or not it would hit one, even along a wall.
 *     Without that, those at the wall walk straight on, the next cut in ahead of them, and two lanes merge into one: half
 *     of the corridor is empty while both streams queue.
 *
 * One agent looks at a neighbour in each lane, in the order of the grid. Weights are summed as integers, so the sum does not depend
 * on that order. */
#include "crowd/steer.h"

/* [seconds] Later collisions are ignored. */
#define HORIZON 12.0f

/* 1 / GAIN is the sum of weights at which the step aside is half of MOST_ASIDE. */
#define GAIN 20

/* Limit of the step aside, of the preferred speed: 42 degrees. At .7 streams pass 1 s later. At .8 a circle of 200 takes 1 s longer. */
#define MOST_ASIDE .9

/* Opposed agents ahead within this many radii are counted. From so many on, weighed by nearness, an agent keeps to the right as
 * far as it can: at FEW it does not, at MANY it does in full. With 10 radii two streams of 120 take 28 s in place of 24, with 20
 * the same. With MANY at 8 they take 26 s. FEW is above one, so that single encounters are left to the weights. */
#define THRONG_REACH 16
#define FEW          2
#define MANY         4

/* Time to collision at which the weight is halved, beside the horizon's cutoff [seconds]. */
#define HALF_TIME 16.0f

/* Time to collision below which the weight falls again: contact is a matter of the tick [seconds]. */
#define CONTACT_TIME .1f

/* Share of head-on motion from which on a neighbour counts. 0: it follows the same direction at the same speed. .5: it stands
 * or crosses. 1: it comes straight at the agent. */
#define HEAD_ON .1f

/* Time to a head-on collision below which an agent slows down [seconds], and to which part of its speed. OPPOSED: minus the
 * cosine of the preferred velocities from which on a collision is head on. */
#define SLOW_TIME .3f
#define SLOWEST   .3f
#define OPPOSED   .8f

/* Weights have 32 bits behind the point: 2^24 agents times the largest weight, MOST_FASTER, fit 63 bits. */
#define FIXED_POINT 0x1p32
#define MOST_FASTER 4.0f /* than the agent's speed counts a relative velocity */

/* The agent that looks around, and what it has seen. */
typedef struct Lookout
{
    const Steering *steering;
    uint32_t place;
    PeerLayers layers;
    LaneVec3 square, rest, ground, forward, right, up;
    Lanes behind;                    /* x from which a neighbour counts */
    Lanes reach2;                    /* squared distance up to which it counts */
    Lanes speed, half_inverse_speed; /* preferred */
    Lanes radius, height;
    Lanes inverse_throng2; /* 1 / distance^2 up to which opposed agents count as a throng */
    int64_t weight, throng;
    double ahead; /* of the course */
} Lookout;

/* Neighbours seen from the agent: x forward, y right. */
typedef struct Encounters
{
    Lanes x, y, distance2;
    Lanes closing_x, closing_y; /* relative velocity */
    Lanes head_on;              /* how far they come at the agent: 0 to 1 */
} Encounters;

/* What they do to the course, a lane each. */
typedef struct Effects
{
    _Alignas(64) Real weight[LANE_COUNT];
    _Alignas(64) Real slower[LANE_COUNT];
    _Alignas(64) Real throng[LANE_COUNT];
    uint32_t touch, is_throng; /* a bit a lane */
} Effects;

static inline Lanes clamped(Lanes value)
{
    return lanes_min(lanes_max(value, lanes_set(0)), lanes_set(1));
}

static inline Lanes squared(Lanes value)
{
    return lanes_mul(value, value);
}

static inline Lanes place_row(const Steering *steering, uint32_t at, uint32_t row)
{
    return lanes_load_unaligned(steering->places + row * steering->place_stride + at);
}

static inline LaneVec3 place_rows(const Steering *steering, uint32_t at, uint32_t row)
{
    return (LaneVec3){place_row(steering, at, row), place_row(steering, at, row + 1),
                      place_row(steering, at, row + 2)};
}

/* The walkers from place `at` on that are near, in front, and at the same height, and do not walk ahead of the agent. */
static inline Mask lookout_sees(const Lookout *own, uint32_t at, Encounters *e)
{
    const Steering *steering = own->steering;
    LaneVec3 away = lane3_sub(place_rows(steering, at, PLACE_REST), own->rest);
    /* mutant: sees_one_square */
    away = lane3_add(away, lane3_sub(place_rows(steering, at, PLACE_SQUARE), own->square));
    e->x = lane3_dot(own->forward, away);
    e->y = lane3_dot(own->right, away);
    e->distance2 = lanes_add(squared(e->x), squared(e->y));
    Lanes rise = lanes_abs(lane3_dot(own->up, away));
    Mask sees = mask_and(lanes_less(own->behind, e->x), lanes_less_equal(e->distance2, own->reach2));
    sees =
        mask_and(sees, lanes_less_equal(rise, lanes_add(own->height, place_row(steering, at, PLACE_HEIGHT))));
    LaneVec3 velocity = lane3_sub(place_rows(steering, at, PLACE_VELOCITY), own->ground);
    Lanes ahead = lane3_dot(own->forward, velocity);
    Lanes share = lanes_sub(lanes_set(.5f), lanes_mul(ahead, own->half_inverse_speed));
    e->closing_x = lanes_sub(own->speed, ahead);
    e->closing_y = lanes_negate(lane3_dot(own->right, velocity));
    e->head_on = clamped(lanes_mul(lanes_sub(share, lanes_set(HEAD_ON)), lanes_set(1 / (1 - HEAD_ON))));
    return mask_and(sees, lanes_less(lanes_set(0), e->head_on));
}

/* How far they prefer to go against the agent: 0 to 1. */
static inline Lanes opposed_to(const Lookout *own, uint32_t at)
{
    Lanes cosine = lane3_dot(own->forward, place_rows(own->steering, at, PLACE_FORWARD));
    return clamped(
        lanes_mul(lanes_sub(lanes_negate(cosine), lanes_set(OPPOSED)), lanes_set(1 / (1 - OPPOSED))));
}

/* By how much the agent slows down for head-on collisions. */
static inline Lanes slower_for(const Lookout *own, uint32_t at, Lanes time)
{
    Lanes soon = clamped(lanes_sub(lanes_set(1), lanes_mul(time, lanes_set(1 / SLOW_TIME))));
    return lanes_mul(lanes_mul(opposed_to(own, at), soon), lanes_set(1 - SLOWEST));
}

/* The opposed agents that are near and ahead, whether or not they would be hit. */
static inline void lookout_counts(const Lookout *own, uint32_t at, const Encounters *e, Mask sees,
                                  Effects *out)
{
    Lanes zero = lanes_set(0), near = lanes_sub(lanes_set(1), lanes_mul(e->distance2, own->inverse_throng2));
    Mask is_near = mask_and(sees, mask_and(lanes_less(zero, near), lanes_less(zero, e->x)));
    out->is_throng = 0;
    if (mask_bits(is_near))
    {
        Lanes counts = lanes_mul(near, opposed_to(own, at));
        out->is_throng = mask_bits(mask_and(is_near, lanes_less(zero, counts)));
        lanes_store(out->throng, counts);
    }
}

/* Those of the neighbours whose discs touch the agent's within the horizon, and what that does. With the relative velocity c and
 * the distance d at which the straight paths pass, the discs touch at (e c - |c| sqrt(r^2 - d^2)) / c^2, if d < r. */
static inline void lookout_predicts(const Lookout *own, uint32_t at, const Encounters *e, Mask sees,
                                    Effects *out)
{
    Lanes zero = lanes_set(0), one = lanes_set(1);
    Lanes radius = lanes_add(own->radius, place_row(own->steering, at, PLACE_RADIUS)),
          radius2 = squared(radius);
    Lanes closing2 = lanes_add(squared(e->closing_x), squared(e->closing_y));
    Lanes passes = lanes_sub(lanes_mul(e->x, e->closing_y), lanes_mul(e->y, e->closing_x));
    Lanes most2 = lanes_mul(radius2, closing2), root2 = lanes_sub(most2, squared(passes));
    Lanes towards = lanes_add(lanes_mul(e->x, e->closing_x), lanes_mul(e->y, e->closing_y));
    Mask touch = mask_and(sees, mask_and(lanes_less(zero, towards), lanes_less(zero, root2)));
    out->touch = 0;
    if (!mask_bits(touch))
    {
        return;
    }
    Lanes room2 = lanes_max(lanes_sub(e->distance2, radius2), zero); /* 0: they touch already */
    Lanes time = lanes_div(room2, lanes_add(towards, lanes_sqrt(lanes_max(root2, zero))));
    touch = mask_and(touch, lanes_less(time, lanes_set(HORIZON)));
    Lanes left = lanes_sub(one, lanes_mul(time, lanes_set(1 / HORIZON)));
    Lanes soon =
        lanes_div(lanes_mul(time, lanes_set(HALF_TIME)),
                  lanes_mul(lanes_add(time, lanes_set(HALF_TIME)), lanes_add(time, lanes_set(CONTACT_TIME))));
    Lanes straight = lanes_div(root2, most2); /* squared cosine between c and the contact's normal */
    Lanes faster =
        lanes_min(lanes_mul(lanes_sqrt(closing2), own->half_inverse_speed), lanes_set(MOST_FASTER));
    Lanes ahead = lanes_div(lanes_max(lanes_sub(e->x, lanes_mul(e->closing_x, time)), zero), radius);
    Lanes weight = lanes_mul(lanes_mul(squared(left), soon), lanes_mul(straight, faster));
    lanes_store(out->weight, lanes_mul(lanes_mul(weight, ahead), e->head_on));
    bool is_soon = mask_bits(mask_and(touch, lanes_less(time, lanes_set(SLOW_TIME))));
    lanes_store(out->slower, is_soon ? slower_for(own, at, time) : zero);
    out->touch = mask_bits(touch);
}

static inline void add_effect(Lookout *own, const Effects *effects, uint32_t lane)
{
    if (effects->touch >> lane & 1)
    {
        /* Where squares of speeds exceed floats it is NaN, and counts as the most. */
        double weight = larger(lesser((double)effects->weight[lane], MOST_FASTER), 0);
        own->weight += (int64_t)(weight * FIXED_POINT);
        own->ahead = lesser(own->ahead, 1 - (double)effects->slower[lane]);
    }
    if (effects->is_throng >> lane & 1)
    {
        own->throng += (int64_t)((double)effects->throng[lane] * FIXED_POINT);
    }
}

/* Adds what the agents of a range do that the search may have found beside the row of cells that it visits. */
static void add_effects(Lookout *own, const PeerRange *range, uint32_t at, const Effects *effects)
{
    uint32_t left = (effects->touch | effects->is_throng) & bits_left(range->end - at);
    for (; left; left &= left - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(left), place = at + lane;
        const WalkerLayers *other = &own->steering->layers[place];
        if (peer_range_has(range, other->row) && peers_may_collide(own->layers, other->layers) &&
            place != own->place)
        {
            add_effect(own, effects, lane);
        }
    }
}

/* Most agents that a search finds are behind, beyond the reach, walk in the same direction, or pass. */
static void look(void *context, const PeerRange *ranges, uint32_t count)
{
    Lookout *own = context;
    Effects effects = {.touch = 0};
    for (const PeerRange *range = ranges; range < ranges + count; ++range)
    {
        for (uint32_t at = range->first; at < range->end; at += LANE_COUNT)
        {
            Encounters e;
            Mask sees = lookout_sees(own, at, &e); /* by no branch: half of them would be mispredicted */
            lookout_counts(own, at, &e, sees, &effects);
            lookout_predicts(own, at, &e, sees, &effects);
            add_effects(own, range, at, &effects);
        }
    }
}

/* The box around the half disc in front of an agent, which begins a radius behind it. */
static void half_disc(const Peer *peer, const Preference *own, double reach, Vec3 *center, Vec3 *half)
{
    const double up[3] = {peer->shape->up.x, peer->shape->up.y, peer->shape->up.z};
    const double forward[3] = {own->forward.x, own->forward.y, own->forward.z};
    const double right[3] = {own->right.x, own->right.y, own->right.z};
    double middle[3], halves[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double front = reach * sqrt(larger(1 - up[axis] * up[axis], 0));
        double back = reach * fabs(right[axis]) + peer->shape->disc * fabs(forward[axis]);
        double high = forward[axis] > 0 ? front : back, low = forward[axis] > 0 ? back : front;
        middle[axis] = (high - low) / 2;
        halves[axis] = (high + low) / 2 + peer->shape->height * fabs(up[axis]) + REST_ERROR;
    }
    *half = vec3(halves[0], halves[1], halves[2]);
    *center = vec3_add(peer->center, vec3(middle[0], middle[1], middle[2]));
}

static LaneVec3 lane3_of(Vec3 v)
{
    return lane3_set((Real)v.x, (Real)v.y, (Real)v.z);
}

static void set_lookout(const Steering *steering, uint32_t agent, double reach, Lookout *to)
{
    const Peer *peer = &steering->peers->list[agent];
    const Preference *own = &steering->preferences[agent];
    double radius = peer->shape->disc, throng = THRONG_REACH * radius;
    to->steering = steering;
    to->place = own->place;
    to->layers = peer->layers;
    Vec3 square = square_of(peer->center);
    to->square = lane3_of(square);
    to->rest = lane3_of(vec3_sub(peer->center, square));
    to->ground = lane3_of(own->ground);
    to->forward = lane3_of(own->forward);
    to->right = lane3_of(own->right);
    to->up = lane3_of(peer->shape->up);
    to->behind = lanes_set((Real)-radius);
    to->reach2 = lanes_set((Real)(reach * reach));
    to->speed = lanes_set((Real)own->speed);
    to->half_inverse_speed = lanes_set((Real)(.5 / own->speed));
    to->radius = lanes_set((Real)(PERSONAL_SPACE * radius));
    to->height = lanes_set((Real)peer->shape->height);
    to->inverse_throng2 = lanes_set((Real)(1 / (throng * throng)));
    to->weight = to->throng = 0;
    to->ahead = 1;
}

static void avoid_others(const Steering *steering, uint32_t agent, Course *out)
{
    const Peer *peer = &steering->peers->list[agent];
    double reach = steering_reach(steering, peer);
    Lookout lookout;
    Vec3 center, half;
    set_lookout(steering, agent, reach, &lookout);
    half_disc(peer, &steering->preferences[agent], reach, &center, &half);
    sidle_peers_look(steering->peers, center, half, peer->shape->up, look, &lookout);
    double strength = GAIN * ((double)lookout.weight / FIXED_POINT);
    double throng = (double)lookout.throng / FIXED_POINT;
    double lean = MOST_ASIDE * lesser(larger((throng - FEW) / (MANY - FEW), 0), 1); /* mutant: no_throng */
    *out = (Course){lookout.ahead, larger(strength / (1 + strength / MOST_ASIDE), lean), lean};
}
