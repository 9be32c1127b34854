/* One agent, one tick. */
#ifndef CROWD_AGENT_H
#define CROWD_AGENT_H

#include "crowd/crowd.h"

/* Reads `move`, writes `result` and, if `met` is not NULL, up to SIDLE_MAX_AGENT_CONTACTS contacts. */
void agent_tick(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                sidle_result *result, sidle_contact *met);

#endif
