/* Stairs, kerbs and sheets tick by tick: no agent is launched by the nose of a step. Metres and seconds. */
#include "support/motion_scenes.h"
#include "support/stride.h"
#include "support/terrain.h"

#include <criterion/criterion.h>

#define HANGS 0.03 /* m: an agent hangs if nothing is this near to it */

static MotionSetting climber(int shape, int rate)
{
    MotionSetting setting = motion_person(MOTION_WALK);
    setting.shape = stride_shapes[shape];
    setting.rate = rate;
    return setting;
}

/* ---- stairs ---- */

typedef struct Ascent
{
    TerrainFlight flight;
    double heading;  /* degrees off straight */
    double launch;   /* m: the largest rise of a tick beyond step_up, what the slope explains and a skin */
    double rise;     /* m: the largest of a tick */
    double thrown;   /* m: the largest rise of a tick that ends in the air */
    double sunk;     /* m: the largest drop of a tick */
    int hung;        /* ticks that end grounded with nothing near the shape */
    double short_by; /* m: what is missing of the height of the flight */
} Ascent;

static void note_stride(Ascent *ascent, const Actor *actor, const Stride *stride)
{
    double explained = actor->setting.step_up;
    ascent->launch = fmax(ascent->launch, stride_excess_up(stride, &actor->setting) - explained);
    ascent->rise = fmax(ascent->rise, stride->rise);
    ascent->thrown = stride->stands ? ascent->thrown : fmax(ascent->thrown, stride->rise);
    ascent->sunk = fmax(ascent->sunk, -stride->rise);
    ascent->hung += stride->stands && !actor_is_near(actor, HANGS);
}

static Ascent ascend(const MotionSetting *setting, TerrainFlight flight, double heading)
{
    Ascent ascent = {.flight = flight, .heading = heading, .launch = -1.0};
    double angle = radians(heading), reach = setting_reach(setting);
    Vector velocity = vector(3.0 * cos(angle), 0, 3.0 * sin(angle));
    Soup soup = {0};
    terrain_flight(&soup, flight);
    double middle = -0.5 * velocity.z / velocity.x * flight.steps * flight.tread;
    Actor actor = actor_of(setting, soup, vector(-reach - 0.2, motion_rest(setting) + 0.01, middle));
    actor_land(&actor);
    double level = actor_place(&actor).y + flight.riser * flight.steps;
    int ticks = actor_ticks(&actor, 1.5 * (flight.tread * flight.steps + 2.0) / velocity.x);
    Stride stride = {0};
    for (int tick = 0; tick < ticks; ++tick)
    {
        stride_next(&stride, &actor, velocity);
        note_stride(&ascent, &actor, &stride);
    }
    ascent.short_by = level - actor_place(&actor).y;
    actor_end(&actor);
    return ascent;
}

typedef struct Climbs
{
    Tally launched, thrown, sunk, hung, stopped;
} Climbs;

static Climbs climbs_of(int shape, int rate, double least_tread, double most_tread, int count)
{
    Climbs climbs = {0};
    for (int i = 0; i < count; ++i)
    {
        Random random = random_seeded(400000 + 1000 * (uint64_t)rate + (uint64_t)i);
        MotionSetting setting = climber(shape, rate);
        double highest = setting.step_up - 1e-3;
        TerrainFlight flight = terrain_random_flight(&random, highest, least_tread, most_tread);
        double heading = random_between(&random, -60, 60);
        setting.turned = random_chance(&random, 0.5) ? 0.0 : random_between(&random, -180, 180);
        Ascent a = ascend(&setting, flight, heading);
        tally(&climbs.launched, a.launch, 0,
              "flight %d: riser %.3f, tread %.3f, %.3g degrees: rises %.3f m in a tick", i, flight.riser,
              flight.tread, heading, a.rise);
        tally(&climbs.thrown, a.thrown, setting_skin(&setting),
              "flight %d: riser %.3f, tread %.3f, %.3g degrees: rises %.3f m off the ground", i, flight.riser,
              flight.tread, heading, a.thrown);
        tally(&climbs.sunk, a.sunk, 5e-3, "flight %d: riser %.3f, tread %.3f, %.3g degrees: drops by %.3f m",
              i, flight.riser, flight.tread, heading, a.sunk);
        tally(&climbs.hung, a.hung, 0, "flight %d: riser %.3f, tread %.3f, %.3g degrees: hangs for %d ticks",
              i, flight.riser, flight.tread, heading, a.hung);
        tally(&climbs.stopped, a.short_by, 0.01,
              "flight %d: riser %.3f, tread %.3f, %.3g degrees: %.3f m short", i, flight.riser, flight.tread,
              heading, a.short_by);
    }
    return climbs;
}

