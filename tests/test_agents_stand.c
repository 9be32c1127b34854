/* Agents that stand on others, by profile. Metres and seconds. */
#include "support/few.h"

#include <criterion/criterion.h>

#include <math.h>

/* Persons of one shape: the first falls onto the head of the second, `aside` from its middle. */
static Few few_on_a_head(bool is_capsule, uint32_t flags, double aside)
{
    Few few = few_of(2, 3);
    SceneOptions options = few.scene.options;
    Soup soup = {0};
    options.profile.flags = flags;
    if (is_capsule)
    {
        options.profile.shape = (sidle_shape){.radii = {.4f, .4f, .4f}, .half_height = .5f};
    }
    soup_floor(&soup, 30, 0);
    scene_close(&few.scene);
    few.scene = scene_of(soup, options);
    few.moves[0].body = (sidle_body){.center = {aside, 3, 0}};
    few.moves[1].body = (sidle_body){.center = {0, .92, 0}};
    return few;
}

static void tick_for(Few *few, double seconds, int rate)
{
    for (int tick = 0; tick < seconds * rate; ++tick)
    {
        tick_few_at(few, 1 / (float)rate);
    }
}

static bool stands(const Few *few)
{
    return few->moves[0].body.flags & SIDLE_BODY_GROUNDED;
}

Test(agents_stand, on_a_head_until_that_walks_away)
{
    for (int form = 0; form < 8; ++form)
    {
        int rate = 30 << form / 2;
        Few few = few_on_a_head(form % 2, SIDLE_PROFILE_STANDS_ON_AGENTS, .05);
        double impact = 0;
        for (int tick = 0; tick < 2 * rate; ++tick)
        {
            tick_few_at(&few, 1 / (float)rate);
            impact = fmax(impact, (double)few.results[0].impact_speed);
        }
        cr_expect_float_eq(impact, sqrt(2 * 9.81 * (3 - few.moves[0].body.center.y)), .05, "%g m/s", impact);
        sidle_position at = few.moves[0].body.center;
        for (int tick = 0; tick < rate; ++tick)
        {
            tick_for(&few, 1.0 / rate, rate);
            cr_assert(stands(&few), "shape %d, %d Hz: in the air", form % 2, rate);
        }
        sidle_position then = few.moves[0].body.center;
        cr_expect(then.y > 2.65 && then.y < 2.75, "shape %d, %d Hz: %g m high", form % 2, rate, then.y);
        cr_expect_eq(hypot(then.x - at.x, then.z - at.z), 0, "shape %d, %d Hz: slides", form % 2, rate);
        few.moves[1].displacement.x = -1.4f / (float)rate;
        tick_for(&few, 2, rate);
        cr_expect(stands(&few) && few.moves[0].body.center.y < 1, "%g m high", few.moves[0].body.center.y);
        scene_close(&few.scene);
    }
}

Test(agents_stand, only_those_whose_profile_says_so)
{
    Few few = few_on_a_head(true, 0, .05);
    tick_for(&few, 2, 60);
    cr_expect(stands(&few) && few.moves[0].body.center.y < 1, "%g m high", few.moves[0].body.center.y);
    scene_close(&few.scene);
}

Test(agents_stand, and_walk_off_a_head)
{
    Few few = few_on_a_head(true, SIDLE_PROFILE_STANDS_ON_AGENTS, 0);
    tick_for(&few, 2, 60);
    few.moves[0].displacement.x = 1.4f / 60;
    double before = few.moves[0].body.center.x;
    tick_for(&few, .1, 60);
    cr_expect_float_eq(few.moves[0].body.center.x - before, .14, .03);
    tick_for(&few, 2, 60);
    cr_expect(stands(&few) && few.moves[0].body.center.y < 1, "%g m high", few.moves[0].body.center.y);
    scene_close(&few.scene);
}
