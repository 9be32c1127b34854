/* Agents that sleep end as in a new crowd, which has no last tick, whatever happens elsewhere. */
#include "crowd/sleep.h"
#include "support/scene.h"
#include "support/stage.h"

#include <criterion/criterion.h>

#include <string.h>

enum
{
    GROUPS = 16,  /* in a square, 60 m apart */
    PERSONS = 24, /* of a group */
    AGENTS = GROUPS * PERSONS,
    SETTLED = 200 /* ticks until all stand */
};

#define LEAP 59.f /* metres */

typedef struct Town
{
    Scene scene;
    sidle_crowd *keeps; /* beside a new crowd for each tick */
    sidle_pool *pool;   /* of its ticks */
    sidle_profile profiles[2];
    uint32_t count;
    sidle_move moves[AGENTS];
    sidle_result results[2][AGENTS];
    sidle_contact contacts[2][AGENTS * SIDLE_MAX_AGENT_CONTACTS];
} Town;

static sidle_crowd *crowd_of(const Town *town)
{
    sidle_crowd *crowd = NULL;
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = town->profiles, .profile_count = 2};
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

static Vector place_of_group(uint32_t group)
{
    return vector(60. * (group % 4) - 90, .92, 60. * (group / 4) - 90);
}

/* Half of the groups stand around a place, the rest press into the blind end of a corridor. */
static bool is_queue(uint32_t group)
{
    return group % 2;
}

static void add_corridor(Soup *soup, uint32_t group)
{
    Vector at = place_of_group(group);
    soup_box(soup, vector(at.x - 1, -1, at.z - .9), vector(at.x + 30, 2, at.z - .6));
    soup_box(soup, vector(at.x - 1, -1, at.z + .6), vector(at.x + 30, 2, at.z + .9));
    soup_box(soup, vector(at.x - 1, -1, at.z - .6), vector(at.x - .5, 2, at.z + .6));
}

static void place_group(Town *town, uint32_t group, Random *random)
{
    Vector center = place_of_group(group);
    for (uint32_t i = 0; i < PERSONS; ++i)
    {
        sidle_move *move = &town->moves[group * PERSONS + i];
        Vector beside = is_queue(group) ? vector(.84 * i, 0, .02 * (i % 2))
                                        : random_in_box(random, vector(-1.6, 0, -1.6), vector(1.6, 0, 1.6));
        Vector at = vector_add(center, beside);
        *move = (sidle_move){.id = 1000 + group * PERSONS + i, .body.center = {at.x, at.y, at.z}};
        move->displacement.x = is_queue(group) ? -.02f : 0;
    }
}

static Town *town_open(void)
{
    Soup soup = {0};
    soup_floor(&soup, 400, 0);
    for (uint32_t group = 0; group < GROUPS; ++group)
    {
        if (is_queue(group))
        {
            add_corridor(&soup, group);
        }
    }
    soup_plate(&soup, -1, 1, -1, 1, 0);
    SceneOptions options = flying_ball();
    options.pieces = SCENE_QUAD_EACH;
    Town *town = calloc(1, sizeof *town);
    town->scene = scene_of(soup, options);
    for (int i = 0; i < 2; ++i)
    {
        town->profiles[i] = (sidle_profile){.size = sizeof town->profiles[i],
                                            .mode = SIDLE_WALK,
                                            .shape.radii = {.4f, .9f, .4f},
                                            .comfort = i ? .4f : 0};
    }
    town->keeps = crowd_of(town);
    sidle_pool_desc pool = {.size = sizeof pool, .worker_count = 3};
    demand(sidle_pool_create(&pool, NULL, &town->pool), "sidle_pool_create");
    town->count = AGENTS;
    Random random = random_seeded(77);
    for (uint32_t group = 0; group < GROUPS; ++group)
    {
        place_group(town, group, &random);
    }
    return town;
}

static void town_close(Town *town)
{
    sidle_crowd_destroy(town->keeps);
    sidle_pool_destroy(town->pool);
    scene_close(&town->scene);
    free(town);
}

static bool is_same(const Town *town, uint32_t agent)
{
    const sidle_result *a = &town->results[0][agent], *b = &town->results[1][agent];
    return memcmp(&a->body, &b->body, sizeof a->body) == 0 && a->reasons == b->reasons &&
           a->contact_count == b->contact_count && a->contact_first == b->contact_first &&
           memcmp(&town->contacts[0][a->contact_first], &town->contacts[1][b->contact_first],
                  a->contact_count * sizeof *town->contacts[0]) == 0;
}

