/* Parallel work at three levels over one engine.
 *
 *   L0  pass NULL jobs: the calling thread does everything. Or pass the built-in pool's jobs.
 *   L1  fill a sidle_jobs with your scheduler's parallel loop.
 *   L2  call an operation's _begin, run its tasks from your own job graph, call its _end: sidle neither waits
 * nor locks nor spawns in there.
 *
 * A long operation is a sidle_work: phases in order; the tasks of one phase in any order on any thread, each
 * exactly once. The cut into tasks depends on the data alone and tasks write disjoint ranges, so no schedule
 * changes a bit of any result. */
#ifndef SIDLE_JOBS_H
#define SIDLE_JOBS_H

#include "sidle/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* [Limit] workers of one operation. */
#define SIDLE_MAX_WORKERS 256

/* Runs items [begin, end). `worker` < worker_count; no two ranges run with the same worker at the same
 * time. */
typedef void sidle_range_fn(void *context, uint32_t begin, uint32_t end, uint32_t worker);

/* Your scheduler. parallel_for returns when fn has run over all of [0, count), cut in ranges of at most
 * any size; `grain` is the smallest range worth a job. It is only called from the thread that called into
 * sidle. If it does not run each item once, the operation fails with BUSY. */
typedef struct sidle_jobs
{
    size_t size;
    void (*parallel_for)(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                         void *context);
    void *user;
    uint32_t worker_count; /* 1..SIDLE_MAX_WORKERS */
} sidle_jobs;

/* ---- L2: a long operation as phases of tasks. ---- */
#define SIDLE_MAX_PHASES 12

/* Plain memory of the caller's; fields are private. It knows which tasks have run, so that _end can say BUSY if
 * not each has, once: run and end the work itself, not copies of it. */
typedef struct sidle_work
{
    void (*run)(void *state, uint32_t phase, uint32_t task, uint32_t worker);
    void *state;
    const char *const *phase_names;
    uint32_t phase_count, worker_count;
    uint32_t task_count[SIDLE_MAX_PHASES];
    uint64_t left;
} sidle_work;

/* 0 after the work's _end: nothing is left to run. */
SIDLE_API uint32_t sidle_work_phase_count(const sidle_work *work);

/* Tasks of a phase, fixed at begin; a task may turn out to have nothing to do. 0 for a phase that is
 * none. */
SIDLE_API uint32_t sidle_work_task_count(const sidle_work *work, uint32_t phase);

/* A name for profilers. */
SIDLE_API const char *sidle_work_phase_name(const sidle_work *work, uint32_t phase);

/* Runs one task to its end on this thread. Never waits, locks, spawns, or calls back, but that a bake's tasks
 * call its allocator. All tasks of the phases before must have ended (and their writes be visible here).
 * `worker` < the worker_count given at begin. */
SIDLE_API void sidle_work_run(sidle_work *work, uint32_t phase, uint32_t task, uint32_t worker);

/* Runs everything through `jobs` (NULL, or more workers than given at begin: on this thread): the loop that
 * L1 is. It ends after a phase whose tasks `jobs` have not run once each, and _end says
 * so. */
SIDLE_API void sidle_work_execute(sidle_work *work, const sidle_jobs *jobs);

/* ---- The built-in pool (absent, and _create says UNSUPPORTED, when built with SIDLE_POOL=OFF). ---- */
typedef struct sidle_pool sidle_pool;

typedef struct sidle_pool_desc
{
    size_t size;
    uint32_t worker_count; /* threads that compute, the caller included; 0: one per processor */
} sidle_pool_desc;

/* Starts worker_count - 1 threads. Idle workers spin for some microseconds and then sleep. */
SIDLE_API sidle_status sidle_pool_create(const sidle_pool_desc *desc, const sidle_allocator *allocator,
                                         sidle_pool **out);

/* Ends the threads. NULL is allowed. No loop may be running. */
SIDLE_API void sidle_pool_destroy(sidle_pool *pool);

/* The pool as a sidle_jobs, valid as long as the pool. One thread at a time runs loops on a pool. */
SIDLE_API const sidle_jobs *sidle_pool_jobs(sidle_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
