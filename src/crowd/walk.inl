/* Walking along the ground, and free fall. */
#include "crowd/carry.h"
#include "crowd/project.h"

#include <string.h>

/* Radii: the distance to moving ground at which an agent in the air lands. */
#define LANDING .05
/* The same for ground that rests. */
#define LANDING_AT_REST 1e-3

/* 1/s: the rate at which the horizontal velocity follows the wanted one in the air. Enough to leave a crevice, too
 * little to fly. */
#define AIR_CONTROL 2

/* Rise of a normal: steeper ground has no uphill direction. A path along the ground is 1/rise times its horizontal
 * length, so rounding grows by at most 10. */
#define LEAST_RISE .1

/* Share of a displacement below which a step over the obstacle is tried. */
#define NEARLY_ALL .999

/* Share of a displacement up to which an agent does not leave its ground, so that agents that contacts press upwards
 * stay at rest. */
#define HARDLY_ANY .1

/* The rise of a horizontal displacement on ground of normal m. */
static double climb(const Mover *mover, Vec3 m, Vec3 flat)
{
    return -vec3_dot(m, flat) / vec3_dot(m, mover->up);
}

/* The scale of a displacement along the ground. By default the result is as long as the horizontal part; with the profile's
 * flag it keeps the horizontal part, up to the longest displacement. All lengths are times `level`, so that a step waits for
 * one quotient and one root: sqrt(run2) is the horizontal part, `slope` the rise. */
static double share_along(const Mover *mover, double run2, double slope, double level)
{
    const Profile *profile = mover->profile;
    double along2 = run2 + slope * slope;
    bool is_horizontal = profile->flags & SIDLE_PROFILE_HORIZONTAL_SPEED;
    if (is_horizontal)
    {
        return lesser(1, (double)profile->longest * level / sqrt(along2));
    }
    return slope == 0 ? 1 : sqrt(run2 / along2);
}

/* The displacement along the face that carries the agent, scaled by share_along. An agent rolls over the edge of a
 * step at the speed of the tread. The result lies in the contact's plane, and its horizontal part is that of the
 * tread. */
FORCE_INLINE Vec3 tilt(const Mover *mover, Vec3 wish)
{
    const Ground *ground = &mover->state.ground;
    Vec3 flat = vec3_without(wish, mover->up);
    double level = vec3_dot(ground->support, mover->up), slope = -vec3_dot(ground->support, flat);
    double run2 = vec3_length2(flat) * (level * level);
    if (run2 == 0 || level < LEAST_RISE)
    {
        return flat;
    }
    double own = slope / level, share = share_along(mover, run2, slope, level);
    /* Edges steeper than the limit are left to step_over on the path up, and to follow_ground on the path down. */
    bool is_own = memcmp(&ground->normal, &ground->support, sizeof ground->normal) == 0 ||
                  vec3_dot(ground->normal, mover->up) < mover->profile->max_slope_cos;
    double rise = is_own ? own : larger(climb(mover, ground->normal, flat), own);
    return vec3_scale(vec3_add_scaled(flat, mover->up, rise), share);
}

/* Returns true if contacts move the agent backwards, or press it up without ground. It would tremble, so it stays. */
static OUT_OF_LINE bool leads_nowhere(const Mover *mover, Vec3 start, Vec3 displacement)
{
    double share = share_done(mover, start, displacement);
    bool rises = vec3_dot(vec3_sub(travelled(mover), start), mover->up) > 0;
    return share < 0 || (!mover->state.grounded && rises && share < HARDLY_ANY);
}

/* A path without the height of steps, which is no speed: a jump from there would be as much higher, a fall as much faster. Up, it rises
 * by no more than the slope of the ground. */
static OUT_OF_LINE Vec3 without_step(const Mover *mover, Vec3 path)
{
    Vec3 flat = flat_part(mover, path);
    double rise = vec3_dot(path, mover->up);
    if (rise < 0)
    {
        return vec3_add_scaled(flat, mover->up, larger(rise, -fastest_descent(mover, flat) * mover->dt));
    }
    bool is_steep = vec3_dot(mover->state.ground.support, mover->up) < LEAST_RISE;
    double slope = is_steep ? 0 : larger(climb(mover, mover->state.ground.support, flat), 0);
    return vec3_add_scaled(flat, mover->up, lesser(rise, slope));
}