static void tick_one(Town *town, sidle_crowd *crowd, int which)
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = town->scene.snapshot,
                            .dt = 1 / 60.f,
                            .moves = town->moves,
                            .count = town->count,
                            .results = town->results[which],
                            .contacts = town->contacts[which],
                            .contact_capacity = AGENTS * SIDLE_MAX_AGENT_CONTACTS,
                            .flags = SIDLE_TICK_AGENTS_COLLIDE,
                            .jobs = crowd == town->keeps ? sidle_pool_jobs(town->pool) : NULL};
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
}

static void go_on(Town *town)
{
    for (uint32_t i = 0; i < town->count; ++i)
    {
        town->moves[i].body = town->results[0][i].body;
        town->moves[i].displacement.z =
            town->moves[i].displacement.z < LEAP ? town->moves[i].displacement.z : 0;
    }
}

/* One tick of both crowds; returns how many agents sleep. */
static uint32_t town_tick(Town *town, const char *what)
{
    sidle_crowd *fresh = crowd_of(town);
    tick_one(town, town->keeps, 0);
    tick_one(town, fresh, 1);
    sidle_crowd_destroy(fresh);
    const Sleep *sleep = &town->keeps->sleep;
    uint32_t asleep = 0;
    for (uint32_t i = 0; i < town->count; ++i)
    {
        cr_assert(is_same(town, i), "%s: agent %u ends elsewhere", what, i);
        asleep += sleep->cell > 0 && sleep->states[i] == SLEEP_ASLEEP;
    }
    go_on(town);
    return asleep;
}

static Town *town_at_rest(void)
{
    Town *town = town_open();
    for (int tick = 0; tick < SETTLED; ++tick)
    {
        tick_one(town, town->keeps, 0);
        go_on(town);
    }
    return town;
}

Test(sleep, agents_that_stand_or_press_sleep)
{
    Town *town = town_at_rest();
    cr_expect_eq(town_tick(town, "at rest"), AGENTS);
    town_close(town);
}

/* A person of the first group walks. */
Test(sleep, agents_far_from_one_that_walks_sleep)
{
    Town *town = town_at_rest();
    town->moves[0].displacement.z = .02f;
    town_tick(town, "first step");
    uint32_t asleep = town_tick(town, "walks");
    cr_expect(asleep >= AGENTS / 2 && asleep < AGENTS, "%u sleep", asleep);
    town_close(town);
}

/* ---- what happens ---- */

static void walks(Town *town, uint32_t a, uint32_t b)
{
    (void)b;
    town->moves[a].displacement.z = town->moves[a].displacement.z > 0 ? 0 : .03f;
}

static void stands(Town *town, uint32_t a, uint32_t b)
{
    (void)b;
    town->moves[a].displacement = (sidle_vec3){0, 0, 0};
}

static void teleports(Town *town, uint32_t a, uint32_t b)
{
    town->moves[a].body.center = town->moves[b].body.center;
    town->moves[a].body.center.x += .5;
}

/* Into the next group, in one tick. */
static void leaps(Town *town, uint32_t a, uint32_t b)
{
    (void)b;
    town->moves[a].displacement.z = LEAP;
}

static void changes(Town *town, uint32_t a, uint32_t b)
{
    town->moves[a].profile = (uint16_t)(b % 2);
    town->moves[a].group = b % 3;
}

static void trade_places(Town *town, uint32_t a, uint32_t b)
{
    sidle_move kept = town->moves[a];
    town->moves[a] = town->moves[b];
    town->moves[b] = kept;
}

/* The last ones leave, or all are there. */
static void leave_or_return(Town *town, uint32_t a, uint32_t b)
{
    (void)b;
    town->count = town->count < AGENTS ? AGENTS : AGENTS - 1 - a % 60;
}

static void door_moves(Town *town, uint32_t a, uint32_t b)
{
    (void)a;
    double to = b % 2 ? 200 : -200;
    sidle_pose pose = {.position = {to, 1, 0}};
    sidle_instance plate = town->scene.instances[town->scene.piece_count - 1];
    demand(sidle_world_move(town->scene.world, plate, NULL, &pose), "sidle_world_move");
    demand(sidle_world_commit(town->scene.world, NULL), "sidle_world_commit");
    sidle_snapshot_release(town->scene.snapshot);
    demand(sidle_world_snapshot(town->scene.world, &town->scene.snapshot), "sidle_world_snapshot");
}

