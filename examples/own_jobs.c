/* Ticks on the engine's own threads. A minimal job system ticks a crowd at both levels and gets the same bits as one
 * thread:
 *
 *   L1  sidle calls the engine's parallel loop.
 *   L2  the engine pulls tasks from a sidle_work whenever it has a thread to spare. */
#include "courtyard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define WORKERS 4
#define AGENTS  2000

/* ---- The engine: items are pulled by as many threads as there are, and waited for. ---- */

typedef struct Batch
{
    void (*run)(void *context, uint32_t item, uint32_t worker);
    void *context;
    uint32_t count;
    atomic_uint next_item, next_worker;
} Batch;

static void *pull(void *argument)
{
    Batch *batch = argument;
    uint32_t worker = atomic_fetch_add(&batch->next_worker, 1);
    for (uint32_t item; (item = atomic_fetch_add(&batch->next_item, 1)) < batch->count;)
        batch->run(batch->context, item, worker);
    return NULL;
}

static void run_batch(Batch batch)
{
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; ++i)
        if (pthread_create(&threads[i], NULL, pull, &batch) != 0)
            exit(1);
    for (int i = 0; i < WORKERS; ++i)
        pthread_join(threads[i], NULL);
}

/* ---- L1: a loop cut into ranges. ---- */

typedef struct Loop
{
    sidle_range_fn *fn;
    void *context;
    uint32_t count, grain;
} Loop;

static void run_range(void *context, uint32_t item, uint32_t worker)
{
    const Loop *loop = context;
    uint32_t begin = item * loop->grain, left = loop->count - begin;
    loop->fn(loop->context, begin, begin + (left < loop->grain ? left : loop->grain), worker);
}

static void parallel_for(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                         void *context)
{
    Loop loop = {fn, context, count, grain};
    (void)user, (void)name; /* a profiler would like the name */
    run_batch((Batch){run_range, &loop, (count + grain - 1) / grain, 0, 0});
}

/* ---- L2: the tasks of a phase in any order; a phase begins when the one before has ended. ---- */

typedef struct Phase
{
    sidle_work *work;
    uint32_t phase;
} Phase;

static void run_task(void *context, uint32_t item, uint32_t worker)
{
    const Phase *p = context;
    sidle_work_run(p->work, p->phase, item, worker);
}

static void tick_by_pulling(sidle_crowd *crowd, const sidle_tick_desc *tick)
{
    sidle_work work;
    must(sidle_crowd_tick_begin(crowd, tick, WORKERS, &work));
    for (Phase p = {&work, 0}; p.phase < sidle_work_phase_count(&work); ++p.phase)
        run_batch((Batch){run_task, &p, sidle_work_task_count(&work, p.phase), 0, 0});
    must(sidle_crowd_tick_end(crowd, &work));
}

int main(void)
{
    static sidle_move moves[AGENTS];
    static sidle_result alone[AGENTS], hooked[AGENTS], pulled[AGENTS];
    const sidle_jobs engine = {.size = sizeof engine, .parallel_for = parallel_for, .worker_count = WORKERS};
    sidle_world *world = courtyard_world(NULL);
    sidle_crowd *crowd = courtyard_crowd(NULL);
    sidle_tick_desc tick = {.size = sizeof tick, .dt = .02f, .moves = moves, .count = AGENTS};
    must(sidle_world_snapshot(world, &tick.snapshot));
    courtyard_people(moves, AGENTS);

    tick.results = alone;
    must(sidle_crowd_tick(crowd, &tick));
    tick.results = hooked;
    tick.jobs = &engine;
    must(sidle_crowd_tick(crowd, &tick));
    tick.results = pulled;
    tick_by_pulling(crowd, &tick);

    int different = 0;
    for (int i = 0; i < AGENTS; ++i)
    {
        const sidle_position *center = &alone[i].body.center;
        different += memcmp(center, &hooked[i].body.center, sizeof *center) != 0;
        different += memcmp(center, &pulled[i].body.center, sizeof *center) != 0;
    }
    printf("%d agents on %d threads, hooked and pulled: %d different from one thread\n", AGENTS, WORKERS,
           different);
    sidle_snapshot_release(tick.snapshot);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    return different != 0;
}
