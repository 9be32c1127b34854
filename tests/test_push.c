/* Agents in the path of moving instances, as docs/method.md promises. Metres and seconds. */
#include "support/stage.h"

#include <criterion/criterion.h>

static const Vector still = {0, 0, 0};
static const Vector upwards = {0, 1, 0};

static SceneOptions person_in(uint32_t mode, int rate)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){0.4f, 0.9f, 0.4f};
    options.profile.mode = mode;
    options.dt = 1.0f / (float)rate;
    return options;
}

static SceneOptions person_at(int rate)
{
    return person_in(SIDLE_WALK, rate);
}

static bool is_grounded(const Agent *agent)
{
    return (agent->body.flags & SIDLE_BODY_GROUNDED) != 0;
}

static bool is_stuck(const Agent *agent)
{
    return (agent->body.flags & SIDLE_BODY_STUCK) != 0 && (agent->reasons & SIDLE_REASON_STUCK) != 0;
}

static double speed_of(const Agent *agent)
{
    sidle_vec3 v = agent->body.velocity;
    return vector_length(vector((double)v.x, (double)v.y, (double)v.z));
}

static Soup floor_of(double half)
{
    Soup soup = {0};
    soup_floor(&soup, half, 0);
    return soup;
}

static Soup box_of(Vector low, Vector high)
{
    Soup soup = {0};
    soup_box(&soup, low, high);
    return soup;
}

/* Stands on the resting floor. */
static Agent standing(const Stage *stage, double x, double z)
{
    Agent agent = agent_at(x, 1, z);
    for (int tick = 0; tick < 1000 && !is_grounded(&agent); ++tick)
    {
        scene_tick(&stage->scene, &agent, still);
    }
    cr_assert(is_grounded(&agent));
    return agent;
}

static void go(Stage *stage, Agent *agent, uint32_t body, sidle_pose to, Vector wish)
{
    stage_move(stage, body, to);
    stage_commit(stage);
    scene_tick(&stage->scene, agent, wish);
}

/* ---- doors and walls ---- */

Test(push, a_wall_pushes_a_standing_agent_along_at_any_rate_and_in_any_mode)
{
    const int rates[5] = {15, 30, 60, 240, 960};
    for (int form = 0; form < 15; ++form)
    {
        int rate = rates[form % 5];
        Stage stage = stage_of(floor_of(50), person_in((uint32_t)(form / 5), rate));
        uint32_t wall = stage_add(&stage, box_of(vector(-0.1, 0, -3), vector(0, 3, 3)), pose_at(-1, 0, 0));
        stage_commit(&stage);
        Agent agent = agent_at(0, 0.918, 0);
        for (int tick = 1; tick <= 2 * rate; ++tick)
        {
            double at = -1 + 3.0 * tick / rate;
            go(&stage, &agent, wall, pose_at(at, 0, 0), still);
            cr_assert(agent.body.center.x - at > 0.4, "form %d, tick %d: inside the wall", form, tick);
            cr_assert(!is_stuck(&agent) && speed_of(&agent) < 3.01, "form %d, tick %d", form, tick);
        }
        /* 5 m: of the last bit between the shells, which depends on the path, only the skin is left */
        cr_expect_float_eq(agent.body.center.x, 5.408, 0.009, "form %d: at %g", form, agent.body.center.x);
        cr_expect_lt(fabs(agent.body.center.z) + fabs(agent.body.center.y - 0.918), 1e-3, "form %d", form);
        cr_expect_eq(is_grounded(&agent), form < 10, "form %d", form);
        stage_close(&stage);
    }
}

Test(push, a_slanting_wall_pushes_an_agent_along_a_corridor)
{
    for (int degrees = 20; degrees <= 50; degrees += 10)
    {
        Soup corridor = floor_of(50), side = {0};
        soup_box(&side, vector(-50, 0, 1), vector(50, 3, 1.2));
        soup_append(&corridor, &side);
        soup_free(&side);
        Stage stage = stage_of(corridor, person_at(60));
        sidle_pose pose = pose_turned(pose_at(-2, 0, 0), upwards, -radians(degrees));
        uint32_t wall = stage_add(&stage, box_of(vector(-0.1, 0, -6), vector(0, 3, 6)), pose);
        stage_commit(&stage);
        Agent agent = standing(&stage, 0, 0);
        for (int tick = 1; tick <= 300; ++tick)
        {
            pose.position.x = -2 + 2.0 * tick / 60;
            go(&stage, &agent, wall, pose, still);
            double ahead = (agent.body.center.x - pose.position.x) * cos(radians(degrees)) +
                           agent.body.center.z * sin(radians(degrees));
            cr_assert(ahead > 0.4, "%d degrees, tick %d: %g", degrees, tick, ahead);
            cr_assert(!(agent.reasons & SIDLE_REASON_OVERLAP), "%d degrees, tick %d", degrees, tick);
            cr_assert(agent.body.center.z < 0.6, "%d degrees: through the side", degrees);
            cr_assert(is_grounded(&agent) && speed_of(&agent) < 2.01, "%d degrees", degrees);
        }
        cr_expect_gt(agent.body.center.x, 7.5, "%d degrees: left behind at %g", degrees, agent.body.center.x);
        stage_close(&stage);
    }
}

