/* What must not change a bit of agents that do not move in every tick: order, threads, lanes, a saved game, a capture. */
#include "support/captures.h"
#include "support/heap.h"
#include "support/schedulers.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#define AGENTS 300
#define TICKS  60

typedef struct Tries
{
    sidle_jobs *jobs;
    uint32_t max_moves, flags;
} Tries;

static void run_tried(sidle_crowd *crowd, sidle_tick_desc *tick, void *context)
{
    const Tries *tries = context;
    tick->flags = tries->flags;
    tick->max_moves = tries->max_moves;
    for (uint32_t i = 0; i < tick->count; ++i) /* the troop's moves are the test's own */
    {
        sidle_move *move = (sidle_move *)(uintptr_t)&tick->moves[i];
        move->interval = move->id % 3 == 0 ? .1f : 0;
    }
    troop_run_plainly(crowd, tick, tries->jobs);
}

static uint64_t tried(const Scene *level, uint32_t lanes, Tries tries)
{
    return troop_history(level, lanes, AGENTS, TICKS, run_tried, &tries);
}

static const Tries trials[4] = {{.max_moves = 90},
                                {.max_moves = 0},
                                {.max_moves = 90, .flags = SIDLE_TICK_AGENTS_COLLIDE},
                                {.max_moves = 0, .flags = SIDLE_TICK_AGENTS_COLLIDE}};

Test(budget_bits, shuffled_arrays_give_equal_bits)
{
    Scene level = troop_level();
    for (int form = 0; form < 4; ++form)
    {
        Tries tries = trials[form];
        uint64_t expected = tried(&level, 0, tries);
        cr_expect(expected != tried(&level, 0, (Tries){.max_moves = 50, .flags = tries.flags}));
        sidle_crowd *crowd = troop_crowd(0, NULL);
        Troop troop = troop_of(AGENTS);
        for (uint32_t tick = 0; tick < TICKS; ++tick)
        {
            troop_shuffle(&troop, tick);
            sidle_tick_desc desc = troop_tick(&troop, &level, tick);
            run_tried(crowd, &desc, &tries);
            troop_take(&troop);
        }
        cr_expect(troop.history == expected, "form %d", form);
        troop_free(&troop);
        sidle_crowd_destroy(crowd);
    }
    scene_close(&level);
}

Test(budget_bits, hostile_schedulers_and_lanes_give_equal_bits)
{
    const uint32_t widths[4] = {1, 4, 8, 16};
    Scene level = troop_level();
    for (int form = 0; form < 4; ++form)
    {
        Tries tries = trials[form];
        uint64_t expected = tried(&level, 0, tries);
        for (int i = 0; i < 4; ++i)
        {
            bool runs = sidle_cast_lanes(widths[i]) == widths[i];
            cr_expect(!runs || tried(&level, widths[i], tries) == expected, "form %d, %u lanes", form,
                      widths[i]);
        }
        for (int order = SCHEDULER_REVERSE; order <= SCHEDULER_THREADS; ++order)
        {
            Scheduler scheduler;
            scheduler_set(&scheduler, (SchedulerOrder)order, 5);
            tries.jobs = &scheduler.jobs;
            cr_expect(tried(&level, 0, tries) == expected, "form %d, order %d", form, order);
        }
    }
    scene_close(&level);
}

/* The crowd keeps nothing: a copy of the bodies goes on in a new crowd. */
Test(budget_bits, a_saved_game_goes_on_with_the_same_bits)
{
    Scene level = troop_level();
    Tries tries = trials[2];
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(AGENTS);
    for (uint32_t tick = 0; tick < TICKS; ++tick)
    {
        if (tick % 7 == 3)
        {
            sidle_crowd_destroy(crowd);
            crowd = troop_crowd(0, NULL);
        }
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        run_tried(crowd, &desc, &tries);
        troop_take(&troop);
    }
    cr_expect(troop.history == tried(&level, 0, tries));
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

Test(budget_bits, a_lower_budget_than_before_allocates_nothing)
{
    const uint32_t budgets[3] = {AGENTS, 50, 7};
    Scene level = troop_level();
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    sidle_crowd *crowd = troop_crowd(0, &allocator);
    Troop troop = troop_of(AGENTS);
    size_t before = 0;
    for (uint32_t tick = 0; tick < 3; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        Tries tries = {.max_moves = budgets[tick]};
        run_tried(crowd, &desc, &tries);
        cr_expect(tick == 0 || heap.allocations == before, "max_moves %u", budgets[tick]);
        before = heap.allocations;
    }
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

/* ---- captures ---- */

Test(budget_bits, captures_of_agents_that_wait_or_have_waited_are_replayed_to_the_same_bits)
{
    Scene level = troop_level();
    for (int form = 0; form < 4; ++form)
    {
        Tries tries = trials[form];
        CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
        Troop troop = troop_of(120);
        tries.max_moves = tries.max_moves ? 30 : 0;
        trial.flags = tries.flags;
        trial.max_moves = tries.max_moves;
        trial.among = tries.flags || tries.max_moves ? troop.moves : NULL;
        trial.among_count = troop.count;
        for (uint32_t tick = 0; tick < 24; ++tick)
        {
            sidle_tick_desc desc = troop_tick(&troop, &level, tick);
            for (uint32_t i = tick % 7; i < troop.count && tick > 0 && tick % 4 == 0; i += 7)
            {
                capture_try(&trial, &troop.moves[i]);
            }
            run_tried(trial.crowd, &desc, &tries);
            troop_take(&troop);
        }
        cr_expect(trial.reasons & SIDLE_REASON_DEFERRED, "form %d", form);
        cr_expect(trial.moves > 50 && trial.wrong == 0, "form %d: %u of %u: %s", form, trial.wrong,
                  trial.moves, trial.complaint);
        troop_free(&troop);
        capture_trial_close(&trial);
    }
    scene_close(&level);
}
