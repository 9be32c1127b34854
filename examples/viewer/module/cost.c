/* What the move of each agent costs: its sweeps if it moved alone, counted by a tick of it. Only while agents are coloured by that. */
#include "viewer.h"

#include <stdlib.h>

static uint8_t *sweeps;
static uint32_t capacity, counted_tick = NEVER;
static const sidle_crowd *counted_crowd;

static uint8_t sweeps_of(CrowdRun *run, uint32_t agent)
{
    sidle_stats stats = {.size = sizeof stats};
    sidle_result result;
    sidle_tick_desc tick = crowd_run_tick_desc(run);
    tick.moves = &run->moves[agent];
    tick.results = &result;
    tick.count = 1;
    tick.stats = &stats;
    tick.flags = 0;
    tick.max_moves = 0;
    return sidle_crowd_tick(run->crowd, &tick) == SIDLE_OK && stats.sweeps < MOST_SWEEPS
               ? (uint8_t)stats.sweeps
               : MOST_SWEEPS;
}

/* Of the state after `tick` ticks, if that is the present one. */
const uint8_t *cost_of_agents(uint32_t tick)
{
    viewer_lock();
    CrowdRun *run = &viewer.run;
    if (viewer.state == VIEWER_READY && run->count > capacity)
    {
        free(sweeps);
        sweeps = calloc(run->count, 1);
        capacity = sweeps ? run->count : 0;
        counted_tick = NEVER;
    }
    if (viewer.state == VIEWER_READY && sweeps && run->tick == tick &&
        (counted_tick != tick || counted_crowd != run->crowd))
    {
        for (uint32_t i = 0; i < run->count; i++)
        {
            sweeps[i] = sweeps_of(run, i);
        }
        counted_tick = tick;
        counted_crowd = run->crowd;
    }
    viewer_unlock();
    return sweeps;
}
