/* Steering in turn, far from the origin, and beside crowds far away. */
#include "support/hash.h"
#include "support/steered.h"

#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

static Steered *on_a_floor(void)
{
    Soup soup = {0};
    soup_plate(&soup, -60, 60, -60, 60, 0);
    return steered_open(soup, (SteeredForm){0});
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
        Steered *steered = steered_open(soup, (SteeredForm){0});
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

/* ---- agents far away ---- */

#define FAR_AGENTS 4000

/* Two flyers, the second at the end of what the first looks at. */
typedef struct EdgeOfSight
{
    sidle_vec3 radii, up;
    double reach;
    Vector places[2], displacements[2];
} EdgeOfSight;

static void put(sidle_move *move, uint64_t id, Vector place, Vector d)
{
    *move = (sidle_move){.id = id, .displacement = {(float)d.x, (float)d.y, (float)d.z}};
    move->body.center = (sidle_position){place.x, place.y, place.z};
    move->body.velocity = (sidle_vec3){(float)(60 * d.x), (float)(60 * d.y), (float)(60 * d.z)};
}

/* The displacement of the first, in front of so many agents 1000 m away. */
static sidle_vec3 steer_before(const EdgeOfSight *edge, uint32_t far_count)
{
    static sidle_move moves[2 + FAR_AGENTS];
    static sidle_vec3 out[2 + FAR_AGENTS];
    for (uint32_t i = 0; i < 2 + far_count; ++i)
    {
        Vector far = vector(1000 + i % 60 * .2, i / 60 % 10 * .3, 1000 + i / 600 * .2);
        put(&moves[i], i, i < 2 ? edge->places[i] : far, i < 2 ? edge->displacements[i] : vector(.001, 0, 0));
    }
    sidle_profile profile = {.size = sizeof profile, .shape.radii = edge->radii, .mode = SIDLE_FLY};
    sidle_crowd_desc crowd_desc = {
        .size = sizeof crowd_desc, .profiles = &profile, .profile_count = 1, .up = edge->up};
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    demand(sidle_world_create(NULL, NULL, &world), "sidle_world_create");
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    demand(sidle_crowd_create(&crowd_desc, NULL, &crowd), "sidle_crowd_create");
    sidle_steer_desc desc = {.size = sizeof desc,
                             .snapshot = snapshot,
                             .dt = 1 / 60.f,
                             .reach = (float)edge->reach,
                             .count = 2 + far_count,
                             .moves = moves,
                             .displacements = out};
    demand(sidle_steer(crowd, &desc), "sidle_steer");
    sidle_crowd_destroy(crowd);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    return out[0];
}

/* They change the cells of the search, and must not change which agents it finds. */
Test(steer, agents_far_away_change_nothing)
{
    const double q = sqrt(.5);
    const EdgeOfSight edges[2] = {
        {.radii = {.1f, 1, .1f}, /* up leans, and the second flies 1.38 m higher along it */
         .up = {1, 1, 0},
         .reach = 2,
         .places = {{.1, 0, 0}, {.1 + q * (1.38 + 1.85), q * (1.38 - 1.85), .5}},
         .displacements = {{0, 0, .01}, {-.037 * q, .037 * q, -.001}}},
        {.radii = {.01f, .01f, .01f}, /* 1e-6 beyond the reach */
         .up = {0, 1, 0},
         .reach = .375,
         .places = {{-1. / 32 - .375 - 1e-6, 0, 0}, {-1. / 32, 0, 0}},
         .displacements = {{.001, 0, 0}, {-.001, 0, 0}}}};
    for (int i = 0; i < 2; ++i)
    {
        sidle_vec3 alone = steer_before(&edges[i], 0), few = steer_before(&edges[i], 500),
                   many = steer_before(&edges[i], FAR_AGENTS);
        cr_expect(same_displacement(alone, few) && same_displacement(alone, many), "%d", i);
        cr_expect(i == 1 || alone.y > 0, "the first sees the second");
    }
}

/* ---- turns ---- */

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
        Steered *streams = steered_streams(60, (SteeredForm){0}),
                *circle = steered_circle(60, (SteeredForm){0});
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
