/* Steps, edges and wedges: where walking is more than sliding. Metres and seconds. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>

#define RATE  60.0
#define SPEED 3.0

static SceneOptions walker(double radius, double height)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){(float)radius, (float)height, (float)radius};
    options.profile.step_up = .4f;
    return options;
}

static bool is_grounded(const Agent *agent)
{
    return (agent->body.flags & SIDLE_BODY_GROUNDED) != 0;
}

/* A flight along x from the origin, with a floor before it and one behind. */
static Soup stairs(int count, double riser, double tread)
{
    Soup soup = {0};
    soup_quad(&soup, vector(-30, 0, -30), vector(-30, 0, 30), vector(0, 0, 30), vector(0, 0, -30));
    for (int i = 0; i < count; ++i)
    {
        double x = i * tread, y = i * riser, end = i == count - 1 ? x + 30 : x + tread;
        soup_quad(&soup, vector(x, y, -30), vector(x, y, 30), vector(x, y + riser, 30),
                  vector(x, y + riser, -30));
        soup_quad(&soup, vector(x, y + riser, -30), vector(x, y + riser, 30), vector(end, y + riser, 30),
                  vector(end, y + riser, -30));
    }
    return soup;
}

/* ---- the speed on stairs ---- */

typedef struct Climb
{
    double share; /* of the horizontal path asked */
    int airborne;
    double rise;
} Climb;

/* Up from just before the first step, or down from just behind the last one, until nine tenths are done. */
static Climb climb(double riser, double tread, bool down, SceneOptions options)
{
    const int count = 10;
    Scene scene = scene_of(stairs(count, riser, tread), options);
    double height = (double)options.profile.shape.radii.y * 1.03, path = .9 * count * tread;
    Agent agent = down ? agent_at(count * tread, count * riser + height, 0) : agent_at(-.45, height, 0);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 10);
    Vector step = vector((down ? -1 : 1) * SPEED * (double)options.dt, 0, 0);
    Climb result = {.rise = agent.body.center.y};
    double from = agent.body.center.x;
    int ticks = (int)(path / SPEED / (double)options.dt);
    for (int tick = 0; tick < ticks; ++tick)
    {
        scene_tick(&scene, &agent, step);
        result.airborne += !is_grounded(&agent);
    }
    result.share = fabs(agent.body.center.x - from) / (ticks * fabs(step.x));
    result.rise = agent.body.center.y - result.rise;
    scene_close(&scene);
    return result;
}

static void check_flight(double riser, double tread, SceneOptions options)
{
    for (int down = 0; down <= 1; ++down)
    {
        Climb path = climb(riser, tread, down, options);
        cr_expect(path.share >= .97 && path.share <= 1.02, "riser %g, tread %g, %s: %.3f of the speed asked",
                  riser, tread, down ? "down" : "up", path.share);
        cr_expect_eq(path.airborne, 0, "riser %g, tread %g: %d ticks in the air", riser, tread,
                     path.airborne);
        cr_expect(fabs(path.rise) > 5 * riser, "riser %g, tread %g: rise %g", riser, tread, path.rise);
    }
}

Test(steps, stairs_are_walked_up_and_down_at_the_speed_of_the_flat)
{
    const double risers[] = {.05, .1, .2, .3, .38}, treads[] = {.3, .5, 1};
    for (int i = 0; i < 15; ++i)
    {
        check_flight(risers[i / 3], treads[i % 3], walker(.4, .9));
        check_flight(risers[i / 3], treads[i % 3], walker(.3, .3));
    }
}

/* ---- the height of a step ---- */

static bool climbs(double riser, SceneOptions options, double degrees)
{
    Scene scene = scene_of(stairs(1, riser, 30), options);
    double x = cos(degrees * 3.14159265358979 / 180), z = sin(degrees * 3.14159265358979 / 180);
    Agent agent = agent_at(-.8, (double)options.profile.shape.radii.y * 1.03, 0);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 5);
    double step = SPEED * (double)options.dt;
    scene_ticks(&scene, &agent, vector(x * step, 0, z * step), (int)(3 / (x * step)));
    bool is_up = agent.body.center.x > .5;
    cr_expect(is_grounded(&agent));
    scene_close(&scene);
    return is_up;
}

