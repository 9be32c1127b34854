/* Riders of lifts and turntables, however the engine divides time into commits and ticks; and worlds that are rebuilt. */
#include "support/ride.h"

#include <criterion/criterion.h>

#include <string.h>

#define RIDES   3
#define RIDERS  9 /* of a level */
#define HZ      60
#define SECONDS 600

/* ---- a level with lifts and turntables ---- */

/* A lift stops for a second at either end; turntables turn for two seconds and rest for one. */
static double ramp(double seconds, double moves, double rests)
{
    double period = 2 * (moves + rests), phase = fmod(seconds, period);
    return phase < moves               ? phase / moves
           : phase < moves + rests     ? 1
           : phase < 2 * moves + rests ? 1 - (phase - moves - rests) / moves
                                       : 0;
}

static sidle_pose ride_pose(uint32_t ride, double seconds)
{
    if (ride == 0)
    {
        return pose_at(0, 3 * ramp(seconds, 1.5, 1), 0);
    }
    if (ride == 1)
    {
        return pose_turned(pose_at(8, 0, 0), upwards, 2 * ramp(seconds, 2, 1));
    }
    sidle_pose pose = pose_at(16 + 2 * ramp(seconds, 1, .5), ramp(seconds, 2, 1.5), 0);
    return pose_turned(pose, upwards, 3 * ramp(seconds, 1.5, 1));
}

typedef struct Level
{
    sidle_mesh *plate, *floor;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    sidle_instance rides[RIDES];
    sidle_pose poses[RIDES]; /* of the last move */
    sidle_move moves[RIDERS];
} Level;

static sidle_instance add(sidle_world *world, sidle_mesh *mesh, sidle_pose pose, uint64_t key)
{
    sidle_instance id;
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh, .pose = pose, .key = key};
    demand(sidle_world_add(world, &desc, &id), "sidle_world_add");
    return id;
}

static void commit(Level *level)
{
    sidle_snapshot_release(level->snapshot);
    demand(sidle_world_commit(level->world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(level->world, &level->snapshot), "sidle_world_snapshot");
}

static void tick_part(Level *level, float dt, float begin, float end)
{
    sidle_result results[RIDERS];
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = level->snapshot,
                            .dt = dt,
                            .motion_begin = begin,
                            .motion_end = end,
                            .moves = level->moves,
                            .count = RIDERS,
                            .results = results};
    demand(sidle_crowd_tick(level->crowd, &tick), "sidle_crowd_tick");
    for (uint32_t i = 0; i < RIDERS; ++i)
    {
        level->moves[i].body = results[i].body;
    }
}

