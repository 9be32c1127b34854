/* Many displacements of one agent, tried at once: each ends where a tick would end it, to the bit. How the call
 * behaves beside that is in test_what_if_calls.c. */
#include "support/mixed.h"
#include "support/paths.h"
#include "support/ticked.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <string.h>

static double length_of(sidle_vec3 v)
{
    return vector_length(vector((double)v.x, (double)v.y, (double)v.z));
}

typedef struct Trial
{
    sidle_crowd *ticking, *trying;
    sidle_tick_desc times; /* snapshot and times */
    uint32_t reasons;      /* of all that was seen */
    uint32_t differing, tried;
} Trial;

/* The same by ticks and by a what-if. */
static void compare(Trial *trial, const sidle_move *move, const sidle_vec3 paths[PATH_COUNT])
{
    sidle_move moves[PATH_COUNT];
    sidle_result expected[PATH_COUNT];
    sidle_what_if results[PATH_COUNT];
    for (uint32_t i = 0; i < PATH_COUNT; ++i)
    {
        moves[i] = *move;
        moves[i].displacement = paths[i];
    }
    tick_moves(trial->ticking, &trial->times, moves, PATH_COUNT, expected, NULL);
    sidle_what_if_desc desc = what_if_desc(&trial->times, move, paths, PATH_COUNT, results);
    demand(sidle_crowd_what_if(trial->trying, &desc), "sidle_crowd_what_if");
    for (uint32_t i = 0; i < PATH_COUNT; ++i)
    {
        bool same =
            same_body(&results[i].body, &expected[i].body) && results[i].reasons == expected[i].reasons;
        trial->differing += !same;
        trial->reasons |= expected[i].reasons;
        double clear = (double)results[i].clear_distance, length = length_of(paths[i]);
        cr_expect(clear >= 0 && (clear <= length * (1 + 1e-6) || isnan(length)), "%g of %g", clear, length);
    }
    trial->tried += PATH_COUNT;
}

/* Every agent of a troop tries paths in every tick. */
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
        trial.times = desc;
        for (uint32_t i = 0; i < agents; ++i)
        {
            sidle_vec3 paths[PATH_COUNT];
            draw_paths(&random, paths);
            compare(&trial, &troop.moves[i], paths);
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
    const Kernels *widths[WIDTH_COUNT];
    uint32_t width_count = widths_here(widths);
    Scene level = troop_level();
    for (uint32_t i = 0; i < width_count; ++i)
    {
        uint32_t lanes = widths[i]->lane_count;
        Trial trial = troop_trial(&level, lanes, 96, 12);
        cr_expect(trial.differing == 0, "%u of %u at %u lanes", trial.differing, trial.tried, lanes);
        uint32_t seen = SIDLE_REASON_WALL | SIDLE_REASON_SLOPE | SIDLE_REASON_CEILING | SIDLE_REASON_OVERLAP |
                        SIDLE_REASON_INVALID;
        cr_expect((trial.reasons & seen) == seen, "only %x was seen", trial.reasons);
        trial_close(&trial);
    }
    scene_close(&level);
}

Test(what_if, every_end_is_that_of_a_tick_among_moving_instances_layers_and_one_sided_triangles)
{
    Random random = random_seeded(3);
    sidle_world *world = mixed_world(&random);
    Trial trial = {.ticking = troop_crowd(0, NULL), .trying = troop_crowd(0, NULL)};
    trial.times.dt = 1 / 60.f;
    demand(sidle_world_snapshot(world, &trial.times.snapshot), "sidle_world_snapshot");
    for (uint32_t i = 0; i < 600; ++i)
    {
        sidle_move move = mixed_move(&random, i);
        trial.times.motion_begin = i % 2 ? .25f : 0;
        trial.times.motion_end = i % 2 ? .75f : 0;
        sidle_vec3 paths[PATH_COUNT];
        draw_paths(&random, paths);
        compare(&trial, &move, paths);
    }
    cr_expect(trial.differing == 0, "%u of %u", trial.differing, trial.tried);
    trial_close(&trial);
    sidle_snapshot_release(trial.times.snapshot);
    sidle_world_destroy(world);
}

/* Where candidates run out for some paths, for all, or just for all together. */
Test(what_if, every_end_is_that_of_a_tick_with_any_number_of_candidates)
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
        Trial trial = {.times = {.snapshot = level.snapshot, .dt = 1 / 60.f}};
        demand(sidle_crowd_create(&desc, NULL, &trial.ticking), "sidle_crowd_create");
        demand(sidle_crowd_create(&desc, NULL, &trial.trying), "sidle_crowd_create");
        for (uint32_t i = 0; i < 30; ++i)
        {
            sidle_move move = {.id = i, .body.center = {0, 1.1, .1 * i}, .profile = i % 3};
            sidle_vec3 paths[PATH_COUNT];
            draw_paths(&random, paths);
            compare(&trial, &move, paths);
        }
        cr_expect(trial.differing == 0, "%u of %u with %u candidates", trial.differing, trial.tried,
                  capacity);
        reasons |= trial.reasons;
        trial_close(&trial);
    }
    cr_expect(reasons & SIDLE_REASON_CANDIDATES);
    scene_close(&level);
}

