/* For `sidle replay`, the leak check of `sidle crowd` and tests: repeats a captured move. */
#ifndef CAPTURE_AGAIN_H
#define CAPTURE_AGAIN_H

#include "format.h" /* in this folder: the include path of tools lacks src/ */

typedef struct CaptureAgain
{
    const CaptureHead *head; /* its request and times are not read; max_candidates of 0: the crowd's */
    const CaptureNeighbour *neighbours; /* neighbour_count of the head */
    /* Triangle k of the instance in slot i had the number numbers[first[i] + k], which breaks ties and is reported in
     * contacts. NULL: the number that it has. */
    const uint32_t *first, *numbers;
} CaptureAgain;

/* Makes the one move of the tick, whose contact_capacity is at least SIDLE_MAX_AGENT_CONTACTS. The searches listed in
 * the head fail. For the same bits, the crowd's capacity must hold all candidates of the other moves. ARGUMENT: also if the numbers
 * of the neighbours are none that a tick has. */
sidle_status sidle_capture_again(sidle_crowd *crowd, const sidle_tick_desc *tick,
                                 const CaptureAgain *capture);

/* Writes what the other agents of a tick allow one of them: three fields of the head, and the neighbours. The tick has its
 * times, moves and flags. */
sidle_status sidle_capture_limits(sidle_crowd *crowd, const sidle_tick_desc *tick, uint32_t agent,
                                  CaptureHead *head, CaptureNeighbour neighbours[CAPTURE_NEIGHBOURS]);

#endif
