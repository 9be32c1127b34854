/* Walking, sliding on the ground and falling, as docs/method.md promises them. Metres and seconds. */
#include "support/random.h"
#include "support/scene.h"

#include <criterion/criterion.h>

static SceneOptions person(uint32_t mode)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){0.4f, 0.9f, 0.4f};
    options.profile.mode = mode;
    return options;
}

/* The same with another number of ticks a second. */
static SceneOptions at_rate(SceneOptions options, int rate)
{
    options.dt = 1.0f / (float)rate;
    return options;
}

static double step_of(const Scene *scene, double speed)
{
    return speed * (double)scene->options.dt;
}

static bool is_grounded(const Agent *agent)
{
    return (agent->body.flags & SIDLE_BODY_GROUNDED) != 0;
}

static double speed_of(const Agent *agent)
{
    sidle_vec3 v = agent->body.velocity;
    return vector_length(vector((double)v.x, (double)v.y, (double)v.z));
}

/* Lets the agent down until it stands. */
static Agent landed(const Scene *scene, Vector from)
{
    Agent agent = agent_in(from);
    for (int tick = 0; tick < 2000 && !is_grounded(&agent); ++tick)
    {
        scene_tick(scene, &agent, vector(0, 0, 0));
    }
    cr_assert(is_grounded(&agent), "does not land");
    return agent;
}

static Scene slope_scene(double degrees, SceneOptions options)
{
    Soup slope = {0};
    soup_slope(&slope, 60, degrees);
    return scene_of(slope, options);
}

/* ---- standing ---- */

Test(walk, an_agent_without_a_displacement_does_not_move_a_bit_on_a_slope)
{
    const uint32_t modes[2] = {SIDLE_WALK, SIDLE_SLIDE};
    for (int form = 0; form < 16; ++form)
    {
        double degrees = 10.0 + 10.0 * (form % 4);
        SceneOptions options = form < 8 ? person(modes[form / 4]) : walking_ball();
        options.profile.mode = modes[form / 4 % 2];
        Scene scene = slope_scene(degrees, options);
        Agent agent = landed(&scene, vector(0.3, 2.5, 0.1));
        scene_tick(&scene, &agent, vector(0, 0, 0));
        Agent before = agent;
        for (int tick = 0; tick < 600; ++tick)
        {
            scene_tick(&scene, &agent, vector(0, 0, 0));
            cr_assert(vector_same_bits(agent_center(&agent), agent_center(&before)),
                      "form %d, %g degrees, tick %d: by %g", form, degrees, tick,
                      vector_distance(agent_center(&agent), agent_center(&before)));
            cr_assert(is_grounded(&agent) && speed_of(&agent) == 0.0, "form %d, tick %d", form, tick);
        }
        scene_close(&scene);
    }
}

Test(walk, an_agent_put_on_a_slope_is_at_rest_from_its_first_grounded_tick)
{
    for (int degrees = 10; degrees <= 40; degrees += 10)
    {
        Scene scene = slope_scene(degrees, person(SIDLE_WALK));
        Agent agent = landed(&scene, vector(0, 2, 0));
        Vector place = agent_center(&agent);
        scene_ticks(&scene, &agent, vector(0, 0, 0), 600);
        cr_expect(vector_distance(agent_center(&agent), place) < 1e-5, "%d degrees: crept by %g", degrees,
                  vector_distance(agent_center(&agent), place));
        scene_close(&scene);
    }
}

/* ---- slopes ---- */

/* How much higher two seconds of walking against a slope lead, from its foot. */
static double climb(double degrees, SceneOptions options)
{
    Soup soup = {0}, slope = {0};
    soup_floor(&soup, 30, 0);
    soup_slope(&slope, 20, degrees);
    soup_shift(&slope, vector(2 + 20 * cos(radians(degrees)), 20 * sin(radians(degrees)), 0));
    soup_append(&soup, &slope);
    soup_free(&slope);
    Scene scene = scene_of(soup, options);
    Agent agent = landed(&scene, vector(0, 2, 0));
    double before = agent.body.center.y;
    scene_ticks(&scene, &agent, vector(step_of(&scene, 3.0), 0, 0), (int)(4.0f / options.dt));
    double risen = agent.body.center.y - before;
    scene_close(&scene);
    return risen;
}

