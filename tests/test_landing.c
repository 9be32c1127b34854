/* The speed at which agents land (sidle_result.impact_speed). Metres and seconds. */
#include "support/ride.h"

#include <criterion/criterion.h>

#define GRAVITY 9.81

static const int rates[6] = {15, 30, 60, 120, 240, 480};
static const uint32_t one_pass = SIDLE_PROFILE_ONE_PASS;

static SceneOptions person(uint32_t mode, uint32_t flags, int rate)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){0.4f, 0.9f, 0.4f};
    options.profile.mode = mode;
    options.profile.flags = flags;
    options.dt = 1.0f / (float)rate;
    return options;
}

/* Ticks until the agent lands, and returns the impact. Ticks in the air, and those after the landing, must report 0. */
static double impact_of(const Scene *scene, Agent *agent, Vector velocity)
{
    double impact = -1;
    Vector wish = vector_scale(velocity, (double)scene->options.dt);
    for (int tick = 0; tick < 4000 && impact < 0; ++tick)
    {
        scene_tick(scene, agent, wish);
        bool lands = agent->body.flags & SIDLE_BODY_GROUNDED;
        cr_expect(lands || agent->impact_speed == 0, "%g in the air", (double)agent->impact_speed);
        impact = lands ? (double)agent->impact_speed : -1;
    }
    for (int tick = 0; tick < 3; ++tick)
    {
        scene_tick(scene, agent, vector(0, 0, 0));
        cr_expect(agent->impact_speed == 0, "%g at rest", (double)agent->impact_speed);
    }
    cr_assert(impact >= 0, "does not land");
    return impact;
}

static void expect_near(double impact, double expected, double share, const char *what, int rate,
                        double height)
{
    cr_expect(fabs(impact - expected) <= share * expected, "%s, %d Hz, %g m: %g instead of %g m/s", what,
              rate, height, impact, expected);
}

/* Of a body that falls from height above where it rests on level ground. */
static void check_fall(uint32_t mode, uint32_t flags, double degrees)
{
    const double heights[6] = {.5, 1, 2, 5, 10, 20};
    Soup soup = {0};
    soup_slope(&soup, 60, degrees);
    for (int form = 0; form < 36; ++form)
    {
        int rate = rates[form / 6];
        Scene scene = scene_of(soup_copy(&soup), person(mode, flags, rate));
        Agent agent = agent_at(0, 2, 0);
        impact_of(&scene, &agent, vector(0, 0, 0)); /* where it rests */
        double height = heights[form % 6], speed = sqrt(2 * GRAVITY * height);
        agent = agent_at(agent.body.center.x, agent.body.center.y + height, 0);
        double impact = impact_of(&scene, &agent, vector(0, 0, 0));
        /* It rests within the skin, .02 of .9 m. */
        double share = 2e-4 + .5 * (1.5 * .018 / cos(radians(degrees))) / height;
        expect_near(impact, speed * cos(radians(degrees)), share < .01 ? share : .01, "fall", rate, height);
        scene_close(&scene);
    }
    soup_free(&soup);
}

Test(landing, falls_on_level_ground_report_the_speed_at_the_contact)
{
    check_fall(SIDLE_WALK, 0, 0);
    check_fall(SIDLE_SLIDE, 0, 0);
    check_fall(SIDLE_SLIDE, one_pass, 0);
}

Test(landing, falls_on_slopes_report_the_speed_along_the_normal)
{
    for (int degrees = 20; degrees <= 40; degrees += 20)
    {
        check_fall(SIDLE_WALK, 0, degrees);
        check_fall(SIDLE_SLIDE, 0, degrees);
        check_fall(SIDLE_SLIDE, one_pass, degrees);
    }
}

/* Down along a wall, that the wish leads against. */
Test(landing, a_wall_beside_the_fall_takes_nothing_of_it)
{
    const uint32_t modes[2] = {SIDLE_WALK, SIDLE_SLIDE};
    for (int form = 0; form < 12; ++form)
    {
        Soup soup = {0};
        soup_floor(&soup, 30, 0);
        soup_wall(&soup, 30, 1);
        Scene scene = scene_of(soup, person(modes[form % 2], 0, rates[form / 2]));
        Agent agent = agent_at(.5, 5.918, 0);
        expect_near(impact_of(&scene, &agent, vector(2, 0, .5)), sqrt(2 * GRAVITY * 5), .01, "wall",
                    rates[form / 2], 5);
        scene_close(&scene);
    }
}