Test(push, a_thin_door_that_moves_by_many_radii_a_tick_takes_agents_along)
{
    for (int form = 0; form < 60; ++form)
    {
        double step = 0.3 + 0.25 * (form % 20);
        Stage stage = stage_of(floor_of(200), person_in((uint32_t)(form / 20), 60));
        Soup door = {0};
        soup_quad(&door, vector(0, 0, -2), vector(0, 3, -2), vector(0, 3, 2), vector(0, 0, 2));
        uint32_t body = stage_add(&stage, door, pose_at(-3.1, 0, 0));
        stage_commit(&stage);
        Agent agent = agent_at(0, 0.918, 0.3);
        for (int tick = 1; tick <= 20; ++tick)
        {
            double at = -3.1 + step * tick;
            go(&stage, &agent, body, pose_at(at, 0, 0), still);
            cr_assert(agent.body.center.x - at > 0.4, "form %d, %g m a tick, tick %d: %g", form, step, tick,
                      agent.body.center.x - at);
            cr_assert(speed_of(&agent) <= step * 60 * 1.001, "form %d: thrown at %g", form, speed_of(&agent));
        }
        stage_close(&stage);
    }
}

/* How far an agent is before a door of 2 m that is hinged at the origin; off its end: infinitely. */
static double before_door(const Agent *agent, double angle)
{
    double x = agent->body.center.x, z = agent->body.center.z;
    double along = x * cos(angle) - z * sin(angle);
    return along > 2 ? (double)INFINITY : z * cos(angle) + x * sin(angle);
}

Test(push, a_swinging_door_never_passes_an_agent_behind_it)
{
    const double rates[4] = {1, 3, 10, 80};
    for (int form = 0; form < 16; ++form)
    {
        double rate = rates[form % 4], reach = 0.5 + 0.4 * (form / 4);
        Stage stage = stage_of(floor_of(50), person_at(60));
        uint32_t door = stage_add(&stage, box_of(vector(0, 0, -0.05), vector(2, 3, 0)), pose_at(0, 0, 0));
        stage_commit(&stage);
        Agent agent = standing(&stage, reach, 1);
        for (int tick = 1; tick * rate / 60 < 1.5; ++tick)
        {
            double angle = -rate * tick / 60;
            go(&stage, &agent, door, pose_turned(pose_at(0, 0, 0), upwards, angle), still);
            cr_assert(before_door(&agent, angle) > 0.35, "%g rad/s at %g m, tick %d: %g", rate, reach, tick,
                      before_door(&agent, angle));
            cr_assert(speed_of(&agent) < rate * 3 && agent_is_finite(&agent), "thrown");
            cr_assert(is_grounded(&agent) && fabs(agent.body.center.y - 0.918) < 0.01);
        }
        stage_close(&stage);
    }
}

Test(push, an_agent_pushed_over_an_edge_falls_with_the_walls_speed)
{
    Soup ledge = {0};
    soup_plate(&ledge, -5, 1, -5, 5, 0);
    Stage stage = stage_of(ledge, person_at(60));
    uint32_t wall = stage_add(&stage, box_of(vector(-0.1, 0, -3), vector(0, 3, 3)), pose_at(-1, 0, 0));
    stage_commit(&stage);
    Agent agent = standing(&stage, 0, 0);
    for (int tick = 1; tick <= 90; ++tick)
    {
        go(&stage, &agent, wall, pose_at(-1 + 3.0 * tick / 60, 0, 0), still);
        cr_assert(agent.body.center.x > -1 + 3.0 * tick / 60 + 0.4);
    }
    cr_expect(!is_grounded(&agent));
    cr_expect_lt(agent.body.center.y, -0.5, "at %g", agent.body.center.y);
    cr_expect_float_eq((double)agent.body.velocity.x, 3, 0.1, "%g m/s", (double)agent.body.velocity.x);
    stage_close(&stage);
}

