/* Where agents go that do not move in every tick: as far as those that do, with moving ground, and among others. Metres and
 * seconds. */
#include "support/crowd_scenes.h"
#include "support/ride.h"

#include <criterion/criterion.h>

#include <stdlib.h>

/* ---- as far as an agent that moves each tick ---- */

/* One agent that walks for so many ticks, from where it stands if there is ground. In the last tick it makes up for all. */
static sidle_body walked(const Scene *scene, Vector from, sidle_vec3 displacement, float interval, int ticks)
{
    Agent agent = agent_in(from);
    scene_ticks(scene, &agent, still, 30);
    sidle_move move = {.id = 5, .body = agent.body, .displacement = displacement};
    sidle_result result;
    for (int tick = 0; tick < ticks; ++tick)
    {
        sidle_tick_desc desc = {.size = sizeof desc,
                                .snapshot = scene->snapshot,
                                .dt = 1 / 60.f,
                                .moves = &move,
                                .count = 1,
                                .results = &result};
        move.interval = tick < ticks - 1 ? interval : 0;
        demand(sidle_crowd_tick(scene->crowd, &desc), "sidle_crowd_tick");
        move.body = result.body;
    }
    return move.body;
}

static double apart(sidle_body one, sidle_body other)
{
    Vector a = vector(one.center.x, one.center.y, one.center.z),
           b = vector(other.center.x, other.center.y, other.center.z);
    return vector_distance(a, b);
}

/* The worst difference to an agent that moves each tick, over other intervals. */
static double worst_of(Soup soup, Vector from, sidle_vec3 displacement, int ticks)
{
    const float intervals[4] = {2 / 60.f, .05f, .1f, .25f};
    Scene scene = scene_of(soup, person_at(60));
    sidle_body each = walked(&scene, from, displacement, 0, ticks);
    double worst = 0;
    for (int i = 0; i < 4; ++i)
    {
        worst = fmax(worst, apart(each, walked(&scene, from, displacement, intervals[i], ticks)));
    }
    scene_close(&scene);
    return worst;
}

static Soup floor_of(double half)
{
    Soup soup = {0};
    soup_floor(&soup, half, 0);
    return soup;
}

Test(budget_motion, on_a_plane_an_interval_changes_no_path)
{
    double worst = worst_of(floor_of(90), vector(0, .92, 0), (sidle_vec3){.02f, 0, .01f}, 600);
    cr_expect_lt(worst, 1e-3, "%g m apart after 13 m", worst);
}

Test(budget_motion, up_and_down_a_slope_an_interval_changes_no_path)
{
    for (int sign = -1; sign <= 1; sign += 2)
    {
        Soup soup = {0};
        soup_slope(&soup, 90, 30);
        double worst = worst_of(soup, vector(0, 1.1, 0), (sidle_vec3){.02f * (float)sign, 0, 0}, 600);
        cr_expect_lt(worst, 1e-3, "%g m apart after 12 m", worst);
    }
}

static Soup stairs_of(int steps)
{
    Soup soup = floor_of(60);
    for (int step = 0; step < steps; ++step)
    {
        soup_box(&soup, vector(2 + .3 * step, 0, -5), vector(2 + .3 * steps + 20, .17 * (step + 1), 5));
    }
    return soup;
}

Test(budget_motion, up_and_down_stairs_an_interval_changes_no_path)
{
    double up = worst_of(stairs_of(20), vector(0, .92, 0), (sidle_vec3){.0233f, 0, 0}, 600);
    double down = worst_of(stairs_of(20), vector(12, 4.4, 0), (sidle_vec3){-.0233f, 0, 0}, 600);
    cr_expect_lt(up, 1e-3, "up: %g m apart after 14 m", up);
    cr_expect_lt(down, 1e-3, "down: %g m apart after 14 m", down);
}

/* The parabola does not depend on the tick rate; it ends in the air. */
Test(budget_motion, a_fall_leads_as_far_at_any_interval)
{
    double worst = worst_of(floor_of(60), vector(0, 60, 0), (sidle_vec3){0, 0, 0}, 120);
    cr_expect_lt(worst, 1e-3, "%g m apart after a fall by 20 m", worst);
    double landed = worst_of(floor_of(60), vector(0, 10, 0), (sidle_vec3){0, 0, 0}, 120);
    cr_expect_lt(landed, 1e-3, "%g m apart after a landing", landed);
}

Test(budget_motion, along_a_wall_an_interval_changes_no_path)
{
    Soup soup = floor_of(90);
    soup_wall(&soup, 90, 2);
    double worst = worst_of(soup, vector(0, .92, 0), (sidle_vec3){.02f, 0, .01f}, 600);
    cr_expect_lt(worst, 1e-3, "%g m apart after 12 m", worst);
}