Test(landing, a_jump_lands_with_the_speed_that_it_began_with)
{
    for (int form = 0; form < 12; ++form)
    {
        uint32_t mode = form % 2 ? SIDLE_SLIDE : SIDLE_WALK;
        int rate = rates[form / 2];
        Soup soup = {0};
        soup_floor(&soup, 30, 0);
        Scene scene = scene_of(soup, person(mode, 0, rate));
        Agent agent = agent_at(0, 1, 0);
        impact_of(&scene, &agent, vector(0, 0, 0));
        agent.body.flags &= (uint16_t)~SIDLE_BODY_GROUNDED;
        agent.body.velocity.y += 5;
        expect_near(impact_of(&scene, &agent, vector(1, 0, 0)), 5, .01, "jump", rate, 1.27);
        scene_close(&scene);
    }
}

/* Walking, riding, walking up and down steps of a terrain: no landing is reported without a tick in the air. */
Test(landing, an_agent_that_stays_on_the_ground_reports_none)
{
    Soup soup = {0};
    soup_terrain(&soup, 16, 1.5, .4, 7);
    Scene scene = scene_of(soup, person(SIDLE_WALK, 0, 60));
    Agent agent = agent_at(-8, 3, -8);
    impact_of(&scene, &agent, vector(0, 0, 0));
    for (int tick = 0; tick < 400; ++tick)
    {
        bool was_grounded = agent.body.flags & SIDLE_BODY_GROUNDED;
        scene_tick(&scene, &agent, vector(.03, 0, .03));
        cr_expect(agent.impact_speed == 0 || !was_grounded, "tick %d: %g", tick, (double)agent.impact_speed);
    }
    scene_close(&scene);
}

/* ---- moving ground ---- */

/* The floor's instance moves up or down at a constant speed, tick by tick. */
static void move_floor(Scene *scene, int tick, double speed)
{
    sidle_pose from = {0}, to = {0};
    from.position.y = speed * tick * (double)scene->options.dt;
    to.position.y = speed * (tick + 1) * (double)scene->options.dt;
    demand(sidle_world_move(scene->world, scene->instances[0], &from, &to), "sidle_world_move");
    demand(sidle_world_commit(scene->world, NULL), "sidle_world_commit");
    sidle_snapshot_release(scene->snapshot);
    demand(sidle_world_snapshot(scene->world, &scene->snapshot), "sidle_world_snapshot");
}

static void check_lift(uint32_t mode, double lift_speed, uint32_t max_candidates, double share)
{
    for (int form = 0; form < 36; ++form)
    {
        int rate = rates[form % 6];
        Soup soup = {0};
        soup_grid(&soup, 16, .5, 0);
        SceneOptions options = person(mode, 0, rate);
        options.max_candidates = max_candidates;
        Scene scene = scene_of(soup, options);
        double gap = 4 + .1 * (form / 6); /* so that the contact comes anywhere in its tick */
        Agent agent = agent_at(.1, .918 + gap, .1);
        double impact = 0;
        for (int tick = 0; tick < 4000 && !(agent.body.flags & SIDLE_BODY_GROUNDED); ++tick)
        {
            move_floor(&scene, tick, lift_speed);
            scene_tick(&scene, &agent, vector(0, 0, 0));
            impact = (double)agent.impact_speed;
        }
        cr_expect_not(agent.reasons & SIDLE_REASON_CANDIDATES, "%u candidates are not enough",
                      max_candidates);
        expect_near(impact, sqrt(lift_speed * lift_speed + 2 * GRAVITY * gap), share,
                    mode == SIDLE_WALK ? "walk" : "slide", rate, gap);
        scene_close(&scene);
    }
}

Test(landing, the_speed_counts_relative_to_a_lift_that_rises_or_sinks)
{
    for (int mode = SIDLE_WALK; mode <= SIDLE_SLIDE; ++mode)
    {
        check_lift((uint32_t)mode, 3, 0, .01);
        check_lift((uint32_t)mode, -2, 0, .01);
    }
}

