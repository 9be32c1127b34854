/* Agents that go down or up beside others: off ledges, down and up steps, in the air. */
#include "support/crowd_scenes.h"
#include "support/few.h"

#include <criterion/criterion.h>

/* m: what float normals may lose. */
#define ROUNDING 1e-5

/* The least of all pairs. */
static double gap_of(const Few *few)
{
    CrowdBody bodies[FEW];
    double least = INFINITY;
    for (uint32_t i = 0; i < few->count; ++i)
    {
        bodies[i] =
            crowd_body(&few->scene.options.profile.shape, (sidle_quat){0}, &few->moves[i].body.center);
        for (uint32_t k = 0; k < i; ++k)
        {
            least = fmin(least, crowd_gap(&bodies[k], &bodies[i]));
        }
    }
    return least;
}

/* A floor, and for x < 0 a platform of that height. The first person stands on it, the second below it. */
static Few few_at_ledge(double height, double x, double z, uint32_t mode)
{
    Few few = few_of(2, 3);
    Soup soup = {0};
    soup_floor(&soup, 30, 0);
    soup_box(&soup, vector(-20, -1, -20), vector(0, height, 20));
    SceneOptions options = few.scene.options;
    options.profile.mode = mode;
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
        tick_few_at(few, dt);
        least = fmin(least, gap_of(few));
    }
    return least;
}

static void steps_off(uint32_t mode)
{
    const float rates[3] = {60, 15, 5};
    for (int i = 0; i < 7 * 5 * 3; ++i)
    {
        double height = .2 + .25 * (i % 7), z = .2 * (i / 7 % 5);
        float rate = rates[i / 35];
        Few few = few_at_ledge(height, .5, z, mode);
        few.moves[1].mass = INFINITY;
        few.moves[0].displacement.x = 1.4f / rate;
        double gap = least_gap(&few, (int)(3 * rate), 1 / rate);
        cr_expect_geq(gap, -ROUNDING, "%g m high, %g m beside, %g Hz: %g", height, z, (double)rate, gap);
        scene_close(&few.scene);
    }
}

Test(agents_height, an_agent_that_steps_off_a_ledge_does_not_enter_one_below)
{
    steps_off(SIDLE_WALK);
}

Test(agents_height, an_agent_that_slides_off_a_ledge_does_not_enter_one_below)
{
    steps_off(SIDLE_SLIDE);
}

/* ---- above the ground ---- */

/* The first person in the air above a floor, as if the ground there had just gone. */
static Few few_above(double height, double x, float comfort, uint32_t mode)
{
    Few few = few_of(2, x);
    SceneOptions options = few.scene.options;
    options.profile.comfort = comfort;
    options.profile.mode = mode;
    scene_close(&few.scene);
    Soup soup = {0};
    soup_floor(&soup, 30, 0);
    few.scene = scene_of(soup, options);
    few.moves[0].body.center.y += height;
    few.moves[0].mass = few.moves[1].mass = INFINITY;
    return few;
}

Test(agents_height, an_agent_that_leaves_its_ground_fast_does_not_enter_one_below)
{
    Few few = few_above(1.98, .2, 0, SIDLE_WALK);
    few.moves[0].body.velocity.y = -60;
    double gap = least_gap(&few, 1, 1 / 60.f);
    cr_expect_geq(gap, -ROUNDING, "%g", gap);
    scene_close(&few.scene);
}

Test(agents_height, an_agent_sinks_as_far_as_one_below_allows)
{
    Few few = few_above(.2, .806, -1, SIDLE_WALK);
    double gap = least_gap(&few, 10, .2f), hard = .02 * .4;
    cr_expect_float_eq(gap, hard, .001, "%g", gap);
    cr_expect_leq(few.moves[0].body.center.y, 1.06, "%g", few.moves[0].body.center.y);
    scene_close(&few.scene);
}

