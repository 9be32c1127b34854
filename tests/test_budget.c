/* Agents that do not move in every tick: sidle_tick_desc.max_moves and sidle_move.interval. Metres and seconds. */
#include "support/ride.h"
#include "support/ticked.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define MOST 400

/* Persons on a floor, in rows. */
typedef struct Field
{
    Scene scene;
    sidle_move moves[MOST];
    sidle_result results[MOST];
    uint32_t count, max_moves, flags;
    float dt;
    int waits[MOST]; /* ticks since the last move */
    int longest[MOST];
    uint32_t moved; /* agents, in the last tick */
} Field;

static Field *field_of(uint32_t count, double apart)
{
    Field *field = calloc(1, sizeof *field);
    Soup soup = {0};
    if (!field)
    {
        abort();
    }
    soup_floor(&soup, 100, 0);
    *field = (Field){.scene = scene_of(soup, person_at(60)), .count = count, .dt = 1 / 60.f};
    for (uint32_t i = 0; i < count; ++i)
    {
        field->moves[i] = (sidle_move){
            .id = 1000 + i,
            .body = {.center = {apart * (i % 20), .92, apart * (i / 20)}, .flags = SIDLE_BODY_GROUNDED},
            .displacement = {.02f, 0, 0}};
    }
    return field;
}

static void field_close(Field *field)
{
    scene_close(&field->scene);
    free(field);
}

static void tick_field(Field *field)
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = field->scene.snapshot,
                            .dt = field->dt,
                            .moves = field->moves,
                            .count = field->count,
                            .results = field->results,
                            .flags = field->flags,
                            .max_moves = field->max_moves};
    demand(sidle_crowd_tick(field->scene.crowd, &tick), "sidle_crowd_tick");
    field->moved = 0;
    for (uint32_t i = 0; i < field->count; ++i)
    {
        bool moved = !(field->results[i].reasons & SIDLE_REASON_DEFERRED);
        field->moved += moved;
        field->waits[i] = moved ? 0 : field->waits[i] + 1;
        field->longest[i] = field->waits[i] > field->longest[i] ? field->waits[i] : field->longest[i];
        field->moves[i].body = field->results[i].body;
    }
}

/* ---- max_moves ---- */

Test(budget, exactly_max_moves_agents_move_and_each_in_its_turn)
{
    const uint32_t budgets[5] = {1, 7, 33, 99, 100};
    for (int form = 0; form < 5; ++form)
    {
        uint32_t count = budgets[form] == 1 ? 40 : 100, budget = budgets[form];
        Field *field = field_of(count, 4);
        field->max_moves = budget;
        for (int tick = 0; tick < 150; ++tick)
        {
            tick_field(field);
            cr_assert_eq(field->moved, budget, "%u of %u moved", field->moved, budget);
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            int most = (int)((count + budget - 1) / budget);
            cr_assert(field->longest[i] < most, "%u of %u: deferred %d times", budget, count,
                      field->longest[i]);
        }
        field_close(field);
    }
}

Test(budget, equally_late_agents_do_not_move_in_the_order_of_ids)
{
    Field *field = field_of(200, 4);
    field->max_moves = 100;
    tick_field(field);
    uint32_t low = 0;
    for (uint32_t i = 0; i < 100; ++i)
    {
        low += !(field->results[i].reasons & SIDLE_REASON_DEFERRED);
    }
    cr_expect(low > 30 && low < 70, "%u of the lower ids", low);
    field_close(field);
}

/* An agent with an interval is less late after the same time. */
Test(budget, far_agents_yield_to_near_ones_and_still_move)
{
    Field *field = field_of(400, 4);
    int near = 0, far = 0;
    field->max_moves =
        60; /* half of 100 near ones and 300 / 15 far ones: each moves half as often as it asks for */
    for (uint32_t i = 100; i < 400; ++i)
    {
        field->moves[i].interval = .25f;
    }
    for (int tick = 0; tick < 240; ++tick)
    {
        tick_field(field);
        cr_assert(field->moved <= 60, "%u", field->moved);
    }
    for (uint32_t i = 0; i < 400; ++i)
    {
        int *most = i < 100 ? &near : &far;
        *most = field->longest[i] > *most ? field->longest[i] : *most;
    }
    cr_expect(near <= 2, "a near agent was deferred %d times", near);
    cr_expect(far > 20 && far < 40, "a far agent was deferred %d times", far);
    field_close(field);
}

