/* Riders of what moves, as docs/method.md promises them. Metres and seconds. */
#include "support/stage.h"

#include <criterion/criterion.h>
#include <string.h>

static const Vector still = {0, 0, 0};
static const Vector upwards = {0, 1, 0};

static SceneOptions person_at(int rate)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){0.4f, 0.9f, 0.4f};
    options.dt = 1.0f / (float)rate;
    return options;
}

static bool is_grounded(const Agent *agent)
{
    return (agent->body.flags & SIDLE_BODY_GROUNDED) != 0;
}

static Vector velocity_of(const Agent *agent)
{
    return vector((double)agent->body.velocity.x, (double)agent->body.velocity.y,
                  (double)agent->body.velocity.z);
}

static Vector carried_over(const Agent *agent)
{
    sidle_vec3 v = agent->body.carried_over;
    return vector((double)v.x, (double)v.y, (double)v.z);
}

/* A platform of 4 by 4 m whose top is at the height of its pose, and an agent that has come to rest on it. */
typedef struct Ride
{
    Stage stage;
    uint32_t platform;
    Agent agent;
} Ride;

static Ride ride_from(Soup resting, SceneOptions options, sidle_pose pose, Vector place)
{
    Ride ride = {.stage = stage_of(resting, options)};
    Soup plate = {0};
    soup_box(&plate, vector(-2, -0.2, -2), vector(2, 0, 2));
    ride.platform = stage_add(&ride.stage, plate, pose);
    stage_commit(&ride.stage);
    ride.agent = agent_in(place);
    for (int tick = 0; tick < 5000 && !is_grounded(&ride.agent); ++tick)
    {
        scene_tick(&ride.stage.scene, &ride.agent, still);
    }
    cr_assert(is_grounded(&ride.agent), "does not land");
    scene_tick(&ride.stage.scene, &ride.agent, still);
    return ride;
}

static Ride ride_on(SceneOptions options, sidle_pose pose, Vector place)
{
    return ride_from((Soup){0}, options, pose, place);
}

static void go(Ride *ride, sidle_pose to, Vector wish)
{
    stage_move(&ride->stage, ride->platform, to);
    stage_commit(&ride->stage);
    scene_tick(&ride->stage.scene, &ride->agent, wish);
}

static double time_of(const Ride *ride, int tick)
{
    return tick * (double)ride->stage.scene.options.dt;
}

/* The worst distance from a platform that moves as `path` says, in ticks and in slip. */
typedef sidle_pose PathOf(double seconds);

typedef struct Held
{
    int lost; /* ticks without contact */
    double slip;
} Held;

static Held hold(PathOf *path, SceneOptions options, double seconds)
{
    Ride ride = ride_on(options, path(0), vector(0.5, path(0).position.y + 1.0, 0.7));
    sidle_position before = ride.stage.bodies[ride.platform].pose.position;
    Vector stood = vector_sub(agent_center(&ride.agent), vector(before.x, before.y, before.z));
    Held held = {0};
    int ticks = (int)(seconds / (double)options.dt + 0.5);
    for (int tick = 1; tick <= ticks; ++tick)
    {
        sidle_pose to = path(time_of(&ride, tick));
        go(&ride, to, still);
        Vector stands =
            vector_sub(agent_center(&ride.agent), vector(to.position.x, to.position.y, to.position.z));
        held.lost += !is_grounded(&ride.agent);
        held.slip = fmax(held.slip, vector_distance(stands, stood));
        cr_assert(ride.agent.reasons == 0, "tick %d: reasons %x", tick, ride.agent.reasons);
    }
    stage_close(&ride.stage);
    return held;
}

/* ---- lifts and shuttles ---- */

static double zigzag(double seconds, double half_period)
{
    double phase = fmod(seconds, 2 * half_period);
    return phase < half_period ? phase : 2 * half_period - phase;
}

static sidle_pose lift_up(double t)
{
    return pose_at(0, 2 * t, 0);
}

static sidle_pose lift_down(double t)
{
    return pose_at(0, -2 * t, 0);
}

static sidle_pose lift_reversing(double t) /* at 2 m/s, turning round within a tick */
{
    return pose_at(0, 2 * zigzag(t, 0.75), 0);
}

static sidle_pose lift_swinging(double t) /* 9 m/s^2 at the top */
{
    return pose_at(0, cos(3 * t), 0);
}