static void sinks_when_another_leaves(uint32_t mode)
{
    Few few = few_above(.2, .8025, -1, mode);
    few.moves[0].flags = SIDLE_MOVE_NO_CONTACTS; /* a touch would show that it does not rest alone */
    few.moves[1].mass = 1;
    few.moves[1].displacement.x = -1.4f / 60;
    least_gap(&few, 100, 1 / 60.f); /* until it rests to the last bit */
    cr_expect_geq(few.moves[0].body.center.y, .95, "%g", few.moves[0].body.center.y);
    few.moves[1].flags = SIDLE_MOVE_NO_AGENTS;
    least_gap(&few, 60, 1 / 60.f);
    cr_expect_leq(few.moves[0].body.center.y, .93, "%g", few.moves[0].body.center.y);
    scene_close(&few.scene);
}

Test(agents_height, an_agent_that_another_held_up_sinks_when_that_leaves)
{
    sinks_when_another_leaves(SIDLE_WALK);
    sinks_when_another_leaves(SIDLE_SLIDE);
}

Test(agents_height, a_neighbour_stops_the_velocity_of_a_jump)
{
    Few few = few_of(2, 1.2);
    uint32_t reasons = 0;
    few.moves[0].body.velocity = (sidle_vec3){5, 1, 0};
    few.moves[0].body.flags = 0;
    few.moves[1].mass = INFINITY;
    for (int tick = 0; tick < 10; ++tick)
    {
        tick_few(&few);
        reasons |= few.results[0].reasons;
    }
    sidle_body body = few.moves[0].body;
    cr_expect(!(body.flags & SIDLE_BODY_GROUNDED));
    cr_expect(reasons & SIDLE_REASON_AGENT);
    cr_expect_leq(fabsf(body.velocity.x), .1f, "%g", (double)body.velocity.x);
    scene_close(&few.scene);
}

/* Three heads hold an agent that does not slide off. Until they leave it does not gain speed. */
static void rests_on_heads(uint32_t mode)
{
    Few few = few_of(4, 3);
    SceneOptions options = few.scene.options;
    Soup soup = {0};
    options.profile.mode = mode;
    soup_floor(&soup, 30, 0);
    scene_close(&few.scene);
    few.scene = scene_of(soup, options);
    few.moves[0].body.center = (sidle_position){0, 2.7, 0};
    for (int i = 1; i < 4; ++i)
    {
        double angle = i * 2.0944;
        few.moves[i].body = (sidle_body){.center = {.5 * cos(angle), .92, .5 * sin(angle)}};
        few.moves[i].mass = INFINITY;
    }
    least_gap(&few, 200, 1 / 60.f);
    double height = few.moves[0].body.center.y;
    cr_expect_gt(height, 1.5);
    cr_expect_leq(fabsf(few.moves[0].body.velocity.y), .2f, "%g", (double)few.moves[0].body.velocity.y);
    cr_expect(few.results[0].reasons & SIDLE_REASON_AGENT);
    few.flags = 0;
    for (float impact = 0; impact == 0;)
    {
        tick_few(&few);
        impact = few.results[0].impact_speed;
        cr_expect_leq((double)impact, sqrt(2 * 9.81 * (height - .9)), "%g", (double)impact);
        cr_assert_gt(few.moves[0].body.center.y, -1);
    }
    scene_close(&few.scene);
}

Test(agents_height, an_agent_that_rests_on_heads_gains_no_speed)
{
    rests_on_heads(SIDLE_WALK);
    rests_on_heads(SIDLE_SLIDE);
}

/* On a steep slope such a path is several times as long as the wish. */
Test(agents_height, an_agent_that_climbs_at_horizontal_speed_does_not_enter_one_above)
{
    for (int i = 0; i < 9; ++i)
    {
        double degrees = 55 + 5 * (i % 3), rise = tan(degrees * .01745329252), apart = 1.8 + .1 * (i / 3);
        Few few = few_of(2, 3);
        SceneOptions options = few.scene.options;
        Soup soup = {0};
        options.profile.shape.radii = (sidle_vec3){.3f, .3f, .3f};
        options.profile.flags = SIDLE_PROFILE_HORIZONTAL_SPEED;
        options.profile.max_slope_cos = .3f;
        options.profile.step_up = options.profile.step_down = -1;
        soup_slope(&soup, 30, degrees);
        scene_close(&few.scene);
        few.scene = scene_of(soup, options);
        for (int k = 0; k < 2; ++k)
        {
            double along = k * apart / hypot(1, rise);
            few.moves[k].body = (sidle_body){.center = {along, along * rise + .32 * hypot(1, rise), 0}};
        }
        few.moves[1].mass = INFINITY;
        few.flags = 0;
        for (int tick = 0; tick < 5; ++tick)
        {
            tick_few(&few);
        }
        cr_assert(few.moves[0].body.flags & few.moves[1].body.flags & SIDLE_BODY_GROUNDED);
        few.flags = SIDLE_TICK_AGENTS_COLLIDE;
        few.moves[0].displacement.x = .8f;
        double gap = least_gap(&few, 1, .1f);
        cr_expect_geq(gap, -ROUNDING, "%g degrees, %g: %g", degrees, apart, gap);
        scene_close(&few.scene);
    }
}

