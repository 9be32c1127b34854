/* Whether one agent moves in a tick, from its request: turns.h. */
#include "crowd/carry.h"
#include "crowd/turns.h"

/* Whether the interval of an agent has passed. It moves in the tick that is nearest to that time.
 *
 * All agents of a level spawn in one tick, and others begin an interval together when the camera turns. So the first interval is
 * shortened to a share that the id decides. SIDLE_BODY_PACED says that it is over. A move before its time begins anew, since
 * its neighbours on a lift were early, too. */
static bool is_due(const sidle_crowd *crowd, const sidle_move *move)
{
    double dt = (double)crowd->tick.desc.dt, waited = (double)move->body.waited;
    double interval = lesser((double)move->interval, SIDLE_MAX_DT);
    if (move->body.flags & SIDLE_BODY_PACED)
    {
        return waited + 1.5 * dt >= interval;
    }
    return waited + dt >= interval * id_share(move->id); /* mutant: in_step */
}

/* Whether a deferral keeps the next move within all limits, if the next tick is like this one. */
static bool can_wait(const sidle_crowd *crowd, const sidle_move *move)
{
    double next = (double)move->body.waited + 2 * (double)crowd->tick.desc.dt;
    return next <= SIDLE_MAX_DT && is_good_after(crowd, move, 2);
}

/* Whether a moving instance carries the agent in this tick, or may push it where it is: whether `carry` has anything to do. */
static OUT_OF_LINE bool is_near_motion(const sidle_crowd *crowd, Candidates *candidates,
                                       const sidle_move *move)
{
    const Tick *tick = &crowd->tick;
    const Profile *profile = &crowd->profiles[move->profile];
    take_frame(profile, move, &candidates->frame);
    Mover mover; /* what find_near and moving_ground read of it */
    mover.profile = profile;
    mover.snapshot = tick->desc.snapshot;
    mover.candidates = candidates;
    candidates->work = candidates->leaves_seen = 0; /* mutant: ranks_until_spent */
    mover.frame = &candidates->frame;
    take_filter(crowd, move, &mover.filter);
    mover.observer = NULL;
    mover.motion_begin = motion_begin_of(tick, &move->body);
    mover.motion_end = tick->time;
    mover.state.grounded = (move->body.flags & SIDLE_BODY_GROUNDED) && profile->mode != SIDLE_FLY;
    mover.state.ground.instance = move->body.ground;
    mover.state.ground.key = move->body.ground_key;
    Vec3 center = mover.frame->center;
    Slice whole = {mover.motion_begin, mover.motion_end, center, center, NO_CARRIER};
    Near near;
    return mover.motion_begin < mover.motion_end &&
           (carrier_of(&mover) || !find_near(&mover, &whole, &near) || near.count > 0);
}

static uint32_t turn_of(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move)
{
    if (!is_good(crowd, move))
    {
        return TURN_WAITS;
    }
    bool due = is_due(crowd, move);
    if (due && !crowd->tick.has_budget)
    {
        return TURN_PACED;
    }
    const Tick *tick = &crowd->tick;
    bool moves = tick->desc.snapshot->moving_count > 0 && tick->begin < tick->time; /* mutant: left_by_lift */
    if (!can_wait(crowd, move)) /* as late as can be: its interval is over */
    {
        return TURN_PACED; /* mutant: longest_interval_begins_anew */
    }
    if (moves && is_near_motion(crowd, candidates, move))
    {
        return due ? TURN_PACED : TURN_COMES;
    }
    return due ? TURN_RIVAL : TURN_WAITS;
}
