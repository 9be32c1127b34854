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

Test(steer_crowds, eighty_pass_in_a_corridor_within_25_seconds_and_two_hundred_in_a_circle_within_50)
{
    Steered *streams = steered_streams(80, (SteeredForm){0}), *circle = steered_circle(200, (SteeredForm){0});
    double passed = steered_arrival(streams, .9, 60 - 4, 40), crossed = steered_arrival(circle, .9, 1.5, 60);
    cr_expect(passed < 25, "%g s", passed);
    cr_expect(crossed < 50, "%g s", crossed);
    steered_close(streams);
    steered_close(circle);
}
