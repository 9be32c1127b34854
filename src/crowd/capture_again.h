/* For `sidle replay` and tests: a captured move, made again. */
#ifndef CROWD_CAPTURE_AGAIN_H
#define CROWD_CAPTURE_AGAIN_H

#include "capture_format.h" /* beside this: the tools do not see src/ */

/* Makes the one move of the tick, which must have room for its contacts; gathers fail as the head says and,
 * where the crowd has room for everything, only so. */
sidle_status capture_again(sidle_crowd *crowd, const sidle_tick_desc *tick, const CaptureHead *head);

#endif
