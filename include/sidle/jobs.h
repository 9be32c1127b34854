/* Parallel work at three levels.
 *
 *   L0  pass NULL jobs: the calling thread does everything. Or pass the jobs of the built-in pool.
 *   L1  fill a sidle_jobs with your scheduler's parallel loop.
 *   L2  call an operation's _begin, run its tasks from your own job graph, call its _end. sidle does not wait, lock or
 *       start threads in there.
 *
 * A long operation is a sidle_work: phases in order. The tasks of a phase run in any order on any thread, each exactly
 * once. The cut into tasks depends on the data alone, and tasks write disjoint ranges: no schedule changes a result. */
#ifndef SIDLE_JOBS_H
#define SIDLE_JOBS_H

#include "sidle/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* [Limit] workers of one operation. */
#define SIDLE_MAX_WORKERS 256

/* Runs items [begin, end). `worker` < worker_count; no two ranges run with the same worker at once. */
typedef void sidle_range_fn(void *context, uint32_t begin, uint32_t end, uint32_t worker);

/* Your scheduler. parallel_for returns when fn has run over all of [0, count), cut into ranges of any size; `grain` is
 * the smallest range worth a job. sidle calls it from the calling thread only. If an item does not run exactly once, the
 * operation returns INCOMPLETE. */
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

/* The caller's memory; fields are private. It counts the tasks that have run, so do not copy it. */
typedef struct sidle_work
{
    void (*run)(void *state, uint32_t phase, uint32_t task, uint32_t worker);
    void *state;
    const char *const *phase_names;
    uint32_t phase_count, worker_count;
    uint32_t task_count[SIDLE_MAX_PHASES];
    uint64_t left;
} sidle_work;

/* Number of phases; 0 after _end. */
SIDLE_API uint32_t sidle_work_phase_count(const sidle_work *work);

/* Number of tasks of a phase, fixed by _begin; 0 for an unknown phase. */
SIDLE_API uint32_t sidle_work_task_count(const sidle_work *work, uint32_t phase);

/* A phase's name, for profilers. */
SIDLE_API const char *sidle_work_phase_name(const sidle_work *work, uint32_t phase);

/* Runs one task on this thread. All tasks of the phases before must have ended, with their writes visible here.
 * `worker` < the worker_count of _begin. Tasks do not wait, lock, start threads or call back; a bake's tasks call its
 * allocator. */
SIDLE_API void sidle_work_run(sidle_work *work, uint32_t phase, uint32_t task, uint32_t worker);

/* Runs all phases through `jobs`, as L1 does. NULL, or more workers than given to _begin: on this thread. Stops after a
 * phase whose tasks have not each run once; _end then returns INCOMPLETE. */
SIDLE_API void sidle_work_execute(sidle_work *work, const sidle_jobs *jobs);

/* ---- The built-in pool; _create returns UNSUPPORTED if built with SIDLE_POOL=OFF ---- */
typedef struct sidle_pool sidle_pool;

typedef struct sidle_pool_desc
{
    size_t size;
    uint32_t worker_count; /* threads with the caller's; 0: one per processor */
} sidle_pool_desc;

/* Starts worker_count - 1 threads. Idle workers spin for some microseconds, then sleep. */
SIDLE_API sidle_status sidle_pool_create(const sidle_pool_desc *desc, const sidle_allocator *allocator,
                                         sidle_pool **out);

/* Ends the threads. No loop may be running. NULL is allowed. */
SIDLE_API void sidle_pool_destroy(sidle_pool *pool);

/* The pool's jobs, valid as long as the pool. One thread at a time may use them. */
SIDLE_API const sidle_jobs *sidle_pool_jobs(sidle_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
