/* Parallel work at three levels.
 *
 *   L0  NULL jobs: the calling thread does everything. Or the jobs of the built-in pool.
 *   L1  a sidle_jobs around your scheduler's parallel loop.
 *   L2  an operation's _begin, its tasks in your own job graph, its _end.
 *
 * An operation is a sidle_work: phases in order. The tasks of a phase run in any order on any thread, each exactly once.
 * They are cut by the data alone and write disjoint ranges, so no schedule changes a result. */
#ifndef SIDLE_JOBS_H
#define SIDLE_JOBS_H

#include "sidle/base.h"

/* [Limit] workers of one operation. */
#define SIDLE_MAX_WORKERS 256

/* Runs items [begin, end). `worker` < worker_count; no two ranges run on one worker at once. */
typedef void sidle_range_fn(void *context, uint32_t begin, uint32_t end, uint32_t worker);

/* Your scheduler, called on the calling thread. parallel_for returns when fn has run over [0, count) in ranges of any
 * size; `grain`: the smallest one worth a job. If an item does not run exactly once, the operation returns INCOMPLETE. */
typedef struct sidle_jobs
{
    size_t size;
    void (*parallel_for)(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                         void *context);
    void *user;
    uint32_t worker_count; /* 1..SIDLE_MAX_WORKERS */
} sidle_jobs;

/* ---- L2: an operation as phases of tasks ---- */
#define SIDLE_MAX_PHASES 20

/* Private fields in the caller's memory. Not to be copied: it counts the tasks that have run. */
typedef struct sidle_work
{
    void (*run)(void *state, uint32_t phase, uint32_t task, uint32_t worker);
    void *state;
    const char *const *phase_names;
    uint32_t phase_count, worker_count;
    uint32_t task_count[SIDLE_MAX_PHASES];
    uint64_t left;
} sidle_work;

/* Phases; 0 after _end. */
SIDLE_API uint32_t sidle_work_phase_count(const sidle_work *work);

/* Tasks of a phase, fixed by _begin; 0 for an unknown phase. */
SIDLE_API uint32_t sidle_work_task_count(const sidle_work *work, uint32_t phase);

/* For profilers. */
SIDLE_API const char *sidle_work_phase_name(const sidle_work *work, uint32_t phase);

/* Runs one task on this thread. All tasks of earlier phases must have ended, with their writes visible here. `worker` <
 * the worker_count of _begin. Tasks do not wait, lock or start threads; those of a bake call its allocator. */
SIDLE_API void sidle_work_run(sidle_work *work, uint32_t phase, uint32_t task, uint32_t worker);

/* Runs all phases through `jobs`; on this thread if it is NULL or has more workers than _begin was given. Stops after a
 * phase whose tasks have not each run once. */
SIDLE_API void sidle_work_execute(sidle_work *work, const sidle_jobs *jobs);

/* ---- The built-in pool ---- */
typedef struct sidle_pool sidle_pool;

typedef struct sidle_pool_desc
{
    size_t size;
    /* Threads with the caller's. 0: processors of the affinity mask, at most the quota of the cgroup (v2). */
    uint32_t worker_count;
} sidle_pool_desc;

/* Starts worker_count - 1 threads. Idle workers spin for some microseconds, then sleep. desc may be NULL. LIMIT, MEMORY
 * (also: no thread), UNSUPPORTED (built with SIDLE_POOL=OFF). */
SIDLE_API sidle_status sidle_pool_create(const sidle_pool_desc *desc, const sidle_allocator *allocator,
                                         sidle_pool **out);

/* No loop may run. NULL is allowed. */
SIDLE_API void sidle_pool_destroy(sidle_pool *pool);

/* The pool's jobs, for one thread at a time. */
SIDLE_API const sidle_jobs *sidle_pool_jobs(sidle_pool *pool);

#endif
