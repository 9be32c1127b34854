/* Agents that push and get nowhere: inside triangles, against walls. Their moves are kept, and repeated while nothing near changes.
 * No bit of a result says so, so the reasons of kept moves are marked here to see which are repeated. */
#include "crowd/rest.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <string.h>

enum
{
    AGENTS = 60,
    MARK = 1u << 30 /* a reason that no move has */
};

typedef struct Party
{
    sidle_crowd *keeps; /* beside a new crowd for each tick */
    sidle_profile profile;
    uint32_t count;
    sidle_move moves[AGENTS];
    sidle_result results[2][AGENTS];
    sidle_contact contacts[2][AGENTS * SIDLE_MAX_AGENT_CONTACTS];
} Party;

static sidle_crowd *crowd_of(const sidle_profile *profile)
{
    sidle_crowd *crowd = NULL;
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profile, .profile_count = 1};
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

/* Of .4 .9 .4 m, or a capsule as wide and as high. */
static void party_make(Party *party, uint32_t mode, bool is_capsule, uint32_t count)
{
    memset(party, 0, sizeof *party);
    party->profile = (sidle_profile){.size = sizeof party->profile, .mode = mode};
    party->profile.shape = is_capsule ? (sidle_shape){.radii = {.4f, .4f, .4f}, .half_height = .5f}
                                      : (sidle_shape){.radii = {.4f, .9f, .4f}};
    party->keeps = crowd_of(&party->profile);
    party->count = count;
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        party->moves[i].id = i;
    }
}

static sidle_tick_desc party_tick(Party *party, const Scene *scene, int which, uint32_t flags,
                                  bool with_contacts)
{
    return (sidle_tick_desc){.size = sizeof(sidle_tick_desc),
                             .snapshot = scene->snapshot,
                             .dt = 1 / 60.f,
                             .moves = party->moves,
                             .count = party->count,
                             .results = party->results[which],
                             .contacts = with_contacts ? party->contacts[which] : NULL,
                             .contact_capacity = with_contacts ? AGENTS * SIDLE_MAX_AGENT_CONTACTS : 0,
                             .flags = flags};
}

static bool is_same(const Party *party, uint32_t agent)
{
    const sidle_result *a = &party->results[0][agent], *b = &party->results[1][agent];
    return memcmp(&a->body, &b->body, sizeof a->body) == 0 && a->reasons == b->reasons &&
           a->contact_count == b->contact_count && a->contact_first == b->contact_first &&
           memcmp(&party->contacts[0][a->contact_first], &party->contacts[1][b->contact_first],
                  a->contact_count * sizeof *party->contacts[0]) == 0;
}

/* One tick of both crowds, after which agents are where it has led them. */
static void party_goes(Party *party, const Scene *scene, uint32_t flags)
{
    sidle_crowd *fresh = crowd_of(&party->profile);
    sidle_tick_desc tick = party_tick(party, scene, 0, flags, true);
    demand(sidle_crowd_tick(party->keeps, &tick), "sidle_crowd_tick");
    tick = party_tick(party, scene, 1, flags, true);
    demand(sidle_crowd_tick(fresh, &tick), "sidle_crowd_tick");
    sidle_crowd_destroy(fresh);
    for (uint32_t i = 0; i < party->count; ++i)
    {
        cr_expect(is_same(party, i), "agent %u differs", i);
        party->moves[i].body = party->results[0][i].body;
    }
}

/* How many moves of one tick, which leads to nothing else, are repeated. */
static uint32_t count_repeated(Party *party, const Scene *scene, uint32_t flags)
{
    Rest *rests = party->keeps->rests.memory;
    for (uint32_t i = 0; i < party->count; ++i)
    {
        rests[i].reasons |= MARK;
    }
    sidle_tick_desc tick = party_tick(party, scene, 0, flags, true);
    demand(sidle_crowd_tick(party->keeps, &tick), "sidle_crowd_tick");
    uint32_t repeated = 0;
    for (uint32_t i = 0; i < party->count; ++i)
    {
        repeated += (party->results[0][i].reasons & MARK) != 0;
        rests[i].reasons &= ~(uint32_t)MARK;
    }
    return repeated;
}

/* ---- scenes ---- */

static Scene soup_scene(void)
{
    Random random = random_seeded(7);
    Soup soup = {0};
    for (int i = 0; i < 6000; ++i)
    {
        Vector at = random_in_box(&random, vector(-5, -5, -5), vector(5, 5, 5)), corners[3];
        for (int k = 0; k < 3; ++k)
        {
            corners[k] =
                vector_add(at, random_in_box(&random, vector(-1.5, -1.5, -1.5), vector(1.5, 1.5, 1.5)));
        }
        soup_triangle(&soup, corners[0], corners[1], corners[2]);
    }
    return scene_of(soup, flying_ball());
}

