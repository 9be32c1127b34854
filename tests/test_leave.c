/* Walking on what moves, leaving it, and walls beside its track. Metres and seconds. */
#include "support/ride.h"

#include <criterion/criterion.h>

/* ---- moving about on it ---- */

Test(leave, an_agent_on_a_train_walks_at_its_own_speed_and_leaves_with_the_trains)
{
    Ride ride = ride_on(person_at(60), pose_at(0, 0, 0), vector(-1.5, 1, 0));
    double from = ride.agent.body.center.x;
    int tick = 1;
    for (; tick <= 60; ++tick)
    {
        go(&ride, pose_at(20 * time_of(&ride, tick), 0, 0), vector(2.0 / 60, 0, 0));
    }
    double walked = ride.agent.body.center.x - from - 20;
    cr_expect_float_eq(walked, 2, 1e-3, "walked %g m", walked);
    cr_expect_float_eq(velocity_of(&ride.agent).x, 22, 1e-3, "%g m/s", velocity_of(&ride.agent).x);
    cr_expect_float_eq(carried_over(&ride.agent).x, 20, 1e-3, "%g m/s", carried_over(&ride.agent).x);
    for (; is_grounded(&ride.agent) && tick < 200; ++tick)
    {
        go(&ride, pose_at(20 * time_of(&ride, tick), 0, 0), vector(2.0 / 60, 0, 0));
    }
    cr_assert(!is_grounded(&ride.agent), "never leaves");
    for (int more = 0; more < 30; ++more, ++tick)
    {
        go(&ride, pose_at(20 * time_of(&ride, tick), 0, 0), vector(2.0 / 60, 0, 0));
        cr_assert_float_eq(velocity_of(&ride.agent).x, 22, 1e-3, "%g m/s", velocity_of(&ride.agent).x);
    }
    stage_close(&ride.stage);
}

static void jump(Agent *agent, double speed)
{
    agent->body.flags &= (uint16_t)~SIDLE_BODY_GROUNDED;
    agent->body.velocity.y += (float)speed;
}

/* How long and how high, over the platform, a jump of 4 m/s goes from one that moves up at `speed`. */
static void check_jump(double speed, int rate)
{
    Ride ride = ride_on(person_at(rate), pose_at(0, 0, 0), vector(0, 1, 0));
    double gap = ride.agent.body.center.y, highest = 0;
    int tick = 1, airborne = 0;
    for (; tick <= rate / 4; ++tick)
    {
        go(&ride, pose_at(0, speed * time_of(&ride, tick), 0), still);
    }
    jump(&ride.agent, 4);
    for (int end = tick + rate; tick < end; ++tick)
    {
        double height = speed * time_of(&ride, tick);
        go(&ride, pose_at(0, height, 0), still);
        airborne += !is_grounded(&ride.agent);
        highest = fmax(highest, ride.agent.body.center.y - height - gap);
    }
    double seconds = airborne * (double)ride.stage.scene.options.dt, step = fabs(speed) / rate;
    cr_expect_float_eq(highest, 16 / 19.62, 0.02 + step + 2.0 / rate / rate, "%g m/s, %d Hz: %g m", speed,
                       rate, highest);
    cr_expect_float_eq(seconds, 8 / 9.81, 0.02 + 3.0 / rate, "%g m/s, %d Hz: %g s", speed, rate, seconds);
    stage_close(&ride.stage);
}

Test(leave, a_jump_from_a_moving_lift_is_as_high_as_from_the_floor)
{
    const double speeds[5] = {0, 2, -2, 5, -2.9};
    const int rates[3] = {30, 60, 240};
    for (int form = 0; form < 15; ++form)
    {
        check_jump(speeds[form / 3], rates[form % 3]);
    }
}

