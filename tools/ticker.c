#include "ticker.h"

#include "console.h"
#include "random.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* R. Durstenfeld, "Algorithm 235: Random permutation", 1964. */
static void shuffle(uint32_t *order, uint32_t count, uint32_t seed)
{
    for (uint32_t i = 0; i < count; i++)
    {
        uint32_t other = hash_cell(seed, i, count) % (i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

/* ---- The order of tasks. ---- */

typedef struct ShuffledLoop
{
    const uint32_t *order;
    /* The work of a loop of the library. NULL: `tasks` of `phase`. */
    sidle_range_fn *work;
    void *context;
    sidle_work *tasks; /* of this phase */
    uint32_t phase;
} ShuffledLoop;

static void run_shuffled(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const ShuffledLoop *loop = context;
    for (uint32_t i = begin; i < end; i++)
    {
        uint32_t item = loop->order ? loop->order[i] : i;
        if (loop->work)
        {
            loop->work(loop->context, item, item + 1, worker);
        }
        else
        {
            sidle_work_run(loop->tasks, loop->phase, item, worker);
        }
    }
}

/* Returns NULL if memory is short. Every order is valid, so the plain one then serves. */
static const uint32_t *order_of_tasks(Ticker *ticker, uint32_t count)
{
    if (count > ticker->task_capacity)
    {
        free(ticker->tasks);
        ticker->tasks = malloc(count * sizeof *ticker->tasks);
        ticker->task_capacity = ticker->tasks ? count : 0;
    }
    if (ticker->tasks)
    {
        shuffle(ticker->tasks, count, ticker->turn++);
    }
    return ticker->tasks;
}

static void loop_for(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *work,
                     void *context)
{
    Ticker *ticker = user;
    ShuffledLoop loop = {.order = order_of_tasks(ticker, count), .work = work, .context = context};
    run_parallel(ticker->desc.jobs, name, count, grain, run_shuffled, &loop);
}

static sidle_status pull(Ticker *ticker, sidle_crowd *crowd, const sidle_tick_desc *tick)
{
    sidle_work work;
    sidle_status status = sidle_crowd_tick_begin(crowd, tick, ticker->loop.worker_count, &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    for (uint32_t phase = 0; phase < sidle_work_phase_count(&work); phase++)
    {
        uint32_t count = sidle_work_task_count(&work, phase);
        ShuffledLoop loop = {.order = order_of_tasks(ticker, count), .tasks = &work, .phase = phase};
        run_parallel(ticker->desc.jobs, sidle_work_phase_name(&work, phase), count, 1, run_shuffled, &loop);
    }
    return sidle_crowd_tick_end(crowd, &work);
}

static sidle_status run(Ticker *ticker, sidle_crowd *crowd, sidle_tick_desc *tick)
{
    if (ticker->desc.level == JOBS_PULL)
    {
        return pull(ticker, crowd, tick);
    }
    tick->jobs = ticker->desc.level == JOBS_LOOP ? &ticker->loop : ticker->desc.jobs;
    return sidle_crowd_tick(crowd, tick);
}

/* ---- The order of agents. ---- */

static void take_shuffled(Ticker *ticker, sidle_tick_desc *tick)
{
    shuffle(ticker->agents, tick->count, ticker->turn++);
    for (uint32_t i = 0; i < tick->count; i++)
    {
        ticker->moves[i] = tick->moves[ticker->agents[i]];
    }
    tick->moves = ticker->moves;
    tick->results = ticker->results;
}

sidle_status ticker_tick(Ticker *ticker, sidle_crowd *crowd, const sidle_tick_desc *tick, double *seconds)
{
    sidle_tick_desc own = *tick;
    if (ticker->desc.shuffles)
    {
        take_shuffled(ticker, &own);
    }
    double begin = clock_seconds();
    sidle_status status = run(ticker, crowd, &own);
    *seconds = clock_seconds() - begin;
    for (uint32_t i = 0; ticker->desc.shuffles && i < tick->count; i++)
    {
        tick->results[ticker->agents[i]] = ticker->results[i];
    }
    return status;
}

bool ticker_open(const TickerDesc *desc, Ticker *ticker)
{
    uint32_t worker_count = desc->jobs ? desc->jobs->worker_count : 1;
    *ticker = (Ticker){.desc = *desc, .loop = {sizeof ticker->loop, loop_for, ticker, worker_count}};
    if (!desc->shuffles)
    {
        return true;
    }
    ticker->agents = malloc(desc->agent_count * sizeof *ticker->agents);
    ticker->moves = malloc(desc->agent_count * sizeof *ticker->moves);
    ticker->results = malloc(desc->agent_count * sizeof *ticker->results);
    return ticker->agents && ticker->moves && ticker->results;
}

void ticker_close(Ticker *ticker)
{
    free(ticker->tasks);
    free(ticker->agents);
    free(ticker->moves);
    free(ticker->results);
    memset(ticker, 0, sizeof *ticker);
}