/* The velocity of an agent that has left its ground in this step. */
static OUT_OF_LINE Vec3 velocity_in_air(const Mover *mover, Vec3 path)
{
    Vec3 flat = flat_part(mover, path);
    double sinks = leaving_speed(mover, flat) + falling_acceleration(mover) * mover->dt;
    Vec3 velocity = vec3_add_scaled(vec3_scale(flat, 1 / mover->dt), mover->up, -sinks);
    return vec3_add(velocity, carry_leaves_with(mover));
}

/* The velocity of a step: the path over dt, plus the velocity of the ground. Walking off an edge is no jump. */
FORCE_INLINE Vec3 walked_velocity(const Mover *mover, Vec3 path)
{
    if (mover->state.grounded)
    {
        double rise = vec3_dot(path, mover->up), least = mover->profile->shortest;
        bool has_step =
            rise > least || (mover->state.rides && rise < -least); /* riders go down edges at once */
        path = has_step ? without_step(mover, vec3_copy(path)) : path;
        return vec3_add(vec3_scale(path, 1 / mover->dt), mover->state.carried);
    }
    return velocity_in_air(mover, vec3_copy(path));
}

/* Highest steps a second: the least speed at which step_offset returns to 0. With steps of .4 m it is 1.2 m/s. */
#define LEAST_SHOWN 3

/* A step that is shorter than its displacement reports one of these, or SIDLE_REASON_EDGE. */
#define SHORT_REASONS                                                                                        \
    (SIDLE_REASON_WALL | SIDLE_REASON_SLOPE | SIDLE_REASON_CEILING | SIDLE_REASON_STEP |                     \
     SIDLE_REASON_AGENT | SIDLE_REASON_TRUNCATED | SIDLE_REASON_OVERLAP)

/* The state of a step on the ground before it slid. */
typedef struct Stance
{
    Vec3 position, start; /* ellipsoid space; world, relative to the frame's centre */
    Ground ground;
    uint32_t reasons;
} Stance;

/* Ends a step that has hit something: follows the ground, steps over, or stays. */
static OUT_OF_LINE void walk_on(Mover *mover, const MoveExtents *extents, const Stance *before,
                                const SlideEnd *end, double *clear)
{
    Vec3 displacement = extents->ball;
    bool stands = follow_ground(mover, extents, before->start, clear);
    bool was_free = !(mover->report.reasons & SIDLE_REASON_OVERLAP);
    bool may_step = !mover->limits || !mover->limits->is_pushed;
    /* mutant: no_step_over */
    if (end->stepped_at && was_free && share_done(mover, before->start, displacement) < NEARLY_ALL &&
        may_step)
    {
        stands = step_over(mover, extents, before->position, before->reasons) || stands;
    }
    mover->state.grounded = stands || is_wedged(mover);
    bool has_reason = (mover->report.reasons & SHORT_REASONS) || work_is_spent(mover->candidates);
    /* mutant: no_step_over */
    if (!has_reason && share_done(mover, before->start, displacement) < NEARLY_ALL)
    {
        mover->report.reasons |= SIDLE_REASON_EDGE; /* mutant: silent_climb */
    }
    if (end->blocked && leads_nowhere(mover, before->start, displacement))
    {
        mover->state.position = before->position;
        mover->state.ground = before->ground;
        mover->state.grounded = true;
    }
}

/* A step that hits something, or is pinned. */
static OUT_OF_LINE void walk_against(Mover *mover, const MoveExtents *extents, Slide *sliding, SlideEnd *end,
                                     double *clear)
{
    Stance before = {mover->state.position, travelled(mover), mover->state.ground, mover->report.reasons};
    if (!end->blocked)
    {
        slide_along(mover, sliding, end);
    }
    walk_on(mover, extents, &before, end, clear);
}

