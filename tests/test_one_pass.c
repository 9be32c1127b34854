/* Slide mode with wish and fall as one displacement (SIDLE_PROFILE_ONE_PASS). */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>

static SceneOptions one_pass(void)
{
    SceneOptions options = sliding_ball();
    options.profile.flags = SIDLE_PROFILE_ONE_PASS;
    return options;
}

static Scene floor_scene(void)
{
    Soup soup = {0};
    soup_tunnel(&soup, 6, 40);
    return scene_of(soup, one_pass());
}

Test(one_pass, falls_as_far_as_gravity_says_and_lands)
{
    Scene scene = floor_scene();
    Agent agent = agent_at(0, 0, 0);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 30); /* half a second */
    cr_expect_float_eq(agent.body.center.y, -9.81 * .25 / 2, 1e-6);
    cr_expect_float_eq((double)agent.body.velocity.y, -9.81 * .5, 1e-4);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 120);
    cr_expect(agent.body.flags == SIDLE_BODY_GROUNDED);
    cr_expect_float_eq(agent.body.center.y, -6 + 1.02, 1e-6);
    cr_expect_eq(agent.body.velocity.y, 0.f);
    scene_close(&scene);
}

Test(one_pass, walks_on_a_floor_at_the_speed_asked)
{
    Scene scene = floor_scene();
    Agent agent = agent_at(0, -6 + 1.02, 0);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 2);
    double from = agent.body.center.z;
    scene_ticks(&scene, &agent, vector(0, 0, .05), 60);
    cr_expect_float_eq(agent.body.center.z - from, 3, 3e-3);
    cr_expect(agent.body.flags == SIDLE_BODY_GROUNDED);
    scene_close(&scene);
}

Test(one_pass, an_idle_agent_does_not_slide_on_a_slope)
{
    Soup soup = {0};
    soup_slope(&soup, 20, 20);
    Scene scene = scene_of(soup, one_pass());
    Agent agent = agent_at(0, 4, 0);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 120);
    cr_assert(agent.body.flags == SIDLE_BODY_GROUNDED);
    sidle_position before = agent.body.center;
    scene_ticks(&scene, &agent, vector(0, 0, 0), 600);
    cr_expect(before.x == agent.body.center.x && before.y == agent.body.center.y &&
              before.z == agent.body.center.z);
    scene_close(&scene);
}

Test(one_pass, a_fall_along_a_wall_keeps_its_speed)
{
    Scene scene = floor_scene();
    Agent agent = agent_at(-6 + 1.02, 4, 0);
    scene_ticks(&scene, &agent, vector(-.05, 0, 0), 30);
    cr_expect_float_eq(agent.body.center.y, 4 - 9.81 * .25 / 2, .02);
    cr_expect(agent.body.flags == 0);
    scene_close(&scene);
}
