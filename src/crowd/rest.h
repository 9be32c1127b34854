/* Agents at rest: a move depends on its request and on the instances near it alone, so a request that has led to itself once leads
 * there again. Most of a crowd stands most of the time, and an agent that is stuck, or presses against a wall, ends each move where
 * it began, which can cost as much as a hundred free moves.
 *
 * TriangleCache.rests marks an agent whose last move is kept. The contacts of that move are still in the memory of the tick. Among agents
 * that collide the kept move repeats if neighbours leave the agent alone, or if nothing near it has changed (crowd/sleep.h). */
#ifndef CROWD_REST_H
#define CROWD_REST_H

#include "crowd/agent.h"

/* TriangleCache.rests. */
enum RestKept
{
    REST_NONE = 0,
    REST_ALONE, /* neighbours had no part in it */
    REST_AMONG  /* they had, or may have had */
};

/* The last move of an agent that ended where it began. */
typedef struct Rest
{
    sidle_move move;
    uint64_t resting; /* serial of the snapshot's resting instances; 0: empty */
    float dt;
    uint32_t reasons;
    uint32_t contact_count;
    bool with_contacts; /* whether they were asked for */
    bool among_moving;  /* whether instances were moving, none of them near */
} Rest;

/* Whether a request is that of the move before, and the instances near it are. `contacts`: of the tick; NULL: none are asked for. */
bool sidle_rest_is_same(const sidle_crowd *crowd, const sidle_move *move, const Rest *rest,
                        const sidle_contact *contacts);

/* The result of the move before. */
void sidle_rest_write(const sidle_crowd *crowd, const sidle_move *move, const Rest *rest,
                      sidle_result *result);

/* An agent of the tick. Returns true after writing the result of the move before, if this one is the same. */
bool sidle_rest_repeats(const sidle_crowd *crowd, const sidle_move *move, const AgentScratch *scratch,
                        const Rest *rest, sidle_result *result);

/* Keeps a move that has led to where it began. */
void sidle_rest_keep(const sidle_crowd *crowd, const sidle_move *move, const AgentScratch *scratch,
                     const sidle_result *result, Rest *rest);

static inline bool rest_is_zero(const sidle_vec3 *v)
{
    return v->x == 0 && v->y == 0 && v->z == 0;
}

/* Whether neighbours leave the agent alone. Without a displacement it does not move, with neighbours or without. With one, neighbours
 * may limit it. */
static inline bool rest_is_undisturbed(const sidle_move *move, const AgentScratch *scratch)
{
    const AgentGaps *gaps = scratch->gaps;
    if (!gaps || !rest_is_zero(&move->displacement))
    {
        return !gaps;
    }
    bool alone = vec3_is_zero(gaps->correction);
    bool reports = reports_contacts(move, scratch->contacts);
    for (uint32_t i = 0; alone && reports && i < gaps->count; ++i)
    {
        alone = !gaps->list[i].touches;
    }
    return alone;
}

FORCE_INLINE void rest_prefetch(const Rest *rest)
{
    for (size_t at = 0; at < sizeof *rest; at += 64)
    {
        __builtin_prefetch((const char *)rest + at);
    }
}

/* Whether a move may be at rest at all: without a displacement, or without a velocity, which an agent has that got anywhere; not
 * postponed. Statistics count the work of each move, whatever the crowd keeps. */
static inline bool rest_is_possible(const Tick *tick, const sidle_move *move, uint32_t turn)
{
    return (rest_is_zero(&move->body.velocity) || rest_is_zero(&move->displacement)) && turn == TURN_COMES &&
           move->interval == 0 && move->body.waited == 0 && !tick->desc.stats;
}

#endif
