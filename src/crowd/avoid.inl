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
 *
 * Weights are summed as integers, so the sum does not depend on the order of the neighbours. */
#include "crowd/notice.inl"

/* [seconds] Later collisions are ignored. */
#define HORIZON 12.0

/* 1 / GAIN is the sum of weights at which the step aside is half of MOST_ASIDE. */
#define GAIN 20

/* Limit of the step aside, of the preferred speed: 45 degrees. */
#define MOST_ASIDE 1.0

/* Time to collision at which the weight is halved, beside the horizon's cutoff [seconds]. */
#define HALF_TIME 16.0

/* Time to collision below which the weight falls again: contact is a matter of the tick [seconds]. */
#define CONTACT_TIME .1

/* Time to a head-on collision below which an agent slows down [seconds], and to which part of its speed. OPPOSED: minus the
 * cosine of the preferred velocities from which on a collision is head on. */
#define SLOW_TIME .3
#define SLOWEST   .3
#define OPPOSED   .8

/* Weights have 32 bits behind the point: 2^24 agents times the largest weight, MOST_FASTER, fit 63 bits. */
#define FIXED_POINT 0x1p32
#define MOST_FASTER 4 /* than the agent's speed counts a relative velocity */

typedef struct Sum
{
    Lookout lookout;
    const Steering *steering;
    const Peer *peer;
    const Walker *walker;
    const Preference *own;
    uint32_t agent;
    double reach2;
    int64_t weight;
    double ahead; /* of the course */
} Sum;

/* A neighbour seen from the agent: x forward, y right. */
typedef struct Encounter
{
    double x, y;         /* from the agent to the neighbour */
    double own_x, own_y; /* velocity of the neighbour over the agent's ground */
    double radius;       /* of both discs */
} Encounter;

static double clamped(double value)
{
    return lesser(larger(value, 0), 1);
}

/* How far the neighbour comes at the agent: 0 to 1. */
static double head_on(const Encounter *e, double speed)
{
    double share = clamped(.5 - .5 * e->own_x / speed);
    return clamped((share - HEAD_ON) / (1 - HEAD_ON));
}

/* Whether the discs touch within the horizon, and when. `closing`: relative velocity. */
static bool will_touch(const Encounter *e, double closing_x, double closing_y, double *time)
{
    double closing2 = closing_x * closing_x + closing_y * closing_y;
    double towards = e->x * closing_x + e->y * closing_y;
    double room2 = e->x * e->x + e->y * e->y - e->radius * e->radius;
    double root2 = towards * towards - closing2 * room2;
    if (!(towards > 0) || !(root2 > 0))
    {
        return false;
    }
    *time = room2 > 0 ? room2 / (towards + sqrt(root2)) : 0;
    return *time < HORIZON;
}

/* The weight of a predicted collision. */
static double weight_of(const Encounter *e, double speed, double closing_x, double closing_y, double time)
{
    double normal_x = closing_x * time - e->x, normal_y = closing_y * time - e->y;
    double closing2 = closing_x * closing_x + closing_y * closing_y;
    double length2 = (normal_x * normal_x + normal_y * normal_y) * closing2;
    double into = -(normal_x * closing_x + normal_y * closing_y);
    double straight = into > 0 ? into * into / larger(length2, 1e-30) : 0; /* square of a cosine */
    double left = 1 - time / HORIZON, soon = HALF_TIME / (time + HALF_TIME) * time / (time + CONTACT_TIME);
    double faster = lesser(sqrt(closing2) / (2 * speed), MOST_FASTER);
    return left * left * soon * straight * faster * larger(-normal_x, 0) / e->radius;
}

static void add_encounter(Sum *sum, const Preference *neighbour, const Encounter *e)
{
    double speed = sum->own->speed, closing_x = speed - e->own_x, closing_y = -e->own_y, time;
    double share = head_on(e, speed);
    if (share > 0 && will_touch(e, closing_x, closing_y, &time))
    {
        double weight = share * weight_of(e, speed, closing_x, closing_y, time);
        double cosine = vec3_dot(sum->own->forward, neighbour->forward);
        double opposed = clamped((-cosine - OPPOSED) / (1 - OPPOSED));
        double slower = opposed * clamped(1 - time / SLOW_TIME) * (1 - SLOWEST);
        sum->weight += (int64_t)(weight * FIXED_POINT);
        sum->ahead = lesser(sum->ahead, 1 - slower);
    }
}