static sidle_crowd *crowd_of_people(void)
{
    sidle_profile profile = {.size = sizeof profile, .shape = {.radii = {.4f, .9f, .4f}}};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd *crowd = NULL;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

/* The riders have come to rest. */
static Level level_of(void)
{
    Soup plate = {0}, floor = {0};
    soup_box(&plate, vector(-2, -0.2, -2), vector(2, 0, 2));
    soup_grid(&floor, 40, 1, -3);
    Level level = {.plate = soup_mesh(plate), .floor = soup_mesh(floor), .crowd = crowd_of_people()};
    demand(sidle_world_create(NULL, NULL, &level.world), "sidle_world_create");
    add(level.world, level.floor, pose_at(0, 0, 0), 100);
    for (uint32_t ride = 0; ride < RIDES; ++ride)
    {
        level.poses[ride] = ride_pose(ride, 0);
        level.rides[ride] = add(level.world, level.plate, level.poses[ride], ride + 1);
    }
    commit(&level);
    for (uint32_t i = 0; i < RIDERS; ++i)
    {
        sidle_position at = level.poses[i % RIDES].position;
        level.moves[i].id = i;
        level.moves[i].body.center =
            (sidle_position){at.x - 1.2 + .4 * i / 3, at.y + .918, at.z + .3 * i - 1.2};
    }
    for (int tick = 0; tick < 30; ++tick)
    {
        tick_part(&level, 1.0f / HZ, 0, 0);
    }
    return level;
}

static void level_close(Level *level)
{
    sidle_crowd_destroy(level->crowd);
    sidle_snapshot_release(level->snapshot);
    sidle_world_destroy(level->world);
    sidle_mesh_release(level->plate);
    sidle_mesh_release(level->floor);
}

/* Returns true if any of them moves. */
static bool move_rides(Level *level, double seconds, bool with_from)
{
    bool any = false;
    for (uint32_t ride = 0; ride < RIDES; ++ride)
    {
        sidle_pose to = ride_pose(ride, seconds), *from = &level->poses[ride];
        if (memcmp(&to, from, sizeof to) != 0)
        {
            demand(sidle_world_move(level->world, level->rides[ride], with_from ? from : NULL, &to), "move");
            *from = to;
            any = true;
        }
    }
    return any;
}

static void expect_same_places(const Level *a, const Level *b, const char *what)
{
    double worst = 0;
    for (uint32_t i = 0; i < RIDERS; ++i)
    {
        const sidle_position *p = &a->moves[i].body.center, *q = &b->moves[i].body.center;
        worst = fmax(worst, vector_distance(vector(p->x, p->y, p->z), vector(q->x, q->y, q->z)));
        cr_expect(a->moves[i].body.flags & SIDLE_BODY_GROUNDED, "%s: rider %u is in the air", what, i);
    }
    cr_expect_lt(worst, 1e-5, "%s: %g m apart", what, worst);
}

/* ---- engines ---- */

enum Habit
{
    EVERY_TICK,
    ON_CHANGE,     /* commits only if a ride moves */
    HALF_THE_RATE, /* one commit for two ticks, which name their parts of the motion */
    TWO_MOVES,     /* the same, moved in two steps before the commit; the ticks name no parts */
};

/* The ticks 2 n and 2 n + 1. */
static void live_two_ticks(Level *level, uint32_t n, enum Habit habit)
{
    float dt = 1.0f / HZ;
    double middle = (2 * n + 1) / (double)HZ, end = (2 * n + 2) / (double)HZ;
    if (habit == EVERY_TICK || habit == ON_CHANGE)
    {
        for (int k = 0; k < 2; ++k)
        {
            bool changes = move_rides(level, k ? end : middle, habit == EVERY_TICK);
            if (changes || habit == EVERY_TICK)
            {
                commit(level);
            }
            tick_part(level, dt, 0, 0);
        }
        return;
    }
    if (habit == TWO_MOVES)
    {
        move_rides(level, middle, false);
    }
    move_rides(level, end, false);
    commit(level);
    tick_part(level, dt, 0, habit == HALF_THE_RATE ? .5f : 0);
    tick_part(level, dt, habit == HALF_THE_RATE ? .5f : 0, habit == HALF_THE_RATE);
}

Test(riders, every_habit_of_commits_takes_riders_to_the_same_places)
{
    static const char *const names[4] = {"every tick", "on change", "half the rate", "two moves"};
    Level levels[4];
    for (enum Habit habit = EVERY_TICK; habit <= TWO_MOVES; ++habit)
    {
        levels[habit] = level_of();
    }
    for (uint32_t n = 0; n < SECONDS * HZ / 2; ++n)
    {
        for (enum Habit habit = EVERY_TICK; habit <= TWO_MOVES; ++habit)
        {
            live_two_ticks(&levels[habit], n, habit);
        }
    }
    sidle_position begin = levels[0].moves[0].body.center;
    cr_expect(begin.y > -1, "%g", begin.y);
    for (enum Habit habit = ON_CHANGE; habit <= TWO_MOVES; ++habit)
    {
        expect_same_places(&levels[EVERY_TICK], &levels[habit], names[habit]);
    }
    for (enum Habit habit = EVERY_TICK; habit <= TWO_MOVES; ++habit)
    {
        level_close(&levels[habit]);
    }
}

Test(riders, a_second_tick_on_a_snapshot_carries_no_rider)
{
    Level level = level_of();
    sidle_position before = level.moves[0].body.center;
    sidle_pose to = pose_at(0, .3, 0);
    demand(sidle_world_move(level.world, level.rides[0], NULL, &to), "sidle_world_move");
    commit(&level);
    tick_part(&level, .1f, 0, 0);
    cr_expect_float_eq(level.moves[0].body.center.y, before.y + .3, 1e-5);
    for (int tick = 0; tick < 5; ++tick)
    {
        tick_part(&level, .1f, 0, 0);
        cr_expect_float_eq(level.moves[0].body.center.y, before.y + .3, 1e-5);
        cr_expect_eq(level.moves[0].body.carried_over.y, 0.0f);
    }
    level_close(&level);
}

/* A rollback returns to a body that the motion has not moved yet. */
Test(riders, a_tick_that_is_repeated_from_an_earlier_body_carries_again)
{
    Level level = level_of();
    sidle_move before = level.moves[0];
    sidle_pose to = pose_at(0, .3, 0);
    demand(sidle_world_move(level.world, level.rides[0], NULL, &to), "sidle_world_move");
    commit(&level);
    tick_part(&level, .1f, 0, 0);
    sidle_body first = level.moves[0].body;
    level.moves[0] = before;
    tick_part(&level, .1f, 0, 0);
    cr_expect_eq(memcmp(&first, &level.moves[0].body, sizeof first), 0);
    level_close(&level);
}

Test(riders, two_moves_before_a_commit_are_one_motion)
{
    Level level = level_of();
    sidle_position before = level.moves[0].body.center;
    sidle_pose middle = pose_at(.2, .1, 0), to = pose_at(.2, .3, 0);
    demand(sidle_world_move(level.world, level.rides[0], NULL, &middle), "sidle_world_move");
    demand(sidle_world_move(level.world, level.rides[0], &middle, &to), "sidle_world_move");
    commit(&level);
    tick_part(&level, .1f, 0, 0);
    cr_expect_float_eq(level.moves[0].body.center.x, before.x + .2, 1e-5);
    cr_expect_float_eq(level.moves[0].body.center.y, before.y + .3, 1e-5);
    level_close(&level);
}

/* An escalator's step: its motion begins anew in each epoch. */
Test(riders, a_loop_carries_riders_on_and_on)
{
    Level level = level_of();
    sidle_position before = level.moves[0].body.center;
    const sidle_pose from = pose_at(0, 0, 0), to = pose_at(.05, 0, 0);
    for (int i = 1; i <= 20; ++i)
    {
        demand(sidle_world_loop(level.world, level.rides[0], &from, &to), "sidle_world_loop");
        demand(sidle_world_loop(level.world, level.rides[0], &from, &to), "sidle_world_loop");
        commit(&level);
        tick_part(&level, .05f, 0, 0);
        cr_expect_float_eq(level.moves[0].body.center.x, before.x + .05 * i, 1e-5);
    }
    level_close(&level);
}

/* ---- reading, saving and restoring ---- */

Test(riders, a_world_returns_what_was_added)
{
    Level level = level_of();
    sidle_instance_desc desc;
    sidle_instance id = {0, 0};
    uint32_t count = 0;
    while (id = sidle_world_next(level.world, id), id.generation)
    {
        cr_expect_eq(sidle_world_get(level.world, id, &desc), SIDLE_OK);
        sidle_instance found = sidle_world_find(level.world, desc.key);
        cr_expect(found.index == id.index && found.generation == id.generation);
        ++count;
    }
    cr_expect_eq(count, RIDES + 1);
    sidle_pose to = pose_at(1, 2, 3);
    demand(sidle_world_move(level.world, level.rides[1], NULL, &to), "sidle_world_move");
    cr_expect_eq(sidle_world_get(level.world, level.rides[1], &desc), SIDLE_OK);
    cr_expect(desc.key == 2 && desc.mesh == level.plate && desc.member_of == 1 && desc.flags == 0);
    cr_expect_eq(memcmp(&desc.pose, &to, sizeof to), 0);
    demand(sidle_world_remove(level.world, level.rides[1]), "sidle_world_remove");
    cr_expect_eq(sidle_world_get(level.world, level.rides[1], &desc), SIDLE_ERROR_STALE);
    cr_expect_eq(sidle_world_find(level.world, 2).generation, 0);
    sidle_instance twins[2] = {add(level.world, level.plate, to, 3), add(level.world, level.plate, to, 3)};
    cr_expect_eq(sidle_world_find(level.world, 3).index, level.rides[1].index, "the lowest index");
    cr_expect_eq(twins[0].index, level.rides[1].index);
    cr_expect_eq(sidle_world_get(NULL, twins[1], &desc), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_get(level.world, twins[1], NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_find(NULL, 3).generation, 0);
    cr_expect_eq(sidle_world_next(NULL, twins[0]).generation, 0);
    level_close(&level);
}

/* As after a load: other ids, in another order, at the same epoch. */
static Level restored(const Level *level, bool finds_ground)
{
    Level copy = *level;
    sidle_instance ids[RIDES + 1] = {{0, 0}}, other;
    uint32_t count = 0;
    copy.crowd = crowd_of_people();
    copy.snapshot = NULL;
    sidle_mesh_retain(copy.plate);
    sidle_mesh_retain(copy.floor);
    const sidle_world_desc world = {.size = sizeof world, .epoch = sidle_snapshot_epoch(level->snapshot)};
    demand(sidle_world_create(&world, NULL, &copy.world), "sidle_world_create");
    for (sidle_instance id = {0, 0}; id = sidle_world_next(level->world, id), id.generation;)
    {
        ids[count++] = id;
    }
    while (count > 0)
    {
        sidle_instance_desc desc;
        demand(sidle_world_get(level->world, ids[--count], &desc), "sidle_world_get");
        demand(sidle_world_add(copy.world, &desc, &other), "sidle_world_add");
    }
    commit(&copy);
    for (uint32_t ride = 0; ride < RIDES; ++ride)
    {
        copy.rides[ride] = sidle_world_find(copy.world, ride + 1);
    }
    for (uint32_t i = 0; i < RIDERS && finds_ground; ++i)
    {
        sidle_body *body = &copy.moves[i].body;
        body->ground = sidle_world_find(copy.world, body->ground_key);
    }
    return copy;
}

static bool same_bits_but_ids(const Level *a, const Level *b)
{
    bool same = true;
    for (uint32_t i = 0; i < RIDERS; ++i)
    {
        sidle_body p = a->moves[i].body, q = b->moves[i].body;
        p.ground = q.ground = (sidle_instance){0, 0};
        p.motion_epoch = q.motion_epoch = 0;
        same = same && memcmp(&p, &q, sizeof p) == 0;
    }
    return same;
}

Test(riders, a_rebuilt_world_goes_on_with_the_same_bits)
{
    Level level = level_of();
    for (uint32_t n = 0; n < 300; ++n)
    {
        live_two_ticks(&level, n, EVERY_TICK);
        if (n % 20 == 7)
        {
            Level copy = restored(&level, true);
            Level saved = level;
            uint32_t differing = 0;
            for (uint32_t k = n + 1; k < n + 20; ++k)
            {
                live_two_ticks(&copy, k, EVERY_TICK);
                live_two_ticks(&level, k, EVERY_TICK);
                differing += !same_bits_but_ids(&level, &copy);
            }
            cr_expect_eq(differing, 0, "saved after %u: %u differ", n, differing);
            cr_expect(memcmp(&saved.moves, &level.moves, sizeof saved.moves) != 0, "the riders move");
            level_close(&copy);
            n += 19;
        }
    }
    level_close(&level);
}

/* The id of another world may be that of another ride here. */
Test(riders, a_body_of_another_world_is_not_carried_by_an_instance_of_another_key)
{
    Level level = level_of(), copy = restored(&level, false);
    sidle_position before = copy.moves[0].body.center;
    uint32_t others = 0;
    for (uint32_t ride = 0; ride < RIDES; ++ride)
    {
        if (copy.rides[ride].index == copy.moves[0].body.ground.index)
        {
            others += ride != 0;
            sidle_pose to = ride_pose(ride, 0);
            to.position.x += .2;
            demand(sidle_world_move(copy.world, copy.rides[ride], NULL, &to), "sidle_world_move");
        }
    }
    cr_expect_eq(others, 1, "the id is that of another ride");
    commit(&copy);
    tick_part(&copy, .1f, 0, 0);
    cr_expect_float_eq(copy.moves[0].body.center.x, before.x, 1e-6);
    level_close(&copy);
    level_close(&level);
}
