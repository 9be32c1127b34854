/* The built-in pool, and works run by jobs: every item once, each worker on one range at a time. */
#include "support/heap.h"
#include "support/schedulers.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* NULL where there is no pool in this build. */
static sidle_pool *pool_of(uint32_t workers)
{
    sidle_pool_desc desc = {.size = sizeof desc, .worker_count = workers};
    sidle_pool *pool = NULL;
    sidle_status status = sidle_pool_create(&desc, NULL, &pool);
    cr_assert(status == SIDLE_OK || (status == SIDLE_ERROR_UNSUPPORTED && pool == NULL));
    return pool;
}

#define MOST_ITEMS 5000

typedef struct Ledger
{
    atomic_uint runs[MOST_ITEMS];
    atomic_uint at_work[SIDLE_MAX_WORKERS];
    atomic_uint wrong; /* ranges that are none, workers that are two */
    uint32_t count, worker_count;
} Ledger;

static void note_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    Ledger *ledger = context;
    if (begin >= end || end > ledger->count || worker >= ledger->worker_count)
    {
        atomic_fetch_add(&ledger->wrong, 1);
        return;
    }
    atomic_fetch_add(&ledger->wrong, atomic_fetch_add(&ledger->at_work[worker], 1));
    for (uint32_t item = begin; item < end; ++item)
    {
        atomic_fetch_add(&ledger->runs[item], 1);
    }
    atomic_fetch_sub(&ledger->at_work[worker], 1);
}

static void expect_each_once(const sidle_jobs *jobs, Ledger *ledger, uint32_t count, uint32_t grain)
{
    memset(ledger, 0, sizeof *ledger);
    ledger->count = count;
    ledger->worker_count = jobs->worker_count;
    jobs->parallel_for(jobs->user, "test", count, grain, note_range, ledger);
    uint32_t others = 0;
    for (uint32_t item = 0; item < MOST_ITEMS; ++item)
    {
        others += ledger->runs[item] != (item < count);
    }
    bool empty = count == 0; /* an empty range is no mistake */
    cr_expect_eq(others, 0, "%u items, grain %u: %u not run once", count, grain, others);
    cr_expect(empty || ledger->wrong == 0, "%u items, grain %u: %u wrong", count, grain,
              (uint32_t)ledger->wrong);
}

Test(jobs, a_pool_of_any_size_runs_every_item_once)
{
    const uint32_t sizes[6] = {1, 2, 3, 8, 17, SIDLE_MAX_WORKERS},
                   counts[6] = {0, 1, 2, 31, 1000, MOST_ITEMS};
    const uint32_t grains[6] = {0, 1, 7, 64, MOST_ITEMS, UINT32_MAX};
    Ledger *ledger = malloc(sizeof *ledger);
    cr_assert_not_null(ledger);
    for (int size = 0; size < 6; ++size)
    {
        sidle_pool *pool = pool_of(sizes[size]);
        for (int form = 0; pool != NULL && form < 36; ++form)
        {
            expect_each_once(sidle_pool_jobs(pool), ledger, counts[form / 6], grains[form % 6]);
        }
        sidle_pool_destroy(pool);
    }
    free(ledger);
}

Test(jobs, a_pool_runs_loop_after_loop_and_wakes_from_sleep)
{
    Ledger *ledger = malloc(sizeof *ledger);
    sidle_pool *pool = pool_of(4);
    cr_assert_not_null(ledger);
    for (uint32_t loop = 0; pool != NULL && loop < 3000; ++loop)
    {
        expect_each_once(sidle_pool_jobs(pool), ledger, loop % 50, 1);
        volatile uint32_t idle = loop % 100 == 0 ? 3000000 : 0;
        while (idle > 0)
        {
            idle = idle - 1;
        }
    }
    sidle_pool_destroy(pool);
    free(ledger);
}

typedef struct Pair
{
    atomic_uint begun, ended;
} Pair;

/* The caller's range ends soon after the other has begun. The other takes long, and lets the caller run if both share a core. */
static void run_half(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    Pair *pair = context;
    (void)begin;
    (void)end;
    atomic_fetch_add(&pair->begun, 1);
    for (uint32_t i = 0; worker == 0 && i < 100000000 && atomic_load(&pair->begun) < 2; ++i)
    {
    }
    for (uint32_t i = 0; worker != 0 && i < 2000; ++i)
    {
        sched_yield();
    }
    atomic_fetch_add(&pair->ended, 1);
}

Test(jobs, a_loop_of_a_pool_ends_after_its_last_range)
{
    sidle_pool *pool = pool_of(2);
    for (int loop = 0; pool != NULL && loop < 20; ++loop)
    {
        const sidle_jobs *jobs = sidle_pool_jobs(pool);
        Pair pair = {0, 0};
        jobs->parallel_for(jobs->user, "test", 2, 1, run_half, &pair);
        cr_expect_eq(atomic_load(&pair.ended), 2);
    }
    sidle_pool_destroy(pool);
}

