/* Walking on over ground that falls away: down slopes and steps, over gaps, and off ledges.
 *
 * A drop that a fall explains, from the speed that the agent sinks with, is followed at once. So is a slope up to the
 * slope limit. Anything that is lower than that is
 *  - a gap, if level ground continues across it within the width of the foot: the agent stays level;
 *  - a step down, if ground is no more than step_down below the centre: the agent sinks along the slope limit, or by a
 *    fall if that is faster;
 *  - else a ledge, from which the agent falls. */
#include "crowd/carry.h"

/* Radius of the ball that stands for a point, ellipsoid space. */
#define POINT 1e-3

/* Share of the horizontal path from the centre back to the edge at which the next tread is searched if treads are
 * narrow. */
#define BESIDE_EDGE .9

/* The lesser of the speeds with and without the motion of the ground: an agent that is held back does not sink. */
static double sinking_speed(const Mover *mover)
{
    double rises = vec3_dot(mover->state.velocity, mover->up),
           carried = vec3_dot(mover->state.carried_over, mover->up);
    return larger(lesser(-rises, carried - rises), 0);
}

static double falling_acceleration(const Mover *mover)
{
    return larger(-vec3_dot(fall_gravity(mover), mover->up), 0);
}

/* The length of a fall in this step. `gained`: the share of the step's gain of speed that counts, on average half. The
 * velocity of an agent on the ground is the average over its last step, so to follow ground that falls no faster than
 * gravity it is 1. */
static double fall_of_step(const Mover *mover, double gained)
{
    return (sinking_speed(mover) + gained * falling_acceleration(mover) * mover->dt) * mover->dt;
}

/* The allowed drops of a step on the ground, from the present position. */
typedef struct Drop
{
    Vec3 done;    /* the horizontal path of the step, world */
    double fall;  /* by falling since the step began */
    double slope; /* down a slope of the limit */
} Drop;

static Drop drop_of(const Mover *mover, Vec3 start)
{
    Vec3 path = vec3_sub(travelled(mover), start), done = flat_part(mover, path);
    double risen = vec3_dot(path, mover->up), slope = vec3_length(done) * mover->profile->max_slope_tan;
    return (Drop){done, larger(risen + fall_of_step(mover, 1), 0), larger(risen + slope, 0)};
}

/* Finds walkable ground straight below a point `aside` (world) of the centre, no farther below the foot than the length
 * of `segment`. */
static bool find_ground_below(Mover *mover, Vec3 segment, Vec3 aside, Hit *hit)
{
    Vec3 path = vec3_add(foot_of(mover), frame_to_ellipsoid(mover->frame, segment));
    path = frame_to_ellipsoid(mover->frame,
                              vec3_scale(mover->up, vec3_dot(frame_to_world(mover->frame, path), mover->up)));
    double length = vec3_length(path);
    SweepQuery query = {vec3_add(mover->state.position, frame_to_ellipsoid(mover->frame, aside)),
                        vec3_scale(path, 1 / length), length, POINT, mover->profile->slack};
    work_add_sweep(mover->candidates);
    return candidates_sweep(mover->candidates, &query, hit) &&
           leads_onto_ground(mover, hit, frame_normal_to_world(mover->frame, hit->contact.normal));
}

/* The height of a point above the foot. */
static double height_above_foot(const Mover *mover, Vec3 point)
{
    Vec3 foot = vec3_add(mover->state.position, foot_of(mover));
    return vec3_dot(frame_to_world(mover->frame, vec3_sub(point, foot)), mover->up);
}

/* Returns true if ground descends from a point (ellipsoid space), as behind the top of a hill: its plane passes through
 * the point, or above it. */
static bool is_slope(const Mover *mover, Vec3 from, const Hit *ground)
{
    Vec3 n = frame_normal_to_world(mover->frame, ground->contact.normal);
    Vec3 up = frame_to_world(mover->frame, vec3_sub(from, ground->contact.point));
    return vec3_dot(n, up) <= LEVEL * mover->profile->least;
}

/* ---- steps ---- */

/* Sinks towards ground without touching it. */
static void hover(Mover *mover, const Hit *below, double drop)
{
    Vec3 m = frame_normal_to_world(mover->frame, below->contact.normal);
    mover->state.position =
        vec3_add(mover->state.position, frame_to_ellipsoid(mover->frame, vec3_scale(mover->up, -drop)));
    stand_on(mover, below, m);
    mover->state.ground.normal = mover->state.ground.support;
    mover->state.ground.overhang = 0;
}