/* A floor, a wall at x = 2 that agents press against, and a plate that can be elsewhere. */
static Scene wall_scene(void)
{
    Soup soup = {0};
    soup_floor(&soup, 60, 0);
    soup_wall(&soup, 60, 2);
    soup_plate(&soup, -1, 1, -1, 1, 0);
    SceneOptions options = flying_ball();
    options.pieces = SCENE_QUAD_EACH;
    Scene scene = scene_of(soup, options);
    return scene;
}

static void renew(Scene *scene)
{
    demand(sidle_world_commit(scene->world, NULL), "sidle_world_commit");
    sidle_snapshot_release(scene->snapshot);
    demand(sidle_world_snapshot(scene->world, &scene->snapshot), "sidle_world_snapshot");
}

/* The last piece, a plate: from one place to another in the next epoch. */
static void move_plate(Scene *scene, double x, double to)
{
    sidle_pose from = {.position = {x, 1, 0}}, end = {.position = {to, 1, 0}};
    sidle_instance plate = scene->instances[scene->piece_count - 1];
    demand(sidle_world_move(scene->world, plate, &from, &end), "sidle_world_move");
    renew(scene);
}

/* A row of agents along the wall, `apart` metres apart, which walk into it. */
static void line_up(Party *party, double apart)
{
    for (uint32_t i = 0; i < party->count; ++i)
    {
        party->moves[i].body.center =
            (sidle_position){1.3, .95, apart * ((double)i - (double)(party->count - 1) / 2)};
        party->moves[i].displacement = (sidle_vec3){.05f, 0, 0};
    }
}

/* All of them in the middle of the soup. */
static void scatter(Party *party, uint64_t seed)
{
    Random random = random_seeded(seed);
    for (uint32_t i = 0; i < party->count; ++i)
    {
        Vector at = random_in_box(&random, vector(-3, -3, -3), vector(3, 3, 3)),
               to = random_in_box(&random, vector(-.05, 0, -.05), vector(.05, 0, .05));
        party->moves[i].body.center = (sidle_position){at.x, at.y, at.z};
        party->moves[i].displacement = (sidle_vec3){(float)to.x, 0, (float)to.z};
    }
}

/* ---- claims ---- */

static void expect_stuck_agents_repeat(bool is_capsule)
{
    Scene scene = soup_scene();
    for (uint32_t mode = SIDLE_WALK; mode <= SIDLE_FLY; ++mode)
    {
        Party party;
        party_make(&party, mode, is_capsule, AGENTS);
        scatter(&party, 11 + mode);
        for (int tick = 0; tick < 25; ++tick)
        {
            party_goes(&party, &scene, 0);
        }
        uint32_t stuck = 0, repeated = count_repeated(&party, &scene, 0);
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            stuck += (party.moves[i].body.flags & SIDLE_BODY_STUCK) != 0;
        }
        cr_expect(stuck > AGENTS * 9 / 10, "mode %u: only %u are stuck", mode, stuck);
        cr_expect(repeated > AGENTS * 8 / 10, "mode %u: only %u moves are repeated", mode, repeated);
        sidle_crowd_destroy(party.keeps);
    }
    scene_close(&scene);
}

Test(rest_pressed, stuck_ellipsoids_repeat_their_moves)
{
    expect_stuck_agents_repeat(false);
}

Test(rest_pressed, stuck_capsules_repeat_their_moves)
{
    expect_stuck_agents_repeat(true);
}

/* Their neighbours limit the paths that they try. */
Test(rest_pressed, stuck_agents_among_others_go_where_new_ones_go)
{
    Scene scene = soup_scene();
    for (uint32_t mode = SIDLE_WALK; mode <= SIDLE_FLY; ++mode)
    {
        Party party;
        party_make(&party, mode, true, AGENTS);
        scatter(&party, 11 + mode);
        for (int tick = 0; tick < 60; ++tick)
        {
            party_goes(&party, &scene, SIDLE_TICK_AGENTS_COLLIDE);
        }
        sidle_crowd_destroy(party.keeps);
    }
    scene_close(&scene);
}

static void press(Party *party, const Scene *scene, uint32_t flags)
{
    for (int tick = 0; tick < 90; ++tick)
    {
        party_goes(party, scene, flags);
    }
}

