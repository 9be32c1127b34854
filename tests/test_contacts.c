/* What a tick reports: contacts in order, and the ground. */
#include "support/troop.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

/* ---- the array of contacts ---- */

/* A troop in the middle of its run, in any order; its displacements are long, so that there are many contacts. */
typedef struct Round
{
    Scene level;
    sidle_crowd *crowd;
    Troop troop;
    sidle_tick_desc tick;
} Round;

static void round_tick(Round *round)
{
    demand(sidle_crowd_tick(round->crowd, &round->tick), "sidle_crowd_tick");
}

/* Of the last tick; to be freed. */
static sidle_result *round_results(const Round *round)
{
    size_t size = round->troop.count * sizeof *round->troop.results;
    sidle_result *results = malloc(size);
    cr_assert_not_null(results);
    return memcpy(results, round->troop.results, size);
}

/* With its first tick of leaps. */
static void round_begin(Round *round, uint32_t agents)
{
    *round = (Round){.level = troop_level(), .crowd = troop_crowd(0, NULL), .troop = troop_of(agents)};
    for (uint32_t number = 0; number < 40; ++number)
    {
        round->tick = troop_tick(&round->troop, &round->level, number);
        round_tick(round);
        troop_take(&round->troop);
    }
    troop_shuffle(&round->troop, 7);
    for (uint32_t i = 0; i < agents; ++i)
    {
        round->troop.moves[i].displacement.y = -1.0f;
    }
    round_tick(round);
}

static void round_end(Round *round)
{
    troop_free(&round->troop);
    sidle_crowd_destroy(round->crowd);
    scene_close(&round->level);
}

Test(contacts, they_are_sorted_by_agent_and_every_agent_has_its_range)
{
    Round round;
    round_begin(&round, 330);
    Troop *troop = &round.troop;
    uint32_t sum = 0;
    for (uint32_t i = 1; i < troop->contact_count; ++i)
    {
        cr_assert(troop->contacts[i - 1].agent <= troop->contacts[i].agent, "at %u", i);
    }
    for (uint32_t agent = 0; agent < troop->count; ++agent)
    {
        const sidle_result *result = &troop->results[agent];
        cr_assert(result->contact_first + result->contact_count <= troop->contact_count);
        for (uint32_t i = 0; i < result->contact_count; ++i)
        {
            cr_expect_eq(troop->contacts[result->contact_first + i].agent, troop->moves[agent].id);
        }
        cr_expect(result->contact_count <= SIDLE_MAX_AGENT_CONTACTS);
        sum += result->contact_count;
    }
    cr_expect_eq(sum, troop->contact_count);
    cr_expect_gt(sum, 300, "hardly any");
    round_end(&round);
}

/* The first contacts in order; agents that lost some are flagged. */
Test(contacts, a_short_array_holds_the_first_and_flags_agents_that_lost_some)
{
    Round round;
    round_begin(&round, 300);
    Troop *troop = &round.troop;
    uint32_t total = troop->contact_count;
    sidle_contact *all = calloc(total + 1, sizeof *all);
    sidle_result *results = round_results(&round);
    cr_assert_not_null(all);
    memcpy(all, troop->contacts, total * sizeof *all);
    for (uint32_t capacity = 0; capacity < total; capacity += total / 5)
    {
        memset(troop->contacts, 0x55, (total + 1) * sizeof *all);
        sidle_contact behind = troop->contacts[capacity];
        round.tick.contact_capacity = capacity;
        round_tick(&round);
        cr_expect_eq(troop->contact_count, capacity);
        cr_expect(memcmp(troop->contacts, all, capacity * sizeof *all) == 0, "others than the first");
        cr_expect(memcmp(&troop->contacts[capacity], &behind, sizeof behind) == 0, "written behind the end");
        for (uint32_t i = 0; i < troop->count; ++i)
        {
            const sidle_result *now = &troop->results[i], *before = &results[i];
            bool lost = now->contact_count < before->contact_count;
            cr_expect_eq(now->reasons, before->reasons | (lost ? (uint32_t)SIDLE_REASON_CONTACTS : 0));
            cr_expect(memcmp(&now->body.center, &before->body.center, sizeof now->body.center) == 0);
        }
    }
    free(all);
    free(results);
    round_end(&round);
}

Test(contacts, collecting_contacts_changes_no_motion)
{
    Round round;
    round_begin(&round, 100);
    Troop *troop = &round.troop;
    sidle_result *with = round_results(&round);
    round.tick.contacts = NULL;
    round.tick.contact_capacity = 0;
    round_tick(&round);
    cr_expect_eq(troop->contact_count, 0);
    for (uint32_t i = 0; i < troop->count; ++i)
    {
        const sidle_result *now = &troop->results[i];
        cr_expect(memcmp(&now->body.center, &with[i].body.center, sizeof now->body.center) == 0);
        cr_expect_eq(now->contact_count, 0);
    }
    free(with);
    round_end(&round);
}