Test(jobs, a_pool_reports_its_workers)
{
    sidle_pool *one = pool_of(1), *some = pool_of(5), *all = pool_of(0);
    if (one != NULL)
    {
        cr_expect_eq(sidle_pool_jobs(one)->worker_count, 1);
        cr_expect_eq(sidle_pool_jobs(some)->worker_count, 5);
        cr_expect(sidle_pool_jobs(all)->worker_count >= 1);
        cr_expect_eq(sidle_pool_jobs(some)->size, sizeof(sidle_jobs));
    }
    cr_expect_null(sidle_pool_jobs(NULL));
    sidle_pool_destroy(one);
    sidle_pool_destroy(some);
    sidle_pool_destroy(all);
    sidle_pool_destroy(NULL);
}

Test(jobs, invalid_pools_are_refused)
{
    sidle_pool *pool = NULL;
    if ((pool = pool_of(1)) == NULL)
    {
        return;
    }
    sidle_pool_destroy(pool);
    pool = NULL;
    sidle_pool_desc desc = {.size = sizeof desc, .worker_count = SIDLE_MAX_WORKERS + 1};
    cr_expect_eq(sidle_pool_create(&desc, NULL, &pool), SIDLE_ERROR_LIMIT);
    desc.worker_count = 1;
    cr_expect_eq(sidle_pool_create(&desc, NULL, NULL), SIDLE_ERROR_ARGUMENT);
    desc.size -= 1;
    cr_expect_eq(sidle_pool_create(&desc, NULL, &pool), SIDLE_ERROR_ARGUMENT);
    const sidle_allocator half = {.user = &desc};
    desc.size = sizeof desc;
    cr_expect_eq(sidle_pool_create(&desc, &half, &pool), SIDLE_ERROR_ARGUMENT);
    cr_expect_null(pool);
}

/* A work that was begun for fewer workers has no room for more: it runs on this thread, to the same end. */
Test(jobs, a_work_runs_on_one_thread_if_the_jobs_have_more_workers_than_at_begin)
{
    Scene level = troop_level();
    uint64_t expected = troop_history(&level, 0, 300, 1, troop_run_plainly, NULL);
    for (uint32_t begun_for = 1; begun_for <= 5; ++begun_for)
    {
        Scheduler scheduler;
        scheduler_set(&scheduler, SCHEDULER_THREADS, 4);
        sidle_crowd *crowd = troop_crowd(0, NULL);
        Troop troop = troop_of(300);
        sidle_tick_desc tick = troop_tick(&troop, &level, 0);
        sidle_work work;
        demand(sidle_crowd_tick_begin(crowd, &tick, begun_for, &work), "sidle_crowd_tick_begin");
        sidle_work_execute(&work, &scheduler.jobs);
        demand(sidle_crowd_tick_end(crowd, &work), "sidle_crowd_tick_end");
        troop_take(&troop);
        cr_expect(troop.history == expected, "begun for %u", begun_for);
        troop_free(&troop);
        sidle_crowd_destroy(crowd);
    }
    scene_close(&level);
}

typedef void Loop(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                  void *context);

static void skip_the_last(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                          void *context)
{
    (void)user, (void)name, (void)grain;
    fn(context, 0, count - 1, 0);
}

static void run_the_first_twice_instead(void *user, const char *name, uint32_t count, uint32_t grain,
                                        sidle_range_fn *fn, void *context)
{
    skip_the_last(user, name, count, grain, fn, context);
    fn(context, 0, 1, 0);
}

static void run_all_and_the_first_again(void *user, const char *name, uint32_t count, uint32_t grain,
                                        sidle_range_fn *fn, void *context)
{
    (void)user, (void)name, (void)grain;
    fn(context, 0, count, 0);
    fn(context, 0, 1, 0);
}

static void expect_busy(Loop *loop, const Scene *level)
{
    const sidle_jobs lazy = {.size = sizeof lazy, .parallel_for = loop, .worker_count = 2};
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(100);
    sidle_tick_desc tick = troop_tick(&troop, level, 0);
    tick.jobs = &lazy;
    cr_expect_eq(sidle_crowd_tick(crowd, &tick), SIDLE_ERROR_INCOMPLETE);

    sidle_cast casts[100] = {{.displacement = {0, -1, 0}}};
    sidle_cast_hit hits[100];
    sidle_cast_batch_desc batch = {
        .size = sizeof batch, .snapshot = level->snapshot, .casts = casts, .hits = hits};
    batch.count = 100;
    batch.jobs = &lazy;
    cr_expect_eq(sidle_cast_batch(&batch), SIDLE_ERROR_INCOMPLETE);
    sidle_work work;
    demand(sidle_cast_batch_begin(&batch, 1, &work), "sidle_cast_batch_begin");
    cr_expect_eq(sidle_cast_batch_end(&work), SIDLE_ERROR_INCOMPLETE);

    const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    sidle_error error = {.status = SIDLE_OK};
    sidle_mesh_desc desc = {
        .size = sizeof desc, .vertices_f = corners[0], .vertex_count = 3, .error = &error};
    desc.triangle_count = 1;
    sidle_mesh *mesh = NULL;
    cr_expect_eq(sidle_mesh_create(&desc, &lazy, NULL, &mesh), SIDLE_ERROR_INCOMPLETE);
    cr_expect(error.status == SIDLE_ERROR_INCOMPLETE && mesh == NULL);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
}