Test(budget, a_budget_that_is_large_enough_changes_nothing)
{
    Field *one = field_of(100, .9), *other = field_of(100, .9);
    one->flags = other->flags = SIDLE_TICK_AGENTS_COLLIDE;
    other->max_moves = 100;
    for (int tick = 0; tick < 60; ++tick)
    {
        tick_field(one);
        tick_field(other);
    }
    for (uint32_t i = 0; i < 100; ++i)
    {
        cr_assert(same_body(&one->moves[i].body, &other->moves[i].body), "agent %u", i);
    }
    field_close(one);
    field_close(other);
}

Test(budget, agents_with_the_same_id_are_chosen_by_their_place_in_the_array)
{
    Field *field = field_of(50, 4);
    field->max_moves = 20;
    for (uint32_t i = 0; i < 50; ++i)
    {
        field->moves[i].id = 7;
    }
    tick_field(field);
    cr_expect_eq(field->moved, 20);
    for (uint32_t i = 0; i < 50; ++i)
    {
        cr_assert_eq(field->waits[i] == 0, i < 20, "agent %u", i);
    }
    field_close(field);
}

/* ---- intervals ---- */

Test(budget, agents_move_once_an_interval_and_not_all_in_one_tick)
{
    Field *field = field_of(300, 4);
    uint32_t moves[MOST] = {0};
    for (uint32_t i = 0; i < 300; ++i)
    {
        field->moves[i].interval = .1f;
    }
    for (int tick = 0; tick < 66; ++tick)
    {
        tick_field(field);
        cr_assert(field->moved > 30 && field->moved < 70, "tick %d: %u of 300", tick, field->moved);
        for (uint32_t i = 0; i < 300; ++i)
        {
            moves[i] += field->waits[i] == 0;
        }
    }
    for (uint32_t i = 0; i < 300; ++i)
    {
        cr_assert_eq(moves[i], 11, "agent %u: %u moves", i, moves[i]);
        cr_assert_eq(field->longest[i], 5);
    }
    field_close(field);
}

/* A longer wait would pass SIDLE_MAX_DT. */
Test(budget, an_interval_of_a_second_and_more_is_as_long_as_the_limit)
{
    const float intervals[3] = {.98f, 1, 2};
    for (int form = 0; form < 3; ++form)
    {
        Field *field = field_of(20, 4);
        field->dt = .05f;
        uint32_t moves[MOST] = {0};
        for (uint32_t i = 0; i < 20; ++i)
        {
            field->moves[i].interval = intervals[form];
        }
        for (int tick = 0; tick < 95; ++tick) /* 4.75 s */
        {
            tick_field(field);
            for (uint32_t i = 0; i < 20; ++i)
            {
                moves[i] += field->waits[i] == 0;
            }
        }
        for (uint32_t i = 0; i < 20; ++i)
        {
            cr_assert(moves[i] == 4 || moves[i] == 5, "interval %g, agent %u: %u moves",
                      (double)intervals[form], i, moves[i]);
        }
        field_close(field);
    }
}

/* The camera turns: all begin an interval at once, after ticks that they have spent in step. */
Test(budget, agents_that_begin_an_interval_together_take_turns)
{
    Field *field = field_of(300, 4);
    for (int tick = 0; tick < 72; ++tick)
    {
        for (uint32_t i = 0; i < 300 && tick % 24 % 12 == 0; ++i)
        {
            field->moves[i].interval = tick % 24 == 0 ? 0 : .1f;
        }
        tick_field(field);
        bool is_far = tick % 24 >= 12;
        cr_assert(is_far ? field->moved > 30 && field->moved < 70 : field->moved == 300, "tick %d: %u", tick,
                  field->moved);
    }
    field_close(field);
}

Test(budget, no_agent_waits_longer_than_the_longest_tick)
{
    Field *field = field_of(100, 4);
    field->max_moves = 1;
    for (uint32_t i = 0; i < 100; ++i)
    {
        field->moves[i].interval = i % 2 ? 0 : i % 3 ? (float)INFINITY : 50;
    }
    for (int tick = 0; tick < 300; ++tick)
    {
        tick_field(field);
        for (uint32_t i = 0; i < 100; ++i)
        {
            cr_assert(field->moves[i].body.waited + 1 / 60.f <= SIDLE_MAX_DT);
            cr_assert(!(field->results[i].reasons & SIDLE_REASON_INVALID));
        }
    }
    field_close(field);
}

/* ---- what a deferral returns ---- */