Test(push, a_wall_that_hits_an_agent_in_the_air_gives_it_its_speed_and_no_more)
{
    const int rates[3] = {15, 60, 240};
    for (int form = 0; form < 3; ++form)
    {
        Stage stage = stage_of((Soup){0}, person_at(rates[form]));
        uint32_t wall = stage_add(&stage, box_of(vector(-0.1, -50, -3), vector(0, 3, 3)), pose_at(-2, 0, 0));
        stage_commit(&stage);
        Agent agent = agent_at(0, 1, 0);
        for (int tick = 1; tick <= rates[form]; ++tick)
        {
            double at = -2 + 5.0 * tick / rates[form];
            go(&stage, &agent, wall, pose_at(at, 0, 0), still);
            double ahead = agent.body.center.x - at, speed = (double)agent.body.velocity.x;
            cr_assert(ahead > 0.4 && speed < 5.001, "%d Hz: %g m ahead at %g m/s", rates[form], ahead, speed);
        }
        double fell = 1 - agent.body.center.y;
        cr_expect_float_eq((double)agent.body.velocity.x, 5, 0.01, "%g m/s", (double)agent.body.velocity.x);
        cr_expect_float_eq(fell, 9.81 / 2, 0.01, "%d Hz: fell by %g m", rates[form], fell);
        stage_close(&stage);
    }
}

Test(push, a_lift_that_comes_up_from_below_picks_up_an_agent_above_it)
{
    Stage stage = stage_of(floor_of(50), person_at(60));
    uint32_t lift = stage_add(&stage, box_of(vector(-1, -0.5, -1), vector(1, 0, 1)), pose_at(0, -1, 0));
    stage_commit(&stage);
    Agent agent = standing(&stage, 0, 0);
    for (int tick = 1; tick <= 180; ++tick)
    {
        double height = -1 + 2.0 * tick / 60;
        go(&stage, &agent, lift, pose_at(0, height, 0), still);
        cr_assert(is_grounded(&agent) && speed_of(&agent) < 2.01, "tick %d", tick);
        cr_assert_float_eq(agent.body.center.y, fmax(height, 0) + 0.918, 0.01, "tick %d: at %g", tick,
                           agent.body.center.y);
    }
    stage_close(&stage);
}

/* ---- enclosed agents ---- */

/* A lift of so much height comes down on an agent until so much room is left, waits, and goes up again. */
static bool crush(double thickness, double room, int rate, uint32_t mode)
{
    Stage stage = stage_of(floor_of(50), person_in(mode, rate));
    uint32_t lift = stage_add(&stage, box_of(vector(-3, 0, -3), vector(3, thickness, 3)), pose_at(0, 3, 0));
    stage_commit(&stage);
    Agent agent = agent_at(0.2, 0.918, 0.1);
    bool stuck = false;
    double down = (3 - room) / 2;
    for (int tick = 1; tick <= (int)(2 * down * rate) + 2 * rate; ++tick)
    {
        double t = (double)tick / rate;
        double height = t < down ? 3 - 2 * t : t < down + 0.5 ? room : fmin(room + 2 * (t - down - 0.5), 3);
        go(&stage, &agent, lift, pose_at(0, height, 0), still);
        cr_assert(agent_is_finite(&agent), "tick %d", tick);
        cr_assert(agent.body.center.y > 0, "room %g, tick %d: out through the floor, %g", room, tick,
                  agent.body.center.y);
        cr_assert(speed_of(&agent) < 2.5, "room %g, tick %d: launched at %g", room, tick, speed_of(&agent));
        stuck = stuck || is_stuck(&agent);
    }
    cr_expect(!is_stuck(&agent), "room %g, %d Hz, mode %u: stays stuck", room, rate, mode);
    scene_ticks(&stage.scene, &agent, vector(0.02, 0, 0), 50);
    cr_expect_gt(agent.body.center.x, 1.1, "room %g: does not walk again: %g", room, agent.body.center.x);
    stage_close(&stage);
    return stuck;
}

