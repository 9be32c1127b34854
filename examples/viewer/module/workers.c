/* How long the workers run in a tick: a sidle_jobs around that of the pool. */
#include "viewer.h"

#include "tools/console.h"

typedef struct TimedLoop
{
    sidle_range_fn *work;
    void *context;
} TimedLoop;

/* A cache line for each, since workers write at the same time. */
typedef struct WorkerTime
{
    _Alignas(64) double seconds;
} WorkerTime;

static sidle_jobs timed;
static const sidle_jobs *pool;
static WorkerTime times[SIDLE_MAX_WORKERS];

static void run_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const TimedLoop *loop = context;
    double start = clock_seconds();
    loop->work(loop->context, begin, end, worker);
    times[worker].seconds += clock_seconds() - start;
}

static void run_loop(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *work,
                     void *context)
{
    (void)user;
    TimedLoop loop = {work, context};
    if (viewer.counts)
    {
        pool->parallel_for(pool->user, name, count, grain, run_range, &loop);
    }
    else
    {
        pool->parallel_for(pool->user, name, count, grain, work, context);
    }
}

/* Returns the jobs to use instead; NULL for NULL. */
const sidle_jobs *workers_timed(const sidle_jobs *jobs)
{
    pool = jobs;
    timed = (sidle_jobs){sizeof timed, run_loop, NULL, jobs ? jobs->worker_count : 1};
    return jobs ? &timed : NULL;
}

void workers_reset(void)
{
    for (uint32_t i = 0; i < timed.worker_count; i++)
    {
        times[i].seconds = 0;
    }
}

double workers_share(double seconds)
{
    double sum = 0;
    for (uint32_t i = 0; i < timed.worker_count; i++)
    {
        sum += times[i].seconds;
    }
    return seconds > 0 ? sum / (seconds * timed.worker_count) : 0;
}
