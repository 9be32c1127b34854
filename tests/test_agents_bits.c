/* What must not change a bit of agents that collide: order, threads, lanes, job systems, earlier ticks. */
#include "support/heap.h"
#include "support/schedulers.h"
#include "support/ticked.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define AGENTS 300
#define TICKS  60

/* ---- the same bits ---- */

static void run_together(sidle_crowd *crowd, sidle_tick_desc *tick, void *context)
{
    tick->flags = SIDLE_TICK_AGENTS_COLLIDE;
    troop_run_plainly(crowd, tick, context);
}

static uint64_t together(const Scene *level, uint32_t lanes, sidle_jobs *jobs)
{
    return troop_history(level, lanes, AGENTS, TICKS, run_together, jobs);
}

Test(agents_bits, agents_of_a_troop_do_meet)
{
    Scene level = troop_level();
    cr_expect(together(&level, 0, NULL) != troop_history(&level, 0, AGENTS, TICKS, troop_run_plainly, NULL));
    cr_expect(together(&level, 0, NULL) == together(&level, 0, NULL), "a second run differs");
    scene_close(&level);
}

/* A scheduler must not do this, but it changes nothing. The phases before count agents. */
static void run_later_phases_again(sidle_crowd *crowd, sidle_tick_desc *desc, void *context)
{
    sidle_work work;
    bool is_later = false;
    desc->flags = SIDLE_TICK_AGENTS_COLLIDE;
    demand(sidle_crowd_tick_begin(crowd, desc, 1, &work), "sidle_crowd_tick_begin");
    for (uint32_t phase = 0; phase < work.phase_count; ++phase)
    {
        is_later = is_later || strcmp(work.phase_names[phase], "sidle tick: mirror pairs") == 0;
        for (uint32_t task = 0; task < work.task_count[phase]; ++task)
        {
            for (int again = is_later && *(bool *)context; again >= 0; --again)
            {
                sidle_work_run(&work, phase, task, 0);
            }
        }
    }
    cr_assert(is_later);
    sidle_crowd_tick_end(crowd, &work); /* its status says so */
}

Test(agents_bits, tasks_that_run_twice_give_equal_bits)
{
    bool no = false, yes = true;
    Scene level = troop_level();
    uint64_t once = troop_history(&level, 0, AGENTS, TICKS, run_later_phases_again, &no);
    cr_expect(troop_history(&level, 0, AGENTS, TICKS, run_later_phases_again, &yes) == once);
    cr_expect(once == together(&level, 0, NULL));
    scene_close(&level);
}

Test(agents_bits, shuffled_arrays_give_equal_bits)
{
    Scene level = troop_level();
    uint64_t expected = together(&level, 0, NULL);
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(AGENTS);
    for (uint32_t tick = 0; tick < TICKS; ++tick)
    {
        troop_shuffle(&troop, tick);
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        run_together(crowd, &desc, NULL);
        troop_take(&troop);
    }
    cr_expect(troop.history == expected);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

Test(agents_bits, pools_of_any_size_give_equal_bits)
{
    const uint32_t sizes[4] = {1, 2, 3, 8};
    Scene level = troop_level();
    uint64_t expected = together(&level, 0, NULL);
    for (int i = 0; i < 4; ++i)
    {
        sidle_pool_desc desc = {.size = sizeof desc, .worker_count = sizes[i]};
        sidle_pool *pool = NULL;
        demand(sidle_pool_create(&desc, NULL, &pool), "sidle_pool_create");
        sidle_jobs jobs = *sidle_pool_jobs(pool);
        cr_expect(together(&level, 0, &jobs) == expected, "%u workers", sizes[i]);
        sidle_pool_destroy(pool);
    }
    scene_close(&level);
}

Test(agents_bits, lanes_give_equal_bits)
{
    const uint32_t widths[4] = {1, 4, 8, 16};
    Scene level = troop_level();
    uint64_t expected = together(&level, 0, NULL);
    for (int i = 0; i < 4; ++i)
    {
        bool runs = sidle_cast_lanes(widths[i]) == widths[i];
        cr_expect(runs || widths[i] > 4, "%u lanes do not run", widths[i]);
        cr_expect(!runs || together(&level, widths[i], NULL) == expected, "%u lanes", widths[i]);
    }
    scene_close(&level);
}

Test(agents_bits, hostile_schedulers_give_equal_bits)
{
    Scene level = troop_level();
    uint64_t expected = together(&level, 0, NULL);
    for (int order = SCHEDULER_REVERSE; order <= SCHEDULER_THREADS; ++order)
    {
        Scheduler scheduler;
        scheduler_set(&scheduler, (SchedulerOrder)order, 5);
        cr_expect(together(&level, 0, &scheduler.jobs) == expected, "order %d", order);
    }
    scene_close(&level);
}

/* Tasks of a phase in random order, each on a random worker. */
static void run_as_tasks(sidle_crowd *crowd, sidle_tick_desc *tick, void *context)
{
    Random *random = context;
    sidle_work work;
    tick->flags = SIDLE_TICK_AGENTS_COLLIDE;
    demand(sidle_crowd_tick_begin(crowd, tick, 3, &work), "sidle_crowd_tick_begin");
    for (uint32_t phase = 0; phase < sidle_work_phase_count(&work); ++phase)
    {
        uint32_t order[256], count = sidle_work_task_count(&work, phase);
        cr_assert(count <= 256);
        cr_assert(strncmp(sidle_work_phase_name(&work, phase), "sidle ", 6) == 0);
        for (uint32_t task = 0; task < count; ++task)
        {
            uint32_t other = random_below(random, task + 1);
            order[task] = order[other];
            order[other] = task;
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            sidle_work_run(&work, phase, order[i], random_below(random, 3));
        }
    }
    demand(sidle_crowd_tick_end(crowd, &work), "sidle_crowd_tick_end");
}

Test(agents_bits, tasks_in_any_order_on_any_worker_give_equal_bits)
{
    Scene level = troop_level();
    uint64_t expected = together(&level, 0, NULL);
    for (uint64_t seed = 0; seed < 3; ++seed)
    {
        Random random = random_seeded(seed);
        cr_expect(troop_history(&level, 0, AGENTS, TICKS, run_as_tasks, &random) == expected);
    }
    scene_close(&level);
}

static void run_in_a_new_crowd(sidle_crowd *crowd, sidle_tick_desc *tick, void *context)
{
    (void)crowd;
    sidle_crowd *fresh = troop_crowd(0, NULL);
    run_together(fresh, tick, context);
    sidle_crowd_destroy(fresh);
}

Test(agents_bits, earlier_ticks_of_a_crowd_change_no_bit)
{
    Scene level = troop_level();
    cr_expect(troop_history(&level, 0, AGENTS, TICKS, run_in_a_new_crowd, NULL) == together(&level, 0, NULL));
    scene_close(&level);
}

Test(agents_bits, a_tick_no_larger_than_an_earlier_one_allocates_nothing)
{
    Scene level = troop_level();
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    sidle_crowd *crowd = troop_crowd(0, &allocator);
    Troop troop = troop_of(AGENTS);
    size_t before = 0;
    for (uint32_t tick = 0; tick < 4; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        desc.count = tick < 2 ? AGENTS : AGENTS / tick;
        run_together(crowd, &desc, NULL);
        cr_expect(tick == 0 || heap.allocations == before, "tick %u", tick);
        before = heap.allocations;
    }
    cr_expect_gt(before, 0);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    scene_close(&level);
}