Test(push, case_49_a_lift_that_comes_down_reports_stuck_agents_and_launches_none)
{
    const int rates[3] = {15, 60, 240};
    const double rooms[5] = {2, 1.7, 1.4, 1.1, 0.95};
    for (int form = 0; form < 30; ++form)
    {
        double room = rooms[form / 3 % 5];
        bool stuck = crush(form < 15 ? 0.2 : 2, room, rates[form % 3], SIDLE_WALK);
        cr_expect_eq(stuck, room < 1.8, "form %d: %d", form, stuck);
    }
    cr_expect(crush(2, 1.2, 60, SIDLE_SLIDE));
    cr_expect(crush(2, 1.2, 60, SIDLE_FLY));
}

Test(push, a_lift_that_comes_down_to_the_floor_leaves_no_agent_below_it)
{
    for (int form = 0; form < 8; ++form)
    {
        Stage stage = stage_of(floor_of(50), person_at(form % 2 ? 60 : 20));
        double thickness = form < 4 ? 0.1 : 3, speed = form / 2 % 2 ? 2 : 15;
        uint32_t lift =
            stage_add(&stage, box_of(vector(-3, 0, -3), vector(3, thickness, 3)), pose_at(0, 3, 0));
        stage_commit(&stage);
        Agent agent = standing(&stage, 0, 0);
        bool stuck = false;
        for (int tick = 1; tick <= 200; ++tick)
        {
            double height = fmax(3 - speed * tick * (double)stage.scene.options.dt, 0.01);
            go(&stage, &agent, lift, pose_at(0, height, 0), still);
            cr_assert(agent_is_finite(&agent) && agent.body.center.y > 0, "form %d, tick %d", form, tick);
            cr_assert(speed_of(&agent) < 1.1 * speed, "form %d, tick %d: %g", form, tick, speed_of(&agent));
            stuck = stuck || is_stuck(&agent);
        }
        cr_expect(stuck, "form %d", form);
        stage_close(&stage);
    }
}

Test(push, between_a_moving_wall_and_a_resting_one_no_agent_passes_the_resting_one)
{
    for (int form = 0; form < 12; ++form)
    {
        Soup room = floor_of(50), end = {0};
        soup_wall(&end, 10, 2);
        soup_append(&room, &end);
        soup_free(&end);
        Stage stage = stage_of(room, person_in((uint32_t)(form % 3), 60));
        uint32_t wall = stage_add(&stage, box_of(vector(-1, 0, -9), vector(0, 5, 9)), pose_at(-1, 0, 0));
        stage_commit(&stage);
        Agent agent = agent_at(0, 0.918, 0);
        double speed = 1.5 + 15 * (form / 3);
        bool stuck = false;
        for (int tick = 1; tick <= 200; ++tick)
        {
            go(&stage, &agent, wall, pose_at(fmin(-1 + speed * tick / 60, 1.9), 0, 0), still);
            cr_assert(agent_is_finite(&agent) && agent.body.center.x < 2, "form %d, tick %d", form, tick);
            cr_assert(agent.body.center.y > 0, "form %d, tick %d: through the floor", form, tick);
            cr_assert(speed_of(&agent) < 1.1 * speed, "form %d, tick %d: %g", form, tick, speed_of(&agent));
            stuck = stuck || is_stuck(&agent);
        }
        cr_expect(stuck, "form %d", form);
        stage_close(&stage);
    }
}

Test(push, an_agent_passed_by_an_instance_in_one_tick_is_reported_and_stays)
{
    Soup room = floor_of(50), end = {0};
    soup_wall(&end, 10, 2);
    soup_append(&room, &end);
    soup_free(&end);
    Stage stage = stage_of(room, person_at(60));
    uint32_t wall = stage_add(&stage, box_of(vector(-0.1, 0, -9), vector(0, 5, 9)), pose_at(-1, 0, 0));
    stage_commit(&stage);
    Agent agent = standing(&stage, 0, 0);
    go(&stage, &agent, wall, pose_at(9, 0, 0), still);
    cr_expect(is_stuck(&agent) && speed_of(&agent) <= 600.1, "%g m/s", speed_of(&agent));
    cr_expect_float_eq(agent.body.center.x, 1.592, 0.01, "at %g", agent.body.center.x);
    go(&stage, &agent, wall, pose_at(12, 0, 0), still);
    cr_expect(!is_stuck(&agent) && speed_of(&agent) < 1e-3, "%g m/s", speed_of(&agent));
    stage_close(&stage);
}

