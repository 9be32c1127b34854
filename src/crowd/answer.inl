/* The answer to a request: moved, deferred or refused. */
#include "crowd/carry.h"

static OUT_OF_LINE void defer(const sidle_crowd *crowd, const sidle_move *move, sidle_result *result)
{
    *result = (sidle_result){.body = move->body, .reasons = SIDLE_REASON_DEFERRED};
    sidle_body *body = &result->body;
    sidle_move whole;
    body->postponed = move_with_waited(crowd, move, &whole)->displacement;
    body->waited += crowd->tick.desc.dt;
    body->flags &= (uint16_t)~SIDLE_BODY_INVALID;
}

static OUT_OF_LINE void move_alone(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                                   AgentScratch *scratch, sidle_result *result)
{
    move_with(crowd, candidates, move, scratch, NULL, result);
}

/* Of a request that is good. */
FORCE_INLINE void tick_good(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                            AgentScratch *scratch, sidle_result *result)
{
    if (candidates->stats)
    {
        ++candidates->stats->moves;
    }
    if (scratch->gaps)
    {
        move_among_agents(crowd, candidates, move, scratch, result);
    }
    else
    {
        move_alone(crowd, candidates, move, scratch, result);
    }
}

/* Of an agent that is deferred, was deferred, or has an interval. */
static OUT_OF_LINE void tick_in_turn(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                                     AgentScratch *scratch, sidle_result *result)
{
    if (!is_good(crowd, move))
    {
        refuse(move, result);
        return;
    }
    if (scratch->turn == TURN_WAITS)
    {
        defer(crowd, move, result);
        return;
    }
    sidle_move whole;
    tick_good(crowd, candidates, move_with_waited(crowd, move, &whole), scratch, result);
    if (scratch->turn == TURN_PACED && move->interval > 0 && !(result->reasons & SIDLE_REASON_INVALID))
    {
        result->body.flags |= SIDLE_BODY_PACED;
    }
}

static void agent_tick(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                       AgentScratch *scratch, sidle_result *result)
{
    if ((scratch->turn != TURN_COMES) | !is_plain(move))
    {
        tick_in_turn(crowd, candidates, move, scratch, result);
    }
    else if (!is_good_with(crowd, move, &crowd->tick.scales))
    {
        refuse(move, result);
    }
    else
    {
        tick_good(crowd, candidates, move, scratch, result);
    }
}
