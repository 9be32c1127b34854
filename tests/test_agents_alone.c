/* Ticks whose agents would collide, but are alone or far apart. */
#include "support/few.h"
#include "support/ticked.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#define TICKS 60

Test(agents_alone, an_agent_alone_moves_to_the_same_bits_with_and_without_the_flag)
{
    Scene level = troop_level();
    for (uint32_t seed = 0; seed < 12; ++seed)
    {
        Troop troops[2] = {troop_of(seed + 1), troop_of(seed + 1)};
        sidle_crowd *crowd = troop_crowd(0, NULL);
        for (uint32_t tick = 0; tick < TICKS; ++tick)
        {
            for (int i = 0; i < 2; ++i)
            {
                sidle_tick_desc desc = troop_tick(&troops[i], &level, tick);
                desc.moves += seed; /* the last alone */
                desc.results += seed;
                desc.count = 1;
                desc.flags = i == 0 ? 0 : SIDLE_TICK_AGENTS_COLLIDE;
                demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
                troops[i].moves[seed].body = troops[i].results[seed].body;
            }
            cr_assert(same_body(&troops[0].moves[seed].body, &troops[1].moves[seed].body),
                      "agent %u, tick %u", seed, tick);
            cr_assert(troops[0].results[seed].reasons == troops[1].results[seed].reasons);
        }
        troop_free(&troops[0]);
        troop_free(&troops[1]);
        sidle_crowd_destroy(crowd);
    }
    scene_close(&level);
}

Test(agents_alone, two_far_apart_move_as_if_alone)
{
    Few apart = few_of(2, 3), alone = few_of(2, 3);
    alone.flags = 0;
    for (int tick = 0; tick < 60; ++tick)
    {
        apart.moves[0].displacement.x = alone.moves[0].displacement.x = 1.4f / 60;
        tick_few(&apart);
        tick_few(&alone);
        for (int i = 0; i < 2; ++i)
        {
            cr_assert(same_body(&apart.results[i].body, &alone.results[i].body), "tick %d", tick);
        }
    }
    scene_close(&apart.scene);
    scene_close(&alone.scene);
}

Test(agents_alone, an_agent_without_neighbours_is_no_longer_held)
{
    for (uint32_t flags = 0; flags <= SIDLE_TICK_AGENTS_COLLIDE; flags += SIDLE_TICK_AGENTS_COLLIDE)
    {
        Few few = few_of(1, 1);
        few.flags = flags;
        tick_few(&few);
        few.moves[0].body.flags |= SIDLE_BODY_HELD;
        tick_few(&few);
        cr_expect_eq(few.results[0].body.flags & SIDLE_BODY_HELD, 0, "flags %u", flags);
        scene_close(&few.scene);
    }
}

Test(agents_alone, an_agent_that_stops_colliding_moves_as_if_alone)
{
    Few among = few_of(2, 1.2), alone = few_of(2, 1.2);
    alone.flags = 0;
    walk_first(&among, 1); /* until the other one is in its path */
    cr_assert(among.results[0].reasons & SIDLE_REASON_AGENT);
    for (int tick = 0; tick < 30; ++tick)
    {
        alone.moves[0].body = among.moves[0].body;
        among.moves[0].flags |= SIDLE_MOVE_NO_AGENTS;
        among.moves[0].displacement.x = alone.moves[0].displacement.x = 1.4f / 60;
        tick_few(&among);
        tick_few(&alone);
        cr_assert(same_body(&among.results[0].body, &alone.results[0].body), "tick %d", tick);
    }
    scene_close(&among.scene);
    scene_close(&alone.scene);
}

Test(agents_alone, a_tick_without_agents_is_a_tick)
{
    Few few = few_of(1, 1);
    few.count = 0;
    few.contact_count = 7;
    tick_few(&few);
    cr_expect_eq(few.contact_count, 0);
    few.count = 1;
    tick_few(&few);
    cr_expect(few.results[0].body.flags & SIDLE_BODY_GROUNDED);
    scene_close(&few.scene);
}

Test(agents_alone, unknown_flags_of_a_tick_are_refused)
{
    Few few = few_of(1, 1);
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = few.scene.snapshot,
                            .dt = 1.0f / 60,
                            .moves = few.moves,
                            .count = 1,
                            .results = few.results,
                            .flags = 2};
    cr_expect_eq(sidle_crowd_tick(few.scene.crowd, &tick), SIDLE_ERROR_ARGUMENT);
    scene_close(&few.scene);
}

Test(agents_alone, a_what_if_ignores_the_other_agents)
{
    Few few = few_of(2, 1.2);
    sidle_vec3 wish = {1, 0, 0};
    sidle_what_if answer;
    sidle_what_if_desc desc = {.size = sizeof desc,
                               .snapshot = few.scene.snapshot,
                               .dt = 1.0f / 60,
                               .move = &few.moves[0],
                               .displacements = &wish,
                               .count = 1,
                               .results = &answer};
    tick_few(&few);
    demand(sidle_crowd_what_if(few.scene.crowd, &desc), "sidle_crowd_what_if");
    cr_expect_float_eq(answer.body.center.x, 1, 1e-4);
    cr_expect_eq(answer.reasons, 0);
    scene_close(&few.scene);
}
