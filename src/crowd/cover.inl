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

static OUT_OF_LINE bool gather_for(Mover *mover, const MoveExtents *extents)
{
    const Profile *profile = mover->profile;
    double slide = vec3_length(extents->ball), lifted = vec3_length(extents->lift);
    double longest = slide + extents->extra_radius + larger(vec3_length(extents->segment), lifted);
    Reach reach = {
        .swell = profile->reach + extents->extra_swell,
        .center = vec3_add_scaled(extents->lift, extents->ball, .5),
        .radius = slide / 2 + extents->extra_radius,
        .segment = extents->segment,
        .path = longest / profile->least + profile->look_ahead,
        .slack = profile->slack,
        .near = profile->recover + profile->slack, /* float lanes err by less than the slack */
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

/* Radii: half the distance within which candidates count as crowded. */
#define CROWDED .5

static bool is_pinned(const Mover *mover)
{
    return mover->frame->is_capsule && (candidates_distance(mover->candidates, mover->position, 0) <= 0 ||
                                        candidates_crowd(mover->candidates, mover->position, CROWDED));
}

/* A candidate may be near enough for an overlap. If so, gathers what recovery may touch, and recovers. */
static OUT_OF_LINE bool begin_near(Mover *mover, const MoveExtents *extents)
{
    double near = mover->profile->recover;
    if (!(candidates_distance(mover->candidates, mover->position, near) < near))
    {
        return true;
    }
    MoveExtents wide = *extents;
    wide.extra_swell = RECOVERY_REACH;
    if (!gather_for(mover, &wide))
    {
        return false;
    }
    recover(mover);
    mover->pinned = is_pinned(mover);
    return true;
}

/* Gathers, and recovers if the step begins in an overlap. Returns false if the candidates exceed the capacity. */
FORCE_INLINE bool begin_move(Mover *mover, const MoveExtents *extents)
{
    mover->pinned = false;
    return gather_for(mover, extents) &&
           (!candidates_are_near(mover->candidates) || begin_near(mover, extents));
}
