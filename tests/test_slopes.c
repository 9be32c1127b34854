/* Walking on slopes: ground of exactly the slope limit, and the speed uphill and downhill. Metres and seconds. */
#include "support/scene.h"

#include <criterion/criterion.h>

#define SPEED 3.0

static SceneOptions person(int rate)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){0.4f, 0.9f, 0.4f};
    options.dt = 1.0f / (float)rate;
    return options;
}

static Rotation yaw_of(double degrees)
{
    double c = cos(radians(degrees)), s = sin(radians(degrees));
    return (Rotation){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

/* A floor that ends at x = 0, and a slope of `length` from there towards +x, as tiles. */
static Soup slope_with_foot(double degrees, double length, int tiles)
{
    double run = length * cos(radians(degrees)), rise = length * sin(radians(degrees)), half = 4.0;
    Soup soup = {0};
    soup_quad(&soup, vector(-8, 0, -half), vector(-8, 0, half), vector(0, 0, half), vector(0, 0, -half));
    for (int i = 0; i < tiles * tiles; ++i)
    {
        double u0 = (double)(i / tiles) / tiles, u1 = u0 + 1.0 / tiles;
        double z0 = half * (2.0 * (i % tiles) / tiles - 1), z1 = z0 + 2.0 * half / tiles;
        soup_quad(&soup, vector(run * u0, rise * u0, z0), vector(run * u0, rise * u0, z1),
                  vector(run * u1, rise * u1, z1), vector(run * u1, rise * u1, z0));
    }
    return soup;
}

static Agent landed(const Scene *scene, Vector from)
{
    Agent agent = agent_in(from);
    for (int tick = 0; tick < 2000 && !(agent.body.flags & SIDLE_BODY_GROUNDED); ++tick)
    {
        scene_tick(scene, &agent, vector(0, 0, 0));
    }
    cr_assert(agent.body.flags & SIDLE_BODY_GROUNDED, "does not land");
    return agent;
}

/* ---- the limit ---- */

/* How much higher two seconds of walking from the foot of a slope lead. */
static double climb(double degrees, double yaw, int tiles, SceneOptions options)
{
    Soup soup = slope_with_foot(degrees, 12, tiles);
    Rotation turn = yaw_of(yaw);
    soup_turn(&soup, &turn);
    Scene scene = scene_of(soup, options);
    Agent agent = landed(&scene, vector_rotated(&turn, vector(-1, 1, .3)));
    double before = agent.body.center.y;
    Vector wish = vector_rotated(&turn, vector(SPEED / 60, 0, 0));
    scene_ticks(&scene, &agent, wish, 120);
    double risen = agent.body.center.y - before;
    scene_close(&scene);
    return risen;
}

/* Profiles of a ball, a person and a capsule, over pieces that are placed as they are or turned by their instances. */
static void check_limit(double limit, double degrees, bool walkable)
{
    const ScenePieces pieces[3] = {SCENE_ONE_MESH, SCENE_QUAD_EACH, SCENE_QUAD_POSED};
    const int tiles[3] = {1, 3, 8};
    for (int form = 0; form < 9 * 24; ++form)
    {
        SceneOptions options = person(60);
        options.profile.max_slope_cos = limit == 45 ? 0 : (float)cos(radians(limit));
        options.pieces = pieces[form % 3];
        options.profile.shape.half_height = form % 2 ? .5f : 0;
        options.profile.shape.radii.y = form % 4 ? .4f : .9f;
        double yaw = 15.0 * (form / 9) + (form / 3 % 3 == 2 ? 7.3 : 0), risen;
        risen = climb(degrees, yaw, tiles[form / 3 % 3], options);
        cr_expect(walkable ? risen > 1.5 : risen < .3, "limit %g, slope %g, form %d, yaw %g: %g m", limit,
                  degrees, form, yaw, risen);
    }
}

Test(slopes, a_slope_of_exactly_the_limit_is_climbed_at_every_yaw)
{
    check_limit(45, 45, true);
    check_limit(30, 30, true);
    check_limit(60, 60, true);
}

Test(slopes, a_slope_half_a_degree_above_the_limit_is_refused_at_every_yaw)
{
    check_limit(45, 45.5, false);
    check_limit(30, 30.5, false);
    check_limit(60, 60.5, false);
}

/* ---- speed ---- */

/* The horizontal speed in the second half of a second on a slope, towards +x or -x. */
static double horizontal_speed(double degrees, double sign, SceneOptions options)
{
    Soup soup = {0};
    soup_slope(&soup, 30, degrees);
    Scene scene = scene_of(soup, options);
    Agent agent = landed(&scene, vector(0, 1.5, 0));
    int half = (int)(.5f / options.dt);
    Vector wish = vector(sign * SPEED * (double)options.dt, 0, 0);
    scene_ticks(&scene, &agent, wish, half);
    double before = agent.body.center.x, seconds = half * (double)options.dt;
    for (int tick = 0; tick < half; ++tick)
    {
        scene_tick(&scene, &agent, wish);
        cr_assert(agent.body.flags & SIDLE_BODY_GROUNDED, "in the air on %g degrees", degrees);
    }
    double speed = sign * (agent.body.center.x - before) / seconds;
    double along = speed / cos(radians(degrees)); /* the body's velocity says the same */
    sidle_vec3 v = agent.body.velocity;
    double reported = vector_length(vector((double)v.x, (double)v.y, (double)v.z));
    cr_expect_lt(fabs(reported - along), 1e-3 * SPEED, "velocity %g, moved at %g", reported, along);
    scene_close(&scene);
    return speed;
}

static void check_speed(uint32_t flags, double degrees, double expected)
{
    const int rates[5] = {15, 30, 60, 240, 480};
    for (int form = 0; form < 20; ++form)
    {
        SceneOptions options = person(rates[form % 5]);
        options.profile.shape.radii.y = form < 10 ? .9f : .4f;
        options.profile.flags = flags;
        double sign = form / 5 % 2 ? -1 : 1, speed = horizontal_speed(degrees, sign, options);
        cr_expect_lt(fabs(speed / expected - 1), 1e-3, "%g degrees, %d Hz, form %d: %g instead of %g m/s",
                     degrees, rates[form % 5], form, speed, expected);
    }
}

Test(slopes, the_displacement_is_measured_along_the_slope)
{
    check_speed(0, 20, SPEED * cos(radians(20)));
    check_speed(0, 40, SPEED * cos(radians(40)));
}

Test(slopes, the_flag_keeps_the_horizontal_speed_up_and_down)
{
    check_speed(SIDLE_PROFILE_HORIZONTAL_SPEED, 0, SPEED);
    check_speed(SIDLE_PROFILE_HORIZONTAL_SPEED, 20, SPEED);
    check_speed(SIDLE_PROFILE_HORIZONTAL_SPEED, 40, SPEED);
}

Test(slopes, the_flag_changes_no_bit_on_level_ground)
{
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    SceneOptions options = person(60);
    Scene scene = scene_of(soup_copy(&soup), options);
    options.profile.flags = SIDLE_PROFILE_HORIZONTAL_SPEED;
    Scene flagged = scene_of(soup, options);
    Agent agent = landed(&scene, vector(0, 1, 0)), other = agent;
    scene_ticks(&scene, &agent, vector(.03, 0, .04), 100);
    scene_ticks(&flagged, &other, vector(.03, 0, .04), 100);
    cr_expect(agent_same_bits(&agent, &other));
    scene_close(&scene);
    scene_close(&flagged);
}

/* The longest displacement on the steepest ground is no request that a tick refuses or cannot serve. */
Test(slopes, the_flag_leads_no_farther_than_a_displacement_may)
{
    SceneOptions options = person(60);
    options.profile.flags = SIDLE_PROFILE_HORIZONTAL_SPEED;
    options.profile.max_slope_cos = .1f;
    Soup soup = {0};
    soup_slope(&soup, 30000, 80);
    Scene scene = scene_of(soup, options);
    Agent agent = landed(&scene, vector(0, 4, 0));
    Vector before = agent_center(&agent);
    scene_tick(&scene, &agent, vector(3999, 0, 0));
    double length = vector_distance(agent_center(&agent), before);
    cr_expect(length > 3990 && length < 4001, "%g m", length);
    cr_expect(agent.body.flags == SIDLE_BODY_GROUNDED, "flags %d", agent.body.flags);
    scene_close(&scene);
}
