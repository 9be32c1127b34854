/* For `sidle replay` and tests: a captured move, made again. */
#ifndef CAPTURE_AGAIN_H
#define CAPTURE_AGAIN_H

#include "format.h" /* beside this: the tools do not see src/ */

typedef struct CaptureAgain
{
    const CaptureHead *head;
    /* Triangle k of the instance in slot i had the number numbers[first[i] + k]: ties go by it, and contacts
     * tell it. */
    const uint32_t *first, *numbers;
} CaptureAgain;

/* Makes the one move of the tick, which must have room for its contacts; searches fail as the head says and,
 * where the crowd has room for everything, only so. */
sidle_status capture_again(sidle_crowd *crowd, const sidle_tick_desc *tick, const CaptureAgain *capture);

#endif
