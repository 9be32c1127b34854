/* The phases of agents that collide, as tasks of a tick. */
#ifndef CROWD_PEER_PHASES_H
#define CROWD_PEER_PHASES_H

#include "crowd/peers.h"

enum PeerPhase
{
    PEER_DESCRIBE,
    PEER_WAKE, /* describes agents at rest near those that changed: sleep.h */
    PEER_SCAN,
    PEER_FILL,
    PEER_FIND,
    PEER_MIRROR,
    PEER_ROUND, /* the first of PEER_ROUNDS */
    PEER_SETTLE = PEER_ROUND + PEER_ROUNDS,
    PEER_DIVIDE,
    PEER_PHASES
};

#define PEER_PHASE_NAMES                                                                                     \
    "sidle tick: describe", "sidle tick: wake", "sidle tick: scan", "sidle tick: fill",                      \
        "sidle tick: find pairs", "sidle tick: mirror pairs", "sidle tick: round 1", "sidle tick: round 2",  \
        "sidle tick: round 3", "sidle tick: round 4", "sidle tick: round 5", "sidle tick: round 6",          \
        "sidle tick: round 7", "sidle tick: round 8", "sidle tick: settle", "sidle tick: divide gaps"

_Static_assert(PEER_ROUNDS == 8, "a name each");

/* Sets the number of tasks of each phase. */
void sidle_peer_phase_tasks(uint32_t agents, uint32_t *task_count);

void sidle_peer_phase_run(sidle_crowd *crowd, uint32_t phase, uint32_t task, uint32_t worker);

/* Inside sidle_crowd_run_alone: runs all phases on this thread. `desc` has its times, and checked moves. Returns false if there
 * is not enough memory. */
bool sidle_peer_phases_run(sidle_crowd *crowd, const sidle_tick_desc *desc);

#endif