/* Finds the ground of a step down: the landing or, beside an edge, the ground below the centre. If treads are narrow,
 * it is the ground right beside the edge. Returns false if there is none. */
static bool find_lower_ground(Mover *mover, const MoveExtents *extents, const Landing *landing, bool is_edge,
                              Hit *hit)
{
    Vec3 to_edge =
        frame_to_world(mover->frame, vec3_sub(landing->stop.hit.contact.point, mover->state.position));
    *hit = landing->stop.hit;
    return !is_edge || find_ground_below(mover, extents->segment, vec3(0, 0, 0), hit) ||
           find_ground_below(mover, extents->segment, vec3_scale(flat_part(mover, to_edge), BESIDE_EDGE),
                             hit);
}

/* Moves towards the ground `below` by the allowed drop. Ground that would be lost in the next step is followed at any
 * speed. */
static void step_down(Mover *mover, const MoveExtents *extents, const Drop *allowed, const Landing *landing,
                      const Hit *below)
{
    double drop = larger(allowed->fall, allowed->slope);
    Hit next;
    if (landing->drop <= drop || !find_ground_below(mover, extents->segment, allowed->done, &next))
    {
        land(mover, landing);
        return;
    }
    hover(mover, below, drop);
}

/* Moves down to lower ground, or to the edge that the agent rolls over. Returns false if it does not move. */
static bool go_down(Mover *mover, const MoveExtents *extents, const Drop *allowed, const Landing *landing,
                    const Hit *below)
{
    if (below)
    {
        step_down(mover, extents, allowed, landing, below);
        return true;
    }
    bool rolls = landing->drop <= allowed->fall;
    if (rolls)
    {
        land(mover, landing);
    }
    return rolls;
}

/* An edge at the height of the foot, on which the agent can land. */
typedef struct Edge
{
    const Landing *landing;
    bool is_on_top;  /* the foot is level with it */
    bool is_at_rest; /* the foot is level with it after the landing */
} Edge;

static Edge edge_of(const Mover *mover, const Landing *landing)
{
    double level = LEVEL * mover->profile->least;
    double above = height_above_foot(mover, landing->stop.hit.contact.point);
    bool is_edge = landing->stop.hit.contact.feature != SIDLE_FEATURE_FACE && above >= -level;
    return (Edge){is_edge ? landing : NULL, above <= level, above + landing->drop <= level / 2};
}

/* An agent that has hardly begun to roll over an edge need not search for a gap. A falling agent crosses none. */
static bool may_bridge(const Mover *mover, const Edge *edge, bool stands)
{
    return edge->landing ? edge->is_on_top && !(stands && edge->is_at_rest)
                         : sinking_speed(mover) <= falling_acceleration(mover) * mover->dt;
}

/* Returns true if the agent lands at once. On moving ground it stays on the edge until its shape is clear of it, since
 * an edge that moves would push it. */
static bool lands_at_once(const Mover *mover, const Drop *allowed, const Landing *landing, const Edge *edge)
{
    bool rides = anything_moves(mover) && carrier_of(mover);
    /* mutant: rolls_at_any_speed */
    return rides ||
           (edge->landing && landing->drop <= allowed->fall && (edge->is_at_rest || !edge->is_on_top));
}

/* Returns true if the agent lands on a slope no steeper than the limit. */
static bool lands_on_slope(const Mover *mover, const Drop *allowed, const Landing *landing, const Edge *edge,
                           const Hit *below)
{
    Vec3 stood = vec3_add(mover->state.footing,
                          frame_support(mover->frame, mover->state.footing_normal, mover->profile->rest));
    Vec3 from = edge->landing ? landing->stop.hit.contact.point : stood;
    return landing->drop <= larger(allowed->fall, allowed->slope) && is_slope(mover, from, below);
}

/* The state of an agent before it sank. */
typedef struct Level
{
    Vec3 position;
    Ground ground;
    uint32_t contact_count;
} Level;

/* Stays level over a gap, if there is one. */
static bool stay_level(Mover *mover, const MoveExtents *extents, const Level *before, Vec3 across)
{
    Vec3 lowered = mover->state.position;
    mover->state.position = before->position;
    if (!bridges_gap(mover, extents, across))
    {
        mover->state.position = lowered;
        return false;
    }
    mover->state.ground = before->ground;
    mover->state.ground.normal = mover->state.ground.support;
    mover->report.contact_count = before->contact_count;
    return true;
}

/* Sinks towards ground below the centre, beside a contact that cannot be stood on, such as a nose higher than step_up.
 * Returns false if there is no such ground, or if the drop exceeds `clear`. */
