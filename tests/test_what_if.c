/* Many displacements of one agent, tried at once: each ends where a tick would end it, to the bit. */
#include "support/heap.h"
#include "support/motley.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define WAYS 24

static bool same_body(const sidle_body *a, const sidle_body *b)
{
    return memcmp(&a->center, &b->center, sizeof a->center) == 0 &&
           memcmp(&a->velocity, &b->velocity, sizeof a->velocity) == 0 &&
           memcmp(&a->ground_normal, &b->ground_normal, sizeof a->ground_normal) == 0 &&
           memcmp(&a->carried_over, &b->carried_over, sizeof a->carried_over) == 0 &&
           memcmp(&a->ground, &b->ground, sizeof a->ground) == 0 &&
           a->ground_triangle == b->ground_triangle && a->ground_surface == b->ground_surface &&
           a->flags == b->flags;
}

static double length_of(sidle_vec3 v)
{
    return vector_length(vector((double)v.x, (double)v.y, (double)v.z));
}

/* Of one length, of any, forwards, none, far; now and then no number. */
static void draw_ways(Random *random, sidle_vec3 ways[WAYS])
{
    uint32_t kind = random_below(random, 4);
    for (uint32_t i = 0; i < WAYS; ++i)
    {
        Vector way = vector_scale(random_direction(random), kind == 0 ? .07 : random_scale(random, 1e-3, 4));
        way.y = kind == 2 ? 0 : way.y;
        way.x = kind == 3 ? fabs(way.x) : way.x;
        ways[i] = (sidle_vec3){(float)way.x, (float)way.y, (float)way.z};
    }
    ways[3] = (sidle_vec3){0, 0, 0};
    ways[7].x = random_chance(random, .2) ? (float)NAN : ways[7].x;
    ways[9].y = random_chance(random, .1) ? 1e30f : ways[9].y;
}

typedef struct Trial
{
    sidle_crowd *ticking, *trying;
    sidle_tick_desc tick; /* snapshot and times */
    uint32_t reasons;     /* of all that was seen */
    uint32_t differing, tried;
} Trial;

static sidle_what_if_desc what_if_desc(const Trial *trial, const sidle_move *move, const sidle_vec3 *ways,
                                       uint32_t count, sidle_what_if *results)
{
    return (sidle_what_if_desc){.size = sizeof(sidle_what_if_desc),
                                .snapshot = trial->tick.snapshot,
                                .dt = trial->tick.dt,
                                .motion_begin = trial->tick.motion_begin,
                                .motion_end = trial->tick.motion_end,
                                .move = move,
                                .displacements = ways,
                                .count = count,
                                .results = results};
}

/* The same by ticks and by a what-if. */
static void compare(Trial *trial, const sidle_move *move, const sidle_vec3 ways[WAYS])
{
    sidle_move moves[WAYS];
    sidle_result expected[WAYS];
    sidle_what_if results[WAYS];
    for (uint32_t i = 0; i < WAYS; ++i)
    {
        moves[i] = *move;
        moves[i].displacement = ways[i];
    }
    trial->tick.size = sizeof trial->tick;
    trial->tick.moves = moves;
    trial->tick.count = WAYS;
    trial->tick.results = expected;
    demand(sidle_crowd_tick(trial->ticking, &trial->tick), "sidle_crowd_tick");
    sidle_what_if_desc desc = what_if_desc(trial, move, ways, WAYS, results);
    demand(sidle_crowd_what_if(trial->trying, &desc), "sidle_crowd_what_if");
    for (uint32_t i = 0; i < WAYS; ++i)
    {
        bool same =
            same_body(&results[i].body, &expected[i].body) && results[i].reasons == expected[i].reasons;
        trial->differing += !same;
        trial->reasons |= expected[i].reasons;
        double clear = (double)results[i].clear_distance, length = length_of(ways[i]);
        cr_expect(clear >= 0 && (clear <= length * (1 + 1e-6) || isnan(length)), "%g of %g", clear, length);
    }
    trial->tried += WAYS;
}

/* Every agent of a troop tries ways in every tick. */
static Trial troop_trial(const Scene *level, uint32_t lanes, uint32_t agents, uint32_t ticks)
{
    Trial trial = {.ticking = troop_crowd(lanes, NULL), .trying = troop_crowd(lanes, NULL)};
    Troop troop = troop_of(agents);
    Random random = random_seeded(lanes);
    for (uint32_t tick = 0; tick < ticks; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, level, tick);
        desc.contacts = NULL;
        desc.contact_capacity = 0;
        trial.tick = desc;
        trial.tick.contact_count = NULL;
        for (uint32_t i = 0; i < agents; ++i)
        {
            sidle_vec3 ways[WAYS];
            draw_ways(&random, ways);
            compare(&trial, &troop.moves[i], ways);
        }
        demand(sidle_crowd_tick(trial.ticking, &desc), "sidle_crowd_tick");
        troop.contact_count = 0;
        troop_take(&troop);
    }
    troop_free(&troop);
    return trial;
}

