/* The gather of a step: one search that covers everything the agent may touch. */
#include "crowd/mover.h"

static OUT_OF_LINE bool observe(const Mover *mover, bool fits)
{
    if (fits)
    {
        list_candidates(mover->candidates);
    }
    return mover->observer->gathered(mover->observer, mover->candidates, fits);
}

FORCE_INLINE bool gather_here(Mover *mover, const MoveExtents *extents)
{
    const Profile *profile = mover->profile;
    double slide = vec3_length(extents->ball), lifted = vec3_length(extents->lift);
    Vec3 first = frame_to_ellipsoid(mover->frame, extents->ball);
    double length = vec3_length(first);
    double longest = slide + extents->extra_radius + larger(vec3_length(extents->segment), lifted);
    Reach reach = {
        .swell = profile->reach + extents->extra_swell,
        .center = vec3_add_scaled(extents->lift, extents->ball, .5),
        .radius = slide / 2 + extents->extra_radius,
        .segment = extents->segment,
        .path = longest / profile->least + profile->look_ahead,
        .slack = profile->slack,
        .first = length > 0 ? vec3_scale(first, 1 / length) : first,
        .first_length = length + profile->look_ahead,
        .first_radius = profile->swept,
        .aside = extents->aside,
    };
    bool fits =
        may_look(mover->candidates) && candidates_gather(mover->candidates, mover->snapshot, mover->frame,
                                                         &reach, &mover->filter, mover->cache);
    if (mover->observer)
    {
        fits = observe(mover, fits);
    }
    mover->flattest.candidate = NO_HIT;
    work_add_gather(mover->candidates, fits);
    return fits;
}

/* Returns false if the candidates exceed the capacity. */
static OUT_OF_LINE bool gather_for(Mover *mover, const MoveExtents *extents)
{
    return gather_here(mover, extents);
}

/* Pins a capsule whose core a candidate crosses, which no sweep can resolve. Also one that so many overlap that each sweep would
 * take as long as a hundred ordinary moves: it moves again once recovery has freed it. Below that, the work of a sweep counts them. */
static void set_pinned(Mover *mover)
{
    Candidates *c = mover->candidates;
    mover->state.pinned = false;
    if (!mover->frame->is_capsule)
    {
        return;
    }
    uint32_t inside = candidates_around_core(c, mover->state.position, mover->profile->recover);
    c->sweep_work += WORK_INSIDE * inside;
    /* mutant: sweeps_among_hundreds */
    mover->state.pinned = inside > MAX_CLOSE || candidates_distance(c, mover->state.position, 0) <= 0;
}

/* If a candidate overlaps, gathers what recovery may touch, and recovers. */
static OUT_OF_LINE bool begin_near(Mover *mover, const MoveExtents *extents)
{
    double near = mover->profile->recover, distance = INFINITY;
    if (candidates_are_near(mover->candidates, near))
    {
        distance = candidates_distance(mover->candidates, mover->state.position, near);
    }
    if (!(distance < near))
    {
        return true;
    }
    MoveExtents wide = *extents;
    wide.extra_swell = RECOVERY_REACH;
    if (!gather_for(mover, &wide))
    {
        return false;
    }
    recover(mover, distance);
    set_pinned(mover);
    return true;
}

/* Gathers for a step, and finds whether its first path is free. Returns false if the candidates exceed the capacity. */
FORCE_INLINE bool begin_gather(Mover *mover, const MoveExtents *extents, bool *is_free)
{
    mover->state.pinned = false;
    if (!gather_here(mover, extents))
    {
        return false;
    }
    *is_free = !candidates_are_reached(mover->candidates);
    mover->state.is_free = *is_free && !mover->candidates->stats; /* which count every sweep */
    return true;
}

/* Gathers, and recovers if the step begins in an overlap. Returns false if the candidates exceed the capacity. The
 * recovery shell is inside the swept one, so that what the first path does not reach is no overlap. */
static OUT_OF_LINE bool begin_move(Mover *mover, const MoveExtents *extents)
{
    bool is_free;
    return begin_gather(mover, extents, &is_free) && (is_free || begin_near(mover, extents));
}

/* The same. The extents are copied to memory only if they are needed there, by few steps. */
FORCE_INLINE bool begin_here(Mover *mover, const MoveExtents *extents)
{
    bool is_free, fits = begin_gather(mover, extents, &is_free);
    if (!fits || is_free)
    {
        return fits;
    }
    MoveExtents same = *extents;
    return begin_near(mover, &same);
}
