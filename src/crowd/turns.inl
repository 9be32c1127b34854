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
    double interval = (double)move->interval;
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

/* Whether a moving instance may carry or push the agent in this tick where it is: push.inl finds the same instances. */
static OUT_OF_LINE bool is_near_motion(const sidle_crowd *crowd, Candidates *candidates,
                                       const sidle_move *move)
{
    const sidle_snapshot *snapshot = crowd->tick.desc.snapshot;
    const Profile *profile = &crowd->profiles[move->profile];
    Frame *frame = &candidates->frame;
    Filter filter = filter_of(crowd, move);
    take_frame(profile, move, frame);
    Reach reach = {.swell = profile->rest + profile->skin};
    Reach wide = {.swell = reach.swell, .radius = snapshot->doubt};
    uint32_t found = candidates_instances(candidates, snapshot, frame, &wide);
    if (found > instance_capacity(candidates))
    {
        return true;
    }
    for (uint32_t i = 0; i < found; ++i)
    {
        uint32_t slot = candidates->instances[i];
        const Placed *placed = &snapshot->placed[slot];
        if (placed->moves && filter_takes(&filter, snapshot, slot) && reaches(frame, &reach, placed))
        {
            return true;
        }
    }
    return false;
}

/* The ground of an agent that crosses a gap can be out of its reach. */
static bool stands_on_motion(const sidle_crowd *crowd, const sidle_move *move)
{
    const sidle_snapshot *snapshot = crowd->tick.desc.snapshot;
    sidle_instance ground = move->body.ground;
    return (move->body.flags & SIDLE_BODY_GROUNDED) && snapshot_has(snapshot, ground) &&
           snapshot->placed[ground.index].moves;
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
    bool moves = tick->desc.snapshot->moving_count > 0 && tick->begin < tick->time;
    if (!can_wait(crowd, move) || /* mutant: left_by_lift */
        (moves && (stands_on_motion(crowd, move) || is_near_motion(crowd, candidates, move))))
    {
        return due ? TURN_PACED : TURN_COMES;
    }
    return due ? TURN_RIVAL : TURN_WAITS;
}