static bool sink_beside(Mover *mover, const MoveExtents *extents, const Drop *allowed, double clear)
{
    double drop = larger(allowed->fall, allowed->slope);
    Hit below;
    /* mutant: held_by_a_nose */
    bool sinks = drop < clear && find_ground_below(mover, extents->segment, vec3(0, 0, 0), &below);
    if (sinks)
    {
        hover(mover, &below, drop);
    }
    return sinks;
}

/* Goes down to ground that the agent does not touch. `landing`: NULL if there is none below. `clear`: the length of the free
 * path straight down. */
static bool sink(Mover *mover, const MoveExtents *extents, Vec3 start, const Landing *landing, double clear)
{
    Drop allowed = drop_of(mover, start);
    Edge edge = {NULL, false, false};
    Hit lower, *below = NULL;
    if (landing)
    {
        edge = edge_of(mover, landing);
        bool lands = lands_at_once(mover, &allowed, landing, &edge);
        below = !lands && find_lower_ground(mover, extents, landing, edge.landing, &lower) ? &lower : NULL;
        if (lands || (below && lands_on_slope(mover, &allowed, landing, &edge, below)))
        {
            land(mover, landing);
            return true;
        }
    }
    Level before = {mover->state.position, mover->state.ground, mover->report.contact_count};
    Vec3 beside =
        edge.landing ? vec3_sub(mover->state.position, landing->stop.hit.contact.point) : vec3(0, 0, 0);
    Vec3 across = flat_part(mover, frame_to_world(mover->frame, beside));
    bool stands = landing ? go_down(mover, extents, &allowed, landing, below)
                          : sink_beside(mover, extents, &allowed, clear);
    return (may_bridge(mover, &edge, stands) && stay_level(mover, extents, &before, across)) || stands;
}

/* The same, no deeper than neighbours below allow. */
static OUT_OF_LINE bool follow_down(Mover *mover, const MoveExtents *extents, Vec3 start,
                                    const Landing *landing, double clear)
{
    Vec3 before = mover->state.position;
    bool stands = sink(mover, extents, start, landing, clear);
    if (mover->limits)
    {
        hold_up(mover, before);
    }
    return stands;
}

/* Follows ground that falls away, down steps and over gaps. Returns false if the agent leaves the ground. `clear`: the
 * length of the free path straight down. */
FORCE_INLINE bool follow_ground(Mover *mover, const MoveExtents *extents, Vec3 start, double *clear)
{
    Landing landing;
    bool lands = find_landing(mover, extents->segment, &landing);
    if (!lands || landing.stop.at > SETTLED)
    {
        Vec3 path = vec3_scale(landing.query.direction, landing.stop.at);
        landing.drop = vec3_length(frame_to_world(mover->frame, path));
        *clear = landing.drop;
        MoveExtents same = *extents;
        return follow_down(mover, &same, vec3_copy(start), lands ? &landing : NULL, landing.drop);
    }
    land(mover, &landing);
    return true;
}

/* The highest speed down that a step on the ground leaves to an agent: that of a slope of the limit, or of a fall by its height. It
 * goes down some edges at once, which is faster. `flat`: the horizontal path of the step. */
static double fastest_descent(const Mover *mover, Vec3 flat)
{
    double foot = -vec3_dot(frame_to_world(mover->frame, foot_of(mover)), mover->up);
    double slope = vec3_length(flat) * mover->profile->max_slope_tan / mover->dt;
    double fall = sqrt(2 * falling_acceleration(mover) * larger(foot, mover->profile->step_down));
    return larger(slope, fall); /* mutant: edges_add_speed */
}

/* The speed down of an agent when it left its ground. */
static double leaving_speed(const Mover *mover, Vec3 flat)
{
    return lesser(sinking_speed(mover), fastest_descent(mover, flat));
}

/* Adds the fall since the beginning of the step of an agent that has left its ground. */
static OUT_OF_LINE void fall_off(Mover *mover, Vec3 start, double clear)
{
    Vec3 path = vec3_sub(travelled(mover), start);
    double speed = leaving_speed(mover, flat_part(mover, path)) + falling_acceleration(mover) * mover->dt / 2;
    double fall = lesser(larger(vec3_dot(path, mover->up) + speed * mover->dt, 0), clear);
    Vec3 before = mover->state.position;
    mover->state.position = vec3_add(before, frame_to_ellipsoid(mover->frame, vec3_scale(mover->up, -fall)));
    if (mover->limits)
    {
        hold_up(mover, before);
    }
}
