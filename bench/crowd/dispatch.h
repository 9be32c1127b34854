/* What jobs add to a tick of a few agents. */
#ifndef SIDLE_BENCH_CROWD_DISPATCH_H
#define SIDLE_BENCH_CROWD_DISPATCH_H

#include <stdint.h>

typedef struct DispatchFigures /* medians of ticks, wall clock [microseconds] */
{
    double alone; /* without jobs */
    double added; /* by the built-in pool */
} DispatchFigures;

/* Agents in an empty world, so that a tick is little but its dispatch. Ticks without and with the pool alternate, back to back. Ends
 * the program, after a message, on failure. */
DispatchFigures dispatch_measure(uint32_t workers, uint32_t tick_flags, uint32_t samples);

#endif