Test(budget, a_deferred_agent_keeps_its_state_and_adds_up_time_and_displacement)
{
    Field *field = field_of(1, 0);
    sidle_move *move = &field->moves[0];
    tick_field(field);
    move->interval = .5f;
    move->body.flags |= SIDLE_BODY_PACED;
    sidle_body before = move->body;
    for (int tick = 1; tick < 30; ++tick)
    {
        move->displacement = (sidle_vec3){.01f, 0, tick % 2 ? .02f : -.02f};
        tick_field(field);
        cr_assert_eq(field->results[0].reasons, SIDLE_REASON_DEFERRED, "tick %d: %u", tick,
                     field->results[0].reasons);
        cr_assert_float_eq(move->body.waited, tick / 60., 1e-5);
        cr_assert_float_eq(move->body.postponed.x, .01 * tick, 1e-5);
        cr_assert_float_eq(move->body.postponed.z, tick % 2 ? .02 : 0, 1e-5);
        cr_assert(memcmp(&before, &move->body, offsetof(sidle_body, waited)) == 0);
    }
    tick_field(field);
    cr_expect_eq(field->results[0].reasons, 0);
    cr_expect_eq(move->body.waited, 0);
    cr_expect(move->body.postponed.x == 0 && move->body.postponed.z == 0);
    cr_expect_float_eq(move->body.center.x - before.center.x, .3, 1e-4);
    cr_expect_float_eq(move->body.velocity.x, .6, 1e-3);
    field_close(field);
}

static uint32_t reasons_of(sidle_move move)
{
    Field *field = field_of(1, 0);
    field->moves[0] = move;
    tick_field(field);
    uint32_t reasons = field->results[0].reasons;
    field_close(field);
    return reasons;
}

Test(budget, bad_times_and_displacements_are_refused)
{
    const sidle_move good = {.id = 3, .body = {.center = {0, .92, 0}, .waited = .1f}, .interval = .5f};
    cr_expect(!(reasons_of(good) & SIDLE_REASON_INVALID));
    const float bad[4] = {-1, NAN, (float)INFINITY, -1e-30f};
    for (int i = 0; i < 4; ++i)
    {
        sidle_move move = good;
        move.body.waited = bad[i];
        cr_expect(reasons_of(move) & SIDLE_REASON_INVALID, "waited %g", (double)bad[i]);
        move = good;
        move.interval = i == 2 ? -(float)INFINITY : bad[i];
        cr_expect(reasons_of(move) & SIDLE_REASON_INVALID, "interval %g", (double)bad[i]);
        move = good;
        move.body.postponed.y = bad[i] < 0 ? 5e3f : bad[i];
        cr_expect(reasons_of(move) & SIDLE_REASON_INVALID, "postponed %g", (double)move.body.postponed.y);
    }
}

/* 4,000 m are SIDLE_MAX_PATH. */
Test(budget, an_agent_whose_path_nears_the_limit_is_not_deferred)
{
    sidle_move move = {.id = 3,
                       .body = {.center = {0, .92, 0}, .flags = SIDLE_BODY_GROUNDED | SIDLE_BODY_PACED},
                       .displacement = {1500, 0, 0},
                       .interval = .5f};
    cr_expect_eq(reasons_of(move), SIDLE_REASON_DEFERRED);
    move.displacement.x = 2100;
    cr_expect(!(reasons_of(move) & (SIDLE_REASON_DEFERRED | SIDLE_REASON_INVALID)));
}

Test(budget, a_what_if_tries_the_displacement_at_once)
{
    Field *field = field_of(1, 0);
    sidle_vec3 displacement = {.05f, 0, 0};
    sidle_what_if result;
    sidle_move move = field->moves[0];
    move.interval = 1;
    move.body.flags |= SIDLE_BODY_PACED;
    move.body.waited = .1f;
    move.body.postponed = (sidle_vec3){.2f, 0, 0};
    sidle_what_if_desc desc = {.size = sizeof desc,
                               .snapshot = field->scene.snapshot,
                               .dt = 1 / 60.f,
                               .move = &move,
                               .displacements = &displacement,
                               .count = 1,
                               .results = &result};
    demand(sidle_crowd_what_if(field->scene.crowd, &desc), "sidle_crowd_what_if");
    cr_expect_float_eq(result.body.center.x, .25, 1e-4);
    cr_expect_float_eq(result.clear_distance, .25, 1e-4);
    field_close(field);
}
