/* Agents at rest: a move depends on its request and on the resting instances alone, so a request that has led to itself once
 * leads there again. Most of a crowd stands most of the time. */
#ifndef CROWD_REST_H
#define CROWD_REST_H

#include "crowd/agent.h"

/* The last move of an agent that stood still. */
typedef struct Rest
{
    sidle_move move;
    sidle_contact contact; /* the only one, if contact_count */
    uint64_t resting;      /* serial of the snapshot's resting instances; 0: empty */
    float dt;
    uint32_t reasons;
    uint32_t contact_count;
    bool with_contacts; /* whether they were asked for */
} Rest;

/* An agent of the tick. Returns true after writing the result of the move before, if this one is the same. */
bool sidle_rest_repeats(const Tick *tick, const sidle_move *move, const AgentScratch *scratch,
                        const Rest *rest, sidle_result *result);

/* Keeps a move that has led to where it began, unless a neighbour held it there. */
void sidle_rest_keep(const Tick *tick, const sidle_move *move, const AgentScratch *scratch,
                     const sidle_result *result, Rest *rest);

/* Whether neighbours leave the agent alone: an agent at rest does not move, with neighbours or without. */
static inline bool rest_is_undisturbed(const sidle_move *move, const AgentScratch *scratch)
{
    const AgentGaps *gaps = scratch->gaps;
    bool alone = !gaps || vec3_is_zero(gaps->correction);
    bool reports = reports_contacts(move, scratch->contacts);
    for (uint32_t i = 0; gaps && alone && reports && i < gaps->count; ++i)
    {
        alone = !gaps->list[i].touches;
    }
    return alone;
}

/* Whether a move asks for no motion: it may be at rest. */
static inline bool rest_is_asked(const sidle_move *move)
{
    const sidle_vec3 *d = &move->displacement;
    return d->x == 0 && d->y == 0 && d->z == 0;
}

FORCE_INLINE void rest_prefetch(const Rest *rest)
{
    for (size_t at = 0; at < sizeof *rest; at += 64)
    {
        __builtin_prefetch((const char *)rest + at);
    }
}

/* Whether a move may be at rest at all: without a displacement, now or postponed, undisturbed, nothing moving in the world.
 * Statistics count the work of each move, whatever the crowd keeps. */
static inline bool rest_is_possible(const Tick *tick, const sidle_move *move, const AgentScratch *scratch)
{
    return rest_is_asked(move) && scratch->turn == TURN_COMES && move->interval == 0 &&
           move->body.waited == 0 && !tick->desc.stats && tick->desc.snapshot->moving_count == 0 &&
           rest_is_undisturbed(move, scratch);
}

#endif
