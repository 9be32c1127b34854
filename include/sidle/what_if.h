/* What if an agent went there, or there? Many displacements of one agent, tried at once; nothing changes by
 * it. */
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

/* Tries them. The triangles around the agent are searched once for all of them, as far as that changes no
 * bit: who begins in an overlap, or has more near than max_candidates, is looked up on his own.
 *
 * The crowd gives its profiles and its scratch memory, and is not changed; it is in use during the call like
 * in a tick, so what runs beside a tick or another what-if needs a crowd of its own (of the same desc). Runs
 * on this thread. ARGUMENT, LIMIT, MEMORY, BUSY (between _begin and _end of a tick). The first call may take
 * memory for two workers, later ones do not. Cost: four fifths of a tick of as many copies for ways as short
 * as a tick's, about as much for long ones (docs/integration.md). */
SIDLE_API sidle_status sidle_crowd_what_if(sidle_crowd *crowd, const sidle_what_if_desc *desc);

#ifdef __cplusplus
}
#endif

#endif