/* Walks off a platform 3 m above the floor that drifts aside: riders go down its edge at once. */
static double impact_off_platform(int rate, double drift)
{
    Soup floor = {0};
    soup_floor(&floor, 20, 0);
    Ride ride = ride_from(floor, person_at(rate), pose_at(0, 3, 0), vector(1, 3.93, 0));
    double impact = 0;
    for (int tick = 1; tick <= 2 * rate && impact == 0; ++tick)
    {
        go(&ride, pose_at(0, 3, drift * time_of(&ride, tick)), vector(3.0 / rate, 0, 0));
        double sinks = -velocity_of(&ride.agent).y;
        cr_assert(sinks < 9.5, "%d Hz: sinks at %g m/s", rate, sinks);
        impact = (double)ride.agent.impact_speed;
    }
    stage_close(&ride.stage);
    return impact;
}

Test(landing, a_step_off_a_platform_that_drifts_is_about_as_hard_as_off_one_at_rest)
{
    for (int rate = 30; rate <= 240; rate *= 2)
    {
        double rests = impact_off_platform(rate, 0), drifts = impact_off_platform(rate, .01);
        cr_expect(fabs(rests - sqrt(2 * 9.81 * 3)) < .1, "%d Hz: %g at rest", rate, rests);
        cr_expect(drifts > .9 * rests && drifts < 1.12 * rests, "%d Hz: %g, at rest %g", rate, drifts, rests);
    }
}

/* Walks off a step of .4 m onto a lip of 5 cm above an abyss. A fall from the top explains 3.7 m/s where it is measured. */
Test(landing, a_narrow_lip_under_a_step_does_not_fling_an_agent_down)
{
    for (int rate = 15; rate <= 240; rate *= 2)
    {
        Soup soup = {0};
        soup_box(&soup, vector(-9, -1, -9), vector(0, 0, 9));
        soup_box(&soup, vector(0, -1, -9), vector(.05, -.4, 9));
        Scene scene = scene_of(soup, person_at(rate));
        Agent agent = agent_at(-1, .93, 0);
        scene_ticks(&scene, &agent, still, rate / 2);
        for (int tick = 0; tick < 2 * rate && (is_grounded(&agent) || agent_center(&agent).y > .22); ++tick)
        {
            scene_tick(&scene, &agent, vector(2.0 / rate, 0, 0));
        }
        double sinks = -velocity_of(&agent).y;
        cr_expect(sinks > 2 && sinks < 3.7 + 4.5, "%d Hz: falls at %g m/s", rate, sinks);
        scene_close(&scene);
    }
}

/* So few candidates that the ticks of a landing are cut into parts. A lift moves in the first part alone. */
Test(landing, ticks_that_are_cut_into_parts_report_nearly_the_same_speed)
{
    for (int mode = SIDLE_WALK; mode <= SIDLE_SLIDE; ++mode)
    {
        check_lift((uint32_t)mode, 0, 18, .01);
        check_lift((uint32_t)mode, 3, 18, .02);
        check_lift((uint32_t)mode, -2, 18, .02);
    }
}

/* ---- requests that are refused ---- */

Test(landing, a_refused_request_reports_none)
{
    Soup soup = {0};
    soup_floor(&soup, 30, 0);
    Scene scene = scene_of(soup, person(SIDLE_WALK, 0, 15));
    Agent agent = agent_at(0, 1.2, 0);
    agent.body.velocity.y = -9;
    Agent bad = agent;
    bad.body.velocity.x = NAN;
    scene_tick(&scene, &agent, vector(0, 0, 0));
    cr_expect_gt(agent.impact_speed, 9);
    scene_tick(&scene, &bad, vector(0, 0, 0));
    cr_expect(bad.reasons == SIDLE_REASON_INVALID && bad.impact_speed == 0);
    scene_close(&scene);
}

Test(landing, a_flying_agent_reports_none)
{
    Soup soup = {0};
    soup_floor(&soup, 30, 0);
    Scene scene = scene_of(soup, person(SIDLE_FLY, 0, 60));
    Agent agent = agent_at(0, 2, 0);
    for (int tick = 0; tick < 60; ++tick)
    {
        scene_tick(&scene, &agent, vector(0, -.1, 0));
        cr_expect(agent.impact_speed == 0, "%g", (double)agent.impact_speed);
    }
    scene_close(&scene);
}
