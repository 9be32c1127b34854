/* Finds agents that stand still although their path is open: what users of an engine report as "stuck".
 *
 * An agent counts once for every two seconds in which it stays within a tenth of a metre although its path
 * is open. The path is open if the shape, raised by most of a step, could move half a metre, clear of all
 * triangles, in a direction that the agent wished for a quarter of a second. An agent that walks against a
 * wall, a steep slope or a ledge higher than a step is blocked, not stuck. So is one that another agent hinders: the two seconds
 * begin again with each tick in which one does. */
#ifndef SIDLE_TOOLS_CROWD_WATCH_H
#define SIDLE_TOOLS_CROWD_WATCH_H

#include "check.h"

#include <stdint.h>

typedef struct WatchedAgent
{
    sidle_position anchor; /* the agent has stayed near since `since` */
    uint32_t since, motionless;
    /* Where and when that was counted first. */
    sidle_position first;
    uint32_t first_tick;
} WatchedAgent;

/* What holds for one agent in one tick. */
typedef struct WatchTick
{
    const CheckGrid *grid;
    sidle_shape shape;
    sidle_position center; /* at the tick's end */
    uint32_t seed, tick, hz, mode;
    bool is_hindered; /* by another agent */
} WatchTick;

void watch_begin(WatchedAgent *agent, sidle_position start);
void watch_tick(WatchedAgent *agent, const WatchTick *tick);

#endif
