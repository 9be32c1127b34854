/* Crowds at doors and streams that cross. SIDLE_STARTS in the environment sets how many random starts a door has. */
#include "agents_forms.h"

#include <stdlib.h>

static uint64_t starts(void)
{
    const char *text = getenv("SIDLE_STARTS");
    return text ? strtoull(text, NULL, 10) : 10;
}

static void doors_flow(double width, float radius, double least)
{
    for (uint64_t seed = 0; seed < starts(); ++seed)
    {
        CrowdSetting setting = small(CROWD_DOOR, 40, 90, width);
        setting.shape.radii.x = setting.shape.radii.z = radius;
        setting.seed = seed;
        CrowdFigures figures = sound(&setting);
        cr_expect_eq(figures.share, 1, "door %g, radius %g, start %d: %g have passed", width, (double)radius,
                     (int)seed, figures.share);
        cr_expect_geq(figures.flow, least, "door %g, radius %g, start %d: %g persons a second", width,
                      (double)radius, (int)seed, figures.flow);
    }
}

Test(agents_doors, a_door_of_one_metre_lets_a_crowd_through)
{
    doors_flow(1, .4f, .9);
}

Test(agents_doors, a_door_of_1_2_metres_lets_a_crowd_through)
{
    doors_flow(1.2, .4f, 1.5);
}

Test(agents_doors, a_door_of_one_metre_lets_a_slim_crowd_through)
{
    doors_flow(1, .25f, 2.8);
}

Test(agents_doors, a_door_of_1_2_metres_lets_a_slim_crowd_through)
{
    doors_flow(1.2, .25f, 3.6);
}

Test(agents_doors, a_door_lets_as_many_through_at_any_tick_rate)
{
    for (int form = 0; form < FORMS; ++form)
    {
        CrowdSetting setting = form_of(small(CROWD_DOOR, 50, 90, 1.2), form);
        CrowdFigures figures = sound(&setting);
        cr_expect(figures.share >= 1 && figures.flow > 1.5 && figures.flow < 1.85,
                  "shape %d, %d Hz: %g persons a second", form % 2, setting.rate, figures.flow);
    }
}

static void streams_pass(int count, double most)
{
    for (int form = 0; form < FORMS; ++form)
    {
        CrowdSetting setting = form_of(crowd_setting(CROWD_CORRIDOR), form);
        setting.count = count;
        CrowdFigures figures = sound(&setting);
        cr_expect(figures.arrival > 0 && figures.arrival <= most, "shape %d, %d Hz: 90 %% after %g s",
                  form % 2, setting.rate, figures.arrival);
        cr_expect_eq(figures.share, 1, "shape %d, %d Hz: %g have passed", form % 2, setting.rate,
                     figures.share);
    }
}

Test(agents_doors, two_streams_of_40_that_keep_to_the_right_pass_each_other_within_23_seconds)
{
    streams_pass(80, 23);
}

Test(agents_doors, two_streams_of_60_that_keep_to_the_right_pass_each_other_within_31_seconds)
{
    streams_pass(120, 31);
}

static void circle_comes_across(double turn)
{
    for (int rate = 0; rate < 4; ++rate)
    {
        CrowdSetting setting = crowd_setting(CROWD_CIRCLE);
        setting.amount = turn;
        setting.rate = rates[rate];
        setting.seconds = 50;
        CrowdFigures figures = sound(&setting);
        cr_expect(figures.arrival > 0, "%d Hz: %g have crossed", setting.rate, figures.share);
    }
}

Test(agents_doors, nine_tenths_of_a_circle_that_turns_right_cross_it_within_50_seconds_at_any_tick_rate)
{
    circle_comes_across(.5);
}

Test(agents_doors, nine_tenths_of_a_circle_that_turns_slightly_cross_it_within_50_seconds_at_any_tick_rate)
{
    circle_comes_across(.3);
}

/* Persons that have arrived stand in the path of others. */
Test(agents_doors, nearly_all_of_a_circle_walk_round_standing_persons)
{
    double sum = 0;
    for (int start = 0; start < 4; ++start)
    {
        CrowdSetting setting = crowd_setting(CROWD_CIRCLE);
        setting.amount += 1e-6 * start;
        setting.seconds = 60;
        sum += sound(&setting).share;
    }
    cr_expect_gt(sum / 4, .96, "%g have arrived", sum / 4);
}