Test(walk, a_slope_below_the_limit_is_walked_up_and_one_above_it_is_not)
{
    const int rates[3] = {30, 60, 240};
    for (int form = 0; form < 6; ++form)
    {
        SceneOptions options = at_rate(form < 3 ? person(SIDLE_WALK) : walking_ball(), rates[form % 3]);
        cr_expect_gt(climb(44, options), 4.0, "form %d: 44 degrees, %g m", form, climb(44, options));
        cr_expect_lt(climb(46, options), 0.35, "form %d: 46 degrees, %g m", form, climb(46, options));
        cr_expect_lt(climb(80, options), 0.1, "form %d: 80 degrees, %g m", form, climb(80, options));
        options.profile.max_slope_cos = (float)cos(radians(60));
        cr_expect_gt(climb(59, options), 4.0, "form %d: 59 degrees, %g m", form, climb(59, options));
        cr_expect_lt(climb(61, options), 0.35, "form %d: 61 degrees, %g m", form, climb(61, options));
    }
}

/* A limit of 1: whatever rounding makes of a level triangle's normal, it is level. */
Test(walk, with_a_slope_limit_of_zero_an_agent_walks_on_level_ground)
{
    SceneOptions options = walking_ball();
    options.profile.max_slope_cos = 1;
    Random random = random_seeded(61);
    Soup grid = {0};
    soup_grid(&grid, 16, 1.7, 0);
    Scene scene = scene_of(grid, options);
    for (int i = 0; i < 50; ++i)
    {
        Agent agent = landed(&scene, random_in_box(&random, vector(-9, 1.1, -9), vector(9, 2, 9)));
        for (int tick = 0; tick < 20; ++tick)
        {
            scene_tick(&scene, &agent, vector_scale(random_direction(&random), .02));
            cr_expect(is_grounded(&agent) && !(agent.reasons & SIDLE_REASON_SLOPE), "agent %d, tick %d", i,
                      tick);
        }
    }
    scene_close(&scene);
    cr_expect_lt(climb(1, options), 0.1, "a slope of one degree is not level");
}

Test(walk, walking_up_a_slope_is_no_slower_and_no_faster_than_on_the_flat)
{
    for (int degrees = 0; degrees <= 40; degrees += 10)
    {
        Scene scene = slope_scene(degrees, person(SIDLE_WALK));
        Agent agent = landed(&scene, vector(-5, 3.0 - 5.0 * tan(radians(degrees)), 0));
        Vector start = agent_center(&agent);
        scene_ticks(&scene, &agent, vector(step_of(&scene, 4.0), 0, 0), 60);
        double path = vector_distance(agent_center(&agent), start);
        cr_expect_float_eq(path, 4.0, 0.01, "%d degrees: %g m", degrees, path);
        scene_close(&scene);
    }
}

Test(walk, an_agent_that_walks_down_a_slope_never_leaves_it)
{
    const int rates[3] = {30, 60, 240};
    for (int form = 0; form < 9; ++form)
    {
        double speed = 2.0 + 3.0 * (form / 3);
        Scene scene = slope_scene(30, at_rate(person(SIDLE_WALK), rates[form % 3]));
        Agent agent = landed(&scene, vector(20, 15, 0));
        double gap = scene_clearance(&scene, &agent);
        for (int tick = 0; tick < 4 * rates[form % 3]; ++tick)
        {
            scene_tick(&scene, &agent, vector(-step_of(&scene, speed), 0, 0));
            cr_assert(is_grounded(&agent), "form %d, tick %d", form, tick);
            cr_assert_lt(fabs(scene_clearance(&scene, &agent) - gap), 0.011, "form %d, tick %d: hovers", form,
                         tick);
        }
        scene_close(&scene);
    }
}

/* ---- falling ---- */

