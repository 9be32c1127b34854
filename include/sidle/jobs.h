/* Parallel work at three levels.
 *
 *   L0  NULL jobs: the calling thread does everything. Or the jobs of the built-in pool.
 *   L1  a sidle_jobs around your scheduler's parallel loop.
 *   L2  an operation's _begin, its tasks in your own job graph, its _end. What _begin was given must stay valid and
 *       unchanged until _end, which each successful _begin needs.
 *
 * An operation is a sidle_work: phases in order. The tasks of a phase run in any order on any thread, each exactly once.
 * No schedule changes a result. */
#ifndef SIDLE_JOBS_H
#define SIDLE_JOBS_H

#include "sidle/base.h"

/* [Limit] workers of one operation. */
#define SIDLE_MAX_WORKERS 256

/* Runs items [begin, end). `worker` < worker_count; no two ranges use one at once. */
typedef void sidle_range_fn(void *context, uint32_t begin, uint32_t end, uint32_t worker);

/* parallel_for returns when fn has run over [0, count) in ranges of any size; `grain`: the smallest one worth a job. If an
 * item does not run exactly once, the operation returns INCOMPLETE. */
typedef struct sidle_jobs
{
    size_t size;
    void (*parallel_for)(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                         void *context);
    void *user;
    uint32_t worker_count; /* 1..SIDLE_MAX_WORKERS */
} sidle_jobs;

#define SIDLE_MAX_PHASES 24

/* L2. Private fields, not to be copied: they count the tasks that have run. */
typedef struct sidle_work
{
    void (*run)(void *state, uint32_t phase, uint32_t task, uint32_t worker);
    void *state;
    const char *const *phase_names;
    uint32_t phase_count, worker_count;
    uint32_t task_count[SIDLE_MAX_PHASES];
    uint64_t left;
} sidle_work;

SIDLE_API uint32_t sidle_work_phase_count(const sidle_work *work); /* 0 after _end */

/* Fixed by _begin; 0 for an unknown phase. */
SIDLE_API uint32_t sidle_work_task_count(const sidle_work *work, uint32_t phase);
SIDLE_API const char *sidle_work_phase_name(const sidle_work *work, uint32_t phase);

/* Runs one task on this thread. All tasks of earlier phases must have ended, with their writes visible here. `worker` <
 * the worker_count of _begin. Tasks do not wait, lock or start threads; those of a bake call its allocator. */
SIDLE_API void sidle_work_run(sidle_work *work, uint32_t phase, uint32_t task, uint32_t worker);

/* Runs all phases through `jobs`; on this thread if that is NULL or has more workers than _begin was given. Stops after
 * an incomplete phase. */
SIDLE_API void sidle_work_execute(sidle_work *work, const sidle_jobs *jobs);

typedef struct sidle_pool sidle_pool;

typedef struct sidle_pool_desc
{
    size_t size;
    /* Threads, the caller's included. 0: processors of the affinity mask, at most the quota of the cgroup (v2). */
    uint32_t worker_count;
} sidle_pool_desc;

/* A pool of threads. desc may be NULL. Each worker begins with the same part of every loop, then helps the others. Idle
 * workers spin for some microseconds, then sleep. LIMIT, MEMORY (also: no
 * thread), UNSUPPORTED (built with SIDLE_POOL=OFF). */
SIDLE_API sidle_status sidle_pool_create(const sidle_pool_desc *desc, const sidle_allocator *allocator,
                                         sidle_pool **out);
SIDLE_API void sidle_pool_destroy(sidle_pool *pool); /* while no loop runs */

/* For one thread at a time. */
SIDLE_API const sidle_jobs *sidle_pool_jobs(sidle_pool *pool);

#endif