/* ---- moving ground ---- */

#define MANY 600

/* Ticks a stage with one agent that rests on an interval, or competes with agents far from it for one move. */
typedef struct Waiter
{
    Stage stage;
    sidle_move moves[MANY];
    sidle_result results[MANY];
    uint32_t count, max_moves;
} Waiter;

static void tick_waiter(Waiter *waiter)
{
    stage_commit(&waiter->stage);
    sidle_tick_desc desc = {.size = sizeof desc,
                            .snapshot = waiter->stage.scene.snapshot,
                            .dt = 1 / 60.f,
                            .moves = waiter->moves,
                            .count = waiter->count,
                            .results = waiter->results,
                            .max_moves = waiter->max_moves};
    demand(sidle_crowd_tick(waiter->stage.scene.crowd, &desc), "sidle_crowd_tick");
    for (uint32_t i = 0; i < waiter->count; ++i)
    {
        waiter->moves[i].body = waiter->results[i].body;
    }
}

static Waiter *waiter_of(Vector place, bool by_budget)
{
    Waiter *waiter = calloc(1, sizeof *waiter);
    if (!waiter)
    {
        abort();
    }
    *waiter = (Waiter){.stage = stage_of(floor_of(60), person_at(60)), .count = by_budget ? 40 : 1};
    waiter->max_moves = by_budget ? 1 : 0;
    for (uint32_t i = 0; i < waiter->count; ++i)
    {
        waiter->moves[i] = (sidle_move){
            .id = i,
            .body = {.center = {20 + 2.0 * i, .92, 20}, .flags = SIDLE_BODY_GROUNDED | SIDLE_BODY_PACED}};
    }
    waiter->moves[0].body.center = (sidle_position){place.x, place.y, place.z};
    waiter->moves[0].interval = by_budget ? 0 : .5f;
    return waiter;
}

static void waiter_close(Waiter *waiter)
{
    stage_close(&waiter->stage);
    free(waiter);
}

Test(budget_motion, a_rider_is_carried_in_each_tick)
{
    for (int form = 0; form < 4; ++form)
    {
        Waiter *waiter = waiter_of(vector(.5, 1.93, .5), form % 2);
        double speed = form < 2 ? 2 : -2;
        Soup plate = {0};
        soup_box(&plate, vector(-2, -.2, -2), vector(2, 0, 2));
        uint32_t lift = stage_add(&waiter->stage, plate, pose_at(0, form < 2 ? 1 : 5, 0));
        waiter->moves[0].body.center.y += form < 2 ? 0 : 4;
        for (int tick = 0; tick < 60; ++tick) /* until it has landed */
        {
            tick_waiter(waiter);
        }
        double above = waiter->moves[0].body.center.y - waiter->stage.bodies[lift].pose.position.y;
        cr_assert_float_eq(above, .918, .01, "does not stand on the lift: %g", above);
        for (int tick = 1; tick <= 60; ++tick)
        {
            stage_move(&waiter->stage, lift, pose_at(.02 * tick, (form < 2 ? 1 : 5) + speed * tick / 60, 0));
            tick_waiter(waiter);
            sidle_position at = waiter->moves[0].body.center;
            cr_assert_eq(waiter->results[0].reasons, 0, "form %d, tick %d: %u", form, tick,
                         waiter->results[0].reasons);
            double now = at.y - waiter->stage.bodies[lift].pose.position.y;
            cr_assert_float_eq(now, above, 1e-4, "form %d, tick %d: %g above", form, tick, now);
            cr_assert_float_eq(at.x, .5 + .02 * tick, 1e-4, "form %d, tick %d: x = %g", form, tick, at.x);
            sidle_vec3 over = waiter->moves[0].body.carried_over;
            cr_assert_float_eq(over.y, speed, 1e-2, "form %d, tick %d: carried over %g", form, tick,
                               (double)over.y);
        }
        waiter_close(waiter);
    }
}