Test(walk, free_fall_is_a_parabola_at_any_rate)
{
    const int rates[3] = {30, 60, 240};
    const uint32_t modes[2] = {SIDLE_WALK, SIDLE_SLIDE};
    for (int form = 0; form < 6; ++form)
    {
        int rate = rates[form % 3];
        Soup floor = {0};
        soup_floor(&floor, 10, -1000);
        Scene scene = scene_of(floor, at_rate(person(modes[form / 3]), rate));
        Agent agent = agent_at(0, 0, 0);
        for (int tick = 1; tick <= 2 * rate; ++tick)
        {
            scene_tick(&scene, &agent, vector(0, 0, 0));
            double time = tick * (double)scene.options.dt;
            cr_assert_float_eq(agent.body.center.y, -0.5 * 9.81 * time * time, 1e-4, "form %d, at %g s", form,
                               time);
            cr_assert_float_eq((double)agent.body.velocity.y, -9.81 * time, 1e-4, "form %d, at %g s", form,
                               time);
        }
        scene_close(&scene);
    }
}

Test(walk, a_fall_ends_one_skin_above_the_ground_without_a_bounce)
{
    const uint32_t modes[2] = {SIDLE_WALK, SIDLE_SLIDE};
    for (int form = 0; form < 8; ++form)
    {
        double height = form / 2 == 0 ? 0.95 : 2.0 * pow(8.0, form / 2);
        Soup floor = {0};
        soup_floor(&floor, 10, 0);
        Scene scene = scene_of(floor, person(modes[form % 2]));
        Agent agent = landed(&scene, vector(0, height, 0));
        double rest = agent.body.center.y;
        cr_expect_float_eq(rest, 0.9 * 1.02, 1e-4, "from %g: rests at %g", height, rest);
        for (int tick = 0; tick < 100; ++tick)
        {
            scene_tick(&scene, &agent, vector(0, 0, 0));
            cr_assert(is_grounded(&agent) && fabs(agent.body.center.y - rest) < 1e-5, "from %g: leaves",
                      height);
        }
        scene_close(&scene);
    }
}

Test(walk, the_tick_that_lands_reports_the_speed_of_its_motion)
{
    Soup floor = {0};
    soup_floor(&floor, 10, 0);
    Scene scene = scene_of(floor, person(SIDLE_WALK));
    Agent agent = agent_at(0, 20, 0), before = agent;
    while (!is_grounded(&agent))
    {
        before = agent;
        scene_tick(&scene, &agent, vector(0, 0, 0));
    }
    double moved = (agent.body.center.y - before.body.center.y) / (double)scene.options.dt;
    cr_expect_float_eq((double)agent.body.velocity.y, moved, 1e-3, "%g, but moved at %g",
                       (double)agent.body.velocity.y, moved);
    scene_close(&scene);
}

/* Half a second takes the speed by a share of 1 - 1/e to the requested one: enough to leave a crevice, too little
 * to fly. */
Test(walk, a_falling_agent_steers_a_little_at_any_rate)
{
    const int rates[3] = {30, 60, 240};
    for (int i = 0; i < 3; ++i)
    {
        Scene scene = scene_of((Soup){0}, at_rate(person(SIDLE_WALK), rates[i]));
        Agent agent = agent_at(0, 0, 0);
        scene_ticks(&scene, &agent, vector(step_of(&scene, 3.0), 0, 0), rates[i]);
        cr_expect_float_eq((double)agent.body.velocity.x, 3.0 * (1.0 - exp(-2.0)), 0.05, "%d Hz: %g",
                           rates[i], (double)agent.body.velocity.x);
        cr_expect_float_eq((double)agent.body.velocity.y, -9.81, 1e-4, "%d Hz", rates[i]);
        scene_close(&scene);
    }
}

