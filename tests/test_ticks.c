/* Ticks in parts, ticks at the same time, and what an agent may have of its own: up, gravity, a turned shape.
 */
#include "support/troop.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- in parts ---- */

static void run_tasks(sidle_work *work, uint32_t skipped)
{
    for (uint32_t phase = 0; phase < sidle_work_phase_count(work); ++phase)
    {
        for (uint32_t task = 0; task < sidle_work_task_count(work, phase); ++task)
        {
            if (phase > 0 || task != skipped)
            {
                sidle_work_run(work, phase, task, 0);
            }
        }
    }
}

Test(ticks, a_crowd_is_busy_between_begin_and_end_and_free_afterwards)
{
    Scene level = troop_level();
    sidle_crowd *crowd = troop_crowd(0, NULL), *other = troop_crowd(0, NULL);
    Troop troop = troop_of(200);
    sidle_tick_desc tick = troop_tick(&troop, &level, 0);
    sidle_work work, second;
    demand(sidle_crowd_tick_begin(crowd, &tick, 1, &work), "sidle_crowd_tick_begin");
    cr_expect_eq(sidle_crowd_tick_begin(crowd, &tick, 1, &second), SIDLE_ERROR_BUSY);
    cr_expect_eq(sidle_crowd_tick(crowd, &tick), SIDLE_ERROR_BUSY);
    cr_expect_eq(sidle_crowd_tick_end(other, &work), SIDLE_ERROR_ARGUMENT, "another crowd's");
    run_tasks(&work, UINT32_MAX);
    cr_expect_eq(sidle_crowd_tick(crowd, &tick), SIDLE_ERROR_BUSY,
                 "all tasks have run, but _end was not called");
    cr_expect_eq(sidle_crowd_tick_end(crowd, &work), SIDLE_OK);
    cr_expect_eq(sidle_crowd_tick_end(crowd, &work), SIDLE_ERROR_ARGUMENT, "ended twice");
    cr_expect_eq(sidle_crowd_tick(crowd, &tick), SIDLE_OK);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    sidle_crowd_destroy(other);
    scene_close(&level);
}

Test(ticks, a_tick_that_ends_before_all_its_tasks_have_run_is_busy_and_can_be_run_again)
{
    Scene level = troop_level();
    uint64_t expected = troop_history(&level, 0, 200, 3, troop_run_plainly, NULL);
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(200);
    for (uint32_t number = 0; number < 3; ++number)
    {
        sidle_tick_desc tick = troop_tick(&troop, &level, number);
        sidle_work work;
        demand(sidle_crowd_tick_begin(crowd, &tick, 1, &work), "sidle_crowd_tick_begin");
        run_tasks(&work, number);
        cr_expect_eq(sidle_crowd_tick_end(crowd, &work), SIDLE_ERROR_INCOMPLETE);
        demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
        troop_take(&troop);
    }
    cr_expect(troop.history == expected);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

Test(ticks, phases_have_names_and_numbers_beyond_them_are_ignored)
{
    Scene level = troop_level();
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(100);
    sidle_tick_desc tick = troop_tick(&troop, &level, 0);
    sidle_work work;
    demand(sidle_crowd_tick_begin(crowd, &tick, 2, &work), "sidle_crowd_tick_begin");
    uint32_t phases = sidle_work_phase_count(&work);
    cr_expect(phases >= 1 && phases <= SIDLE_MAX_PHASES);
    for (uint32_t phase = 0; phase < phases; ++phase)
    {
        cr_expect(strncmp(sidle_work_phase_name(&work, phase), "sidle ", 6) == 0);
        sidle_work_run(&work, phase, sidle_work_task_count(&work, phase), 0);
        sidle_work_run(&work, phase, 0, 2);
    }
    cr_expect_eq(sidle_work_task_count(&work, phases), 0);
    cr_expect_str_eq(sidle_work_phase_name(&work, phases), "");
    sidle_work_run(&work, phases, 0, 0);
    sidle_work_run(&work, UINT32_MAX, 0, 0);
    cr_expect_eq(sidle_crowd_tick_end(crowd, &work), SIDLE_ERROR_INCOMPLETE, "none of that was a task");
    cr_expect_eq(sidle_work_phase_count(NULL), 0);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

/* ---- at the same time ---- */

typedef struct Party
{
    const Scene *level;
    uint32_t lanes;
    uint64_t history;
} Party;

static void *run_party(void *argument)
{
    Party *party = argument;
    party->history = troop_history(party->level, party->lanes, 200, 40, troop_run_plainly, NULL);
    return NULL;
}

Test(ticks, crowds_on_one_snapshot_tick_at_the_same_time)
{
    Scene level = troop_level();
    Party parties[4];
    pthread_t threads[4];
    for (uint32_t i = 0; i < 4; ++i)
    {
        parties[i] = (Party){&level, i % 2 ? 1 : 0, 0};
        cr_assert_eq(pthread_create(&threads[i], NULL, run_party, &parties[i]), 0);
    }
    for (uint32_t i = 0; i < 4; ++i)
    {
        pthread_join(threads[i], NULL);
    }
    uint64_t alone = troop_history(&level, 0, 200, 40, troop_run_plainly, NULL);
    for (uint32_t i = 0; i < 4; ++i)
    {
        cr_expect(parties[i].history == alone, "crowd %u", i);
    }
    scene_close(&level);
}

/* What a world does next is nothing to a tick on an earlier epoch. */
static void *commit_often(void *argument)
{
    Scene *level = argument;
    for (int i = 0; i < 200; ++i)
    {
        sidle_pose pose = {.position = {0, 0.01 * i, 0}};
        demand(sidle_world_teleport(level->world, level->instances[0], &pose), "sidle_world_teleport");
        demand(sidle_world_commit(level->world, NULL), "sidle_world_commit");
    }
    return NULL;
}

Test(ticks, a_tick_runs_beside_the_next_commit)
{
    Scene level = troop_level();
    uint64_t alone = troop_history(&level, 0, 100, 40, troop_run_plainly, NULL);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, commit_often, &level), 0);
    uint64_t beside = troop_history(&level, 0, 100, 40, troop_run_plainly, NULL);
    pthread_join(thread, NULL);
    cr_expect(beside == alone);
    scene_close(&level);
}

