/* Sleep: where agents collide, agents at rest repeat their last moves as long as nothing near them changes.
 *
 * The result of an agent depends on its neighbours, on their neighbours, and so on: once for the division of gaps, once a round, and
 * once for the choice of pairs. Two agents are neighbours only if their boxes overlap. So a request that changes has no effect
 * beyond SLEEP_HOPS boxes. The plane across up is cut into square cells of that width, and each agent whose request is not that
 * of the last tick, or that did not rest, marks the cells around it:
 *
 *     one cell around    awake: moves as ever
 *     two cells around   support: its neighbours are awake, so it takes part in the rounds, but its move is repeated
 *     farther away       asleep: it is compared with its last request, and that is all
 *
 * The cells are as wide as the widest box of the last tick asks for. If a box of this tick is wider, all agents are awake.
 *
 * Sleep changes the time of a tick and no result. If more cells are marked than there is room for, all agents are awake. */
#ifndef CROWD_SLEEP_H
#define CROWD_SLEEP_H

#include "crowd/crowd.h"

/* Agents below which a tick does not look for sleepers: it would clear 16 KiB of marks for them. */
#define SLEEP_LEAST 256

enum SleepState
{
    SLEEP_AWAKE = 0,
    SLEEP_SAME, /* as in the last tick; only between the two phases that describe agents */
    SLEEP_SUPPORT,
    SLEEP_ASLEEP
};

bool sidle_sleep_reserve(sidle_crowd *crowd, const sidle_tick_desc *desc);

/* After crowd->tick is set. */
void sidle_sleep_begin(sidle_crowd *crowd);
/* After the last phase. `is_complete`: every task has run. */
void sidle_sleep_end(sidle_crowd *crowd, bool is_complete);

/* Compares an agent with the last tick, and marks the cells around it if it differs. Returns true if it may sleep. */
bool sidle_sleep_look(sidle_crowd *crowd, uint32_t agent);

/* After an agent has entered the grid. */
void sidle_sleep_note(sidle_crowd *crowd, uint32_t agent);

/* After all have looked: whether an agent may reach farther than the cells allow for. */
bool sidle_sleep_wakes_all(const sidle_crowd *crowd);

/* Sets the SleepState of an agent that is as in the last tick. Returns false if it is asleep. */
bool sidle_sleep_wake(sidle_crowd *crowd, uint32_t agent, bool wakes_all);

/* The SleepState of each agent, or NULL if none sleeps in this tick. From SLEEP_SUPPORT on an agent repeats its last move. */
static inline const uint8_t *sleep_states(const sidle_crowd *crowd)
{
    return crowd->sleep.cell > 0 ? crowd->sleep.states : NULL;
}

#endif