static sidle_pose shuttle(double t)
{
    return pose_at(8 * zigzag(t, 1.1), 0, -3 * t);
}

static sidle_pose cut_cable(double t)
{
    return pose_at(0, -9.81 * t * t / 2, 0);
}

Test(carry, lifts_and_shuttles_never_lose_or_shift_a_rider)
{
    PathOf *const paths[6] = {lift_up, lift_down, lift_reversing, lift_swinging, shuttle, cut_cable};
    for (int form = 0; form < 6; ++form)
    {
        double seconds = paths[form] == cut_cable ? 4 : 10;
        Held held = hold(paths[form], person_at(60), seconds);
        cr_expect_eq(held.lost, 0, "path %d: %d ticks without contact", form, held.lost);
        cr_expect_lt(held.slip, 1e-5, "path %d: slipped by %g", form, held.slip);
    }
}

Test(carry, slide_mode_rides_as_well)
{
    PathOf *const paths[3] = {lift_up, lift_reversing, shuttle};
    for (int form = 0; form < 3; ++form)
    {
        SceneOptions options = person_at(60);
        options.profile.mode = SIDLE_SLIDE;
        Held held = hold(paths[form], options, 10);
        cr_expect_eq(held.lost, 0, "path %d: %d ticks without contact", form, held.lost);
        cr_expect_lt(held.slip, 1e-5, "path %d: slipped by %g", form, held.slip);
    }
}

Test(carry, a_ride_ends_at_the_same_place_at_any_rate)
{
    const int rates[7] = {15, 30, 60, 120, 240, 480, 960};
    PathOf *const paths[4] = {lift_up, lift_reversing, lift_swinging, shuttle};
    for (int form = 0; form < 28; ++form)
    {
        Held held = hold(paths[form / 7], person_at(rates[form % 7]), 3);
        cr_expect_eq(held.lost, 0, "path %d at %d Hz: %d ticks lost", form / 7, rates[form % 7], held.lost);
        cr_expect_lt(held.slip, 1e-5, "path %d at %d Hz: off by %g m", form / 7, rates[form % 7], held.slip);
    }
}

Test(carry, ground_that_drops_faster_than_anything_falls_leaves_its_rider_in_the_air)
{
    const int rates[4] = {30, 60, 240, 960};
    for (int form = 0; form < 4; ++form)
    {
        Ride ride = ride_on(person_at(rates[form]), pose_at(0, 0, 0), vector(0, 1, 0));
        double height = ride.agent.body.center.y;
        int ticks = rates[form] / 2;
        for (int tick = 1; tick <= ticks; ++tick)
        {
            go(&ride, pose_at(0, -30 * time_of(&ride, tick), 0), still);
            cr_assert(!is_grounded(&ride.agent), "%d Hz: held in tick %d", rates[form], tick);
        }
        double fell = height - ride.agent.body.center.y;
        cr_expect_float_eq(fell, 9.81 * 0.25 / 2, 1e-3, "%d Hz: fell by %g m", rates[form], fell);
        stage_close(&ride.stage);
    }
}

/* ---- turning ---- */

static double slip_of_a_spin(double rate, double radius, int hertz, Vector axis, SceneOptions options)
{
    options.dt = 1.0f / (float)hertz;
    Ride ride = ride_on(options, pose_at(0, 0, 0), vector(radius, 1.2, 0));
    Vector stood = agent_center(&ride.agent);
    double worst = 0;
    for (int tick = 1; tick <= 10 * hertz; ++tick)
    {
        double angle = rate * time_of(&ride, tick);
        go(&ride, pose_turned(pose_at(0, 0, 0), axis, angle), still);
        Vector there = vector(stood.x * cos(angle) + stood.z * sin(angle), stood.y,
                              stood.z * cos(angle) - stood.x * sin(angle));
        worst = fmax(worst, vector_distance(agent_center(&ride.agent), there));
        cr_assert(is_grounded(&ride.agent) && ride.agent.reasons == 0, "%g rad/s, tick %d", rate, tick);
    }
    stage_close(&ride.stage);
    return worst;
}

Test(carry, case_48_a_spinning_platform_carries_in_circles_without_slip)
{
    const double rates[4] = {0.5, 2, 10, -10};
    const int hertz[3] = {15, 60, 240};
    for (int form = 0; form < 12; ++form)
    {
        double slip = slip_of_a_spin(rates[form / 3], 1.5, hertz[form % 3], upwards, person_at(60));
        cr_expect_lt(slip, 1e-5, "%g rad/s at %d Hz: %g m in 10 s", rates[form / 3], hertz[form % 3], slip);
    }
}

