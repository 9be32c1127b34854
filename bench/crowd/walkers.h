/* A crowd on a patch whose ticks are timed. */
#ifndef SIDLE_BENCH_CROWD_WALKERS_H
#define SIDLE_BENCH_CROWD_WALKERS_H

#include "patch.h"

#define WALKERS_HZ 60

/* Agents wander at 1.4 to 3 m/s and choose another heading once a second. An agent that leaves the square of
 * the patch turns round, so the density stays. */
typedef struct Walkers
{
    sidle_snapshot *snapshot; /* borrowed from the patch, which may be filled anew meanwhile */
    const sidle_jobs *jobs;
    double x, z, half; /* of the square */
    sidle_crowd *crowd;
    sidle_move *moves;
    sidle_result *results;
    sidle_body *settled; /* after the agents have landed: where a run begins */
    uint32_t count, tick_flags, tick;
    uint64_t bytes; /* allocated by the crowd */
    bool stands;    /* no agent wishes to move */

    /* Of all ticks since the run began. */
    double path;                          /* [m] of all agents */
    uint64_t moved, by_agents, by_levels; /* moves; those that agents or the level shortened */
} Walkers;

/* Creates the agents of the patch and lets them walk for a second, or 12 ticks if they are very many. `tick_flags` as in sidle_tick_desc. Returns
 * false, after a message, on failure. */
bool walkers_create(Walkers *walkers, const Patch *patch, uint32_t tick_flags, const sidle_jobs *jobs);
void walkers_destroy(Walkers *walkers);

/* From now on the agents stand. Ticks until they are at rest, where later runs begin. */
void walkers_stand(Walkers *walkers);

/* Returns to the settled agents. Later ticks repeat those of the run before. */
void walkers_begin_run(Walkers *walkers);

typedef double WalkersClock(void);
double walkers_cpu_seconds(void);     /* of this thread */
double walkers_process_seconds(void); /* of the processors, for all threads of the process */
double walkers_wall_seconds(void);    /* since some moment */

/* Runs one tick and returns its seconds. */
double walkers_tick(Walkers *walkers, WalkersClock *clock);

#endif