Test(walk, an_agent_that_falls_off_a_ledge_keeps_its_speed)
{
    for (int form = 0; form < 2; ++form)
    {
        Soup soup = {0};
        soup_plate(&soup, -10, 0, -5, 5, 0);
        soup_plate(&soup, -50, 50, -50, 50, -30);
        Scene scene = scene_of(soup, person(SIDLE_WALK));
        Agent agent = landed(&scene, vector(-1, 1, 0));
        Vector wish = vector(step_of(&scene, 3.0), 0, 0);
        while (is_grounded(&agent) && agent.body.center.x < 5.0)
        {
            scene_tick(&scene, &agent, wish);
        }
        cr_assert(!is_grounded(&agent) && agent.body.center.x > 0.0);
        for (int tick = 0; tick < 60; ++tick)
        {
            double before = agent.body.center.x;
            scene_tick(&scene, &agent, form == 0 ? wish : vector(0, 0, 0));
            cr_assert_float_eq((double)agent.body.velocity.x, 3.0, 0.05, "tick %d: %g m/s", tick,
                               (double)agent.body.velocity.x);
            cr_assert_float_eq(agent.body.center.x - before, step_of(&scene, 3.0), 1e-3);
            cr_assert(!is_grounded(&agent) && agent.body.center.y < 0.92);
        }
        scene_close(&scene);
    }
}

/* ---- steps and walls ---- */

/* A floor with a block of this height in the path, from x = 1 on. */
static Scene kerb_scene(double height, SceneOptions options)
{
    Soup soup = {0};
    soup_plate(&soup, -10, 1, -10, 10, 0);
    soup_quad(&soup, vector(1, 0, -10), vector(1, 0, 10), vector(1, height, 10), vector(1, height, -10));
    soup_plate(&soup, 1, 20, -10, 10, height);
    return scene_of(soup, options);
}

static double height_behind_kerb(double height, SceneOptions options)
{
    Scene scene = kerb_scene(height, options);
    Agent agent = landed(&scene, vector(-1, 1, 0));
    double before = agent.body.center.y;
    scene_ticks(&scene, &agent, vector(step_of(&scene, 3.0), 0, 0), (int)(2.0f / options.dt));
    double risen = agent.body.center.y - before;
    scene_close(&scene);
    return risen;
}

Test(walk, a_kerb_up_to_the_step_height_is_climbed_and_a_higher_one_is_not)
{
    const int rates[3] = {30, 60, 240};
    for (int i = 0; i < 3; ++i)
    {
        SceneOptions options = at_rate(person(SIDLE_WALK), rates[i]);
        cr_expect_float_eq(height_behind_kerb(0.12, options), 0.12, 1e-3, "%d Hz", rates[i]);
        cr_expect_float_eq(height_behind_kerb(0.3, options), 0.3, 1e-3, "%d Hz", rates[i]);
        cr_expect_lt(height_behind_kerb(0.6, options), 1e-3, "%d Hz", rates[i]);
        options.profile.step_up = 0.2f;
        cr_expect_float_eq(height_behind_kerb(0.12, options), 0.12, 1e-3, "%d Hz", rates[i]);
        cr_expect_lt(height_behind_kerb(0.3, options), 1e-3, "%d Hz", rates[i]);
        options.profile.step_up = -1.0f;
        cr_expect_lt(height_behind_kerb(0.12, options), 0.02, "%d Hz", rates[i]);
    }
}

Test(walk, a_kerb_is_followed_down_unless_it_is_too_high)
{
    const double drops[3] = {0.12, 0.4, 2.0}; /* a round foot lets itself down the first part */
    for (int i = 0; i < 3; ++i)
    {
        Scene scene = kerb_scene(-drops[i], person(SIDLE_WALK));
        Agent agent = landed(&scene, vector(-1, 1, 0));
        bool flew = false;
        for (int tick = 0; tick < 120; ++tick)
        {
            scene_tick(&scene, &agent, vector(step_of(&scene, 3.0), 0, 0));
            flew = flew || !is_grounded(&agent);
        }
        cr_expect_eq(flew, drops[i] > 1.0, "%g m", drops[i]);
        cr_expect_float_eq(agent.body.center.y, 0.918 - drops[i], 1e-3, "%g m: at %g", drops[i],
                           agent.body.center.y);
        scene_close(&scene);
    }
}