/* A normal that leans, so that agents slide off heads, shows an overlap of two flat shapes that are apart. */
Test(agents_height, flat_agents_that_fall_onto_one_another_stay_apart)
{
    Random random = random_seeded(5);
    for (int i = 0; i < 100; ++i)
    {
        Few few = few_of(FEW, 2);
        SceneOptions options = few.scene.options;
        options.profile.shape.radii = (sidle_vec3){.4f, .1f, .4f};
        options.profile.comfort = i % 2 ? 0 : -1;
        scene_close(&few.scene);
        Soup soup = {0};
        soup_floor(&soup, 30, 0);
        few.scene = scene_of(soup, options);
        for (int k = 0; k < FEW; ++k)
        {
            double x = random_between(&random, -.4, .4), z = random_between(&random, -.4, .4);
            few.moves[k].body = (sidle_body){.center = {x, .102 + .21 * k, z}};
            few.moves[k].body.velocity = (sidle_vec3){-3 * (float)x, 0, -3 * (float)z};
            few.moves[k].displacement = (sidle_vec3){(float)-x / 10, 0, (float)-z / 10};
            few.moves[k].mass = random_below(&random, 2) ? INFINITY : 1;
        }
        double gap = least_gap(&few, 60, i % 3 ? 1 / 60.f : 1 / 15.f);
        cr_expect_geq(gap, -ROUNDING, "%d: %g", i, gap);
        scene_close(&few.scene);
    }
}

/* In long ticks air control takes an agent farther than a push. */
Test(agents_height, an_agent_that_steers_its_fall_does_not_enter_one_that_stands)
{
    for (int i = 0; i < 10; ++i)
    {
        Few few = few_of(2, 4.8 + .1 * i);
        few.moves[0].body = (sidle_body){.center = {0, 2.5, 0}};
        few.moves[0].displacement.x = 15;
        few.moves[1].mass = INFINITY;
        double gap = least_gap(&few, 1, .5f);
        cr_expect_geq(gap, -ROUNDING, "%d: %g", i, gap);
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
    Few few = few_of(FEW, 3);
    SceneOptions options = few.scene.options;
    scene_close(&few.scene);
    few.scene = scene_of(drawn_stairs(random), options);
    for (int i = 0; i < FEW; ++i)
    {
        double x = random_between(random, -1, 2), z = i - 1.5;
        few.moves[i].body = (sidle_body){.center = {x, 4, z}};
        few.moves[i].mass = random_below(random, 4) == 0 ? INFINITY : 1;
    }
    few.flags = 0;
    least_gap(&few, 120, 1 / 60.f);
    few.flags = SIDLE_TICK_AGENTS_COLLIDE;
    return few;
}

/* Each goes to another, more or less. */
static void draw_wishes(Few *few, Random *random, float dt)
{
    for (uint32_t i = 0; i < few->count; ++i)
    {
        uint32_t to = (i + 1 + random_below(random, few->count - 1)) % few->count;
        const sidle_position *own = &few->moves[i].body.center, *other = &few->moves[to].body.center;
        Vector wish = vector(other->x - own->x, 0, other->z - own->z);
        wish = vector_scale(vector_unit(wish), 2);
        wish.x += random_between(random, -2, 2);
        wish.z += random_between(random, -2, 2);
        few->moves[i].displacement = (sidle_vec3){(float)wish.x * dt, 0, (float)wish.z * dt};
    }
}

Test(agents_height, agents_that_go_up_and_down_steps_beside_each_other_stay_apart)
{
    const int rates[3] = {60, 15, 6};
    Random random = random_seeded(3);
    for (int i = 0; i < 120; ++i)
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