static void add_neighbour(Sum *sum, uint32_t other)
{
    const Walker *walker = sum->walker, *neighbour = &sum->steering->walkers[other];
    Vec3 away = vec3_sub(neighbour->center, sum->peer->center);
    Encounter e = {.x = vec3_dot(away, sum->own->forward), .y = vec3_dot(away, sum->own->right)};
    if (e.x <= -walker->radius || e.x * e.x + e.y * e.y > sum->reach2 || other == sum->agent)
    {
        return;
    }
    Vec3 velocity = vec3_sub(neighbour->velocity, sum->own->ground);
    e.own_x = vec3_dot(velocity, sum->own->forward);
    e.own_y = vec3_dot(velocity, sum->own->right);
    e.radius = PERSONAL_SPACE * (walker->radius + neighbour->radius);
    if (head_on(&e, sum->own->speed) > 0 &&
        fabs(vec3_dot(away, sum->peer->shape->up)) <= walker->height + neighbour->height &&
        peers_may_collide(sum->peer, &sum->steering->peers->list[other]))
    {
        add_encounter(sum, &sum->steering->preferences[other], &e);
    }
}

/* Most agents that a search finds are behind, beyond the reach, walk in the same direction, or pass. */
static void look(void *context, const PeerRange *range)
{
    Sum *sum = context;
    const Peers *peers = sum->steering->peers;
    for (uint32_t at = range->first; at < range->end; at += LANE_COUNT)
    {
        uint32_t left = range->end - at, used = left < LANE_COUNT ? (1u << left) - 1 : UINT32_MAX;
        for (uint32_t sees = lookout_sees(&sum->lookout, sum->steering, at) & used; sees; sees &= sees - 1)
        {
            const PeerEntry *entry = &peers->entries[at + (uint32_t)__builtin_ctz(sees)];
            uint32_t other = entry->index - PEER_BITS;
            if (peer_range_has(range, entry->row) && other < peers->count)
            {
                add_neighbour(sum, other);
            }
        }
    }
}

/* The box around the half disc in front of an agent. */
static void half_disc(const Peer *peer, const Walker *walker, const Preference *own, double reach,
                      Vec3 *center, Vec3 *half)
{
    const double up[3] = {peer->shape->up.x, peer->shape->up.y, peer->shape->up.z};
    const double forward[3] = {own->forward.x, own->forward.y, own->forward.z};
    const double right[3] = {own->right.x, own->right.y, own->right.z};
    double middle[3], halves[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double arc = sqrt(larger(1 - up[axis] * up[axis], 0)), chord = fabs(right[axis]);
        double high = reach * (forward[axis] > 0 ? arc : chord),
               low = reach * (forward[axis] > 0 ? chord : arc);
        middle[axis] = (high - low) / 2;
        halves[axis] = (high + low) / 2 + walker->height * fabs(up[axis]) + walker->radius;
    }
    *half = vec3(halves[0], halves[1], halves[2]);
    *center = vec3_add(peer->center, vec3(middle[0], middle[1], middle[2]));
}

static void avoid_others(const Steering *steering, uint32_t agent, Course *out)
{
    const Peer *peer = &steering->peers->list[agent];
    const Walker *walker = &steering->walkers[agent];
    const Preference *own = &steering->preferences[agent];
    double reach = steering_reach(steering, walker);
    Sum sum;
    sum.steering = steering;
    sum.peer = peer;
    sum.walker = walker;
    sum.own = own;
    sum.agent = agent;
    sum.reach2 = reach * reach;
    sum.weight = 0;
    sum.ahead = 1;
    set_lookout(peer, walker, own, reach, &sum.lookout);
    Vec3 center, half;
    half_disc(peer, walker, own, reach, &center, &half);
    sidle_peers_look(steering->peers, center, half, look, &sum);
    double strength = GAIN * ((double)sum.weight / FIXED_POINT);
    double aside = strength / (1 + strength / MOST_ASIDE);
    *out = (Course){sum.ahead, aside};
}
