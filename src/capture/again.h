/* For `sidle replay` and tests: repeats a captured move. */
#ifndef CAPTURE_AGAIN_H
#define CAPTURE_AGAIN_H

#include "format.h" /* in this folder: the include path of tools lacks src/ */

typedef struct CaptureAgain
{
    const CaptureHead *head;
    /* Triangle k of the instance in slot i had the number numbers[first[i] + k], which breaks ties and is reported in
     * contacts. */
    const uint32_t *first, *numbers;
} CaptureAgain;

/* Makes the one move of the tick, whose contact_capacity is at least SIDLE_MAX_AGENT_CONTACTS. The searches listed in
 * the head fail. For the same bits, the crowd's capacity must hold all candidates of the others. */
sidle_status sidle_capture_again(sidle_crowd *crowd, const sidle_tick_desc *tick,
                                 const CaptureAgain *capture);

#endif
