/* `sidle crowd --capture`: the move of one agent in one tick, as a file. */
#ifndef SIDLE_TOOLS_CROWD_CAPTURE_H
#define SIDLE_TOOLS_CROWD_CAPTURE_H

#include "crowd_run.h"

/* Returns false, with a message, if there is no such agent or tick. */
bool crowd_capture_is_possible(const CrowdDesc *desc, char *message, int message_size);

/* Call before the tick, when the displacements are known. */
bool crowd_capture(CrowdRun *run, const sidle_tick_desc *tick, char *message, int message_size);

#endif
