/* The limits that neighbours set, as planes of a slide. */
#include "crowd/mover.h"

/* Cosine against a limit's normal below which a path runs along it; projections err by FEASIBLE, 1e-7. */
#define LEAST_TOWARDS 1e-6

/* Share of a displacement that a neighbour may take without a reason. */
#define HARDLY_TAKEN .01

/* Passes over the limits of a velocity. On four heads one pass leaves .06 m/s, two .01, eight less than .005. */
#define VELOCITY_PASSES 8

/* How far the mover has come since its limits count. */
static Vec3 moved(const Mover *mover)
{
    return vec3_add(vec3_sub(mover->frame->center, mover->limits_from), travelled(mover));
}

/* Of the part of the move that runs. */
static Vec3 correction_of(const Mover *mover)
{
    return vec3_scale(mover->limits->correction, mover->dt / mover->whole_dt);
}

/* Shortens a path (its direction in ellipsoid space) to the first limit on it. Returns whether anything stops the path. */
static OUT_OF_LINE bool stop_at_limit(const Mover *mover, Vec3 direction, double length, bool stops,
                                      Stop *stop)
{
    Vec3 ahead = frame_to_world(mover->frame, direction), from = moved(mover);
    double speed = vec3_length(ahead), first = stops ? stop->at : length;
    stop->limit = NULL;
    for (uint32_t i = 0; i < mover->limits->count; ++i)
    {
        const AgentLimit *limit = &mover->limits->list[i];
        double towards = vec3_dot(limit->along, ahead);
        double at = larger(limit->most_along - vec3_dot(limit->along, from), 0) / towards;
        if (towards > LEAST_TOWARDS * speed && at < first)
        {
            first = at;
            stop->limit = limit;
        }
    }
    stop->at = first;
    return stops || stop->limit;
}

/* By how much the mover is beyond a limit, with its height. Rounding is no excess. */
static double excess(const Mover *mover, const AgentLimit *limit)
{
    double beyond = vec3_dot(limit->normal, moved(mover)) - limit->most;
    return limit->is_rim || beyond < SETTLED * mover->profile->least ? 0 : beyond;
}

/* Raises an agent that has sunk straight down to where no neighbour below is too near, at most to where it was. */
static OUT_OF_LINE void hold_up(Mover *mover, Vec3 before)
{
    double sunk = vec3_dot(frame_to_world(mover->frame, vec3_sub(before, mover->state.position)), mover->up);
    double raise = 0;
    for (uint32_t i = 0; i < mover->limits->count; ++i)
    {
        const AgentLimit *limit = &mover->limits->list[i];
        double beyond = excess(mover, limit), fall = -vec3_dot(limit->normal, mover->up);
        if (beyond > 0 && fall > 0)
        {
            raise = larger(raise, lesser(beyond / fall, sunk));
        }
    }
    if (raise > 0) /* mutant: not_held_up */
    {
        mover->state.position =
            vec3_add(mover->state.position, frame_to_ellipsoid(mover->frame, vec3_scale(mover->up, raise)));
        mover->report.reasons |= SIDLE_REASON_AGENT;
    }
}

/* Whether the mover has come too near to a neighbour. */
static OUT_OF_LINE bool is_too_near(const Mover *mover)
{
    bool is_beyond = false;
    for (uint32_t i = 0; i < mover->limits->count && !is_beyond; ++i)
    {
        is_beyond = excess(mover, &mover->limits->list[i]) > 0;
    }
    return is_beyond;
}

/* Towards neighbours from which the rounds have pushed an agent back, a velocity is at most that of its path. */
static Vec3 stopped_at_neighbours(const Mover *mover, Vec3 path, Vec3 velocity)
{
    bool is_beyond = true;
    for (int pass = 0; pass < VELOCITY_PASSES && is_beyond; ++pass)
    {
        is_beyond = false;
        for (uint32_t i = 0; i < mover->limits->count; ++i)
        {
            const AgentLimit *limit = &mover->limits->list[i];
            double most = larger(vec3_dot(limit->normal, path), 0) / mover->dt;
            double beyond = vec3_dot(limit->normal, velocity) - most;
            if (beyond > 0 && !limit->is_rim && vec3_dot(limit->normal, mover->limits->correction) < 0)
            {
                velocity = vec3_add_scaled(velocity, limit->normal, -beyond);
                is_beyond = true;
            }
        }
    }
    return velocity;
}

/* Neighbours stop the velocity of an agent in the air, as contacts do. The rounds have shortened its path, so the slide has found no
 * contact with them. `path`: of this step, world. */
static OUT_OF_LINE void stop_at_neighbours(Mover *mover, Vec3 path)
{
    Vec3 velocity = mover->state.velocity;
    mover->state.velocity = stopped_at_neighbours(mover, path, velocity); /* mutant: falls_on_heads */
    mover->state.carried_over = stopped_at_neighbours(mover, path, mover->state.carried_over);
    double taken2 = vec3_length2(vec3_sub(velocity, mover->state.velocity));
    if (taken2 > HARDLY_TAKEN * HARDLY_TAKEN * vec3_length2(velocity))
    {
        mover->report.reasons |= SIDLE_REASON_AGENT;
    }
}

/* Smallest radii from a limit within which an agent stands on the neighbour: half of the hard gap, so that both divide it. */
#define STANDING_REACH .01

/* Lets an agent in the air that has come down on a neighbour stand there, by profile. */
static void stand_on_neighbour(Mover *mover)
{
    const Profile *profile = mover->profile;
    /* mutant: stands_on_none */
    bool may = profile->mode == SIDLE_WALK && (profile->flags & SIDLE_PROFILE_STANDS_ON_AGENTS);
    double rise = vec3_dot(mover->state.velocity, mover->up);
    for (uint32_t i = 0; may && i < mover->limits->count; ++i)
    {
        const AgentLimit *limit = &mover->limits->list[i];
        double left = limit->most - vec3_dot(limit->normal, moved(mover));
        bool is_below = -vec3_dot(limit->normal, mover->up) >= profile->max_slope_cos;
        if (is_below && !limit->is_rim && left < STANDING_REACH * profile->least &&
            rise <= profile->shortest / mover->dt)
        {
            mover->state.grounded = true;
            mover->state.ground =
                (Ground){.normal = vec3_scale(limit->normal, -1), .support = vec3_scale(limit->normal, -1)};
            mover->state.velocity = vec3_add_scaled(mover->state.velocity, mover->up, -rise);
            return;
        }
    }
}

/* A slide that a limit stops goes on along it. */
static OUT_OF_LINE void add_agent(Mover *mover, const AgentLimit *limit, SlideEnd *end)
{
    if (mover->contacts && !limit->is_rim)
    {
        note_agent(mover, limit);
    }
    mover->report.reasons |= end->left > HARDLY_TAKEN ? (uint32_t)SIDLE_REASON_AGENT : 0;
    end->blocked = true;
    forget_far_planes(mover, end);
    put_plane(mover, end, vec3_scale(limit->along, -1), true, NULL);
}