/* The contact of a tall shape rides; a tilt that turned its centre about the axis would drag its foot along. */
Test(carry, a_rocking_platform_keeps_the_foot_of_a_rider_where_it_stands)
{
    Ride ride = ride_on(person_at(60), pose_at(0, 0, 0), vector(1, 1, 0.3));
    double reach = ride.agent.body.center.x, worst = 0;
    for (int tick = 1; tick <= 600; ++tick)
    {
        double angle = 0.4 * sin(2 * time_of(&ride, tick));
        go(&ride, pose_turned(pose_at(0, 0, 0), vector(0, 0, 1), angle), still);
        cr_assert(is_grounded(&ride.agent), "tick %d", tick);
        /* where the upright ellipsoid, a skin above, touches the tilted plane */
        double s = sin(angle), c = cos(angle), length = sqrt(0.16 * s * s + 0.81 * c * c);
        Vector foot = vector(0.16 * s / length, -0.81 * c / length, 0);
        Vector at = vector_add(agent_center(&ride.agent), foot);
        worst = fmax(worst, fabs(at.x * c + at.y * s - reach));
    }
    cr_expect_lt(worst, 0.03, "the foot left its place by %g m", worst);
    stage_close(&ride.stage);
}

/* ---- moving about on it ---- */

Test(carry, who_walks_on_a_moving_train_walks_at_his_own_speed_and_leaves_with_the_trains)
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

Test(carry, a_jump_leaves_any_lift_as_high_as_it_leaves_the_floor)
{
    const double speeds[5] = {0, 2, -2, 5, -2.9};
    const int rates[3] = {30, 60, 240};
    for (int form = 0; form < 15; ++form)
    {
        check_jump(speeds[form / 3], rates[form % 3]);
    }
}

Test(carry, who_falls_onto_a_rising_lift_stands_on_it)
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

Test(carry, who_jumps_slower_than_the_lift_rises_stays_on_it)
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

Test(carry, a_wall_beside_the_track_takes_the_rider_off_his_train)
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

