/* Walking on over ground that falls away: down slopes and steps, over gaps, and off ledges.
 *
 * A drop that a fall explains, from the speed that the agent sinks with, is followed at once. So is a slope up to the
 * slope limit. Anything that is lower than that is
 *  - a gap, if ground as high as the foot goes on across it within the width of the foot: the agent stays level;
 *  - a step down, if ground is no more than step_down below the centre: the agent sinks no steeper than the slope limit,
 *    and no slower than it would fall;
 *  - else a ledge, from which the agent falls. */
#include "crowd/carry.h"

/* Radius of the ball that stands for a point, ellipsoid space. */
#define POINT 1e-3

/* Smallest radii: ground within this of the foot's height is level with it. */
#define LEVEL .05

/* Cosine of 135 degrees: how far apart the directions to both sides of a gap are at least. */
#define ACROSS (-.70710678118654752)

static Vec3 flat_part(const Mover *mover, Vec3 v)
{
    return vec3_add_scaled(v, mover->up, -vec3_dot(v, mover->up));
}

/* With the motion of the ground or without it, whichever is less: an agent that is held back does not sink. */
static double sinking_speed(const Mover *mover)
{
    double rises = vec3_dot(mover->velocity, mover->up), carried = vec3_dot(mover->carried_over, mover->up);
    return larger(lesser(-rises, carried - rises), 0);
}

static double falling_acceleration(const Mover *mover)
{
    return larger(-vec3_dot(mover->gravity, mover->up), 0);
}

/* How far a fall leads in this step. `gained`: the share of what gravity adds to the speed in the step that counts, which
 * is half of it on average. The velocity of an agent on the ground is the average over its last step, so ground that falls
 * away no faster than gravity takes all of it. */
static double fall_of_step(const Mover *mover, double gained)
{
    return (sinking_speed(mover) + gained * falling_acceleration(mover) * mover->dt) * mover->dt;
}

typedef struct Drop /* how far a step on the ground may lead down from where it is now */
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

/* The point under the centre where level ground would carry the agent, relative to its centre, ellipsoid space. */
static Vec3 foot_of(const Mover *mover)
{
    return frame_support(mover->frame, mover->up, mover->profile->rest);
}

/* Walkable ground straight below a place that is `aside` (world) of the centre, no farther below the foot than `segment`
 * leads. */
static bool find_ground_below(const Mover *mover, Vec3 segment, Vec3 aside, Hit *hit)
{
    Vec3 path = vec3_add(foot_of(mover), frame_to_ellipsoid(mover->frame, segment));
    path = frame_to_ellipsoid(mover->frame,
                              vec3_scale(mover->up, vec3_dot(frame_to_world(mover->frame, path), mover->up)));
    double length = vec3_length(path);
    SweepQuery query = {vec3_add(mover->position, frame_to_ellipsoid(mover->frame, aside)),
                        vec3_scale(path, 1 / length), length, POINT, mover->profile->slack};
    work_add_sweep(mover->candidates);
    return candidates_sweep(mover->candidates, &query, hit) &&
           leads_onto_ground(mover, hit, frame_normal_to_world(mover->frame, hit->contact.normal));
}

/* Of a point above the foot. */
static double height_above_foot(const Mover *mover, Vec3 point)
{
    Vec3 foot = vec3_add(mover->position, foot_of(mover));
    return vec3_dot(frame_to_world(mover->frame, vec3_sub(point, foot)), mover->up);
}

/* Whether the ground below goes down from the rim that carries the agent like a slope, as behind the edge of a hill. */
static bool is_slope(const Mover *mover, const Landing *landing, const Hit *below)
{
    Vec3 rim = landing->hit.contact.point;
    Vec3 beside = flat_part(mover, frame_to_world(mover->frame, vec3_sub(mover->position, rim)));
    double deep = height_above_foot(mover, rim) - height_above_foot(mover, below->contact.point);
    return deep <= vec3_length(beside) * mover->profile->max_slope_tan + mover->profile->skin_w;
}

/* Whether an agent in the air wants to go on over an edge, behind which no slope goes down: it does not land on it. What
 * stands on a moving instance does. */