Test(leave, an_agent_that_falls_onto_a_rising_lift_stands_on_it)
{
    for (int speed = 1; speed <= 8; speed += 7)
    {
        Ride ride = ride_on(person_at(60), pose_at(0, 0, 0), vector(0, 1, 0));
        double gap = ride.agent.body.center.y, highest = 0;
        ride.agent.body.center.y += 3;
        ride.agent.body.flags = 0;
        bool stood = false;
        for (int tick = 1; tick <= 120; ++tick)
        {
            double height = speed * time_of(&ride, tick);
            go(&ride, pose_at(0, height, 0), still);
            cr_assert(!stood || is_grounded(&ride.agent), "%d m/s: thrown off in tick %d", speed, tick);
            stood = is_grounded(&ride.agent);
            highest = stood ? fmax(highest, fabs(ride.agent.body.center.y - height - gap)) : highest;
        }
        cr_expect(stood, "%d m/s: never stands", speed);
        cr_expect_lt(highest, 0.02, "%d m/s: %g m above it", speed, highest);
        stage_close(&ride.stage);
    }
}

Test(leave, an_agent_lands_on_a_lift_that_accelerates_down)
{
    Ride ride = ride_on(person_at(60), pose_at(0, 0, 0), vector(0, 1, 0));
    ride.agent.body.flags = 0;
    for (int tick = 1; tick <= 90; ++tick)
    {
        double t = time_of(&ride, tick);
        go(&ride, pose_at(0, -2 * t * t, 0), still);
        cr_assert(tick < 10 || is_grounded(&ride.agent), "in the air in tick %d", tick);
    }
    stage_close(&ride.stage);
}

Test(leave, a_jump_slower_than_the_lift_rises_stays_on_it)
{
    const int rates[3] = {30, 60, 240};
    for (int form = 0; form < 3; ++form)
    {
        Ride ride = ride_on(person_at(rates[form]), pose_at(0, 0, 0), vector(0, 1, 0));
        double gap = ride.agent.body.center.y;
        for (int tick = 1; tick <= rates[form]; ++tick)
        {
            double height = 5 * time_of(&ride, tick);
            if (tick == 10)
            {
                ride.agent.body.flags = 0;
                ride.agent.body.velocity.y = 3;
            }
            go(&ride, pose_at(0, height, 0), still);
            cr_assert(is_grounded(&ride.agent), "%d Hz, tick %d", rates[form], tick);
            cr_assert_float_eq(ride.agent.body.center.y - height, gap, 0.02, "%d Hz: %g", rates[form],
                               ride.agent.body.center.y - height);
        }
        stage_close(&ride.stage);
    }
}

/* ---- the rest of the world ---- */

Test(leave, a_wall_beside_the_track_pushes_a_rider_off_its_train)
{
    Soup wall = {0};
    soup_wall(&wall, 10, 3);
    Ride ride = ride_from(wall, person_at(60), pose_at(0, -0.5, 0), vector(0, 0.5, 0));
    for (int tick = 1; tick <= 90; ++tick)
    {
        go(&ride, pose_at(2 * time_of(&ride, tick), -0.5, 0), still);
        cr_assert(scene_clearance(&ride.stage.scene, &ride.agent) > 1, "tick %d", tick);
    }
    cr_expect_float_eq(ride.agent.body.center.x, 2.6, 0.02, "at %g", ride.agent.body.center.x);
    cr_expect(is_grounded(&ride.agent));
    cr_expect_lt(fabs(velocity_of(&ride.agent).x), 1e-3);
    stage_close(&ride.stage);
}

/* A rider many times as high as wide, at a wall, in the middle, at the other wall; the cabin tilts to and fro.
 * The rider's shape does not turn, so its centre moves within the cabin. */
