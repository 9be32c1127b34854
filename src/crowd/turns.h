/* Agents take turns where not all of them move in each tick. Two rules defer an agent:
 *  - sidle_move.interval: until the interval has passed. The request alone decides.
 *  - sidle_tick_desc.max_moves: if more agents than that are due, those that are least late. Two phases before all others decide:
 *
 *        rank agents (parallel) ─► choose max_moves of them (one task)
 *
 * An agent next to a moving instance is never deferred, since the instance may carry or push it. */
#ifndef CROWD_TURNS_H
#define CROWD_TURNS_H

#include "crowd/agent.h"
#include "crowd/contacts.h"

enum TurnPhase
{
    TURN_RANK,
    TURN_CHOOSE,
    TURN_PHASES
};

#define TURN_PHASE_NAMES "sidle tick: rank", "sidle tick: choose"

/* Whether a tick chooses between its agents. */
bool sidle_turns_has_budget(const sidle_tick_desc *desc);
/* Whether a tick keeps the turns of its agents. If not, a move asks its request alone. */
bool sidle_turns_are_kept(const sidle_tick_desc *desc);
bool sidle_turns_reserve(sidle_crowd *crowd, const sidle_tick_desc *desc);

void sidle_turn_phase_tasks(uint32_t agents, uint32_t *task_count);
void sidle_turn_phase_run(sidle_crowd *crowd, uint32_t phase, uint32_t task, uint32_t worker);
/* Inside sidle_crowd_run_alone: sets the crowd's tick and runs its phases, if it has any, on this thread. Returns false if there
 * is not enough memory. */
bool sidle_turn_phases_run(sidle_crowd *crowd, const sidle_tick_desc *desc);

static inline uint64_t id_hash(uint64_t id)
{
    uint64_t h = id_mix(id);
    return h ^ h >> 32;
}

/* From 0 up to 1. */
static inline double id_share(uint64_t id)
{
    return (double)(uint32_t)(id_hash(id) >> 32) * 0x1p-32;
}

/* The turn of an agent, without a budget from its request. */
static inline uint32_t turn_by_request(const sidle_crowd *crowd, const sidle_move *move,
                                       Candidates *candidates)
{
    return move->interval > 0 ? crowd->kernels->turn(crowd, candidates, move) : (uint32_t)TURN_COMES;
}

static inline uint32_t turn_at(const sidle_crowd *crowd, uint32_t agent, const sidle_move *move,
                               Candidates *candidates)
{
    const uint8_t *turns = crowd->tick.turns;
    return turns ? turns[agent] : turn_by_request(crowd, move, candidates);
}

#endif