static void trial_close(Trial *trial)
{
    sidle_crowd_destroy(trial->ticking);
    sidle_crowd_destroy(trial->trying);
}

Test(what_if, every_end_is_that_of_a_tick_in_all_modes_and_at_all_widths)
{
    static const uint32_t widths[] = {1, 4, 8, 16};
    Scene level = troop_level();
    for (int i = 0; i < 4; ++i)
    {
        sidle_profile profile = walking_ball().profile;
        sidle_crowd_desc desc = {
            .size = sizeof desc, .profiles = &profile, .profile_count = 1, .lanes = widths[i]};
        sidle_crowd *probe = NULL;
        sidle_status status = sidle_crowd_create(&desc, NULL, &probe);
        sidle_crowd_destroy(probe);
        if (status == SIDLE_ERROR_UNSUPPORTED)
        {
            continue;
        }
        Trial trial = troop_trial(&level, widths[i], 96, 12);
        cr_expect(trial.differing == 0, "%u of %u at %u lanes", trial.differing, trial.tried, widths[i]);
        uint32_t seen = SIDLE_REASON_WALL | SIDLE_REASON_SLOPE | SIDLE_REASON_CEILING | SIDLE_REASON_OVERLAP |
                        SIDLE_REASON_INVALID;
        cr_expect((trial.reasons & seen) == seen, "only %x was seen", trial.reasons);
        trial_close(&trial);
    }
    scene_close(&level);
}

Test(what_if, among_moving_instances_layers_and_one_sided_triangles_too)
{
    Random random = random_seeded(3);
    sidle_world *world = motley_world(&random);
    Trial trial = {.ticking = troop_crowd(0, NULL), .trying = troop_crowd(0, NULL)};
    trial.tick.dt = 1 / 60.f;
    demand(sidle_world_snapshot(world, &trial.tick.snapshot), "sidle_world_snapshot");
    for (uint32_t i = 0; i < 600; ++i)
    {
        sidle_move move = motley_move(&random, i);
        trial.tick.motion_begin = i % 2 ? .25f : 0;
        trial.tick.motion_end = i % 2 ? .75f : 0;
        sidle_vec3 ways[WAYS];
        draw_ways(&random, ways);
        compare(&trial, &move, ways);
    }
    cr_expect(trial.differing == 0, "%u of %u", trial.differing, trial.tried);
    trial_close(&trial);
    sidle_snapshot_release(trial.tick.snapshot);
    sidle_world_destroy(world);
}

/* Where candidates run out for some ways, for all, or just for all together. */
Test(what_if, any_number_of_candidates_gives_what_a_tick_gives)
{
    Random random = random_seeded(8);
    Soup soup = {0};
    soup_terrain(&soup, 40, .25, .2, 4);
    Scene level = scene_of(soup, walking_ball());
    uint32_t reasons = 0;
    for (uint32_t capacity = 1; capacity < 1500; capacity = capacity * 3 / 2 + 1)
    {
        sidle_profile profiles[3];
        for (uint32_t mode = 0; mode < 3; ++mode)
        {
            profiles[mode] =
                (sidle_profile){.size = sizeof *profiles, .shape.radii = {.4f, .9f, .4f}, .mode = mode};
            profiles[mode].skin = mode == 2 ? .005f : 0;
        }
        sidle_crowd_desc desc = {
            .size = sizeof desc, .profiles = profiles, .profile_count = 3, .max_candidates = capacity};
        Trial trial = {.tick = {.snapshot = level.snapshot, .dt = 1 / 60.f}};
        demand(sidle_crowd_create(&desc, NULL, &trial.ticking), "sidle_crowd_create");
        demand(sidle_crowd_create(&desc, NULL, &trial.trying), "sidle_crowd_create");
        for (uint32_t i = 0; i < 30; ++i)
        {
            sidle_move move = {.id = i, .body.center = {0, 1.1, .1 * i}, .profile = i % 3};
            sidle_vec3 ways[WAYS];
            draw_ways(&random, ways);
            compare(&trial, &move, ways);
        }
        cr_expect(trial.differing == 0, "%u of %u with %u candidates", trial.differing, trial.tried,
                  capacity);
        reasons |= trial.reasons;
        trial_close(&trial);
    }
    cr_expect(reasons & SIDLE_REASON_CANDIDATES);
    scene_close(&level);
}

