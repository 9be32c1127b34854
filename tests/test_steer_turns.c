/* Steering in turn, and far from the origin. */
#include "support/hash.h"
#include "support/steered.h"

#include <criterion/criterion.h>

#include <string.h>

static Steered *on_a_floor(void)
{
    Soup soup = {0};
    soup_plate(&soup, -60, 60, -60, 60, 0);
    return steered_open(soup, 0);
}

static bool same_displacement(sidle_vec3 a, sidle_vec3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* So far away floats cannot separate the agents. */
Test(steer, far_from_the_origin_agents_avoid_the_same_collisions)
{
    uint64_t expected = 0;
    for (int i = 0; i < 2; ++i)
    {
        double far = i * 0x1p24; /* exact in float, and so are the corners of the floor */
        Soup soup = {0};
        soup_plate(&soup, far - 64, far + 64, far - 64, far + 64, 0);
        Steered *steered = steered_open(soup, 0);
        for (int person = 0; person < 40; ++person)
        {
            double side = person % 2 ? 1 : -1, x = side * (2 + person / 8 * .75),
                   z = (person % 8 - 3.5) * .75;
            steered_add(steered, far + x, far + z, far - 30 * side, far + z);
        }
        sidle_steer_desc desc = steered_desc(steered);
        steered_wish(steered);
        demand(sidle_steer(steered->scene.crowd, &desc), "sidle_steer");
        uint64_t hash = 0;
        for (uint32_t person = 0; person < steered->count; ++person)
        {
            sidle_vec3 d = steered->moves[person].displacement;
            hash = hash_memory(hash, &d, sizeof d);
        }
        expected = i == 0 ? hash : expected;
        cr_expect_eq(hash, expected, "%g m away", far);
        steered_close(steered);
    }
}

/* Steers head-on pairs, four times with an array of its own and a period of 4. */
Test(steer, agents_take_turns_and_keep_their_displacements_until_then)
{
    enum
    {
        PERSONS = 40
    };
    Steered *steered = on_a_floor();
    sidle_vec3 out[PERSONS], all[PERSONS], before[PERSONS];
    for (int person = 0; person < PERSONS; ++person)
    {
        double side = person % 2 ? 1 : -1;
        steered_add(steered, 2 * side, person / 2 * 3 - 30, -30 * side, person / 2 * 3 - 30);
    }
    steered_wish(steered);
    steered->moves[7].displacement = (sidle_vec3){0, 0, 0};
    sidle_steer_desc desc = steered_desc(steered);
    desc.displacements = all;
    desc.displacement_stride = 0;
    demand(sidle_steer(steered->scene.crowd, &desc), "all");
    memset(out, 0x40, sizeof out);
    desc.displacements = out;
    desc.period = 4;
    int steered_in[PERSONS] = {0}, least = PERSONS;
    for (desc.turn = 6; desc.turn < 10; ++desc.turn)
    {
        memcpy(before, out, sizeof out);
        demand(sidle_steer(steered->scene.crowd, &desc), "in turn");
        int count = 0;
        for (int person = 0; person < PERSONS; ++person)
        {
            bool changed = !same_displacement(out[person], before[person]);
            steered_in[person] += changed;
            count += changed;
        }
        least = count < least ? count : least;
    }
    for (int person = 0; person < PERSONS; ++person)
    {
        cr_expect(steered_in[person] == 1 && same_displacement(out[person], all[person]), "%d: in %d turns",
                  person, steered_in[person]);
    }
    cr_expect(least >= 3, "a turn of %d agents", least);
    steered_close(steered);
}

/* In seconds; straight streams and a circle. */
Test(steer, in_turns_of_six_crowds_pass_as_fast)
{
    const double most[2] = {20, 24};
    for (uint32_t period = 1; period <= 6; period += 5)
    {
        Steered *streams = steered_streams(60, 0), *circle = steered_circle(60, 0);
        streams->period = circle->period = period;
        double passed = steered_arrival(streams, .9, 60 - 4, 40); /* 4 m past the middle */
        double changed = steered_arrival(circle, .9, 1.5, 60);
        cr_expect(passed < most[0] && changed < most[1], "%g s and %g s, every %u ticks", passed, changed,
                  period);
        steered_close(streams);
        steered_close(circle);
    }
}

Test(steer, agents_in_place_do_not_take_turns)
{
    Steered *steered = on_a_floor();
    steered_add(steered, 0, 0, 5, 0);
    sidle_steer_desc desc = steered_desc(steered);
    desc.period = 2;
    cr_expect_eq(sidle_steer(steered->scene.crowd, &desc), SIDLE_ERROR_ARGUMENT);
    desc.period = 1;
    cr_expect_eq(sidle_steer(steered->scene.crowd, &desc), SIDLE_OK);
    steered_close(steered);
}
