/* Passes the ticks of `sidle crowd` to the library through different jobs and in different orders. None of
 * it may change a bit of any state. */
#ifndef SIDLE_TOOLS_TICKER_H
#define SIDLE_TOOLS_TICKER_H

#include "sidle/crowd.h"
#include "sidle/jobs.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum JobsLevel
{
    /* The pool's own loop; without a pool, this thread alone. */
    JOBS_POOL,
    /* A loop of the program's own, which runs its items one by one in shuffled order. */
    JOBS_LOOP,
    /* sidle_crowd_tick_begin, the tasks of each phase in shuffled order, sidle_crowd_tick_end. */
    JOBS_PULL
} JobsLevel;

typedef struct TickerDesc
{
    const sidle_jobs *jobs; /* the pool's, or NULL */
    uint32_t level;         /* a JobsLevel */
    uint32_t agent_count;
    bool shuffles; /* the agents have another order in every tick */
} TickerDesc;

typedef struct Ticker
{
    TickerDesc desc;
    sidle_jobs loop;
    uint32_t turn; /* number of shuffles so far, which seeds the next */
    uint32_t *tasks, task_capacity;
    /* The order of the agents in this tick, and moves and results in that order. NULL: as the caller passes
     * them. */
    uint32_t *agents;
    sidle_move *moves;
    sidle_result *results;
} Ticker;

/* Returns false if there is not enough memory. Call ticker_close in any case. The ticker must not move in
 * memory until then. */
bool ticker_open(const TickerDesc *desc, Ticker *ticker);
void ticker_close(Ticker *ticker);

/* `seconds` is the time that the library took. */
sidle_status ticker_tick(Ticker *ticker, sidle_crowd *crowd, const sidle_tick_desc *tick, double *seconds);

#endif