/* Each agent is asked whether the block is near it. A capture asks all of them in a row, a tick 256. */
Test(budget_motion, as_many_agents_move_in_a_capture_if_a_block_moves_far_away)
{
    Waiter *waiter = waiter_of(vector(-40, .92, 0), true);
    Soup block = {0};
    soup_box(&block, vector(-1, .1, -1), vector(1, 3, 1));
    uint32_t door = stage_add(&waiter->stage, block, pose_at(-50, 0, -50));
    waiter->count = MANY;
    waiter->max_moves = 100;
    for (uint32_t i = 1; i < MANY; ++i)
    {
        waiter->moves[i] = (sidle_move){
            .id = i, .body = {.center = {2.0 * (i % 25), .92, 2.0 * (i / 25)}, .flags = SIDLE_BODY_GROUNDED}};
    }
    stage_commit(&waiter->stage);
    stage_move(&waiter->stage, door, pose_at(-50, .1, -50));
    stage_commit(&waiter->stage);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < MANY; ++i)
    {
        size_t length;
        sidle_result result;
        sidle_capture_desc desc = {.size = sizeof desc,
                                   .snapshot = waiter->stage.scene.snapshot,
                                   .dt = 1 / 60.f,
                                   .move = &waiter->moves[i],
                                   .length = &length,
                                   .result = &result,
                                   .moves = waiter->moves,
                                   .count = MANY,
                                   .max_moves = waiter->max_moves};
        demand(sidle_capture_move(waiter->stage.scene.crowd, &desc), "sidle_capture_move");
        moved += !(result.reasons & SIDLE_REASON_DEFERRED);
    }
    cr_expect_eq(moved, 100, "%u agents move", moved);
    waiter_close(waiter);
}

/* A block sweeps across the floor, at up to a radius a tick. */
Test(budget_motion, a_moving_block_pushes_an_agent_that_waits)
{
    for (int form = 0; form < 6; ++form)
    {
        Waiter *waiter = waiter_of(vector(0, .92, 0), form % 2);
        double step = .03 * (1 + 5 * (form / 2));
        Soup block = {0};
        soup_box(&block, vector(-1, .1, -3), vector(0, 3, 3));
        uint32_t door = stage_add(&waiter->stage, block, pose_at(-3, 0, 0));
        int deferred = 0;
        for (int tick = 1; tick <= 30; ++tick)
        {
            tick_waiter(waiter);
        }
        for (double x = -3 + step; x < 2; x += step)
        {
            stage_move(&waiter->stage, door, pose_at(x, 0, 0));
            tick_waiter(waiter);
            deferred += (waiter->results[0].reasons & SIDLE_REASON_DEFERRED) != 0;
            double ahead = waiter->moves[0].body.center.x - x;
            cr_assert(ahead > .39, "form %d: the block at %g reaches %g into the agent", form, x, .4 - ahead);
        }
        cr_expect(deferred > 0, "the agent waits while the block is far");
        waiter_close(waiter);
    }
}

/* The block was far from the agent when that was deferred, and pushes it while it has time to make up for. */
Test(budget_motion, a_push_is_as_fast_as_the_block_whatever_the_agent_has_waited)
{
    Waiter *waiter = waiter_of(vector(0, .92, 0), false);
    Soup block = {0};
    soup_box(&block, vector(-1, .1, -3), vector(0, 3, 3));
    uint32_t door = stage_add(&waiter->stage, block, pose_at(-1.15, 0, 0));
    waiter->moves[0].interval = 0;
    tick_waiter(waiter);
    waiter->moves[0].interval = .9f;
    waiter->moves[0].body.flags |= SIDLE_BODY_PACED;
    float waited = 0;
    for (int tick = 0; tick < 25; ++tick)
    {
        tick_waiter(waiter);
    }
    for (double x = -.95; waiter->moves[0].body.center.x < .01; x += .2)
    {
        waited = waiter->moves[0].body.waited;
        stage_move(&waiter->stage, door, pose_at(x, 0, 0));
        tick_waiter(waiter);
    }
    cr_expect(waited > .3f, "waited %g s", (double)waited);
    double moved = waiter->moves[0].body.center.x, speed = (double)waiter->moves[0].body.velocity.x;
    cr_expect_float_eq(speed, 60 * moved, .05, "%g m/s in a tick by %g m", speed, moved);
    waiter_close(waiter);
}

/* ---- among others ---- */

