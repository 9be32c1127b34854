/* The height that an engine draws: center - step_offset * up. Metres and seconds. */
#include "support/stride.h"
#include "support/terrain.h"

#include <criterion/criterion.h>

static MotionSetting walker(int shape, int rate)
{
    MotionSetting setting = motion_person(MOTION_WALK);
    setting.shape = stride_shapes[shape];
    setting.rate = rate;
    return setting;
}

static double drawn(const Actor *actor)
{
    return actor_place(actor).y - (double)actor->agent.body.step_offset;
}

/* How far the drawn height of a tick changes beyond what the speed explains: the slope limit, a catch-up of three steps a
 * second, and a fall. */
static double drawn_excess(Stride *stride, Actor *actor, Vector velocity)
{
    const MotionSetting *setting = &actor->setting;
    double before = drawn(actor), catch_up = 3 * setting->step_up / setting->rate;
    stride_next(stride, actor, velocity);
    double slope =
        tan(radians(setting->slope + 0.11)) * stride->done; /* the limit has a tolerance of .1 degrees */
    double change = drawn(actor) - before;
    double down = fmax(slope, stride->fallen + setting_gravity_step(setting));
    return change > 0 ? change - slope - catch_up : -change - down - catch_up;
}

static double worst_on_stairs(const MotionSetting *setting, double riser, bool down)
{
    TerrainFlight flight = {.riser = riser, .tread = 0.5, .steps = 8, .half_width = 5};
    Soup soup = {0};
    terrain_flight(&soup, flight);
    double top = riser * flight.steps, length = flight.tread * flight.steps;
    Vector start = down ? vector(length + 0.5, top + motion_rest(setting) + 0.01, 0)
                        : vector(-1, motion_rest(setting) + 0.01, 0);
    Actor actor = actor_of(setting, soup, start);
    actor_land(&actor);
    Stride stride = {0};
    double worst = 0;
    for (int tick = 0; tick < 2 * setting->rate; ++tick)
    {
        worst = fmax(worst, drawn_excess(&stride, &actor, vector(down ? -3 : 3, 0, 0)));
    }
    actor_go(&actor, vector(0, 0, 0), 0.5);
    cr_expect_eq(actor.agent.body.step_offset, 0.f, "%g is left where it stands", //
                 (double)actor.agent.body.step_offset);
    actor_end(&actor);
    return worst;
}

Test(smoothing, the_drawn_height_on_stairs_changes_no_steeper_than_the_slope_limit)
{
    for (int form = 0; form < STRIDE_SHAPES * STRIDE_RATES * 2; ++form)
    {
        MotionSetting setting = walker(form / 2 % STRIDE_SHAPES, stride_rates[form / 2 / STRIDE_SHAPES]);
        for (double riser = 0.1; riser < 0.4; riser += 0.07)
        {
            double worst = worst_on_stairs(&setting, riser, form % 2);
            cr_expect_lt(worst, 1e-4, "form %d, %d Hz, risers of %g: %g beyond", form, setting.rate, riser,
                         worst);
        }
    }
}

Test(smoothing, on_the_flat_and_on_slopes_the_centre_is_drawn)
{
    for (double degrees = 0; degrees < 20; degrees += 6)
    {
        MotionSetting setting = walker(0, 60);
        Soup soup = {0};
        soup_slope(&soup, 20, degrees);
        Actor actor = actor_of(&setting, soup, vector(0, 2, 0));
        actor_land(&actor);
        for (int tick = 0; tick < 60; ++tick)
        {
            actor_tick(&actor, vector(3, 0, 0));
            cr_assert_eq(actor.agent.body.step_offset, 0.f, "%g degrees, tick %d", degrees, tick);
        }
        actor_end(&actor);
    }
}

Test(smoothing, an_offset_that_is_no_height_is_refused)
{
    const float offsets[] = {NAN, INFINITY, -INFINITY, 2e4f, 1.0f};
    for (int i = 0; i < 5; ++i)
    {
        MotionSetting setting = walker(1, 60);
        Soup soup = {0};
        soup_floor(&soup, 20, 0);
        Actor actor = actor_of(&setting, soup, vector(0, 1, 0));
        actor_land(&actor);
        actor.agent.body.step_offset = offsets[i];
        actor_tick(&actor, vector(1, 0, 0));
        bool is_refused = actor.agent.body.flags & SIDLE_BODY_INVALID;
        cr_expect_eq(is_refused, i < 4, "%g", (double)offsets[i]);
        cr_expect(is_refused || actor.agent.body.step_offset <= 0.4f, "%g: not more than a step",
                  (double)offsets[i]);
        actor_end(&actor);
    }
}

/* A jump takes the velocity along. */
Test(smoothing, the_velocity_on_stairs_up_holds_no_step)
{
    for (int form = 0; form < STRIDE_SHAPES * STRIDE_RATES; ++form)
    {
        MotionSetting setting = walker(form % STRIDE_SHAPES, stride_rates[form / STRIDE_SHAPES]);
        Soup soup = {0};
        terrain_flight(&soup, (TerrainFlight){.riser = 0.35, .tread = 0.5, .steps = 8, .half_width = 5});
        Actor actor = actor_of(&setting, soup, vector(-1, motion_rest(&setting) + 0.01, 0));
        actor_land(&actor);
        for (int tick = 0; tick < setting.rate; ++tick)
        {
            actor_tick(&actor, vector(3, 0, 0));
            cr_assert_leq(actor.agent.body.velocity.y, 1e-4f, "form %d, tick %d: %g m/s", form, tick,
                          (double)actor.agent.body.velocity.y);
            cr_assert_float_eq(actor.agent.body.velocity.x, 3.f, 0.2f, "form %d, tick %d", form, tick);
        }
        actor_end(&actor);
    }
}
