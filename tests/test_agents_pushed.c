/* Agents that collide with one another, and moving instances that carry and push them. */
#include "support/ride.h"

#include <criterion/criterion.h>

#include <math.h>

enum
{
    PERSONS = 4
};

#define RADIUS .4

static SceneOptions person_of(bool is_capsule, int rate)
{
    SceneOptions options = person_at(rate);
    if (is_capsule)
    {
        options.profile.shape =
            (sidle_shape){.radii = {(float)RADIUS, (float)RADIUS, (float)RADIUS}, .half_height = .5f};
    }
    return options;
}

static void tick_row(Stage *stage, sidle_move moves[PERSONS], float dt)
{
    sidle_result results[PERSONS];
    stage_commit(stage);
    sidle_tick_desc desc = {.size = sizeof desc,
                            .snapshot = stage->scene.snapshot,
                            .dt = dt,
                            .moves = moves,
                            .count = PERSONS,
                            .results = results,
                            .flags = SIDLE_TICK_AGENTS_COLLIDE};
    demand(sidle_crowd_tick(stage->scene.crowd, &desc), "sidle_crowd_tick");
    for (int i = 0; i < PERSONS; ++i)
    {
        moves[i].body = results[i].body;
    }
}

/* All are alike, upright and as high. */
static double smallest_gap(const sidle_move moves[PERSONS])
{
    double gap = INFINITY;
    for (int i = 0; i < PERSONS; ++i)
    {
        for (int k = 0; k < i; ++k)
        {
            const sidle_position *a = &moves[i].body.center, *b = &moves[k].body.center;
            gap = fmin(gap, hypot(a->x - b->x, a->z - b->z) - 2 * RADIUS);
        }
    }
    return gap;
}

/* A door drives a row of persons along a corridor. */
static double gap_before_a_door(bool is_capsule, int rate, double speed)
{
    Soup floor = {0}, door = {0}, walls[2] = {{0}, {0}};
    soup_floor(&floor, 60, 0);
    Stage stage = stage_of(floor, person_of(is_capsule, rate));
    soup_box(&door, vector(-.1, .02, -.95), vector(.1, 2.2, .95));
    soup_box(&walls[0], vector(-50, -1, 1), vector(50, 3, 1.2));
    soup_box(&walls[1], vector(-50, -1, -1.2), vector(50, 3, -1));
    uint32_t body = stage_add(&stage, door, pose_at(0, 0, 0));
    stage_add(&stage, walls[0], pose_at(0, 0, 0));
    stage_add(&stage, walls[1], pose_at(0, 0, 0));
    sidle_move moves[PERSONS] = {0};
    for (int i = 0; i < PERSONS; ++i)
    {
        moves[i] = (sidle_move){.id = (uint64_t)i + 1, .body.center = {.6 + .83 * i, .92, .1 * (i % 2)}};
    }
    for (int tick = 0; tick < rate; ++tick)
    {
        tick_row(&stage, moves, 1 / (float)rate);
    }
    double gap = INFINITY, x = 0;
    while (x < 2.5)
    {
        x += speed / rate;
        stage_move(&stage, body, pose_at(x, 0, 0));
        tick_row(&stage, moves, 1 / (float)rate);
        gap = fmin(gap, smallest_gap(moves));
        cr_assert_gt(moves[0].body.center.x - x, .5 - 1e-3, "the door at %g reaches into the first", x);
    }
    stage_close(&stage);
    return gap;
}

/* The neighbours of an agent that a door pushes know how far. A push out of an overlap is as fast as the fastest door here. */
Test(agents_pushed, persons_before_a_door_do_not_overlap)
{
    for (int form = 0; form < 8; ++form)
    {
        int rate = 30 << form / 2;
        double gap = fmin(gap_before_a_door(form % 2, rate, 2),
                          rate > 30 ? gap_before_a_door(form % 2, rate, 3) : INFINITY);
        cr_expect_gt(gap, 0, "shape %d, %d Hz: a gap of %g m", form % 2, rate, gap);
    }
}