/* Triangles so large, or so flat, that some of them go to double lanes for some of the ways. */
Test(what_if, the_choice_between_float_and_double_is_that_of_a_tick)
{
    Random random = random_seeded(21);
    Soup soup = {0};
    soup_caps(&soup, 2, 3000, .2);
    soup_slope(&soup, 2e4, 3);
    soup_fan(&soup, 30, 600, 1);
    Scene level = scene_of(soup, walking_ball());
    Trial trial = {.ticking = troop_crowd(0, NULL), .trying = troop_crowd(0, NULL)};
    trial.tick = (sidle_tick_desc){.snapshot = level.snapshot, .dt = 1 / 60.f};
    for (uint32_t i = 0; i < 1500; ++i)
    {
        Vector place = random_in_box(&random, vector(-4, .3, -4), vector(4, 1.5, 4));
        sidle_move move = {.id = i, .body.center = {place.x, place.y, place.z}, .profile = i % 12};
        move.rotation = (sidle_quat){.2f, (float)random_unit(&random), .1f, 1};
        sidle_vec3 ways[WAYS];
        draw_ways(&random, ways);
        compare(&trial, &move, ways);
    }
    cr_expect(trial.differing == 0, "%u of %u", trial.differing, trial.tried);
    trial_close(&trial);
    scene_close(&level);
}

Test(what_if, one_way_among_others_gives_what_it_gives_alone)
{
    Scene level = troop_level();
    Troop troop = troop_of(60);
    Trial trial = {.trying = troop_crowd(0, NULL), .tick = {.snapshot = level.snapshot, .dt = 1 / 60.f}};
    Random random = random_seeded(1);
    for (uint32_t agent = 0; agent < troop.count; ++agent)
    {
        sidle_vec3 ways[WAYS];
        sidle_what_if all[WAYS], alone;
        draw_ways(&random, ways);
        sidle_what_if_desc desc = what_if_desc(&trial, &troop.moves[agent], ways, WAYS, all);
        demand(sidle_crowd_what_if(trial.trying, &desc), "sidle_crowd_what_if");
        for (uint32_t i = 0; i < WAYS; ++i)
        {
            desc = what_if_desc(&trial, &troop.moves[agent], &ways[i], 1, &alone);
            demand(sidle_crowd_what_if(trial.trying, &desc), "sidle_crowd_what_if");
            cr_expect(same_body(&alone.body, &all[i].body) && alone.reasons == all[i].reasons &&
                      memcmp(&alone.clear_distance, &all[i].clear_distance, sizeof alone.clear_distance) ==
                          0);
        }
    }
    trial_close(&trial);
    troop_free(&troop);
    scene_close(&level);
}

/* ---- how far it is clear ---- */

Test(what_if, the_clear_distance_is_the_way_up_to_the_wall)
{
    Soup soup = {0};
    soup_wall(&soup, 20.0, 3.0);
    Scene scene = scene_of(soup, flying_ball());
    Trial trial = {.trying = scene.crowd, .tick = {.snapshot = scene.snapshot, .dt = 1 / 60.f}};
    const sidle_vec3 ways[] = {{5, 0, 0}, {1, 0, 0}, {5, 5, 0}, {-5, 0, 0}, {0, 0, 0}};
    sidle_what_if results[5];
    sidle_move move = {.id = 1};
    sidle_what_if_desc desc = what_if_desc(&trial, &move, ways, 5, results);
    demand(sidle_crowd_what_if(trial.trying, &desc), "sidle_crowd_what_if");
    const double clear[] = {1.98, 1, 1.98 * sqrt(2), 5, 0}; /* the ball ends 1.02 before the wall */
    for (int i = 0; i < 5; ++i)
    {
        cr_expect_float_eq((double)results[i].clear_distance, clear[i], 1e-4, "way %d: %g", i,
                           (double)results[i].clear_distance);
    }
    cr_expect_float_eq(results[2].body.center.y, 5, 1e-4, "it slides on along the wall");
    scene_close(&scene);
}

Test(what_if, walking_straight_follows_the_ground)
{
    Soup soup = {0};
    soup_slope(&soup, 20.0, 20.0);
    Scene scene = scene_of(soup, walking_ball());
    Agent agent = agent_at(0, 1.2, 0);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 60);
    cr_assert(agent.body.flags & SIDLE_BODY_GROUNDED);
    Trial trial = {.trying = scene.crowd, .tick = {.snapshot = scene.snapshot, .dt = 1 / 60.f}};
    const sidle_vec3 uphill = {2, 0, 0};
    sidle_what_if result;
    sidle_move move = {.id = 1, .body = agent.body};
    sidle_what_if_desc desc = what_if_desc(&trial, &move, &uphill, 1, &result);
    demand(sidle_crowd_what_if(trial.trying, &desc), "sidle_crowd_what_if");
    cr_expect_float_eq((double)result.clear_distance, 2, 1e-3);
    scene_close(&scene);
}