Test(jobs, loops_that_do_not_run_each_task_once_report_incomplete)
{
    Scene level = troop_level();
    Loop *const loops[3] = {skip_the_last, run_the_first_twice_instead, run_all_and_the_first_again};
    for (int i = 0; i < 3; ++i)
    {
        expect_busy(loops[i], &level);
    }
    scene_close(&level);
}

typedef enum Habit
{
    TASK_AGAIN,
    TASK_SKIPPED,
    PHASE_SKIPPED,
    PHASE_TOO_EARLY,
    HABIT_COUNT
} Habit;

static void run_tasks(sidle_work *work, uint32_t phase, uint32_t begin)
{
    for (uint32_t task = begin; task < sidle_work_task_count(work, phase); ++task)
    {
        sidle_work_run(work, phase, task, 0);
    }
}

static void run_oddly(sidle_work *work, uint32_t odd, Habit habit)
{
    uint32_t count = sidle_work_task_count(work, odd);
    run_tasks(work, odd, habit == PHASE_TOO_EARLY ? 0 : count);
    for (uint32_t phase = 0; phase < sidle_work_phase_count(work); ++phase)
    {
        run_tasks(work, phase,
                  phase != odd             ? 0
                  : habit == TASK_SKIPPED  ? 1
                  : habit == PHASE_SKIPPED ? count
                                           : 0);
        run_tasks(work, phase, phase == odd && habit == TASK_AGAIN ? count - 1 : UINT32_MAX);
    }
}

/* A graph that runs each phase's tasks as it likes must not make a bake write beyond what it has. */
Test(jobs, a_bake_whose_tasks_run_twice_or_out_of_order_is_refused_and_leaks_nothing)
{
    Soup soup = {0};
    Random random = random_seeded(9);
    soup_scatter(&soup, &random, 300, 20);
    soup_slivers(&soup, 30, 4, .01);
    sidle_mesh_desc desc = {.size = sizeof desc, .vertices_d = &soup.triangles[0].v[0].x};
    desc.triangle_count = (uint32_t)soup.count;
    desc.vertex_count = 3 * desc.triangle_count;
    for (uint32_t odd = 0, phases = 1; odd < phases; ++odd)
    {
        for (Habit habit = TASK_AGAIN; habit < HABIT_COUNT; ++habit)
        {
            Heap heap = {0};
            sidle_allocator allocator = heap_allocator(&heap);
            sidle_work work;
            sidle_mesh *mesh = NULL;
            demand(sidle_mesh_create_begin(&desc, 1, &allocator, &work), "sidle_mesh_create_begin");
            phases = sidle_work_phase_count(&work);
            run_oddly(&work, odd, habit);
            cr_expect_eq(sidle_mesh_create_end(&work, &mesh), SIDLE_ERROR_INCOMPLETE, "phase %u, habit %d",
                         odd, (int)habit);
            cr_expect(mesh == NULL && heap.blocks == 0 && heap.wrong == 0, "phase %u, habit %d", odd,
                      (int)habit);
        }
    }
    soup_free(&soup);
}

/* A task that runs after the end of its work must not reach freed memory. */
Test(jobs, a_work_that_has_ended_has_nothing_left_to_run)
{
    Scene level = troop_level();
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(100);
    sidle_tick_desc tick = troop_tick(&troop, &level, 0);
    const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    sidle_mesh_desc desc = {
        .size = sizeof desc, .vertices_f = corners[0], .vertex_count = 3, .triangle_count = 1};
    sidle_mesh *mesh = NULL;
    sidle_work works[2];
    demand(sidle_crowd_tick_begin(crowd, &tick, 1, &works[0]), "sidle_crowd_tick_begin");
    demand(sidle_mesh_create_begin(&desc, 1, NULL, &works[1]), "sidle_mesh_create_begin");
    for (int i = 0; i < 2; ++i)
    {
        cr_expect(sidle_work_phase_count(&works[i]) > 0);
        sidle_work_execute(&works[i], NULL);
    }
    demand(sidle_crowd_tick_end(crowd, &works[0]), "sidle_crowd_tick_end");
    demand(sidle_mesh_create_end(&works[1], &mesh), "sidle_mesh_create_end");
    for (int i = 0; i < 2; ++i)
    {
        cr_expect_eq(sidle_work_phase_count(&works[i]), 0);
        sidle_work_execute(&works[i], NULL);
        sidle_work_run(&works[i], 0, 0, 0);
    }
    sidle_mesh_release(mesh);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}
