/* How the ticks of `sidle crowd` reach the library: through which jobs, and in which order. None of it may
 * change a bit of any state, which is what the ways beyond the plain one are for. */
#ifndef SIDLE_TOOLS_TICKER_H
#define SIDLE_TOOLS_TICKER_H

#include "sidle/crowd.h"
#include "sidle/jobs.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum JobsLevel
{
    JOBS_POOL, /* the pool's own loop; without a pool this thread alone */
    JOBS_LOOP, /* a loop of ours, which runs its items one by one in shuffled order */
    JOBS_PULL  /* begin, the tasks of each phase in shuffled order, end */
} JobsLevel;

typedef struct TickerDesc
{
    const sidle_jobs *jobs; /* the pool's, or NULL */
    uint32_t level;         /* a JobsLevel */
    uint32_t agent_count;
    bool shuffles; /* the agents stand in another order in every tick */
} TickerDesc;

typedef struct Ticker
{
    TickerDesc desc;
    sidle_jobs loop;
    uint32_t turn; /* shuffles so far: each is another */
    uint32_t *tasks, task_capacity;
    uint32_t *agents; /* their order in this tick, and moves and results in that order; NULL: as given */
    sidle_move *moves;
    sidle_result *results;
} Ticker;

/* False if there is not enough memory; ticker_close is to be called in any case. The ticker stays where it is
 * from here on. */
bool ticker_open(const TickerDesc *desc, Ticker *ticker);
void ticker_close(Ticker *ticker);

/* `seconds` is what the library took. */
sidle_status ticker_tick(Ticker *ticker, sidle_crowd *crowd, const sidle_tick_desc *tick, double *seconds);

#endif