static bool leaves_edge(const Mover *mover, Vec3 wish, const Landing *landing)
{
    const Hit *hit = &landing->hit;
    Hit below;
    uint32_t instance = candidate_of(mover->candidates, hit->candidate)->instance;
    Vec3 beside = frame_to_world(mover->frame, vec3_sub(mover->position, hit->contact.point));
    return hit->contact.feature != SIDLE_FEATURE_FACE && !mover->snapshot->placed[instance].moves &&
           vec3_dot(flat_part(mover, beside), wish) > 0 &&
           !(find_ground_below(mover, vec3_scale(mover->up, -mover->profile->skin_w), vec3(0, 0, 0),
                               &below) &&
             is_slope(mover, landing, &below));
}

/* ---- gaps ---- */

/* The widest horizontal radius; a little less if up is askew to the axes of the world. */
static double foot_radius(const Mover *mover)
{
    const Vec3 extent = vec3_add(mover->frame->extent, mover->frame->core_extent), up = mover->up;
    return larger(
        extent.x * sqrt(larger(1 - up.x * up.x, 0)),
        larger(extent.y * sqrt(larger(1 - up.y * up.y, 0)), extent.z * sqrt(larger(1 - up.z * up.z, 0))));
}

/* The horizontal way from the foot to a face that is level with it. False: it is not, or cannot be walked on. */
static bool is_level_ground(const Mover *mover, uint32_t candidate, Vec3 *aside)
{
    Vec3 corners[3], foot = vec3_add(mover->position, foot_of(mover));
    if (!candidates_counts(mover->candidates, candidate) ||
        vec3_dot(face_normal(mover, candidate), mover->up) < mover->profile->max_slope_cos)
    {
        return false;
    }
    candidates_corners(mover->candidates, candidate, corners);
    Vec3 point = contact_of_closest(corners, foot, foot).point;
    Vec3 away = frame_to_world(mover->frame, vec3_sub(point, foot));
    *aside = flat_part(mover, away);
    return fabs(vec3_dot(away, mover->up)) <= LEVEL * mover->profile->least;
}

/* Whether level ground that is nearest to the foot goes on across, no farther than the foot is wide. */
static bool spans(const Mover *mover, const uint32_t *near, uint32_t count, double width)
{
    Vec3 side, nearest = {0, 0, 0};
    double nearest2 = INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (is_level_ground(mover, near[i], &side) && vec3_length2(side) < nearest2)
        {
            nearest = side;
            nearest2 = vec3_length2(side);
        }
    }
    double least = LEVEL * mover->profile->least; /* no gap: ground is right below */
    bool spanned = false;
    for (uint32_t i = 0; i < count && !spanned && nearest2 > least * least && nearest2 < width * width; ++i)
    {
        spanned = is_level_ground(mover, near[i], &side) &&
                  vec3_length2(vec3_sub(side, nearest)) <= width * width &&
                  vec3_dot(side, nearest) <= ACROSS * sqrt(vec3_length2(side) * nearest2);
    }
    return spanned;
}

/* Asks candidates of its own, which stay. */
static bool bridges_gap(Mover *mover, const Room *room)
{
    double width = 2 * mover->profile->rest * foot_radius(mover);
    if (work_is_spent(mover->candidates))
    {
        return false;
    }
    Room wide = {.extra_radius = width, .segment = room->segment};
    if (!gather_for(mover, &wide))
    {
        gather_for(mover, room); /* for what comes after this */
        return false;
    }
    uint32_t count;
    Vec3 foot = vec3_add(mover->position, foot_of(mover));
    work_add_look(mover->candidates, WORK_CLOSE);
    const uint32_t *near = candidates_within(mover->candidates, foot, width / mover->profile->least, &count);
    return spans(mover, near, count, width);
}

/* ---- steps ---- */

