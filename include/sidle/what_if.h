/* What if an agent moved there, or there? Tries many displacements of one agent and changes nothing. */
#ifndef SIDLE_WHAT_IF_H
#define SIDLE_WHAT_IF_H

#include "sidle/base.h"
#include "sidle/crowd.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct sidle_what_if /* what would come of one displacement */
{
    sidle_body body; /* in the end: the same bits as a tick with that displacement gives */
    float
        clear_distance; /* how far it goes straight before it meets the first thing (ground that it can walk on
                             included, if that bends its way), of the displacement's length: all of it if nothing is
                             there; 0 if the agent is invalid. Walking on the ground, "straight" lies in the ground's
                             plane; in the air it is the way of the flight; in slide mode the fall does not count */
    uint32_t reasons;   /* SIDLE_REASON_...: as of a tick that wants no contacts */
} sidle_what_if;

typedef struct sidle_what_if_desc
{
    size_t size;
    sidle_snapshot *snapshot;
    float dt, motion_begin, motion_end; /* as in sidle_tick_desc */
    const sidle_move *move;             /* the agent; its own displacement is not looked at */
    const sidle_vec3 *displacements;    /* count */
    size_t displacement_stride;         /* bytes; 0: tightly packed */
    uint32_t count;                     /* [Limit] SIDLE_MAX_AGENTS */
    sidle_what_if *results;             /* count; may not overlap what is read */
    size_t result_stride;               /* bytes; 0: tightly packed */
} sidle_what_if_desc;

/* Makes one move after the other, each from the same request with another displacement. The moves share one cache of
 * the triangles around the agent, so short ones need one search of the trees.
 *
 * The call uses the crowd's profiles and scratch memory and does not change its state. The crowd is in use during
 * the call, as in a tick: a what-if beside a tick or another what-if needs a crowd of its own, made from the same
 * desc. Runs on this thread. Returns ARGUMENT, LIMIT, MEMORY, or BUSY (between _begin and _end of a tick). The first
 * call may allocate scratch memory for one worker, later calls allocate nothing.
 *
 * Cost: about .85 of a tick of as many copies of the agent for displacements of a tick's length, and as much as that
 * tick for displacements of metres (docs/integration.md). */
SIDLE_API sidle_status sidle_crowd_what_if(sidle_crowd *crowd, const sidle_what_if_desc *desc);

#ifdef __cplusplus
}
#endif

#endif
