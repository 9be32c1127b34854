/* Agents on the ground that go down or up beside others: off ledges, down and up steps, along slopes. */
#include "support/crowd_scenes.h"
#include "support/few.h"
#include "support/ticked.h"

#include <criterion/criterion.h>

/* m: what float normals may lose. */
#define ROUNDING 1e-5

static double gap_of(const Few *few)
{
    CrowdBody bodies[2];
    for (int i = 0; i < 2; ++i)
    {
        bodies[i] =
            crowd_body(&few->scene.options.profile.shape, (sidle_quat){0}, &few->moves[i].body.center);
    }
    return crowd_gap(&bodies[0], &bodies[1]);
}

/* A floor, and for x < 0 a platform of that height. The first person stands on it, the second below it. */
static Few few_at_ledge(double height, double x, double z)
{
    Few few = few_of(2, 3);
    Soup soup = {0};
    soup_floor(&soup, 30, 0);
    soup_box(&soup, vector(-20, -1, -20), vector(0, height, 20));
    SceneOptions options = few.scene.options;
    scene_close(&few.scene);
    few.scene = scene_of(soup, options);
    few.moves[0].body = (sidle_body){.center = {-.9, height + .92, 0}};
    few.moves[1].body = (sidle_body){.center = {x, .92, z}};
    few.flags = 0;
    for (int i = 0; i < 3; ++i)
    {
        tick_few(&few);
    }
    few.flags = SIDLE_TICK_AGENTS_COLLIDE;
    return few;
}

/* So many ticks of such a length; returns the least gap. */
static double least_gap(Few *few, int ticks, float dt)
{
    double least = gap_of(few);
    for (int i = 0; i < ticks; ++i)
    {
        sidle_tick_desc tick = {.size = sizeof tick,
                                .snapshot = few->scene.snapshot,
                                .dt = dt,
                                .moves = few->moves,
                                .count = few->count,
                                .results = few->results,
                                .flags = few->flags};
        demand(sidle_crowd_tick(few->scene.crowd, &tick), "sidle_crowd_tick");
        for (uint32_t k = 0; k < few->count; ++k)
        {
            few->moves[k].body = few->results[k].body;
        }
        least = fmin(least, gap_of(few));
    }
    return least;
}

Test(agents_height, an_agent_that_steps_off_a_ledge_does_not_enter_one_below)
{
    const float rates[3] = {60, 15, 5};
    for (int i = 0; i < 7 * 5 * 3; ++i)
    {
        double height = .2 + .25 * (i % 7), z = .2 * (i / 7 % 5);
        float rate = rates[i / 35];
        Few few = few_at_ledge(height, .5, z);
        few.moves[1].mass = INFINITY;
        few.moves[0].displacement.x = 1.4f / rate;
        double gap = least_gap(&few, (int)(3 * rate), 1 / rate);
        cr_expect_geq(gap, -ROUNDING, "%g m high, %g m beside, %g Hz: %g", height, z, (double)rate, gap);
        scene_close(&few.scene);
    }
}

/* ---- drawn stairs ---- */

/* Up and down steps of random heights and depths along x. */
static Soup drawn_stairs(Random *random)
{
    Soup soup = {0};
    soup_floor(&soup, 30, 0);
    double x = -1.5, height = 2;
    for (int i = 0; i < 6; ++i)
    {
        double depth = random_between(random, .3, 1);
        height = fmax(.05, height + random_between(random, -1, .45));
        soup_box(&soup, vector(x, -1, -20), vector(x + depth, height, 20));
        x += depth;
    }
    return soup;
}

static Few few_on_stairs(Random *random)
{
    Few few = few_of(2, 3);
    SceneOptions options = few.scene.options;
    scene_close(&few.scene);
    few.scene = scene_of(drawn_stairs(random), options);
    for (int i = 0; i < 2; ++i)
    {
        double x = random_between(random, -1, 2), z = random_between(random, .5, 1) * (i ? 1 : -1);
        few.moves[i].body = (sidle_body){.center = {x, 4, z}};
        few.moves[i].mass = random_below(random, 4) == 0 ? INFINITY : 1;
    }
    few.flags = 0;
    least_gap(&few, 120, 1 / 60.f);
    few.flags = SIDLE_TICK_AGENTS_COLLIDE;
    return few;
}

/* Both want to the other, more or less. */
static void draw_wishes(Few *few, Random *random, float dt)
{
    for (int i = 0; i < 2; ++i)
    {
        const sidle_position *own = &few->moves[i].body.center, *other = &few->moves[1 - i].body.center;
        Vector wish = vector(other->x - own->x, 0, other->z - own->z);
        wish = vector_scale(vector_unit(wish), 2);
        wish.x += random_between(random, -2, 2);
        wish.z += random_between(random, -2, 2);
        few->moves[i].displacement = (sidle_vec3){(float)wish.x * dt, 0, (float)wish.z * dt};
    }
}

Test(agents_height, two_that_go_up_and_down_steps_beside_each_other_stay_apart)
{
    const int rates[3] = {60, 15, 6};
    Random random = random_seeded(3);
    for (int i = 0; i < 240; ++i)
    {
        int rate = rates[i % 3];
        Few few = few_on_stairs(&random);
        for (int part = 0; part < 12 && gap_of(&few) > 0; ++part)
        {
            draw_wishes(&few, &random, 1 / (float)rate);
            double gap = least_gap(&few, rate / 3, 1 / (float)rate);
            cr_expect_geq(gap, -ROUNDING, "stairs %d, %d Hz: %g", i, rate, gap);
        }
        scene_close(&few.scene);
    }
}

/* One tick of a crowd that has just been created. */
static sidle_result result_of_new_crowd(const Few *few)
{
    sidle_result results[FEW];
    sidle_crowd *crowd;
    sidle_crowd_desc desc = {
        .size = sizeof desc, .profiles = &few->scene.options.profile, .profile_count = 1};
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = few->scene.snapshot,
                            .dt = 1 / 60.f,
                            .moves = few->moves,
                            .count = few->count,
                            .results = results,
                            .flags = few->flags};
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
    sidle_crowd_destroy(crowd);
    return results[0];
}

/* A neighbour holds it at rest; the crowd must not repeat that rest later. */
Test(agents_height, an_agent_that_another_held_up_goes_on_when_that_leaves)
{
    Random random = random_seeded(4);
    int held = 0;
    for (int i = 0; i < 200; ++i)
    {
        Few few = few_on_stairs(&random);
        draw_wishes(&few, &random, 1 / 60.f);
        least_gap(&few, 30, 1 / 60.f);
        few.moves[0].displacement = few.moves[1].displacement = (sidle_vec3){0, 0, 0};
        least_gap(&few, 30, 1 / 60.f);
        sidle_body before = few.moves[0].body;
        few.moves[1].flags = SIDLE_MOVE_NO_AGENTS;
        sidle_result expected = result_of_new_crowd(&few);
        least_gap(&few, 1, 1 / 60.f);
        cr_expect(same_body(&few.moves[0].body, &expected.body), "stairs %d", i);
        held += !same_body(&before, &expected.body);
        scene_close(&few.scene);
    }
    cr_expect_gt(held, 3, "%d were held up", held);
}
