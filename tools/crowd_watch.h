/* A look at who stands still although the way is open: what an engine's users report as "stuck".
 *
 * An agent counts once for every two seconds in which it stays within a tenth of a metre although the shape,
 * raised by most of a step, could go half a metre in one of the directions that it wished for a quarter of a
 * second, clear of all. Who walks against a wall, a steep slope or a ledge higher than a step is blocked, not
 * stuck. */
#ifndef SIDLE_TOOLS_CROWD_WATCH_H
#define SIDLE_TOOLS_CROWD_WATCH_H

#include "check.h"

#include <stdint.h>

typedef struct WatchedAgent
{
    sidle_position anchor; /* it has stayed near since `since` */
    uint32_t since, motionless;
    sidle_position first; /* where that was counted first, and when */
    uint32_t first_tick;
} WatchedAgent;

/* What holds for one agent in one tick. */
typedef struct WatchTick
{
    const CheckGrid *grid;
    sidle_shape shape;
    sidle_position center; /* at the tick's end */
    uint32_t seed, tick, hz, mode;
} WatchTick;

void watch_begin(WatchedAgent *agent, sidle_position start);
void watch_tick(WatchedAgent *agent, const WatchTick *tick);

#endif
