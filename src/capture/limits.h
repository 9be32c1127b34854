/* Between the gaps to the neighbours of an agent and their copy in a capture. */
#ifndef CAPTURE_LIMITS_H
#define CAPTURE_LIMITS_H

#include "capture/format.h"
#include "crowd/agent.h"

/* The gaps of a capture. `list` has room for CAPTURE_NEIGHBOURS. */
AgentGaps sidle_gaps_read(const CaptureHead *head, const CaptureNeighbour *neighbours, AgentGap *list);

/* Whether a tick could have such gaps for this move; a file can hold any numbers. */
bool sidle_gaps_are_good(const sidle_crowd *crowd, const sidle_move *move, const AgentGaps *gaps);

#endif