/* Other calls of the crowd between two ticks. */
static void asks(Town *town, uint32_t a, uint32_t b)
{
    sidle_vec3 to = {.5f, 0, 0};
    sidle_what_if answer;
    sidle_what_if_desc desc = {.size = sizeof desc,
                               .snapshot = town->scene.snapshot,
                               .dt = 1 / 60.f,
                               .move = &town->moves[a],
                               .displacements = &to,
                               .count = 1,
                               .results = &answer};
    demand(sidle_crowd_what_if(town->keeps, &desc), "sidle_crowd_what_if");
    walks(town, b, a);
}

/* Steering describes the same agents, with other boxes. */
static void steers(Town *town, uint32_t a, uint32_t b)
{
    static sidle_vec3 displacements[AGENTS];
    sidle_steer_desc desc = {.size = sizeof desc,
                             .snapshot = town->scene.snapshot,
                             .dt = 1 / 60.f,
                             .reach = b % 2 ? .01f : 0,
                             .moves = town->moves,
                             .count = 1 + a % town->count,
                             .displacements = displacements};
    demand(sidle_steer(town->keeps, &desc), "sidle_steer");
    walks(town, a, b);
}

typedef struct Event
{
    const char *name;
    void (*happens)(Town *town, uint32_t a, uint32_t b);
} Event;

static const Event events[] = {
    {"walks", walks},
    {"stands", stands},
    {"teleports", teleports},
    {"leaps", leaps},
    {"changes", changes},
    {"trade places", trade_places},
    {"leave or return", leave_or_return},
    {"a door moves", door_moves},
    {"asks", asks},
    {"steers", steers},
};

#define EVENTS (sizeof events / sizeof *events)

/* Of each kind of event many, one at a time, with some ticks between. */
Test(sleep, whatever_happens_all_end_as_in_a_new_crowd, .timeout = 300)
{
    Random random = random_seeded(5);
    for (uint32_t kind = 0; kind <= EVENTS; ++kind)
    {
        Town *town = town_at_rest();
        uint64_t asleep = 0, all = 0;
        for (int tick = 0; tick < 60; ++tick)
        {
            uint32_t of = kind < EVENTS ? kind : random_below(&random, EVENTS);
            if (tick % 4 == 0)
            {
                events[of].happens(town, random_below(&random, town->count),
                                   random_below(&random, town->count));
            }
            asleep += town_tick(town, events[of].name);
            all += town->count;
        }
        cr_expect_gt(asleep, 0, "%s: all are awake in %u agents and ticks",
                     kind < EVENTS ? events[kind].name : "all", (uint32_t)all);
        town_close(town);
    }
}

/* ---- cells ---- */

#define FAR_AWAY 1e5 /* metres */

/* The first persons of the groups that stand around jump into the air, far from one another and from all. */
static void scatter(Town *town, uint32_t count, Random *random)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_move *move = &town->moves[i % (GROUPS / 2) * 2 * PERSONS + i / (GROUPS / 2)];
        Vector to =
            random_in_box(random, vector(-FAR_AWAY, 100, -FAR_AWAY), vector(FAR_AWAY, 1000, FAR_AWAY));
        move->body = (sidle_body){.center = {to.x, to.y, to.z}};
    }
}

/* Each marks 25 cells where it was and 25 where it is. There is room for 4,096; beyond that all
 * agents are awake. */
Test(sleep, agents_far_away_wake_none_until_their_cells_do_not_fit, .timeout = 120)
{
    static const uint32_t counts[3] = {4, 30, 100};
    Random random = random_seeded(6);
    for (int which = 0; which < 3; ++which)
    {
        Town *town = town_at_rest();
        for (int tick = 0; tick < 12; ++tick)
        {
            scatter(town, counts[which], &random);
            uint32_t asleep = town_tick(town, "scatter");
            bool is_too_much = counts[which] == 100;
            if (tick > 1) /* those that have left wake their groups */
            {
                cr_expect(is_too_much ? asleep == 0 : asleep > AGENTS / 3, "%u jump, %u sleep", counts[which],
                          asleep);
            }
        }
        town_close(town);
    }
}
