/* Walk mode with SIDLE_PROFILE_NO_GRAVITY, and with a displacement that leads up or down. Metres and seconds. */
#include "support/scene.h"

#include <criterion/criterion.h>

static const int rates[4] = {15, 30, 60, 240};

static SceneOptions person(uint32_t flags, int rate)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){0.4f, 0.9f, 0.4f};
    options.profile.flags = flags;
    options.dt = 1.0f / (float)rate;
    return options;
}

static bool is_grounded(const Agent *agent)
{
    return agent->body.flags & SIDLE_BODY_GROUNDED;
}

static Scene floor_scene(uint32_t flags, int rate)
{
    Soup soup = {0};
    soup_floor(&soup, 10, 0);
    return scene_of(soup, person(flags, rate));
}

Test(floating, an_airborne_walker_without_gravity_keeps_its_velocity)
{
    for (int form = 0; form < 4; ++form)
    {
        Scene scene = floor_scene(SIDLE_PROFILE_NO_GRAVITY, rates[form]);
        Agent agent = agent_at(0, 3, 0);
        agent.body.velocity = (sidle_vec3){1, .5f, -2};
        scene_ticks(&scene, &agent, vector(0, 0, 0), 2 * rates[form]);
        cr_expect_lt(vector_distance(agent_center(&agent), vector(2, 4, -4)), 1e-5, "%d Hz: at %g %g %g",
                     rates[form], agent.body.center.x, agent.body.center.y, agent.body.center.z);
        cr_expect(!is_grounded(&agent) && agent.body.velocity.x == 1 && agent.body.velocity.y == .5f);
        scene_close(&scene);
    }
}

Test(floating, a_walker_without_gravity_and_velocity_stays_in_the_air_to_the_bit)
{
    Scene scene = floor_scene(SIDLE_PROFILE_NO_GRAVITY, 60);
    Agent agent = agent_at(.1, 3, .2), before = agent;
    scene_ticks(&scene, &agent, vector(0, 0, 0), 600);
    cr_expect(agent_same_bits(&agent, &before));
    scene_close(&scene);
}

Test(floating, on_the_ground_the_flag_changes_no_bit)
{
    Soup soup = {0};
    soup_terrain(&soup, 20, 1.5, .3, 3);
    Scene heavy = scene_of(soup_copy(&soup), person(0, 60));
    Scene light = scene_of(soup, person(SIDLE_PROFILE_NO_GRAVITY, 60));
    Agent agent = agent_at(-10, 3, -9);
    while (!is_grounded(&agent))
    {
        scene_tick(&heavy, &agent, vector(0, 0, 0));
    }
    Agent other = agent;
    int compared = 0;
    for (int tick = 0; tick < 300 && is_grounded(&agent); ++tick, ++compared)
    {
        scene_tick(&heavy, &agent, vector(.05, 0, .03));
        scene_tick(&light, &other, vector(.05, 0, .03));
        cr_expect(!is_grounded(&agent) || agent_same_bits(&agent, &other), "tick %d", tick);
    }
    cr_expect_gt(compared, 200);
    scene_close(&heavy);
    scene_close(&light);
}

Test(floating, a_walker_without_gravity_floats_on_from_an_edge)
{
    Scene scene = floor_scene(SIDLE_PROFILE_NO_GRAVITY, 60);
    Agent agent = agent_at(9, .918, 0);
    agent.body.flags = SIDLE_BODY_GROUNDED;
    for (int tick = 0; tick < 120 && is_grounded(&agent); ++tick)
    {
        scene_tick(&scene, &agent, vector(.05, 0, 0));
    }
    cr_expect(!is_grounded(&agent) && agent.body.velocity.x > 2, "at %g", agent.body.center.x);
    sidle_vec3 v = agent.body.velocity;
    Vector expected = vector_add(agent_center(&agent), vector((double)v.x, (double)v.y, (double)v.z));
    scene_ticks(&scene, &agent, vector(0, 0, 0), 60);
    cr_expect_lt(vector_distance(agent_center(&agent), expected), 1e-5);
    cr_expect_not(is_grounded(&agent));
    scene_close(&scene);
}