Test(carry, what_is_gone_or_elsewhere_at_once_carries_nobody)
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
        if (form == 2) /* another instance in its slot, that moves */
        {
            sidle_instance_desc desc = {.size = sizeof desc, .mesh = body->mesh, .pose = away};
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

Test(carry, who_ignores_a_platform_is_not_carried_by_it)
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

/* The end of a ride of two seconds, as seen from the platform's start. */
static Vector ride_away(sidle_pose pose, sidle_vec3 scale)
{
    pose.scale = scale;
    sidle_position from = pose.position;
    Ride ride = ride_on(person_at(60), pose, vector(from.x + 1, from.y + 1, from.z + 0.5));
    ride.agent.body.center = (sidle_position){from.x + 1, from.y + 0.918, from.z + 0.5};
    for (int tick = 1; tick <= 120; ++tick)
    {
        double t = time_of(&ride, tick);
        sidle_pose to = pose_turned(pose_at(from.x + 3 * t, from.y + sin(2 * t), from.z), upwards, 3 * t);
        to.scale = scale;
        go(&ride, to, still);
        cr_assert(is_grounded(&ride.agent) && ride.agent.reasons == 0, "tick %d", tick);
    }
    Vector end = vector_sub(agent_center(&ride.agent), vector(from.x, from.y, from.z));
    stage_close(&ride.stage);
    return end;
}

Test(carry, far_from_the_origin_and_on_stretched_or_mirrored_platforms_a_ride_is_the_same)
{
    Vector here = ride_away(pose_at(0, 0, 0), (sidle_vec3){1, 1, 1});
    Vector far = ride_away(pose_at(1e6, -1e6, 3e5), (sidle_vec3){1, 1, 1});
    Vector wide = ride_away(pose_at(0, 0, 0), (sidle_vec3){2, 1, 0.7f});
    Vector mirrored = ride_away(pose_at(0, 0, 0), (sidle_vec3){-1, 1, 1});
    cr_expect_lt(vector_distance(far, here), 1e-6, "1000 km away: by %g m", vector_distance(far, here));
    cr_expect_lt(vector_distance(wide, here), 1e-6, "stretched: by %g m", vector_distance(wide, here));
    cr_expect_lt(vector_distance(mirrored, here), 1e-6, "mirrored: by %g m", vector_distance(mirrored, here));
}

/* ---- time ---- */

/* A ride of two seconds, 60 epochs a second, each covered by so many ticks. */
static Vector end_of_ride(int parts)
{
    Ride ride = ride_on(person_at(60 * parts), pose_at(0, 0, 0), vector(1, 1, 0.5));
    ride.agent.body.center = (sidle_position){1, 0.918, 0.5};
    Scene *scene = &ride.stage.scene;
    for (int epoch = 1; epoch <= 120; ++epoch)
    {
        double t = epoch / 60.0;
        stage_move(&ride.stage, ride.platform, pose_turned(pose_at(3 * t, sin(2 * t), 0), upwards, 3 * t));
        stage_commit(&ride.stage);
        for (int part = 0; part < parts; ++part)
        {
            scene->motion_begin = (float)part / (float)parts;
            scene->motion_end = (float)(part + 1) / (float)parts;
            scene_tick(scene, &ride.agent, still);
            cr_assert(is_grounded(&ride.agent) && ride.agent.reasons == 0, "epoch %d", epoch);
        }
    }
    Vector end = agent_center(&ride.agent);
    stage_close(&ride.stage);
    return end;
}

Test(carry, parts_of_an_epoch_carry_as_far_as_the_whole)
{
    Vector whole = end_of_ride(1);
    for (int parts = 2; parts <= 16; parts *= 2)
    {
        double apart = vector_distance(end_of_ride(parts), whole);
        cr_expect_lt(apart, 1e-9, "%d parts: %g m apart", parts, apart);
    }
    Vector there = vector(6 + cos(6) + 0.5 * sin(6), 0.918 + sin(4), 0.5 * cos(6) - sin(6));
    cr_expect_lt(vector_distance(whole, there), 1e-5, "%g m from where it was carried",
                 vector_distance(whole, there));
}

Test(carry, a_tick_that_covers_no_part_of_the_motion_carries_nobody)
{
    Ride ride = ride_on(person_at(60), pose_at(0, 0, 0), vector(0, 1, 0));
    Vector before = agent_center(&ride.agent);
    stage_move(&ride.stage, ride.platform, pose_at(0.3, 0, 0));
    stage_commit(&ride.stage);
    Scene *scene = &ride.stage.scene;
    scene_tick(scene, &ride.agent, still);
    cr_expect_float_eq(ride.agent.body.center.x - before.x, 0.3, 1e-6);
    Vector carried = agent_center(&ride.agent);
    scene->motion_begin = scene->motion_end = 1;
    scene_ticks(scene, &ride.agent, still, 10);
    cr_expect(vector_same_bits(agent_center(&ride.agent), carried));
    cr_expect_eq(vector_length(carried_over(&ride.agent)), 0.0);
    stage_close(&ride.stage);
}

Test(carry, a_ride_has_the_same_bits_at_every_width_and_place_in_the_crowd)
{
    const uint32_t widths[4] = {0, 1, 4, 8};
    Agent first = {0};
    for (int form = 0; form < 4; ++form)
    {
        SceneOptions options = person_at(60);
        options.lanes = widths[form];
        sidle_crowd_desc probe = {
            .size = sizeof probe, .profiles = &options.profile, .profile_count = 1, .lanes = widths[form]};
        sidle_crowd *crowd;
        if (sidle_crowd_create(&probe, NULL, &crowd) != SIDLE_OK)
        {
            continue; /* a width that this machine has not */
        }
        sidle_crowd_destroy(crowd);
        Soup floor = {0};
        soup_grid(&floor, 8, 1, -0.3);
        Ride ride = ride_from(floor, options, pose_at(0, 0, 0), vector(0.5, 1, 0.2));
        for (int tick = 1; tick <= 200; ++tick)
        {
            double t = time_of(&ride, tick);
            sidle_pose to = pose_turned(pose_at(t, sin(t) / 4, 0), upwards, 4 * t);
            go(&ride, to, vector(0.02 * cos(t), 0, 0.02 * sin(t)));
        }
        first = form == 0 ? ride.agent : first;
        cr_expect(agent_same_bits(&ride.agent, &first), "%u lanes", widths[form]);
        stage_close(&ride.stage);
    }
}