Test(steps, a_kerb_is_climbed_up_to_the_step_height_to_a_millimetre_by_any_shape_at_any_rate_and_angle)
{
    const double rates[] = {30, 60, 240}, degrees[] = {0, 45, 75};
    for (int i = 0; i < 9; ++i)
    {
        SceneOptions shapes[] = {walker(.4, .9), walker(.4, .4), walker(.3, .5)};
        for (int shape = 0; shape < 3; ++shape)
        {
            shapes[shape].dt = (float)(1 / rates[i / 3]);
            cr_expect(climbs(.399, shapes[shape], degrees[i % 3]),
                      "shape %d, %g Hz, %g degrees: .399 refused", shape, rates[i / 3], degrees[i % 3]);
            cr_expect(!climbs(.401, shapes[shape], degrees[i % 3]),
                      "shape %d, %g Hz, %g degrees: .401 climbed", shape, rates[i / 3], degrees[i % 3]);
        }
    }
}

Test(steps, under_a_ceiling_too_low_to_stand_on_top_a_step_is_refused)
{
    Soup soup = stairs(1, .3, 30);
    soup_quad(&soup, vector(-30, 2, -30), vector(30, 2, -30), vector(30, 2, 30), vector(-30, 2, 30));
    Scene scene = scene_of(soup, walker(.4, .9)); /* 1.8 high, 1.7 above the step */
    Agent agent = agent_at(-2, .93, 0);
    scene_ticks(&scene, &agent, vector(SPEED / RATE, 0, 0), 120);
    cr_expect_lt(agent.body.center.x, 0.0);
    cr_expect(is_grounded(&agent));
    cr_expect(scene_clearance(&scene, &agent) > 1);
    scene_ticks(&scene, &agent, vector(-SPEED / RATE, 0, 0), 20);
    cr_expect_lt(agent.body.center.x, -.9);
    scene_close(&scene);
}

/* ---- what carries ---- */

Test(steps, on_a_ledge_the_body_reports_the_supporting_face_and_the_overhang)
{
    Scene scene = scene_of(stairs(1, 2, 10), walker(.4, .9));
    Agent agent = agent_at(-.1, 2.95, 0);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 30);
    cr_assert(is_grounded(&agent));
    cr_expect_float_eq((double)agent.body.support_normal.y, 1, 1e-6);
    cr_expect_lt(agent.body.ground_normal.x, -.1f);
    cr_expect_float_eq((double)agent.body.overhang, -agent.body.center.x, 1e-4);
    scene_ticks(&scene, &agent, vector(SPEED / RATE, 0, 0), 30);
    cr_expect_eq(agent.body.overhang, 0.f);
    scene_close(&scene);
}

Test(steps, an_agent_wedged_between_two_steep_faces_stands_and_walks_along)
{
    const double degrees[] = {30, 60, 80};
    for (int i = 0; i < 3; ++i)
    {
        Soup groove = {0};
        soup_groove(&groove, degrees[i], 40, 8);
        SceneOptions options = walking_ball();
        Scene scene = scene_of(groove, options);
        Agent agent = agent_at(0, 1 / sin(degrees[i] * 3.14159265358979 / 360) + .5, 0);
        scene_ticks(&scene, &agent, vector(0, 0, 0), 120);
        cr_assert(is_grounded(&agent), "%g degrees: hangs in the air", degrees[i]);
        Vector before = agent_center(&agent);
        scene_ticks(&scene, &agent, vector(0, 0, SPEED / RATE), 60);
        cr_expect(vector_distance(before, agent_center(&agent)) > .98 * SPEED, "%g degrees: %g m", degrees[i],
                  vector_distance(before, agent_center(&agent)));
        scene_close(&scene);
    }
}

/* ---- out of an overlap ---- */

Test(steps, an_agent_that_overlaps_is_pushed_out_no_faster_than_the_profile_allows)
{
    const float speeds[] = {0, 2, 30};
    for (int i = 0; i < 3; ++i)
    {
        Soup soup = {0};
        soup_floor(&soup, 20, 0);
        SceneOptions options = walker(.4, .4);
        options.profile.recovery_speed = speeds[i];
        double fastest = .4 * (speeds[i] > 0 ? (double)speeds[i] : 7.5);
        Scene scene = scene_of(soup, options);
        Agent agent = agent_at(0, .1, 0); /* .3 deep */
        int ticks = 0;
        for (; ticks < 200 && scene_clearance(&scene, &agent) < 1; ++ticks)
        {
            double from = agent.body.center.y;
            scene_tick(&scene, &agent, vector(0, 0, 0));
            cr_expect_leq(agent.body.center.y - from, fastest / RATE * 1.001);
        }
        cr_expect_leq(ticks, (int)ceil(.3 / fastest * RATE) + 1, "%g radii a second: %d ticks",
                      (double)speeds[i], ticks);
        scene_close(&scene);
    }
}
