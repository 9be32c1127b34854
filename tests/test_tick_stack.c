/* Tasks run on whatever thread an engine has: those of ticks and of steering take no more of its stack than SIDLE_TASK_STACK. */
#include "support/stacks.h"
#include "support/troop.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>

#define AGENTS 200
#define TICKS  40

typedef struct Run
{
    Scene level;
    Troop troop;
    sidle_crowd *crowd;
} Run;

/* The ground moves to and fro, so that it carries and pushes the agents. */
static void move_ground(Run *run, uint32_t tick)
{
    Scene *level = &run->level;
    sidle_pose pose = {.position = {tick % 2 ? .05 : 0, tick % 3 ? .03 : 0, 0}};
    demand(sidle_world_move(level->world, level->instances[0], NULL, &pose), "sidle_world_move");
    demand(sidle_world_commit(level->world, NULL), "sidle_world_commit");
    sidle_snapshot_release(level->snapshot);
    demand(sidle_world_snapshot(level->world, &level->snapshot), "sidle_world_snapshot");
}

static void *run_ticks(void *argument)
{
    Run *run = argument;
    for (uint32_t tick = 0; tick < TICKS; ++tick)
    {
        move_ground(run, tick);
        sidle_tick_desc desc = troop_tick(&run->troop, &run->level, tick);
        desc.flags = tick % 4 ? SIDLE_TICK_AGENTS_COLLIDE : 0;
        sidle_steer_desc steering = {.size = sizeof steering,
                                     .snapshot = desc.snapshot,
                                     .dt = desc.dt,
                                     .moves = desc.moves,
                                     .count = desc.count,
                                     .displacements = &run->troop.moves->displacement,
                                     .displacement_stride = sizeof *run->troop.moves};
        if (sidle_steer(run->crowd, &steering) != SIDLE_OK || sidle_crowd_tick(run->crowd, &desc) != SIDLE_OK)
        {
            return NULL;
        }
        troop_take(&run->troop);
    }
    return argument;
}

Test(tick_stack, ticks_and_steering_take_no_more_stack_than_the_header_says)
{
    const Kernels *widths[WIDTH_COUNT];
    uint32_t width_count = widths_here(widths);
    for (uint32_t w = 0; w < width_count; ++w)
    {
        Run run = {.level = troop_level(),
                   .troop = troop_of(AGENTS),
                   .crowd = troop_crowd(widths[w]->lane_count, NULL)};
        size_t used = stack_taken(run_ticks, &run);
        printf("%u lanes: %zu bytes of stack\n", widths[w]->lane_count, used);
        cr_expect(used > SIDLE_TASK_STACK / 8 &&
                      used <= SIDLE_TASK_STACK + 2 * STACK_RED_ZONES(SIDLE_TASK_STACK),
                  "%u lanes take %zu bytes", widths[w]->lane_count, used);
        sidle_crowd_destroy(run.crowd);
        troop_free(&run.troop);
        scene_close(&run.level);
    }
}
