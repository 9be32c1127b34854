/* Two workers of one tick against two processes of one thread each. */
#ifndef SIDLE_BENCH_CROWD_WORKERS_H
#define SIDLE_BENCH_CROWD_WORKERS_H

#include "measure.h"

#define WORKERS 2

/* Moves a second by the wall clock, the least time of each tick over all runs. */
typedef struct WorkersFigures
{
    double pool;      /* one crowd, two workers */
    double processes; /* both processes together, while both run */
    double alone;     /* one crowd, one thread, nothing beside it */
    /* Processor time of a tick of the pool in terms of that of one thread. What is above 1 are workers that wait
     * for one another, and caches. It hardly depends on what else the machine does. */
    double pool_processor;
} WorkersFigures;

/* Runs alternate: the processes, the pool, one thread. `desc.clock` is not used. Returns false, after a message, on failure. */
bool workers_measure(const Patch *patch, uint32_t tick_flags, MeasureDesc desc, WorkersFigures *out);

#endif