Test(rest_pressed, agents_that_press_against_a_wall_repeat_until_they_turn)
{
    Scene scene = wall_scene();
    Party party;
    party_make(&party, SIDLE_WALK, false, 10);
    line_up(&party, 3);
    press(&party, &scene, 0);
    cr_expect(count_repeated(&party, &scene, 0) == 10);
    for (uint32_t i = 0; i < party.count; ++i)
    {
        party.moves[i].displacement.z = i % 2 ? .03f : 0;
    }
    cr_expect(count_repeated(&party, &scene, 0) == 5);
    press(&party, &scene, 0);
    scene_close(&scene);
    sidle_crowd_destroy(party.keeps);
}

Test(rest_pressed, agents_beside_others_go_where_new_ones_go)
{
    Scene scene = wall_scene();
    Party party;
    party_make(&party, SIDLE_WALK, false, 10);
    line_up(&party, .7);
    for (uint32_t i = 0; i < party.count; ++i)
    {
        party.moves[i].displacement.z = i < 5 ? .02f : -.02f;
    }
    press(&party, &scene, SIDLE_TICK_AGENTS_COLLIDE);
    /* Agent 5 walks away from the wall, which frees its neighbours. */
    party.moves[5].displacement = (sidle_vec3){-.05f, 0, 0};
    press(&party, &scene, SIDLE_TICK_AGENTS_COLLIDE);
    scene_close(&scene);
    sidle_crowd_destroy(party.keeps);
}

Test(rest_pressed, a_commit_wakes_agents_for_one_tick)
{
    Scene scene = wall_scene();
    Party party;
    party_make(&party, SIDLE_WALK, true, 10);
    line_up(&party, 3);
    press(&party, &scene, 0);
    sidle_pose pose = {.position = {0, 30, 0}};
    demand(sidle_world_teleport(scene.world, scene.instances[scene.piece_count - 1], &pose),
           "sidle_world_teleport");
    renew(&scene);
    cr_expect(count_repeated(&party, &scene, 0) == 0);
    press(&party, &scene, 0);
    cr_expect(count_repeated(&party, &scene, 0) == 10);
    scene_close(&scene);
    sidle_crowd_destroy(party.keeps);
}

/* A plate flies towards the wall, and through the middle of the row. */
Test(rest_pressed, a_door_wakes_agents_that_it_comes_near)
{
    Scene scene = wall_scene();
    Party party;
    party_make(&party, SIDLE_WALK, false, 10);
    line_up(&party, 3);
    press(&party, &scene, 0);
    uint32_t far = 0, near = party.count;
    for (int tick = 0; tick < 220; ++tick)
    {
        double x = -40 + .2 * tick;
        move_plate(&scene, x, x + .2);
        party_goes(&party, &scene, 0);
        move_plate(&scene, x + .2, x + .2 + 1e-3);
        uint32_t repeated = count_repeated(&party, &scene, 0);
        far += x < -20 && repeated == party.count;
        near = x > 0 && repeated < near ? repeated : near;
    }
    cr_expect(far > 80, "among a door that is far, all repeat in only %u ticks", far);
    cr_expect(near < 8, "beside a door %u repeat", near);
    scene_close(&scene);
    sidle_crowd_destroy(party.keeps);
}

Test(rest_pressed, contacts_are_not_those_of_a_move_somewhere_else)
{
    Scene scene = wall_scene();
    Party party;
    party_make(&party, SIDLE_WALK, false, 2);
    line_up(&party, 3);
    press(&party, &scene, 0);
    sidle_move known[2];
    memcpy(known, party.moves, sizeof known);
    for (uint32_t i = 0; i < 2; ++i)
    {
        party.moves[i].body.center.x = -20;
        party.moves[i].body.velocity.x = 1;
    }
    party_goes(&party, &scene, 0);
    memcpy(party.moves, known, sizeof known);
    party_goes(&party, &scene, 0);
    scene_close(&scene);
    sidle_crowd_destroy(party.keeps);
}

Test(rest_pressed, contacts_are_not_lost_with_more_agents)
{
    Scene scene = wall_scene();
    Party party;
    party_make(&party, SIDLE_WALK, false, AGENTS);
    line_up(&party, 1);
    sidle_tick_desc tick = party_tick(&party, &scene, 0, 0, false);
    demand(sidle_crowd_tick(party.keeps, &tick), "sidle_crowd_tick");
    party.count = 1;
    press(&party, &scene, 0);
    cr_expect(count_repeated(&party, &scene, 0) == 1);
    party.count = AGENTS;
    party_goes(&party, &scene, 0);
    cr_expect(party.results[0][0].contact_count > 0);
    scene_close(&scene);
    sidle_crowd_destroy(party.keeps);
}