/* Riders near one another, on a lift that starts and stops. */
Test(agents_pushed, riders_stay_on_a_lift)
{
    for (int form = 0; form < 8; ++form)
    {
        int rate = 30 << form / 2;
        Soup floor = {0}, plate = {0};
        soup_floor(&floor, 60, 0);
        soup_box(&plate, vector(-2, -.2, -2), vector(2, 0, 2));
        Stage stage = stage_of(floor, person_of(form % 2, rate));
        uint32_t lift = stage_add(&stage, plate, pose_at(0, 1, 0));
        sidle_move moves[PERSONS] = {0};
        for (int i = 0; i < PERSONS; ++i)
        {
            moves[i] = (sidle_move){.id = (uint64_t)i + 1, .body.center = {.82 * i - 1.2, 1.92, 0}};
        }
        for (int tick = 0; tick < 4 * rate; ++tick)
        {
            double time = (double)tick / rate, gone = time < 1 ? 0 : fmin(2 * (time - 1), 4);
            stage_move(&stage, lift, pose_at(gone, 1 + gone, 0));
            tick_row(&stage, moves, 1 / (float)rate);
            for (int i = 0; i < PERSONS; ++i)
            {
                const sidle_position *at = &moves[i].body.center;
                cr_assert_float_eq(at->y - (1 + gone), .91, .02, "%g s: %g above the lift", time,
                                   at->y - (1 + gone));
                cr_assert(fabs(at->x - gone) < 2 && fabs(at->z) < .5, "%g s: left at %g", time, at->x - gone);
            }
            cr_assert_gt(smallest_gap(moves), 0);
        }
        stage_close(&stage);
    }
}

/* In a wagon, a person at its rear wall, towards which a player of infinite mass walks. Two stand elsewhere. */
static double gap_in_a_wagon(bool is_capsule, int rate, double speed)
{
    Soup wagon = {0};
    soup_box(&wagon, vector(-3, -.2, -2), vector(3, 0, 2));
    soup_box(&wagon, vector(-3, 0, -2), vector(-2.5, 3, 2));
    soup_box(&wagon, vector(2.5, 0, -2), vector(3, 3, 2));
    Stage stage = stage_of((Soup){0}, person_of(is_capsule, rate));
    uint32_t body = stage_add(&stage, wagon, pose_at(0, 0, 0));
    sidle_move moves[PERSONS] = {0};
    for (int i = 0; i < PERSONS; ++i)
    {
        moves[i] = (sidle_move){.id = (uint64_t)i + 1, .body.center = {2, .92, i % 2 ? 1.5 : -1.5}};
    }
    moves[0].body.center = (sidle_position){-2.05, .92, 0};
    moves[3].body.center = (sidle_position){0, .92, 0};
    moves[3].mass = INFINITY;
    double gap = INFINITY;
    for (int tick = 1; tick <= 3 * rate; ++tick)
    {
        double gone = speed * fmax(tick - rate / 4, 0) / rate;
        stage_move(&stage, body, pose_at(gone, 0, 0));
        moves[3].displacement.x = -2 / (float)rate;
        tick_row(&stage, moves, 1 / (float)rate);
        gap = fmin(gap, smallest_gap(moves));
        cr_assert(moves[0].body.center.x - gone > -2.1 - 1e-3, "beyond the wall");
    }
    stage_close(&stage);
    return gap;
}

Test(agents_pushed, riders_of_a_wagon_do_not_overlap)
{
    for (int form = 0; form < 12; ++form)
    {
        int rate = 30 << form / 4;
        double speed = form / 2 % 2 ? 10 : 3, gap = gap_in_a_wagon(form % 2, rate, speed);
        cr_expect_gt(gap, 0, "shape %d, %d Hz, %g m/s: a gap of %g m", form % 2, rate, speed, gap);
    }
}