/* Triangles so large, or so flat, that some of them go to double lanes for some of the paths. */
static void expect_the_choice_of_a_tick(sidle_crowd *ticking, sidle_crowd *trying, uint32_t profiles)
{
    Random random = random_seeded(21);
    Soup soup = {0};
    soup_slivers(&soup, 2, 3000, .2);
    soup_slope(&soup, 2e4, 3);
    soup_fan(&soup, 30, 600, 1);
    Scene level = scene_of(soup, walking_ball());
    Trial trial = {.ticking = ticking, .trying = trying};
    trial.times = (sidle_tick_desc){.snapshot = level.snapshot, .dt = 1 / 60.f};
    for (uint32_t i = 0; i < 1500; ++i)
    {
        Vector place = random_in_box(&random, vector(-4, .3, -4), vector(4, 1.5, 4));
        sidle_move move = {.id = i, .body.center = {place.x, place.y, place.z}, .profile = i % profiles};
        move.rotation = (sidle_quat){.2f, (float)random_unit(&random), .1f, 1};
        sidle_vec3 paths[PATH_COUNT];
        draw_paths(&random, paths);
        compare(&trial, &move, paths);
    }
    cr_expect(trial.differing == 0, "%u of %u", trial.differing, trial.tried);
    trial_close(&trial);
    scene_close(&level);
}

Test(what_if, the_choice_between_float_and_double_is_that_of_a_tick)
{
    expect_the_choice_of_a_tick(troop_crowd(0, NULL), troop_crowd(0, NULL), 12);
}

Test(what_if, capsules_end_where_a_tick_ends_them)
{
    sidle_profile profiles[3];
    for (uint32_t mode = 0; mode < 3; ++mode)
    {
        profiles[mode] = (sidle_profile){
            .size = sizeof *profiles, .shape = {.radii = {.4f, .4f, .4f}, .half_height = .5f}, .mode = mode};
    }
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 3};
    sidle_crowd *crowds[2];
    for (int i = 0; i < 2; ++i)
    {
        demand(sidle_crowd_create(&desc, NULL, &crowds[i]), "sidle_crowd_create");
    }
    expect_the_choice_of_a_tick(crowds[0], crowds[1], 3);
}

Test(what_if, one_displacement_among_several_gives_its_result_alone)
{
    Scene level = troop_level();
    Troop troop = troop_of(60);
    Trial trial = {.trying = troop_crowd(0, NULL), .times = {.snapshot = level.snapshot, .dt = 1 / 60.f}};
    Random random = random_seeded(1);
    for (uint32_t agent = 0; agent < troop.count; ++agent)
    {
        sidle_vec3 paths[PATH_COUNT];
        sidle_what_if all[PATH_COUNT], alone;
        draw_paths(&random, paths);
        sidle_what_if_desc desc = what_if_desc(&trial.times, &troop.moves[agent], paths, PATH_COUNT, all);
        demand(sidle_crowd_what_if(trial.trying, &desc), "sidle_crowd_what_if");
        for (uint32_t i = 0; i < PATH_COUNT; ++i)
        {
            desc = what_if_desc(&trial.times, &troop.moves[agent], &paths[i], 1, &alone);
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

Test(what_if, the_clear_distance_is_the_distance_to_the_wall)
{
    Soup soup = {0};
    soup_wall(&soup, 20.0, 3.0);
    Scene scene = scene_of(soup, flying_ball());
    Trial trial = {.trying = scene.crowd, .times = {.snapshot = scene.snapshot, .dt = 1 / 60.f}};
    const sidle_vec3 paths[] = {{5, 0, 0}, {1, 0, 0}, {5, 5, 0}, {-5, 0, 0}, {0, 0, 0}};
    sidle_what_if results[5];
    sidle_move move = {.id = 1};
    sidle_what_if_desc desc = what_if_desc(&trial.times, &move, paths, 5, results);
    demand(sidle_crowd_what_if(trial.trying, &desc), "sidle_crowd_what_if");
    const double clear[] = {1.98, 1, 1.98 * sqrt(2), 5, 0}; /* the ball ends 1.02 before the wall */
    for (int i = 0; i < 5; ++i)
    {
        cr_expect_float_eq((double)results[i].clear_distance, clear[i], 1e-4, "path %d: %g", i,
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
    Trial trial = {.trying = scene.crowd, .times = {.snapshot = scene.snapshot, .dt = 1 / 60.f}};
    const sidle_vec3 uphill = {2, 0, 0};
    sidle_what_if result;
    sidle_move move = {.id = 1, .body = agent.body};
    sidle_what_if_desc desc = what_if_desc(&trial.times, &move, &uphill, 1, &result);
    demand(sidle_crowd_what_if(trial.trying, &desc), "sidle_crowd_what_if");
    cr_expect_float_eq((double)result.clear_distance, 2, 1e-3);
    scene_close(&scene);
}
