/* Crowds come to rest: few at a wall, ticks of changing length, agents in the air beside others, one above the other. Metres and
 * seconds. */
#include "support/few.h"

#include <criterion/criterion.h>

#include <math.h>

static SceneOptions person_of(uint32_t mode, uint32_t flags)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){.4f, .9f, .4f};
    options.profile.mode = mode;
    options.profile.flags = flags;
    return options;
}

/* Persons in a row in a room, its floor at 0. */
static Few few_in(Soup *room, SceneOptions options, uint32_t count, double apart)
{
    Few few = {.scene = scene_of(*room, options), .count = count, .flags = SIDLE_TICK_AGENTS_COLLIDE};
    for (uint32_t i = 0; i < count; ++i)
    {
        few.moves[i] = (sidle_move){.id = 10 + i, .body = {.center = {apart * i, .92, 0}}};
    }
    return few;
}

static Few few_at_a_wall(uint32_t count)
{
    Soup room = {0}, wall = {0};
    soup_floor(&room, 30, 0);
    soup_wall(&wall, 30, 5);
    soup_append(&room, &wall);
    soup_free(&wall);
    return few_in(&room, person_of(SIDLE_WALK, 0), count, 1);
}

/* How far the one that moves most moves in a second. */
static double path_of_a_second(Few *few, const float *lengths, uint32_t length_count, double speed)
{
    double paths[FEW] = {0}, most = 0, t = 0;
    for (uint32_t tick = 0; t < 1; ++tick)
    {
        float dt = lengths[tick % length_count];
        t += (double)dt;
        for (uint32_t i = 0; i < few->count; ++i)
        {
            few->moves[i].displacement.x = (float)speed * dt;
        }
        sidle_position before[FEW];
        for (uint32_t i = 0; i < few->count; ++i)
        {
            before[i] = few->moves[i].body.center;
        }
        tick_few_at(few, dt);
        for (uint32_t i = 0; i < few->count; ++i)
        {
            sidle_position at = few->moves[i].body.center;
            paths[i] += hypot(at.x - before[i].x, at.z - before[i].z);
            most = fmax(most, paths[i]);
        }
    }
    return most;
}

static void expect_rest(uint32_t count, const float *lengths, uint32_t length_count, double speed)
{
    Few few = few_at_a_wall(count);
    for (int second = 0; second < 10; ++second)
    {
        path_of_a_second(&few, lengths, length_count, speed);
    }
    double path = path_of_a_second(&few, lengths, length_count, speed);
    cr_expect_eq(path, 0, "%u at %g m/s, %g Hz: %g m in a second", count, speed, 1 / (double)lengths[0],
                 path);
    scene_close(&few.scene);
}

Test(agents_rest, two_that_walk_at_a_wall_one_behind_the_other)
{
    for (int form = 0; form < 21; ++form)
    {
        const float length = 1 / (float)(30 << form % 3);
        expect_rest(2, &length, 1, 1 + form / 3 * .5);
    }
}

Test(agents_rest, a_row_at_a_wall_in_ticks_of_changing_length)
{
    const float lengths[7] = {1 / 60.f, 1 / 50.f, 1 / 60.f, 1 / 72.f, 1 / 60.f, 1 / 48.f, 1 / 66.f};
    for (int form = 0; form < 9; ++form)
    {
        expect_rest(2 + (uint32_t)form % 3, lengths, 7, 2 + form / 3 * 1.5);
    }
}

/* ---- in the air ---- */

Test(agents_rest, in_one_pass_an_agent_that_walks_against_another_stands)
{
    for (int rate = 30; rate <= 120; rate *= 2)
    {
        Soup room = {0};
        soup_floor(&room, 30, 0);
        Few few = few_in(&room, person_of(SIDLE_SLIDE, SIDLE_PROFILE_ONE_PASS), 2, 1);
        few.moves[1].mass = INFINITY;
        few.moves[0].displacement.x = 1.4f / (float)rate;
        int stands = 0;
        for (int tick = 0; tick < 4 * rate; ++tick)
        {
            tick_few_at(&few, 1 / (float)rate);
            stands += few.moves[0].body.flags & SIDLE_BODY_GROUNDED;
        }
        cr_expect_gt(stands, 3 * rate, "%d Hz: %d ticks of %d", rate, stands, 4 * rate);
        cr_expect_gt(few.moves[0].body.velocity.y, -1, "%d Hz: sinks at %g m/s", rate,
                     (double)few.moves[0].body.velocity.y);
        scene_close(&few.scene);
    }
}

/* ---- others ---- */

Test(agents_rest, two_on_the_ground_in_one_place_come_apart_though_one_is_higher)
{
    Soup room = {0};
    soup_floor(&room, 30, 0);
    Few few = few_in(&room, person_of(SIDLE_WALK, 0), 2, 0);
    for (uint32_t i = 0; i < 2; ++i)
    {
        few.moves[i].body.flags = SIDLE_BODY_GROUNDED;
        few.moves[i].body.center.y = .913 + .0015 * i;
    }
    for (int tick = 0; tick < 60; ++tick)
    {
        tick_few(&few);
    }
    sidle_position a = few.moves[0].body.center, b = few.moves[1].body.center;
    cr_expect_gt(hypot(a.x - b.x, a.z - b.z), .79);
    scene_close(&few.scene);
}

/* The second ticks every half second. */
Test(agents_rest, a_deferred_agent_does_not_push_one_of_infinite_mass)
{
    Few few = few_of(2, .75);
    few.moves[0].mass = INFINITY;
    few.moves[1].interval = .5f;
    for (int tick = 0; tick < 60; ++tick)
    {
        tick_few(&few);
        cr_assert_eq(x_of(&few, 0), 0, "tick %d: %g m", tick, x_of(&few, 0));
    }
    cr_expect_gt(x_of(&few, 1), .8);
    scene_close(&few.scene);
}