/* Adds the part of a step's rise that exceeds a slope of the limit to step_offset, and returns some of step_offset. */
static OUT_OF_LINE void smooth_height(Mover *mover, Vec3 path, double least)
{
    double risen = vec3_dot(path, mover->up);
    double limit = vec3_length(flat_part(mover, path)) * mover->profile->max_slope_tan + least;
    double highest = mover->profile->highest_step;
    /* mutant: visible_step */
    double shown = lesser(larger(mover->state.step_offset + risen, -limit), limit);
    if (!mover->state.grounded) /* a fall is not smoothed */
    {
        shown = risen + lesser(larger(mover->state.step_offset, -least), least);
    }
    mover->state.step_offset = lesser(larger(mover->state.step_offset + risen - shown, -highest), highest);
}

/* Updates step_offset. Most steps rise so little that it stays 0. */
FORCE_INLINE void show_height(Mover *mover, Vec3 path)
{
    double least = LEAST_SHOWN * mover->profile->highest_step * mover->dt;
    double risen = vec3_dot(path, mover->up);
    if (fabs(mover->state.step_offset + risen) <= least)
    {
        mover->state.step_offset = 0;
        return;
    }
    smooth_height(mover, vec3_copy(path), least);
}

FORCE_INLINE bool step_grounded(Mover *mover, Vec3 wish)
{
    Vec3 displacement = tilt(mover, wish);
    double snap = mover->profile->step_down + mover->profile->skin_w;
    /* Functions out of line get copies, so that the compiler can keep this in registers. */
    const MoveExtents extents = {.ball = displacement, .segment = vec3_scale(mover->up, -snap)};
    if (!begin_here(mover, &extents))
    {
        return false;
    }
    mover->state.ground_height = NAN;
    mover->state.footing = mover->state.position;
    mover->state.footing_normal = mover->state.ground.normal;
    Vec3 start = travelled(mover);
    Slide sliding;
    SlideEnd end;
    double clear = 0;
    if (slide_hits(mover, displacement, SLIDE_ONLY_WALKABLE, &sliding, &end) || end.blocked)
    {
        MoveExtents same = extents;
        walk_against(mover, &same, &sliding, &end, &clear);
    }
    else /* the ordinary step: no hit */
    {
        mover->state.grounded = follow_ground(mover, &extents, start, &clear) || is_wedged(mover);
    }
    if (!mover->state.grounded)
    {
        fall_off(mover, vec3_copy(start), clear);
    }
    Vec3 path = vec3_sub(travelled(mover), start);
    mover->state.velocity = walked_velocity(mover, path);
    show_height(mover, path);
    return true;
}

/* Turns the horizontal velocity towards the wanted one, relative to the ground that the agent left. The difference
 * decays as exp(-AIR_CONTROL t) to within (AIR_CONTROL dt)^3 / 12 a tick, so the path hardly depends on the tick
 * rate. */
static Vec3 steered(Vec3 velocity, Vec3 carried_over, Vec3 wish, Vec3 up, double dt)
{
    double turn = AIR_CONTROL * dt;
    Vec3 wanted = vec3_add(vec3_sub(vec3_scale(wish, 1 / dt), velocity), carried_over);
    Vec3 flat = vec3_without(wanted, up);
    /* mutant: turn_by_tick */
    return vec3_add_scaled(velocity, flat, turn / (1 + turn / 2));
}

/* Stands on ground right below, unless the agent still rises from it at the end of the tick. (At the beginning, ground that
 * accelerates down would always be faster.) */
static bool land_from_air(Mover *mover, Vec3 velocity, Vec3 displacement)
{
    double rise = vec3_dot(velocity, mover->up) - mover->profile->shortest / mover->dt; /* above rounding */
    Vec3 before = mover->state.position;
    if ((rise > 0 && !anything_moves(mover)) || !(settle(mover, displacement) || is_wedged(mover)))
    {
        return false;
    }
    double gained = falling_acceleration(mover) * mover->dt; /* mutant: lands_before_it_falls */
    /* mutant: lands_on_falling_ground */
    mover->state.grounded = rise - gained <= vec3_dot(carry_ground_velocity(mover), mover->up);
    if (!mover->state.grounded)
    {
        mover->state.position = before;
    }
    return mover->state.grounded;
}

