/* The call that tries many displacements: what it takes, what it leaves alone, what it refuses. */
#include "support/heap.h"
#include "support/paths.h"
#include "support/ticked.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <stdlib.h>

/* A sixtieth of a second. */
static sidle_tick_desc times_in(const Scene *scene)
{
    return (sidle_tick_desc){.snapshot = scene->snapshot, .dt = 1 / 60.f};
}

/* ---- nothing changes, and nothing is taken ---- */

Test(what_if_calls, a_what_if_between_two_ticks_changes_no_bit_of_them)
{
    Scene level = troop_level();
    uint64_t expected = troop_history(&level, 0, 100, 40, troop_run_plainly, NULL);
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(100);
    Random random = random_seeded(4);
    sidle_tick_desc times = times_in(&level);
    for (uint32_t tick = 0; tick < 40; ++tick)
    {
        sidle_vec3 paths[PATH_COUNT];
        sidle_what_if results[PATH_COUNT];
        draw_paths(&random, paths);
        sidle_what_if_desc desc = what_if_desc(&times, &troop.moves[tick], paths, PATH_COUNT, results);
        demand(sidle_crowd_what_if(crowd, &desc), "sidle_crowd_what_if");
        sidle_tick_desc all = troop_tick(&troop, &level, tick);
        demand(sidle_crowd_tick(crowd, &all), "sidle_crowd_tick");
        troop_take(&troop);
    }
    cr_expect(troop.history == expected);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

Test(what_if_calls, only_the_first_call_takes_memory)
{
    Scene level = troop_level();
    Heap heap = {.allocations = 0};
    sidle_allocator allocator = heap_allocator(&heap);
    Troop troop = troop_of(50);
    sidle_crowd *crowd = troop_crowd(0, &allocator);
    sidle_tick_desc times = times_in(&level);
    Random random = random_seeded(6);
    size_t after_first = 0;
    for (uint32_t agent = 0; agent < troop.count; ++agent)
    {
        sidle_vec3 paths[PATH_COUNT];
        sidle_what_if results[PATH_COUNT];
        draw_paths(&random, paths);
        sidle_what_if_desc desc =
            what_if_desc(&times, &troop.moves[agent], paths, agent % 2 ? PATH_COUNT : 1, results);
        demand(sidle_crowd_what_if(crowd, &desc), "sidle_crowd_what_if");
        after_first = agent == 0 ? heap.allocations : after_first;
    }
    cr_expect(heap.allocations == after_first);
    sidle_crowd_destroy(crowd);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    troop_free(&troop);
    scene_close(&level);
}

/* ---- at the same time ---- */

typedef struct Thinkers
{
    const Scene *level;
    const Troop *troop;
    sidle_crowd *crowds[4];
    sidle_what_if results[200][PATH_COUNT];
} Thinkers;

static void think(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    Thinkers *thinkers = context;
    sidle_tick_desc times = times_in(thinkers->level);
    for (uint32_t i = begin; i < end; ++i)
    {
        Random random = random_seeded(i);
        sidle_vec3 paths[PATH_COUNT];
        draw_paths(&random, paths);
        sidle_what_if_desc desc =
            what_if_desc(&times, &thinkers->troop->moves[i], paths, PATH_COUNT, thinkers->results[i]);
        demand(sidle_crowd_what_if(thinkers->crowds[worker], &desc), "sidle_crowd_what_if");
    }
}

Test(what_if_calls, what_ifs_of_separate_crowds_run_at_the_same_time)
{
    Scene level = troop_level();
    Troop troop = troop_of(200);
    Thinkers *alone = calloc(1, sizeof *alone), *together = calloc(1, sizeof *together);
    sidle_pool_desc desc = {.size = sizeof desc, .worker_count = 4};
    sidle_pool *pool = NULL;
    demand(sidle_pool_create(&desc, NULL, &pool), "sidle_pool_create");
    for (int i = 0; i < 4; ++i)
    {
        together->crowds[i] = troop_crowd(0, NULL);
    }
    alone->crowds[0] = together->crowds[0];
    alone->level = together->level = &level;
    alone->troop = together->troop = &troop;
    const sidle_jobs *jobs = sidle_pool_jobs(pool);
    jobs->parallel_for(jobs->user, "think", 200, 1, think, together);
    think(alone, 0, 200, 0);
    for (uint32_t i = 0; i < 200 * PATH_COUNT; ++i)
    {
        const sidle_what_if *a = &alone->results[i / PATH_COUNT][i % PATH_COUNT],
                            *b = &together->results[i / PATH_COUNT][i % PATH_COUNT];
        cr_expect(same_body(&a->body, &b->body) && a->reasons == b->reasons);
    }
    for (int i = 0; i < 4; ++i)
    {
        sidle_crowd_destroy(together->crowds[i]);
    }
    sidle_pool_destroy(pool);
    free(alone);
    free(together);
    troop_free(&troop);
    scene_close(&level);
}

/* ---- arguments ---- */

Test(what_if_calls, bad_arguments_are_refused_with_a_status)
{
    Scene level = troop_level();
    sidle_crowd *crowd = troop_crowd(0, NULL);
    sidle_tick_desc times = times_in(&level);
    const sidle_vec3 paths[2] = {{1, 0, 0}, {0, 0, 1}};
    sidle_what_if results[2];
    sidle_move move = {.id = 1, .body.center = {0, 5, 0}};
    const sidle_what_if_desc good = what_if_desc(&times, &move, paths, 2, results);
    sidle_what_if_desc bad;
    cr_expect(sidle_crowd_what_if(crowd, &good) == SIDLE_OK);
    cr_expect(sidle_crowd_what_if(NULL, &good) == SIDLE_ERROR_ARGUMENT);
    cr_expect(sidle_crowd_what_if(crowd, NULL) == SIDLE_ERROR_ARGUMENT);
#define REFUSES(change, expected)                                                                            \
    bad = good;                                                                                              \
    bad.change;                                                                                              \
    cr_expect(sidle_crowd_what_if(crowd, &bad) == (expected), #change)
    REFUSES(size = 8, SIDLE_ERROR_ARGUMENT);
    REFUSES(snapshot = NULL, SIDLE_ERROR_ARGUMENT);
    REFUSES(move = NULL, SIDLE_ERROR_ARGUMENT);
    REFUSES(displacements = NULL, SIDLE_ERROR_ARGUMENT);
    REFUSES(results = NULL, SIDLE_ERROR_ARGUMENT);
    REFUSES(dt = 0, SIDLE_ERROR_ARGUMENT);
    REFUSES(dt = (float)NAN, SIDLE_ERROR_ARGUMENT);
    REFUSES(motion_begin = .5f, SIDLE_ERROR_ARGUMENT);
    REFUSES(displacement_stride = 8, SIDLE_ERROR_ARGUMENT);
    REFUSES(result_stride = sizeof(sidle_what_if) + 2, SIDLE_ERROR_ARGUMENT);
    REFUSES(count = SIDLE_MAX_AGENTS + 1, SIDLE_ERROR_LIMIT);
    bad = good;
    bad.count = 0;
    bad.displacements = NULL;
    bad.results = NULL;
    cr_expect(sidle_crowd_what_if(crowd, &bad) == SIDLE_OK);
    sidle_work work;
    sidle_tick_desc tick = {.size = sizeof tick, .snapshot = level.snapshot, .dt = 1 / 60.f};
    demand(sidle_crowd_tick_begin(crowd, &tick, 1, &work), "sidle_crowd_tick_begin");
    cr_expect(sidle_crowd_what_if(crowd, &good) == SIDLE_ERROR_BUSY);
    demand(sidle_crowd_tick_end(crowd, &work), "sidle_crowd_tick_end");
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

Test(what_if_calls, strides_step_through_structures_of_the_caller)
{
    struct
    {
        sidle_vec3 path;
        float more;
    } paths[3] = {{{.1f, 0, 0}, 9}, {{0, .1f, 0}, 9}, {{0, 0, .1f}, 9}};
    struct
    {
        sidle_what_if result;
        double more;
    } results[3] = {{.more = 7}, {.more = 7}, {.more = 7}};
    Scene scene = scene_of((Soup){0}, flying_ball());
    sidle_tick_desc times = times_in(&scene);
    sidle_move move = {.id = 1};
    sidle_what_if_desc desc = what_if_desc(&times, &move, &paths[0].path, 3, &results[0].result);
    desc.displacement_stride = sizeof paths[0];
    desc.result_stride = sizeof results[0];
    demand(sidle_crowd_what_if(scene.crowd, &desc), "sidle_crowd_what_if");
    cr_expect_float_eq(results[0].result.body.center.x, .1, 1e-6);
    cr_expect_float_eq(results[1].result.body.center.y, .1, 1e-6);
    cr_expect_float_eq(results[2].result.body.center.z, .1, 1e-6);
    cr_expect(results[0].more == 7 && results[2].more == 7);
    scene_close(&scene);
}
