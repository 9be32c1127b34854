/* Riders of what moves, as docs/method.md promises them. Metres and seconds. */
#include "support/ride.h"

#include <criterion/criterion.h>

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

/* At 2 m/s, turning round within a tick. */
static sidle_pose lift_reversing(double t)
{
    return pose_at(0, 2 * zigzag(t, 0.75), 0);
}

/* 9 m/s^2 at the top. */
static sidle_pose lift_swinging(double t)
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

Test(carry, ground_that_drops_faster_than_free_fall_leaves_its_rider_in_the_air)
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

/* Every other tick three times as long. */
Test(carry, ground_that_falls_freely_keeps_its_rider_if_ticks_change_their_length)
{
    Ride ride = ride_on(person_at(60), pose_at(0, 0, 0), vector(0, 1, 0));
    double gap = ride.agent.body.center.y, t = 0;
    for (int tick = 0; tick < 60; ++tick)
    {
        ride.stage.scene.options.dt = tick % 2 ? 1 / 20.f : 1 / 60.f;
        t += (double)ride.stage.scene.options.dt;
        go(&ride, cut_cable(t), still);
        double height = ride.agent.body.center.y + 9.81 * t * t / 2;
        cr_assert(is_grounded(&ride.agent), "lost in tick %d", tick);
        cr_assert_float_eq(height, gap, 1e-4, "tick %d: %g m above it", tick, height - gap);
    }
    stage_close(&ride.stage);
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
        worst = worse(worst, vector_distance(agent_center(&ride.agent), there));
        cr_assert(is_grounded(&ride.agent) && ride.agent.reasons == 0, "%g rad/s, tick %d", rate, tick);
    }
    stage_close(&ride.stage);
    return worst;
}

/* Jumps against the front wall of a wagon at 20 m/s. The contact is 5.09 m from its middle. */
Test(carry, an_agent_that_jumps_against_a_wall_of_a_wagon_goes_on_with_it)
{
    for (int rate = 15; rate <= 240; rate *= 2)
    {
        Stage stage = stage_of((Soup){0}, person_at(rate));
        Soup wagon = {0};
        soup_box(&wagon, vector(-6, -.2, -2), vector(6, 0, 2));
        soup_box(&wagon, vector(5.5, 0, -2), vector(6, 3, 2));
        uint32_t body = stage_add(&stage, wagon, pose_at(0, 0, 0));
        Agent agent = agent_at(4.5, .93, 0);
        stage_commit(&stage);
        scene_ticks(&stage.scene, &agent, still, rate);
        bool has_touched = false;
        for (int tick = 1; tick <= rate; ++tick)
        {
            if (tick == rate / 5)
            {
                agent.body.flags &= (uint16_t)~SIDLE_BODY_GROUNDED;
                agent.body.velocity.y = 5;
            }
            stage_move(&stage, body, pose_at(20.0 * tick / rate, 0, 0));
            stage_commit(&stage);
            scene_tick(&stage.scene, &agent, vector(2.0 / rate, 0, 0));
            has_touched |= !is_grounded(&agent) && (agent.reasons & SIDLE_REASON_WALL);
            double at = agent_center(&agent).x - 20.0 * tick / rate, speed = velocity_of(&agent).x;
            cr_assert(!has_touched || fabs(at - 5.09) < .01, "%d Hz: at %g of the wagon", rate, at);
            cr_assert(!has_touched || fabs(speed - 20) < .01, "%d Hz: at %g m/s", rate, speed);
        }
        cr_expect(has_touched, "%d Hz: does not reach the wall in the air", rate);
        stage_close(&stage);
    }
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

/* The contact of a tall shape rides; a tilt that turned its centre about the axis would drag its foot along.
 */
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
        worst = worse(worst, fabs(at.x * c + at.y * s - reach));
    }
    cr_expect_lt(worst, 0.03, "the foot left its place by %g m", worst);
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

/* A ride of 2,000 ticks on a very slow instance; less than 1e-6 of the smallest radius a tick is no wish, but it is
 * a distance to be carried. */