Test(contacts, an_agent_with_no_contacts_set_has_none_and_the_rest_keep_theirs)
{
    Round round;
    round_begin(&round, 100);
    Troop *troop = &round.troop;
    uint32_t silent = 0;
    while (troop->results[silent].contact_count == 0)
    {
        ++silent;
    }
    uint32_t before = troop->contact_count, own = troop->results[silent].contact_count;
    troop->moves[silent].flags = SIDLE_MOVE_NO_CONTACTS;
    round_tick(&round);
    cr_expect_eq(troop->results[silent].contact_count, 0);
    cr_expect_eq(troop->contact_count, before - own);
    round_end(&round);
}

/* ---- one contact ---- */

static Vector vector_of(sidle_vec3 v)
{
    return vector((double)v.x, (double)v.y, (double)v.z);
}

/* Every agent stands on a tile of its own surface and hits a wall in front. */
static Scene tiles_scene(SceneOptions options, sidle_instance *second)
{
    Soup soup = {0};
    soup_floor(&soup, 10, 0);
    Scene scene = scene_of(soup, options);
    const uint16_t surfaces[2] = {7, 300};
    Soup wall = {0};
    soup_wall(&wall, 10, 5);
    sidle_mesh_desc mesh_desc = {.size = sizeof mesh_desc,
                                 .vertices_d = &wall.triangles[0].v[0].x,
                                 .vertex_count = 6,
                                 .triangle_count = 2,
                                 .surfaces = surfaces};
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(&mesh_desc, NULL, NULL, &mesh), "sidle_mesh_create");
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh, .key = 0xABCDEF0123456789u};
    demand(sidle_world_add(scene.world, &desc, second), "sidle_world_add");
    sidle_mesh_release(mesh);
    sidle_snapshot_release(scene.snapshot);
    demand(sidle_world_commit(scene.world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(scene.world, &scene.snapshot), "sidle_world_snapshot");
    soup_free(&wall);
    return scene;
}

Test(contacts, a_contact_reports_instance_triangle_and_place)
{
    sidle_instance wall;
    Scene scene = tiles_scene(flying_ball(), &wall);
    Agent agent = agent_at(0, 4, 1.5);
    agent.id = 99;
    scene_tick(&scene, &agent, vector(8, 0, 0));
    cr_assert_eq(agent.contact_count, 1);
    const sidle_contact *contact = &agent.contacts[0];
    cr_expect(contact->agent == 99 && contact->instance_key == 0xABCDEF0123456789u);
    cr_expect(contact->instance.index == wall.index && contact->instance.generation == wall.generation);
    cr_expect_eq(contact->surface, contact->triangle == 0 ? 7 : 300);
    cr_expect_eq(contact->feature, SIDLE_FEATURE_FACE);
    cr_expect(vector_distance(vector(contact->point.x, contact->point.y, contact->point.z),
                              vector(5, 4, 1.5)) < 1e-5);
    cr_expect(vector_distance(vector_of(contact->normal), vector(-1, 0, 0)) < 1e-6);
    scene_close(&scene);
}

Test(contacts, an_edge_and_a_corner_are_reported_as_such)
{
    Soup plate = {0};
    soup_triangle(&plate, vector(0, 0, -4), vector(0, 0, 4), vector(3, 0, 0));
    Scene scene = scene_of(plate, flying_ball());
    Agent edge = agent_at(-3, 0, 1), corner = agent_at(6, 0, 0.2);
    scene_tick(&scene, &edge, vector(5, 0, 0));
    scene_tick(&scene, &corner, vector(-5, 0, 0));
    cr_assert(edge.contact_count == 1 && corner.contact_count >= 1);
    cr_expect_eq(edge.contacts[0].feature, SIDLE_FEATURE_EDGE);
    cr_expect_eq(corner.contacts[0].feature, SIDLE_FEATURE_VERTEX);
    cr_expect(vector_distance(vector_of(edge.contacts[0].normal), vector(-1, 0, 0)) < 1e-6);
    cr_expect_float_eq(corner.contacts[0].point.x, 3.0, 1e-6);
    scene_close(&scene);
}

Test(contacts, the_ground_is_reported_while_it_supports_the_agent)
{
    sidle_instance wall;
    Scene scene = tiles_scene(walking_ball(), &wall);
    Agent agent = agent_at(0, 1.3, 1.5);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 60);
    cr_expect(agent.body.flags == SIDLE_BODY_GROUNDED);
    cr_expect(agent.body.ground.index == scene.instances[0].index &&
              agent.body.ground.generation == scene.instances[0].generation);
    cr_expect(agent.body.ground_triangle < 2 && agent.body.ground_surface == 0);
    cr_expect(vector_distance(vector_of(agent.body.ground_normal), vector(0, 1, 0)) < 1e-6);
    agent.body.center.y = 5.0;
    scene_tick(&scene, &agent, vector(0, 0, 0));
    cr_expect(agent.body.flags == 0 && agent.body.ground.generation == 0);
    cr_expect(vector_length(vector_of(agent.body.ground_normal)) == 0.0);
    scene_close(&scene);
}
