/* Crowds that are steered: they pass where others block, and come to rest. */
#include "support/steered.h"

#include <criterion/criterion.h>

Test(steer_crowds, two_streams_in_a_corridor_pass)
{
    double seconds[2];
    for (int i = 0; i < 2; ++i)
    {
        Steered *steered = steered_streams(60, (SteeredForm){0});
        steered->is_unsteered = i == 1;
        seconds[i] = steered_arrival(steered, .9, 60 - 4, 25); /* 4 m past the middle */
        steered_close(steered);
    }
    cr_expect(seconds[0] < 18, "%g s", seconds[0]);
    cr_expect(seconds[1] == 25, "%g s without steering", seconds[1]);
}

Test(steer_crowds, a_circle_of_agents_changes_sides_and_comes_to_rest)
{
    Steered *steered = steered_circle(60, (SteeredForm){0});
    double seconds = steered_arrival(steered, .9, 1.5, 40);
    cr_expect(seconds < 20, "%g s", seconds);
    steered_walk(steered, 15 * steered->form.rate);
    uint64_t hash = steered_hash(steered);
    steered_walk(steered, steered->form.rate);
    cr_expect_eq(steered_hash(steered), hash, "still moves");
    steered_close(steered);
}

Test(steer_crowds, eighty_pass_in_a_corridor_within_25_seconds)
{
    Steered *streams = steered_streams(80, (SteeredForm){0});
    double passed = steered_arrival(streams, .9, 60 - 4, 40);
    cr_expect(passed < 25, "%g s", passed);
    steered_close(streams);
}

/* ---- four tick rates, two shapes, several starts ---- */

static const int rates[4] = {30, 60, 120, 240};
static const sidle_shape shapes[2] = {{.radii = {.4f, .9f, .4f}},
                                      {.radii = {.4f, .4f, .4f}, .half_height = .5f}};

#define FORMS 8

static SteeredForm form_of(int form, uint64_t seed)
{
    return (SteeredForm){.rate = rates[form / 2], .shape = shapes[form % 2], .seed = seed};
}

Test(steer_crowds, a_hundred_and_twenty_pass_in_a_corridor_within_25_seconds_in_all_forms)
{
    for (int form = 0; form < FORMS; ++form)
    {
        for (uint64_t seed = 0; seed < 3; ++seed)
        {
            Steered *streams = steered_streams(120, form_of(form, 1000 * seed));
            double passed = steered_arrival(streams, .9, 60 - 4, 40);
            cr_expect(passed < 25, "form %d, start %d: %g s", form, (int)seed, passed);
            steered_close(streams);
        }
    }
}

Test(steer_crowds, two_hundred_change_sides_of_a_circle_within_50_seconds_in_all_forms)
{
    for (int form = 0; form < FORMS; ++form)
    {
        Steered *circle = steered_circle(200, form_of(form, form < 4 ? 0 : 1000 * (uint64_t)form));
        double crossed = steered_arrival(circle, .9, 1.5, 60);
        cr_expect(crossed < 50, "form %d: %g s", form, crossed);
        steered_close(circle);
    }
}