static void check_creeping(SceneOptions options, double each)
{
    Ride ride = ride_on(options, pose_at(0, 0, 0), vector(0, 1, 0));
    double from = ride.agent.body.center.x;
    for (int tick = 1; tick <= 2000; ++tick)
    {
        go(&ride, pose_at(each * tick, 0, 0), still);
        cr_assert(is_grounded(&ride.agent) && ride.agent.reasons == 0, "%g a tick: tick %d", each, tick);
    }
    double off = ride.agent.body.center.x - from - 2000 * each;
    cr_expect_lt(fabs(off), 1e-12, "%g a tick: off by %g m", each, off);
    stage_close(&ride.stage);
}

Test(carry, a_very_slow_instance_carries_as_far_as_it_moves)
{
    SceneOptions broad = person_at(60);
    broad.profile.shape.radii = (sidle_vec3){90, 0.9f, 1};
    check_creeping(person_at(60), 5e-7);
    check_creeping(person_at(60), 3.9e-7);
    check_creeping(person_at(960), 1e-7);
    check_creeping(person_at(960), 1e-10);
    check_creeping(broad, 4.5e-5);
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

Test(carry, a_tick_that_covers_no_part_of_the_motion_carries_no_agent)
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

/* Diagonal bars of 16 m above the agent's head: their boxes in the world cover it. */
static void add_moving_bars(Stage *stage, uint32_t count)
{
    Soup bar = {0};
    soup_box(&bar, vector(-8, -.05, -.05), vector(8, .05, .05));
    uint32_t first = stage_add(stage, bar, pose_at(0, 60, 0));
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = stage->bodies[first].mesh};
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_instance bar_of;
        sidle_pose from = pose_turned(pose_at(-4, 5, 0), vector(0, 0, 1), .785), to = from;
        to.position.z += .01;
        desc.key = 2000 + i;
        cr_assert_eq(sidle_world_add(stage->scene.world, &desc, &bar_of), SIDLE_OK);
        cr_assert_eq(sidle_world_move(stage->scene.world, bar_of, &from, &to), SIDLE_OK);
    }
}

Test(carry, a_rider_beside_many_moving_instances_still_takes_its_own_step)
{
    const uint32_t counts[3] = {10, 180, 500};
    for (int i = 0; i < 3; ++i)
    {
        Ride ride = ride_on(person_at(60), pose_at(0, 0, 0), vector(0.5, 1, 0.7));
        double x = agent_center(&ride.agent).x;
        add_moving_bars(&ride.stage, counts[i]);
        go(&ride, pose_at(.05, 0, 0), vector(.1, 0, 0));
        cr_expect_float_eq(agent_center(&ride.agent).x - x, .15, 1e-6, "%u bars: moved by %g, reasons %x",
                           counts[i], agent_center(&ride.agent).x - x, ride.agent.reasons);
        stage_close(&ride.stage);
    }
}

/* The platform's own triangles fit. Those of the carpet that rises through the rider do not, however short the slice. */
Test(carry, a_rider_is_carried_once_even_if_what_pushes_it_cannot_be_searched)
{
    SceneOptions options = person_at(60);
    options.max_candidates = 64;
    Ride ride = ride_on(options, pose_at(0, 0, 0), vector(0.5, 1, 0.7));
    Soup carpet = {0};
    soup_grid(&carpet, 60, .05, 0);
    uint32_t second = stage_add(&ride.stage, carpet, pose_at(0, -.5, 0));
    stage_commit(&ride.stage);
    double x = agent_center(&ride.agent).x;
    stage_move(&ride.stage, second, pose_at(0, .4, 0));
    go(&ride, pose_at(.2, 0, 0), still);
    cr_expect(ride.agent.reasons & SIDLE_REASON_CANDIDATES);
    cr_expect_leq(agent_center(&ride.agent).x - x, .2 + 1e-6, "moved by %g", agent_center(&ride.agent).x - x);
    stage_close(&ride.stage);
}