/* It once bobbed between the shells: grounded in every other tick only. */
Test(walk, an_agent_that_slides_over_a_flat_floor_is_grounded_in_every_tick)
{
    const double speeds[6] = {0.0, 1e-4, 0.05, 1.0, 6.0, 60.0};
    const int rates[3] = {30, 60, 240};
    for (int form = 0; form < 36; ++form)
    {
        SceneOptions options = form < 18 ? person(SIDLE_SLIDE) : sliding_ball();
        Soup floor = {0};
        soup_grid(&floor, 40, 3, 0);
        Scene scene = scene_of(floor, at_rate(options, rates[form % 3]));
        Agent agent = landed(&scene, vector(-40, 1.3, 0.7));
        double height = agent.body.center.y, speed = speeds[form / 3 % 6];
        for (int tick = 0; tick < rates[form % 3]; ++tick)
        {
            scene_tick(&scene, &agent, vector(step_of(&scene, speed), 0, 0.3 * step_of(&scene, speed)));
            cr_assert(is_grounded(&agent), "form %d, tick %d", form, tick);
            cr_assert_lt(fabs(agent.body.center.y - height), 1e-5, "form %d, tick %d", form, tick);
        }
        cr_expect_float_eq(agent.body.center.x + 40, speed, 1e-3 + 1e-4 * speed, "form %d", form);
        scene_close(&scene);
    }
}

/* How far a second of pushing at 45 degrees leads along a wall. */
static double distance_along_wall(SceneOptions options, int rate)
{
    Soup soup = {0};
    soup_wall(&soup, 40, 2);
    if (options.profile.mode != SIDLE_FLY)
    {
        soup_floor(&soup, 40, -1.02);
    }
    Scene scene = scene_of(soup, at_rate(options, rate));
    Agent agent = agent_at(2 - 1.02, 0, -5);
    agent.body.flags = options.profile.mode == SIDLE_WALK ? SIDLE_BODY_GROUNDED : 0;
    double step = step_of(&scene, 4.0);
    scene_ticks(&scene, &agent, vector(step, 0, step), rate);
    cr_expect_lt(agent.body.center.x, 2 - 1.009);
    double path = agent.body.center.z + 5;
    scene_close(&scene);
    return path;
}

Test(walk, a_push_along_a_wall_slides_as_far_at_any_rate)
{
    const int rates[3] = {60, 240, 960};
    const SceneOptions kinds[3] = {flying_ball(), sliding_ball(), walking_ball()};
    for (int form = 0; form < 9; ++form)
    {
        double path = distance_along_wall(kinds[form / 3], rates[form % 3]);
        cr_expect_float_eq(path, 4.0, 0.04, "mode %d, %d Hz: %g m", form / 3, rates[form % 3], path);
    }
}

/* ---- any up ---- */

/* A wish across an up that is askew leaves a rise of rounding, which is no jump. */
Test(walk, an_agent_that_falls_the_last_centimetre_while_it_walks_lands_with_any_up)
{
    Random random = random_seeded(77);
    for (int run = 0; run < 60; ++run)
    {
        const int rates[4] = {4, 10, 20, 60};
        Rotation turn = random_rotation(&random);
        Vector up = vector_rotated(&turn, vector(0, 1, 0));
        SceneOptions options = at_rate(person(SIDLE_WALK), rates[run % 4]);
        options.profile.shape.radii = (sidle_vec3){0.4f, 0.4f, 0.4f};
        options.up = (sidle_vec3){(float)up.x, (float)up.y, (float)up.z};
        Soup floor = {0};
        soup_floor(&floor, 50, 0);
        soup_turn(&floor, &turn);
        Scene scene = scene_of(floor, options);
        Agent agent = agent_in(vector_scale(up, 0.42));
        Vector wish = vector_scale(vector_rotated(&turn, vector(1, 0, 0)), step_of(&scene, 1.0));
        scene_ticks(&scene, &agent, wish, 3 * rates[run % 4]);
        cr_expect(is_grounded(&agent), "run %d, %d Hz", run, rates[run % 4]);
        scene_close(&scene);
    }
}