static void check_tilting_cabin(SceneOptions options, double step, double aside)
{
    Stage stage = stage_of((Soup){0}, options);
    Soup cabin = {0};
    soup_box(&cabin, vector(-2, -3, -2), vector(2, 3, 2));
    uint32_t body = stage_add(&stage, cabin, pose_at(0, 0, 0));
    stage_commit(&stage);
    const sidle_shape *shape = &options.profile.shape;
    double high = (double)shape->radii.y * 1.03 + (double)shape->half_height, angle = 0;
    Agent agent = agent_at(aside * (2 - 1.03 * (double)shape->radii.x), high - 3, .3);
    for (int tick = 0; tick < 60; ++tick)
    {
        angle += tick < 5 ? 0 : tick < 5 + .6 / fabs(step) ? step : tick < 40 ? 0 : -step;
        stage_move(&stage, body, pose_turned(pose_at(0, 0, 0), vector(0, 0, 1), angle));
        stage_commit(&stage);
        scene_tick(&stage.scene, &agent, vector(aside * .02, 0, 0));
        Vector c = agent_center(&agent);
        double across = c.x * cos(angle) + c.y * sin(angle), up = c.y * cos(angle) - c.x * sin(angle);
        cr_assert(fabs(across) < 2 && fabs(up) < 3 && fabs(c.z) < 2, "step %g, aside %g: out in tick %d",
                  step, aside, tick);
    }
    stage_close(&stage);
}

Test(leave, an_agent_at_the_wall_of_a_cabin_that_tilts_stays_inside)
{
    const double steps[6] = {.02, -.02, .05, -.05, .1, -.1};
    for (int i = 0; i < 36; ++i)
    {
        SceneOptions options = person_at(60);
        options.profile.shape.radii = i / 18 ? (sidle_vec3){.15f, .15f, .15f} : (sidle_vec3){.1f, .9f, .1f};
        options.profile.shape.half_height = i / 18 ? .75f : 0;
        check_tilting_cabin(options, steps[i % 6], i / 6 % 3 - 1);
    }
}

Test(leave, removed_and_teleported_instances_carry_no_agent)
{
    for (int form = 0; form < 3; ++form)
    {
        Soup floor = {0};
        soup_floor(&floor, 50, -5);
        Ride ride = ride_from(floor, person_at(60), pose_at(0, 0, 0), vector(0, 1, 0));
        int tick = 1;
        for (; tick <= 30; ++tick)
        {
            go(&ride, pose_at(6 * time_of(&ride, tick), 0, 0), still);
        }
        Vector before = agent_center(&ride.agent);
        sidle_world *world = ride.stage.scene.world;
        StageBody *body = &ride.stage.bodies[ride.platform];
        sidle_pose away = pose_at(30, 0, 30);
        if (form == 0)
        {
            demand(sidle_world_teleport(world, body->instance, &away), "sidle_world_teleport");
        }
        else
        {
            demand(sidle_world_remove(world, body->instance), "sidle_world_remove");
        }
        if (form == 2) /* another instance in its slot and of its key, that moves */
        {
            sidle_instance_desc desc = {.size = sizeof desc, .mesh = body->mesh, .pose = away, .key = 1000};
            sidle_instance other;
            demand(sidle_world_add(world, &desc, &other), "sidle_world_add");
            cr_assert_eq(other.index, body->instance.index);
            sidle_pose farther = pose_at(60, 9, 60);
            demand(sidle_world_move(world, other, &away, &farther), "sidle_world_move");
        }
        stage_commit(&ride.stage);
        scene_tick(&ride.stage.scene, &ride.agent, still);
        cr_expect(vector_distance(agent_center(&ride.agent), before) < 0.11, "form %d", form);
        cr_expect(!is_grounded(&ride.agent), "form %d", form);
        scene_tick(&ride.stage.scene, &ride.agent, still); /* and it keeps the speed that it had */
        cr_expect_float_eq(velocity_of(&ride.agent).x, 6, 1e-3, "form %d: %g m/s", form,
                           velocity_of(&ride.agent).x);
        stage_close(&ride.stage);
    }
}

Test(leave, an_agent_that_ignores_a_platform_is_not_carried_by_it)
{
    Soup floor = {0};
    soup_floor(&floor, 50, 0);
    Ride ride = ride_from(floor, person_at(60), pose_at(0, 0.0, 0), vector(0, 1, 0));
    ride.agent.body.ground = ride.stage.bodies[ride.platform].instance;
    ride.agent.ignore = ride.agent.body.ground;
    Vector before = agent_center(&ride.agent);
    go(&ride, pose_at(1, 0, 0), still);
    cr_expect(vector_distance(agent_center(&ride.agent), before) < 1e-5);
    stage_close(&ride.stage);
}
