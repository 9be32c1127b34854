/* Tries many displacements of one agent and changes nothing. */
#ifndef SIDLE_WHAT_IF_H
#define SIDLE_WHAT_IF_H

#include "sidle/base.h"
#include "sidle/crowd.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct sidle_what_if /* the result of one displacement */
{
    sidle_body body; /* the same bits as a tick with that displacement gives */
    /* Length of the straight path before the first contact that bends or ends it [units]; the displacement's length if
     * there is none, 0 if the agent is invalid. On the ground the path lies in the ground's plane, in the air it is the
     * flight. Slide mode does not count the fall. */
    float clear_distance;
    uint32_t reasons; /* SIDLE_REASON_..., as of a tick without contacts */
} sidle_what_if;

typedef struct sidle_what_if_desc
{
    size_t size;
    sidle_snapshot *snapshot;
    float dt, motion_begin, motion_end; /* as in sidle_tick_desc */
    const sidle_move *move;             /* the agent; its displacement is ignored */
    const sidle_vec3 *displacements;    /* count */
    size_t displacement_stride;         /* bytes; 0: tightly packed */
    uint32_t count;                     /* [Limit] SIDLE_MAX_AGENTS */
    sidle_what_if *results;             /* count; must not overlap inputs */
    size_t result_stride;               /* bytes; 0: tightly packed */
} sidle_what_if_desc;

/* Makes one move per displacement, each from the same request. Short moves share one search of the trees.
 *
 * The crowd is in use during the call, as in a tick: a what-if beside a tick needs a crowd of its own from the same desc.
 * Runs on this thread. ARGUMENT, LIMIT, MEMORY, BUSY (between _begin and _end of a tick). The first call may allocate
 * scratch memory for one worker, later calls allocate nothing.
 *
 * Cost: per displacement about .85 of a move in a tick, or 1 if displacements are metres long. */
SIDLE_API sidle_status sidle_crowd_what_if(sidle_crowd *crowd, const sidle_what_if_desc *desc);

#ifdef __cplusplus
}
#endif

#endif