/* Above ground, on the way down to it. */
static void hover(Mover *mover, const Hit *below, double drop)
{
    Vec3 m = frame_normal_to_world(mover->frame, below->contact.normal);
    mover->position =
        vec3_add(mover->position, frame_to_ellipsoid(mover->frame, vec3_scale(mover->up, -drop)));
    stand_on(mover, below, m);
    mover->ground.normal = mover->ground.support;
    mover->ground.overhang = 0;
}

/* The ground of a step down: below the centre, or where treads are narrow below a place half way to the edge that still
 * carries the agent, or the edge of a lower step. False: there is none. */
static bool find_lower_ground(const Mover *mover, const Room *room, const Landing *landing, Hit *hit)
{
    *hit = landing->hit;
    if (hit->contact.feature == SIDLE_FEATURE_FACE ||
        height_above_foot(mover, hit->contact.point) < -LEVEL * mover->profile->least)
    {
        return true;
    }
    Vec3 to_edge = frame_to_world(mover->frame, vec3_sub(hit->contact.point, mover->position));
    return find_ground_below(mover, room->segment, vec3(0, 0, 0), hit) ||
           find_ground_below(mover, room->segment, vec3_scale(flat_part(mover, to_edge), .5), hit);
}

/* Ground that would be lost in the next step is followed at any speed. False: a ledge. */
static bool step_down(Mover *mover, const Room *room, const Drop *allowed, const Landing *landing)
{
    double drop = larger(allowed->fall, allowed->slope);
    Hit below, next;
    bool falls_on_it = landing->drop <= allowed->fall;
    if (!falls_on_it && !find_lower_ground(mover, room, landing, &below))
    {
        return false;
    }
    if (falls_on_it || landing->drop <= drop ||
        !find_ground_below(mover, room->segment, allowed->done, &next))
    {
        land(mover, landing);
        return true;
    }
    hover(mover, &below, drop);
    return true;
}

/* Whether the agent lands on a slope no steeper than the limit, or on the convex edge of one. */
static bool follows_slope(const Mover *mover, const Room *room, const Drop *allowed, const Landing *landing)
{
    Hit below;
    if (landing->drop > larger(allowed->fall, allowed->slope))
    {
        return false;
    }
    return landing->hit.contact.feature == SIDLE_FEATURE_FACE ||
           (find_ground_below(mover, room->segment, vec3(0, 0, 0), &below) &&
            is_slope(mover, landing, &below));
}

/* Where the agent lands on nothing, or not without a drop. On moving ground it stays on the edge until that is clear of its
 * shape: beside an edge that moves on, it would be pushed. */
static OUT_OF_LINE bool follow_down(Mover *mover, const Room *room, Vec3 start, const Landing *landing,
                                    bool lands)
{
    Drop allowed = drop_of(mover, start);
    bool rides = anything_moves(mover) && carrier_of(mover);
    if (lands && (rides || follows_slope(mover, room, &allowed, landing)))
    {
        land(mover, landing);
        return true;
    }
    Mover before = *mover;
    bool stands = lands && step_down(mover, room, &allowed, landing);
    Vec3 lowered = mover->position;
    mover->position = before.position;
    if (bridges_gap(mover, room))
    {
        mover->ground = before.ground;
        mover->ground.normal = mover->ground.support;
        mover->met_count = before.met_count;
        return true;
    }
    mover->position = lowered;
    return stands;
}

FORCE_INLINE bool follow_ground(Mover *mover, const Room *room, Vec3 start, double *clear)
{
    Landing landing;
    bool lands = find_landing(mover, room->segment, &landing);
    *clear = landing.drop;
    if (!lands || landing.drop > SETTLED * mover->profile->least)
    {
        return follow_down(mover, room, start, &landing, lands);
    }
    land(mover, &landing);
    return true;
}

/* An agent that has left its ground has fallen since its step began. */
static OUT_OF_LINE void fall_off(Mover *mover, Vec3 start, double clear)
{
    double risen = vec3_dot(vec3_sub(travelled(mover), start), mover->up);
    double fall = lesser(larger(risen + fall_of_step(mover, .5), 0), clear);
    mover->position =
        vec3_add(mover->position, frame_to_ellipsoid(mover->frame, vec3_scale(mover->up, -fall)));
}