/* ---- of one's own ---- */

/* Lets a body fall for two seconds. */
static sidle_body fallen(const Scene *scene, sidle_move move, float dt)
{
    sidle_result result = {.body = move.body};
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = dt,
                            .moves = &move,
                            .count = 1,
                            .results = &result};
    for (int i = 0; (float)i * dt < 2.0f; ++i)
    {
        demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
        move.body = result.body;
    }
    return move.body;
}

static Scene box_scene(SceneOptions options)
{
    Soup box = {0};
    soup_tunnel(&box, 5, 20);
    return scene_of(box, options);
}

Test(ticks, an_agent_may_have_its_own_up_and_gravity)
{
    const sidle_vec3 pulls[3] = {{0, 0, 30}, {0, 20, 0}, {0, 3, -20}};
    Scene scene = box_scene(walking_ball());
    for (int i = 0; i < 3; ++i)
    {
        sidle_vec3 g = pulls[i];
        sidle_move move = {.id = 3, .gravity = g, .up = {-2 * g.x, -2 * g.y, -2 * g.z}};
        sidle_body body = fallen(&scene, move, 1.0f / 60.0f);
        Vector down = vector_unit(vector((double)g.x, (double)g.y, (double)g.z));
        Vector wall = fabs(down.z) > fabs(down.y) ? vector(0, 0, down.z > 0.0 ? 1 : -1) : vector(0, 1, 0);
        double depth = vector_dot(wall, vector(body.center.x, body.center.y, body.center.z));
        cr_expect(body.flags & SIDLE_BODY_GROUNDED, "pull %d", i);
        cr_expect_float_eq(depth, 5 - 1.02, 1e-4, "pull %d", i);
        cr_expect_float_eq(vector_dot(wall, vector((double)body.ground_normal.x, (double)body.ground_normal.y,
                                                   (double)body.ground_normal.z)),
                           -1.0, 1e-6, "pull %d", i);
    }
    scene_close(&scene);
}

Test(ticks, the_crowd_s_up_and_gravity_are_the_defaults_of_an_agent)
{
    sidle_profile profile = walking_ball().profile;
    Scene scene = box_scene(walking_ball());
    const sidle_vec3 ups[3] = {{0, 0, 0}, {0, 0, 2}, {0, -1, 0}};
    for (int i = 0; i < 3; ++i)
    {
        sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1, .up = ups[i]};
        sidle_crowd_destroy(scene.crowd);
        scene.crowd = NULL;
        demand(sidle_crowd_create(&desc, NULL, &scene.crowd), "sidle_crowd_create");
        sidle_body body = fallen(&scene, (sidle_move){.id = 1}, 1.0f / 60.0f);
        cr_expect_float_eq(i == 1 ? body.center.z : body.center.y, i == 2 ? 3.98 : -3.98, 1e-4, "up %d", i);
        cr_expect(body.flags & SIDLE_BODY_GROUNDED);
    }
    scene_close(&scene);
}

Test(ticks, a_turned_shape_rests_on_its_side)
{
    SceneOptions options = sliding_ball();
    options.profile.shape.radii = (sidle_vec3){0.5f, 2.0f, 1.0f};
    Scene scene = box_scene(options);
    const struct
    {
        sidle_quat rotation;
        double radius; /* downwards */
    } cases[4] = {{{0, 0, 0, 0}, 2.0}, {{0, 3, 0, 3}, 2.0}, {{0, 0, 1, 1}, 0.5}, {{-2, 0, 0, 2}, 1.0}};
    for (int i = 0; i < 4; ++i)
    {
        sidle_move move = {.id = 1, .rotation = cases[i].rotation};
        sidle_body body = fallen(&scene, move, 1.0f / 60.0f);
        cr_expect_float_eq(body.center.y, -5 + 1.02 * cases[i].radius, 1e-4, "case %d: %g", i, body.center.y);
    }
    scene_close(&scene);
}

Test(ticks, slide_mode_without_gravity_follows_the_displacement_alone)
{
    SceneOptions options = sliding_ball();
    options.profile.flags = SIDLE_PROFILE_NO_GRAVITY;
    Scene scene = box_scene(options);
    Agent agent = agent_at(0, 0, 0);
    scene_ticks(&scene, &agent, vector(0.1, 0.01, 0), 60);
    cr_expect(vector_distance(agent_center(&agent), vector(6, 0.6, 0)) < 1e-5);
    scene_close(&scene);
}