/* A crowd that walks to one place; some of them seldom, others when the budget lets them. */
static void run_gathering(uint32_t max_moves, bool has_intervals)
{
    enum
    {
        PERSONS = 60
    };
    Scene scene = scene_of(floor_of(60), person_at(60));
    sidle_move moves[PERSONS] = {0};
    sidle_result results[PERSONS];
    sidle_shape shape = scene.options.profile.shape;
    Random random = random_seeded(4);
    uint32_t deferred = 0;
    double inside = 0;
    for (uint32_t i = 0; i < PERSONS; ++i)
    {
        moves[i] = (sidle_move){.id = 10 + i,
                                .body = {.center = {1.1 * (i % 8) - 4, .92, 1.1 * (i / 8) - 4}},
                                .mass = i % 9 == 0 ? (float)INFINITY : 1,
                                .interval = has_intervals ? (float)random_between(&random, 0, .4) : 0};
    }
    for (int tick = 0; tick < 360; ++tick)
    {
        sidle_tick_desc desc = {.size = sizeof desc,
                                .snapshot = scene.snapshot,
                                .dt = 1 / 60.f,
                                .moves = moves,
                                .count = PERSONS,
                                .results = results,
                                .flags = SIDLE_TICK_AGENTS_COLLIDE,
                                .max_moves = max_moves};
        for (uint32_t i = 0; i < PERSONS; ++i)
        {
            sidle_position at = moves[i].body.center;
            double length = fmax(hypot(at.x, at.z), .1), sign = tick < 240 ? -1 : 1;
            moves[i].displacement.x = (float)(sign * .03 * at.x / length);
            moves[i].displacement.z = (float)(sign * .03 * at.z / length);
        }
        demand(sidle_crowd_tick(scene.crowd, &desc), "sidle_crowd_tick");
        for (uint32_t i = 0; i < PERSONS; ++i)
        {
            deferred += (results[i].reasons & SIDLE_REASON_DEFERRED) != 0;
            moves[i].body = results[i].body;
            for (uint32_t j = 0; j < i; ++j)
            {
                CrowdBody one = crowd_body(&shape, (sidle_quat){0}, &moves[i].body.center),
                          other = crowd_body(&shape, (sidle_quat){0}, &moves[j].body.center);
                inside = fmax(inside, crowd_overlap(&one, &other, 0));
            }
        }
    }
    cr_expect_lt(inside, 1e-3, "max_moves %u: overlap by %g radii", max_moves, inside);
    cr_expect(deferred > 2000, "%u deferrals", deferred);
    scene_close(&scene);
}

Test(budget_motion, separate_agents_stay_separate_while_some_wait)
{
    run_gathering(0, true);
    run_gathering(7, false);
    run_gathering(30, true);
}

/* A neighbour that waits does not yield; the agent that moves stops. */
Test(budget_motion, an_agent_that_waits_is_not_pushed)
{
    Scene scene = scene_of(floor_of(60), person_at(60));
    sidle_move moves[2] = {{.id = 1,
                            .body = {.center = {0, .92, 0}, .flags = SIDLE_BODY_GROUNDED},
                            .displacement = {.02f, 0, 0},
                            .mass = 1000},
                           {.id = 2,
                            .body = {.center = {1, .92, 0}, .flags = SIDLE_BODY_GROUNDED | SIDLE_BODY_PACED},
                            .displacement = {-.02f, 0, 0},
                            .interval = .5f}};
    sidle_result results[2];
    double before = moves[1].body.center.x;
    int waited = 0;
    for (int tick = 0; tick < 29; ++tick)
    {
        sidle_tick_desc desc = {.size = sizeof desc,
                                .snapshot = scene.snapshot,
                                .dt = 1 / 60.f,
                                .moves = moves,
                                .count = 2,
                                .results = results,
                                .flags = SIDLE_TICK_AGENTS_COLLIDE};
        demand(sidle_crowd_tick(scene.crowd, &desc), "sidle_crowd_tick");
        moves[0].body = results[0].body;
        moves[1].body = results[1].body;
        waited += moves[1].body.center.x == before;
    }
    cr_expect_eq(waited, 29);
    cr_expect(moves[0].body.center.x > .1 && moves[0].body.center.x < .2, "%g", moves[0].body.center.x);
    scene_close(&scene);
}

/* Where the third of three in a row is after a tick; the first two wait, and stand inside one another. */
static sidle_position behind_two_that_wait(bool with_first)
{
    Scene scene = scene_of(floor_of(60), person_at(60));
    sidle_move moves[3] = {{.id = 1, .body.center = {1.37, .92, 0}},
                           {.id = 2, .body.center = {.5, .92, 0}, .interval = .5f},
                           {.id = 3, .body.center = {0, .92, 0}, .interval = .5f}};
    sidle_result results[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        moves[i].body.flags = SIDLE_BODY_GROUNDED | (i ? SIDLE_BODY_PACED : 0);
    }
    sidle_tick_desc desc = {.size = sizeof desc,
                            .snapshot = scene.snapshot,
                            .dt = 1 / 60.f,
                            .moves = moves,
                            .count = with_first ? 3 : 2,
                            .results = results,
                            .flags = SIDLE_TICK_AGENTS_COLLIDE};
    demand(sidle_crowd_tick(scene.crowd, &desc), "sidle_crowd_tick");
    for (uint32_t i = 1; i < desc.count; ++i)
    {
        cr_expect(results[i].reasons & SIDLE_REASON_DEFERRED);
    }
    scene_close(&scene);
    return results[0].body.center;
}

Test(budget_motion, two_that_wait_inside_one_another_push_no_third)
{
    sidle_position alone = behind_two_that_wait(false), with = behind_two_that_wait(true);
    cr_expect_eq(with.x, alone.x, "%g, not %g", with.x, alone.x);
    cr_expect_eq(with.z, alone.z);
}
