/* `sidle crowd --capture`: the move of one agent in one tick, as a file. */
#ifndef SIDLE_TOOLS_CROWD_CAPTURE_H
#define SIDLE_TOOLS_CROWD_CAPTURE_H

#include "crowd_run.h"

/* Is there such an agent and such a tick? */
bool crowd_capture_is_possible(const CrowdDesc *desc, char *message, int message_size);

/* Before the tick, when the wishes are known. */
bool crowd_capture(CrowdRun *run, const sidle_tick_desc *tick, char *message, int message_size);

#endif