/* The distance below an agent in the air at which it lands on ground. For resting ground it is at most half of a step's
 * fall by gravity, since a landing must not be faster than the fall. */
static double landing_reach(const Mover *mover)
{
    double touch = LANDING_AT_REST * mover->profile->least, dt = mover->dt;
    double fall = falling_acceleration(mover) * dt * dt / 2;
    return anything_moves(mover) ? LANDING * mover->profile->least
                                 : larger(lesser(touch, fall), SETTLED * mover->profile->least);
}

/* A velocity after contacts in the air. If an instance recedes, its contacts stop the velocity relative to it: an agent that jumps
 * against the wall of its wagon keeps the wagon's speed. Only the first moving instance is treated like this. An instance that comes
 * nearer pushes the agent (push.inl). */
static Vec3 stopped_by(const Mover *mover, const SlideEnd *end, Vec3 velocity)
{
    Vec3 receding[MAX_PLANES], others[MAX_PLANES], along = vec3(0, 0, 0);
    uint32_t receding_count = 0, other_count = 0;
    const Placed *first = NULL;
    for (uint32_t i = 0; i < end->plane_count; ++i)
    {
        const Plane *plane = &end->planes[i];
        if (plane->moving && !first)
        {
            first = plane->moving;
            along = velocity_at(mover, first, vec3_add(mover->frame->center, travelled(mover)));
        }
        bool recedes = plane->moving && plane->moving == first && vec3_dot(along, plane->m) < 0;
        /* mutant: stopped_in_the_world */
        *(recedes ? &receding[receding_count++] : &others[other_count++]) = plane->m;
    }
    if (receding_count > 0)
    {
        velocity = vec3_add(sidle_project(vec3_sub(velocity, along), receding, receding_count), along);
    }
    return sidle_project(velocity, others, other_count);
}

static OUT_OF_LINE bool step_airborne(Mover *mover, Vec3 wish)
{
    double dt = mover->dt, near = landing_reach(mover);
    Vec3 velocity = mover->state.velocity, gravity = fall_gravity(mover);
    Vec3 flat = vec3_without(wish, mover->up);
    if (vec3_length(flat) > mover->profile->shortest) /* vertical displacements do not steer */
    {
        mover->state.velocity = steered(velocity, mover->state.carried_over, wish, mover->up, dt);
    }
    /* The mean velocity over the turn, as exact as the turn itself. */
    Vec3 mean = vec3_scale(vec3_add(velocity, mover->state.velocity), .5);
    Vec3 displacement = vec3_add_scaled(vec3_scale(mean, dt), gravity, dt * dt / 2);
    if (mover->limits)
    {
        displacement = vec3_add(displacement, correction_of(mover));
    }
    if (!begin_move(mover, &(MoveExtents){.ball = displacement, .segment = vec3_scale(mover->up, -near)}))
    {
        mover->state.velocity = velocity;
        return false;
    }
    Vec3 start = travelled(mover);
    SlideEnd end;
    velocity = mover->state.velocity;
    begin_flight(mover, mean);
    slide(mover, displacement, 0, &end);
    mover->state.in_flight = false;
    show_height(mover, vec3_sub(travelled(mover), start));
    mover->state.velocity = vec3_add_scaled(mover->state.velocity, gravity, dt);
    if (land_from_air(mover, velocity, vec3_scale(mover->up, -near)))
    {
        mover->state.velocity = vec3_scale(vec3_sub(travelled(mover), start), 1 / dt);
        mover->state.grounded = true;
        note_impact(mover, mover->state.ground.normal, &end); /* no effect if the slide touched ground */
        end_flight(mover);
        return true;
    }
    mover->state.velocity = stopped_by(mover, &end, mover->state.velocity);
    mover->state.carried_over = stopped_by(mover, &end, mover->state.carried_over);
    return true;
}

FORCE_INLINE bool step_walk(Mover *mover, Vec3 wish)
{
    return mover->state.grounded ? step_grounded(mover, wish) : step_airborne(mover, vec3_copy(wish));
}