Test(floating, a_walker_without_gravity_lands_on_ground_that_it_floats_onto)
{
    for (int form = 0; form < 4; ++form)
    {
        Scene scene = floor_scene(SIDLE_PROFILE_NO_GRAVITY, rates[form]);
        Agent agent = agent_at(0, 2, 0);
        agent.body.velocity.y = -1.5f;
        float impact = 0;
        for (int tick = 0; tick < 2 * rates[form] && !is_grounded(&agent); ++tick)
        {
            scene_tick(&scene, &agent, vector(0, 0, 0));
            impact = agent.impact_speed;
        }
        cr_expect(is_grounded(&agent) && fabs((double)impact - 1.5) < 1e-4, "%d Hz: %g m/s", rates[form],
                  (double)impact);
        scene_close(&scene);
    }
}

/* A jump off the ground goes on for good. */
Test(floating, a_walker_without_gravity_that_jumps_does_not_come_back)
{
    Scene scene = floor_scene(SIDLE_PROFILE_NO_GRAVITY, 60);
    Agent agent = agent_at(0, .918, 0);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 3);
    cr_expect(is_grounded(&agent));
    agent.body.flags = 0;
    agent.body.velocity.y = 2;
    scene_ticks(&scene, &agent, vector(0, 0, 0), 60);
    cr_expect(!is_grounded(&agent) && fabs(agent.body.center.y - 2.918) < 1e-3, "at %g", agent.body.center.y);
    scene_close(&scene);
}

/* ---- ground that moves ---- */

static void move_floor(Scene *scene, double from_y, double to_y)
{
    sidle_pose from = {.position = {0, from_y, 0}}, to = {.position = {0, to_y, 0}};
    demand(sidle_world_move(scene->world, scene->instances[0], &from, &to), "sidle_world_move");
    demand(sidle_world_commit(scene->world, NULL), "sidle_world_commit");
    sidle_snapshot_release(scene->snapshot);
    demand(sidle_world_snapshot(scene->world, &scene->snapshot), "sidle_world_snapshot");
}

Test(floating, a_walker_without_gravity_rides_a_lift_down)
{
    Scene scene = floor_scene(SIDLE_PROFILE_NO_GRAVITY, 60);
    Agent agent = agent_at(0, .918, 0);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 3);
    double above = agent.body.center.y;
    for (int tick = 0; tick < 120; ++tick)
    {
        move_floor(&scene, -.03 * tick, -.03 * (tick + 1));
        scene_tick(&scene, &agent, vector(.01, 0, 0));
        cr_expect(is_grounded(&agent) && fabs(agent.body.center.y + .03 * (tick + 1) - above) < 1e-5,
                  "tick %d", tick);
    }
    scene_close(&scene);
}

/* ---- displacements that lead up or down ---- */

Test(floating, walk_mode_ignores_the_vertical_part_of_the_displacement)
{
    Soup soup = {0};
    soup_slope(&soup, 20, 20);
    Scene scene = scene_of(soup, person(0, 60));
    for (int in_air = 0; in_air < 2; ++in_air)
    {
        Agent agent = agent_at(0, in_air ? 9 : 1.2, 0);
        agent.body.velocity.x = 2;
        scene_ticks(&scene, &agent, vector(0, 0, 0), in_air ? 1 : 60);
        Agent level = agent, up = agent, down = agent, still = agent, straight = agent;
        for (int tick = 0; tick < 20; ++tick)
        {
            scene_tick(&scene, &level, vector(.03, 0, .01));
            scene_tick(&scene, &up, vector(.03, .5, .01));
            scene_tick(&scene, &down, vector(.03, -.5, .01));
            scene_tick(&scene, &still, vector(0, 0, 0));
            scene_tick(&scene, &straight, vector(0, .5, 0));
        }
        cr_expect(agent_same_bits(&level, &up) && agent_same_bits(&level, &down), "in air: %d", in_air);
        cr_expect(agent_same_bits(&still, &straight), "straight up, in air: %d", in_air);
    }
    scene_close(&scene);
}