/* ---- nothing changes, and nothing is taken ---- */

Test(what_if, a_crowd_that_is_asked_between_its_ticks_ticks_as_if_it_had_not_been)
{
    Scene level = troop_level();
    uint64_t expected = troop_history(&level, 0, 100, 40, troop_run_plainly, NULL);
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(100);
    Random random = random_seeded(4);
    Trial trial = {.trying = crowd, .tick = {.snapshot = level.snapshot, .dt = 1 / 60.f}};
    for (uint32_t tick = 0; tick < 40; ++tick)
    {
        sidle_vec3 ways[WAYS];
        sidle_what_if results[WAYS];
        draw_ways(&random, ways);
        sidle_what_if_desc desc = what_if_desc(&trial, &troop.moves[tick], ways, WAYS, results);
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

Test(what_if, only_the_first_call_takes_memory)
{
    Scene level = troop_level();
    Heap heap = {.allocations = 0};
    sidle_allocator allocator = heap_allocator(&heap);
    Troop troop = troop_of(50);
    Trial trial = {.trying = troop_crowd(0, &allocator),
                   .tick = {.snapshot = level.snapshot, .dt = 1 / 60.f}};
    Random random = random_seeded(6);
    size_t after_first = 0;
    for (uint32_t agent = 0; agent < troop.count; ++agent)
    {
        sidle_vec3 ways[WAYS];
        sidle_what_if results[WAYS];
        draw_ways(&random, ways);
        sidle_what_if_desc desc =
            what_if_desc(&trial, &troop.moves[agent], ways, agent % 2 ? WAYS : 1, results);
        demand(sidle_crowd_what_if(trial.trying, &desc), "sidle_crowd_what_if");
        after_first = agent == 0 ? heap.allocations : after_first;
    }
    cr_expect(heap.allocations == after_first);
    trial_close(&trial);
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
    sidle_what_if results[200][WAYS];
} Thinkers;

static void think(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    Thinkers *thinkers = context;
    Trial trial = {.tick = {.snapshot = thinkers->level->snapshot, .dt = 1 / 60.f}};
    for (uint32_t i = begin; i < end; ++i)
    {
        Random random = random_seeded(i);
        sidle_vec3 ways[WAYS];
        draw_ways(&random, ways);
        sidle_what_if_desc desc =
            what_if_desc(&trial, &thinkers->troop->moves[i], ways, WAYS, thinkers->results[i]);
        demand(sidle_crowd_what_if(thinkers->crowds[worker], &desc), "sidle_crowd_what_if");
    }
}

Test(what_if, crowds_of_their_own_may_think_at_the_same_time)
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
    for (uint32_t i = 0; i < 200 * WAYS; ++i)
    {
        const sidle_what_if *a = &alone->results[i / WAYS][i % WAYS],
                            *b = &together->results[i / WAYS][i % WAYS];
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

Test(what_if, bad_arguments_are_a_status)
{
    Scene level = troop_level();
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Trial trial = {.tick = {.snapshot = level.snapshot, .dt = 1 / 60.f}};
    const sidle_vec3 ways[2] = {{1, 0, 0}, {0, 0, 1}};
    sidle_what_if results[2];
    sidle_move move = {.id = 1, .body.center = {0, 5, 0}};
    const sidle_what_if_desc good = what_if_desc(&trial, &move, ways, 2, results);
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

Test(what_if, strides_lead_from_one_to_the_next)
{
    struct
    {
        sidle_vec3 way;
        float more;
    } ways[3] = {{{.1f, 0, 0}, 9}, {{0, .1f, 0}, 9}, {{0, 0, .1f}, 9}};
    struct
    {
        sidle_what_if result;
        double more;
    } results[3] = {{.more = 7}, {.more = 7}, {.more = 7}};
    Scene scene = scene_of((Soup){0}, flying_ball());
    Trial trial = {.tick = {.snapshot = scene.snapshot, .dt = 1 / 60.f}};
    sidle_move move = {.id = 1};
    sidle_what_if_desc desc = what_if_desc(&trial, &move, &ways[0].way, 3, &results[0].result);
    desc.displacement_stride = sizeof ways[0];
    desc.result_stride = sizeof results[0];
    demand(sidle_crowd_what_if(scene.crowd, &desc), "sidle_crowd_what_if");
    cr_expect_float_eq(results[0].result.body.center.x, .1, 1e-6);
    cr_expect_float_eq(results[1].result.body.center.y, .1, 1e-6);
    cr_expect_float_eq(results[2].result.body.center.z, .1, 1e-6);
    cr_expect(results[0].more == 7 && results[2].more == 7);
    scene_close(&scene);
}
