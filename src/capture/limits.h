/* Between the limits of a move and their copy in a capture. */
#ifndef CAPTURE_LIMITS_H
#define CAPTURE_LIMITS_H

#include "capture/format.h"
#include "crowd/agent.h"

/* The limits of a capture. `list` has room for CAPTURE_NEIGHBOURS. */
AgentLimits sidle_limits_read(const CaptureHead *head, const CaptureNeighbour *neighbours, AgentLimit *list);

/* Whether a tick could have such limits for this move; a file can hold any numbers. */
bool sidle_limits_are_good(const sidle_crowd *crowd, const sidle_move *move, const AgentLimits *limits);

#endif
