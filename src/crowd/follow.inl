/* Walking on over ground that falls away: down slopes and steps, over gaps, and off ledges.
 *
 * A drop that a fall explains, from the speed that the agent sinks with, is followed at once. So is a slope up to the
 * slope limit. Anything that is lower than that is
 *  - a gap, if ground as high as the foot goes on across it within the width of the foot: the agent stays level;
 *  - a step down, if ground is no more than step_down below the centre: the agent sinks no steeper than the slope limit,
 *    and no slower than it would fall;
 *  - else a ledge, from which the agent falls. */
#include "crowd/mover.h"

/* Radius of the ball that stands for a point, ellipsoid space. */
#define POINT 1e-3

/* Smallest radii: ground within this of the foot's height is level with it. */
#define LEVEL .05

/* Cosine of 135 degrees: how far apart the directions to both sides of a gap are at least. */
#define ACROSS (-.70710678118654752)

/* Without the motion of the ground. */
static double sinking_speed(const Mover *mover)
{
    return larger(vec3_dot(vec3_sub(mover->carried_over, mover->velocity), mover->up), 0);
}

static double falling_acceleration(const Mover *mover)
{
    return larger(-vec3_dot(mover->gravity, mover->up), 0);
}

/* How far a fall leads in this step. */
static double fall_of_step(const Mover *mover)
{
    return (sinking_speed(mover) + falling_acceleration(mover) * mover->dt / 2) * mover->dt;
}

static Vec3 flat_part(const Mover *mover, Vec3 v)
{
    return vec3_add_scaled(v, mover->up, -vec3_dot(v, mover->up));
}

/* The point under the centre where level ground would carry the agent, relative to its centre, ellipsoid space. */
static Vec3 foot_of(const Mover *mover)
{
    return frame_support(mover->frame, mover->up, mover->profile->rest);
}

/* Walkable ground straight below a place that is `aside` (world) of the centre, no deeper than step_down below the foot. */
static bool find_ground_below(const Mover *mover, const Room *room, Vec3 aside, Hit *hit)
{
    Vec3 path = vec3_add(foot_of(mover), frame_to_ellipsoid(mover->frame, room->segment));
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

/* ---- gaps ---- */

/* The widest horizontal radius, near enough for any up. */
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
    double width = 2 * foot_radius(mover);
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

/* The ground of a step down: below the centre, or the edge of a lower step that the agent lands on. False: there is none. */
static bool find_lower_ground(const Mover *mover, const Room *room, const Landing *landing, Hit *hit)
{
    if (landing->hit.contact.feature != SIDLE_FEATURE_FACE &&
        find_ground_below(mover, room, vec3(0, 0, 0), hit))
    {
        return true;
    }
    *hit = landing->hit;
    return landing->hit.contact.feature == SIDLE_FEATURE_FACE ||
           height_above_foot(mover, hit->contact.point) < -LEVEL * mover->profile->least;
}

/* One step down. Ground that would be lost in the next step is followed at any speed. False: a ledge. */
static bool step_down(Mover *mover, const Room *room, Vec3 done, const Landing *landing)
{
    double fall = fall_of_step(mover), slope = vec3_length(done) * mover->profile->max_slope_tan;
    Hit below, next;
    if (!find_lower_ground(mover, room, landing, &below))
    {
        return false;
    }
    double drop = larger(fall, slope);
    if (landing->drop <= drop || !find_ground_below(mover, room, done, &next))
    {
        land(mover, landing);
        return true;
    }
    hover(mover, &below, drop);
    return true;
}

/* Whether the drop to where the agent lands is explained. */
static bool is_explained(const Mover *mover, const Room *room, Vec3 done, const Landing *landing)
{
    double slope = vec3_length(done) * mover->profile->max_slope_tan;
    if (landing->drop <= fall_of_step(mover))
    {
        return true;
    }
    if (landing->drop > slope)
    {
        return false;
    }
    Hit below;
    return landing->hit.contact.feature == SIDLE_FEATURE_FACE ||
           (find_ground_below(mover, room, vec3(0, 0, 0), &below) && is_slope(mover, landing, &below));
}

static OUT_OF_LINE bool follow_down(Mover *mover, const Room *room, Vec3 start, const Landing *landing)
{
    Vec3 done = flat_part(mover, vec3_sub(travelled(mover), start)), position = mover->position;
    if (is_explained(mover, room, done, landing))
    {
        land(mover, landing);
        return true;
    }
    Ground ground = mover->ground;
    uint32_t met_count = mover->met_count;
    bool stands = step_down(mover, room, done, landing);
    Vec3 lowered = mover->position;
    mover->position = position;
    if (bridges_gap(mover, room))
    {
        mover->ground = ground;
        mover->ground.normal = mover->ground.support;
        mover->met_count = met_count;
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
    if (!lands)
    {
        return false;
    }
    if (landing.drop > SETTLED * mover->profile->least)
    {
        return follow_down(mover, room, start, &landing);
    }
    land(mover, &landing);
    return true;
}

/* An agent that has left its ground has fallen since the step began. */
static OUT_OF_LINE void fall_off(Mover *mover, double clear)
{
    double fall = lesser(fall_of_step(mover), clear);
    mover->position =
        vec3_add(mover->position, frame_to_ellipsoid(mover->frame, vec3_scale(mover->up, -fall)));
}