Test(push, two_doors_that_close_on_an_agent_hold_it_and_let_it_go)
{
    Stage stage = stage_of(floor_of(50), person_at(60));
    uint32_t left = stage_add(&stage, box_of(vector(-1, 0, -3), vector(0, 3, 3)), pose_at(-2, 0, 0));
    uint32_t right = stage_add(&stage, box_of(vector(0, 0, -3), vector(1, 3, 3)), pose_at(2, 0, 0));
    stage_commit(&stage);
    Agent agent = standing(&stage, 0.3, 0);
    bool stuck = false;
    for (int tick = 1; tick <= 240; ++tick)
    {
        double t = tick / 60.0, gap = t < 1.8 ? 2 - t : t < 2 ? 0.2 : t - 1.8;
        stage_move(&stage, left, pose_at(-gap, 0, 0));
        go(&stage, &agent, right, pose_at(gap, 0, 0), still);
        cr_assert(fabs(agent.body.center.x) < gap, "tick %d: at %g of %g", tick, agent.body.center.x, gap);
        cr_assert(is_grounded(&agent) && speed_of(&agent) < 1.1, "tick %d: %g m/s", tick, speed_of(&agent));
        stuck = stuck || is_stuck(&agent);
    }
    cr_expect(stuck && !is_stuck(&agent));
    stage_close(&stage);
}

/* Leaves without back faces: inside one nothing touches the agent. */
Test(push, one_sided_doors_that_close_within_a_tick_are_reported)
{
    SceneOptions options = person_at(15);
    options.instance_flags = SIDLE_INSTANCE_ONE_SIDED;
    Stage stage = stage_of(floor_of(50), options);
    uint32_t left = stage_add(&stage, box_of(vector(-2, .1, -3), vector(0, 3, 3)), pose_at(-.5, 0, 0));
    uint32_t right = stage_add(&stage, box_of(vector(0, .1, -3), vector(2, 3, 3)), pose_at(.5, 0, 0));
    stage_commit(&stage);
    Agent agent = standing(&stage, 0, 0);
    cr_expect(!is_stuck(&agent));
    stage_move(&stage, left, pose_at(-.05, 0, 0));
    go(&stage, &agent, right, pose_at(.05, 0, 0), still);
    cr_expect(is_stuck(&agent), "at %g", agent.body.center.x);
    stage_close(&stage);
}

/* A wall at 20 m/s, without gravity. */
Test(push, an_agent_in_the_air_flies_on_as_fast_as_the_wall_behind_it)
{
    for (int rate = 15; rate <= 240; rate *= 2)
    {
        SceneOptions options = person_at(rate);
        options.profile.flags = SIDLE_PROFILE_NO_GRAVITY;
        Stage stage = stage_of((Soup){0}, options);
        uint32_t wall = stage_add(&stage, box_of(vector(-1, -9, -9), vector(0, 9, 9)), pose_at(-1, 0, 0));
        stage_commit(&stage);
        Agent agent = agent_at(0, 0, 0);
        agent.body.velocity.x = 12;
        for (int tick = 1; tick <= rate; ++tick)
        {
            go(&stage, &agent, wall, pose_at(20.0 * tick / rate - 1, 0, 0), still);
        }
        cr_expect_float_eq(agent.body.velocity.x, 20, 1e-3, "%d Hz: %g m/s", rate, speed_of(&agent));
        stage_close(&stage);
    }
}

Test(push, a_beam_in_the_tunnel_presses_a_rider_against_its_cabin)
{
    Soup beam = {0};
    soup_box(&beam, vector(5, 0.5, -5), vector(6, 4, 5));
    Stage stage = stage_of(beam, person_at(60));
    Soup train = {0};
    soup_box(&train, vector(-2, -0.2, -2), vector(2, 0, 2));
    soup_box(&train, vector(-2, 0, -2), vector(-1.8, 3, 2));
    uint32_t body = stage_add(&stage, train, pose_at(0, 0, 0));
    stage_commit(&stage);
    Agent agent = standing(&stage, 0, 0);
    bool stuck = false;
    for (int tick = 1; tick <= 240; ++tick)
    {
        go(&stage, &agent, body, pose_at(3.0 * tick / 60, 0, 0), still);
        bool is_below = agent.body.center.y < -.4; /* it falls when the cabin has passed through it */
        cr_assert(agent_is_finite(&agent) && (is_below || agent.body.center.x < 5), "tick %d", tick);
        cr_assert(fabs((double)agent.body.velocity.x) < 3.01, "tick %d: launched", tick);
        stuck = stuck || is_stuck(&agent);
    }
    cr_expect(stuck);
    stage_close(&stage);
}
