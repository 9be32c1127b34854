/* Steers agents around one another before a tick with SIDLE_TICK_AGENTS_COLLIDE: preferred displacements in,
 * displacements out. Agents step aside to the right, by the time to collision: I. Karamouzas, B. Skinner, S. J. Guy,
 * "Universal Power Law Governing Pedestrian Interactions", 2014. */
#ifndef SIDLE_STEER_H
#define SIDLE_STEER_H

#include "sidle/base.h"
#include "sidle/crowd.h"
#include "sidle/jobs.h"

typedef struct sidle_steer_desc
{
    size_t size;
    sidle_snapshot *snapshot; /* of the tick: no agent steps aside into a wall or over a ledge near it */
    const sidle_jobs *jobs;   /* ignored by _begin */
    float dt;                 /* of the tick [seconds] more than 0; [Limit] 1 */
    /* Distance within which agents notice others in front of them [units]; 0: 40 of their radii, 16 m for .4 m. Cost grows
     * with its square. Below 30 radii dense streams may block. [Limit] 1e4 */
    float reach;
    /* Highest steered speed, a multiple of the preferred speed; 0: 1.3. [Limit] 1 to 10 */
    float max_speed;
    /* As in sidle_tick_desc. sidle_move.displacement is the preferred velocity times dt. Its part along up is kept. */
    const sidle_move *moves;
    size_t move_stride;
    uint32_t count; /* [Limit] SIDLE_MAX_AGENTS */
    /* Written. Either the moves' own field, &moves->displacement with the stride of moves, or an array that does not
     * overlap moves. */
    sidle_vec3 *displacements;
    size_t displacement_stride;
    /* A call steers one agent in `period`, by id and `turn`; 0: all. Other agents keep the displacement in the array. So a period
     * above 1 needs an array apart from the moves. With 6 at 60 Hz crowds move as with 1. Keep each agent's entry beside it, set that of a new agent, and
     * scale all if dt changes. */
    uint32_t period;
    uint32_t turn;      /* counts calls */
    sidle_error *error; /* or NULL: why the call is refused */
} sidle_steer_desc;

/* Writes a displacement for each agent. These keep theirs, to the bit: agents that prefer to stand, agents of infinite mass,
 * agents with SIDLE_MOVE_NO_AGENTS, and invalid ones. Agents avoid those that they collide with, by layers and groups, if
 * both are at the same height. A result depends on the set of requests alone: not on their order, threads or lanes.
 *
 * Threads: as a tick of the crowd. A call no larger than an earlier one, with no more workers, allocates nothing.
 * LIMIT, MEMORY, BUSY, INCOMPLETE. */
SIDLE_API sidle_status sidle_steer(sidle_crowd *crowd, const sidle_steer_desc *desc);

SIDLE_API sidle_status sidle_steer_begin(sidle_crowd *crowd, const sidle_steer_desc *desc,
                                         uint32_t worker_count, sidle_work *work);
SIDLE_API sidle_status sidle_steer_end(sidle_crowd *crowd, sidle_work *work);

#endif