static void expect_none(const Tally *outcome, int shape, int rate, const char *what)
{
    cr_expect(outcome->faults == 0, "%s, %d Hz: %d of %d %s; %s", stride_shape_names[shape], rate,
              outcome->faults, outcome->cases, what, outcome->text);
}

static void stairs_hold(double least_tread, double most_tread, bool must_climb)
{
    int count = count_from("SIDLE_FLIGHTS", 200);
    for (int form = 0; form < STRIDE_SHAPES * STRIDE_RATES; ++form)
    {
        int shape = form % STRIDE_SHAPES, rate = stride_rates[form / STRIDE_SHAPES];
        Climbs climbs = climbs_of(shape, rate, least_tread, most_tread, count);
        expect_none(&climbs.launched, shape, rate, "rise by more than a step");
        expect_none(&climbs.thrown, shape, rate, "are thrown off the ground");
        expect_none(&climbs.sunk, shape, rate, "drop while climbing");
        expect_none(&climbs.hung, shape, rate, "hang");
        if (must_climb)
        {
            expect_none(&climbs.stopped, shape, rate, "do not get up");
        }
    }
}

/* The height at which a shape rests grows during the climb, so no tick lowers an agent. */
Test(noses, stairs_up_to_step_up_are_climbed_without_a_launch_a_drop_or_a_hang)
{
    stairs_hold(0.41, 1.0, true);
}

/* Feet rest on edges there, and climbing is not promised. */
Test(noses, narrow_treads_neither_launch_nor_drop_nor_hang_an_agent)
{
    stairs_hold(0.1, 0.41, false);
}

/* Risers of .39 m, treads of .3 m, a capsule at 240 Hz: once raised by .285 m in a tick. */
Test(noses, a_capsule_between_two_noses_is_not_launched)
{
    MotionSetting setting = climber(1, 240);
    Soup soup = {0};
    terrain_flight(&soup, (TerrainFlight){.riser = 0.39, .tread = 0.3, .half_width = 30, .steps = 12});
    Actor actor = actor_of(&setting, soup, vector(1.6852157443761824, 3.6215227425098417, 1.78125));
    sidle_body *body = &actor.agent.body;
    body->velocity = (sidle_vec3){2.5980763f, 0.80091459f, 1.5f};
    body->ground_normal = (sidle_vec3){-0.28411943f, 0.95878887f, 0.0f};
    body->support_normal = (sidle_vec3){0.0f, 1.0f, 0.0f};
    body->overhang = 0.11478425f;
    body->ground = actor.scene.instances[0];
    body->flags = SIDLE_BODY_GROUNDED;
    Stride stride = {0};
    stride_next(&stride, &actor, vector(2.5980763, 0, 1.5));
    cr_expect(actor_is_near(&actor, HANGS), "rises by %.3f m in a tick and hangs", stride.rise);
    for (int tick = 0; tick < 24; ++tick)
    {
        stride_next(&stride, &actor, vector(2.5980763, 0, 1.5));
        cr_expect(stride.rise > -5e-3, "tick %d: drops by %.3f m", tick, -stride.rise);
    }
    actor_end(&actor);
}

/* A wide foot hangs over several treads, and is held by noses higher than a step while it sinks between them. */
Test(noses, an_ellipsoid_walks_down_the_steepest_flights_on_the_ground)
{
    const double risers[] = {0.2, 0.3, 0.399}, treads[] = {0.1, 0.2, 0.3}, angles[] = {0, 20, 45, 60};
    for (int form = 0; form < 72; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.rate = form < 36 ? 30 : 240;
        MotionFlight flight = {.riser = risers[form % 3],
                               .tread = treads[form / 3 % 3],
                               .degrees = angles[form / 9 % 4],
                               .down = true};
        MotionStairs down = motion_stairs(&setting, flight);
        cr_expect(down.passed && down.airborne == 0,
                  "%g / %g m, %g degrees, %d Hz: %.3f of the ticks in the air", flight.riser, flight.tread,
                  flight.degrees, setting.rate, down.airborne);
    }
}
