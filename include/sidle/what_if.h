/* Tries many displacements of one agent and changes nothing. Other agents do not count. */
#ifndef SIDLE_WHAT_IF_H
#define SIDLE_WHAT_IF_H

#include "sidle/base.h"
#include "sidle/crowd.h"

/* The result of one displacement. */
typedef struct sidle_what_if
{
    sidle_body body; /* the bits of a tick; without SIDLE_BODY_PACED */
    /* Length of the path up to the first contact that bends or ends it [units]; at most the displacement's with what is
     * postponed. On the ground it is measured along the ground. Slide mode does not count the fall. 0 if invalid. */
    float clear_distance;
    uint32_t reasons; /* SIDLE_REASON_... */
} sidle_what_if;

typedef struct sidle_what_if_desc
{
    size_t size;
    sidle_snapshot *snapshot;
    float dt, motion_begin, motion_end; /* as in sidle_tick_desc */
    const sidle_move *move;             /* its displacement is ignored */
    const sidle_vec3 *displacements;
    size_t displacement_stride;
    uint32_t count;         /* [Limit] SIDLE_MAX_AGENTS */
    sidle_what_if *results; /* must not overlap displacements */
    size_t result_stride;
} sidle_what_if_desc;

/* Makes one move per displacement, each from the same request, on this thread. Uses the crowd: beside a tick it needs one
 * of its own. Only the first call may allocate. LIMIT, MEMORY, BUSY.
 *
 * Cost: .85 of a tick's move per displacement, 1 if they are metres long. */
SIDLE_API sidle_status sidle_crowd_what_if(sidle_crowd *crowd, const sidle_what_if_desc *desc);

#endif
