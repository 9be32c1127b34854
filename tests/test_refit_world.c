/* Refitted meshes in a world: from the next commit on, and noticed by agents at rest. */
#include "support/hash.h"
#include "support/sheet.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>

static sidle_body tick(sidle_crowd *crowd, sidle_snapshot *snapshot, sidle_body body, float x)
{
    sidle_move move = {.id = 1, .displacement = {x, 0, 0}, .body = body};
    sidle_result result;
    sidle_tick_desc desc = {.size = sizeof desc,
                            .snapshot = snapshot,
                            .dt = 1 / 60.f,
                            .moves = &move,
                            .count = 1,
                            .results = &result};
    demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
    return result.body;
}

static sidle_crowd *walkers(void)
{
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .9f, .4f}};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd *crowd;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

/* One that stands, and is not looked at from tick to tick, stands on the floor that is there. */
Test(refit, agents_at_rest_notice_that_the_floor_changes)
{
    Sheet *flat = sheet_at(0), *holed = sheet_at(0);
    for (uint32_t i = 0; i < SHEET_VERTICES; ++i)
    {
        flat->vertices[i][1] = holed->vertices[i][1] = 0;
    }
    sheet_cut(holed, 0, SHEET_TRIANGLES / 2 + 100);
    sidle_instance instance;
    sidle_mesh *mesh = sheet_baked(flat);
    sidle_mesh_retain(mesh);
    sidle_world *world = sheet_world(mesh, &instance);
    sidle_snapshot *snapshot = sheet_snapshot(world), *old;
    sidle_crowd *crowd = walkers();
    sidle_body body = {.center = {-6, 1, -6}};
    for (int i = 0; i < 60; ++i)
    {
        body = tick(crowd, snapshot, body, 0);
    }
    cr_expect(body.flags & SIDLE_BODY_GROUNDED);
    double stood = body.center.y;
    for (uint32_t i = 0; i < SHEET_VERTICES; ++i)
    {
        flat->vertices[i][1] = .25f;
    }
    sidle_snapshot_retain(snapshot);
    old = snapshot;
    snapshot = sheet_replaced(world, instance, sheet_refitted(mesh, flat, NULL), snapshot);
    for (int i = 0; i < 120; ++i)
    {
        body = tick(crowd, snapshot, body, 0);
    }
    cr_expect(fabs(body.center.y - stood - .25) < .02, "at %g, not at %g", body.center.y, stood + .25);
    snapshot = sheet_replaced(world, instance, sheet_refitted(mesh, holed, NULL), snapshot);
    for (int i = 0; i < 60; ++i)
    {
        body = tick(crowd, snapshot, body, 0);
    }
    cr_expect(!(body.flags & SIDLE_BODY_GROUNDED) && body.center.y < -2, "at %g", body.center.y);
    body = (sidle_body){.center = {-6, 1, -6}};
    for (int i = 0; i < 60; ++i)
    {
        body = tick(crowd, old, body, 0); /* a tick in flight has the mesh that it had */
    }
    cr_expect(body.flags & SIDLE_BODY_GROUNDED && body.center.y == stood);
    sidle_snapshot_release(old);
    sidle_snapshot_release(snapshot);
    sidle_mesh_release(mesh);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    free(flat);
    free(holed);
}

/* The motion of the next epoch stays with the instance, as do its id and key. */
Test(refit, replacing_a_mesh_keeps_the_instance)
{
    Sheet *sheet = sheet_at(0);
    sidle_instance instance;
    sidle_mesh *mesh = sheet_baked(sheet), *other = sheet_baked(sheet);
    sidle_world *world = sheet_world(mesh, &instance);
    sidle_snapshot *snapshot = sheet_snapshot(world);
    sidle_pose to = {.position = {0, 3, 0}};
    demand(sidle_world_move(world, instance, NULL, &to), "sidle_world_move");
    snapshot = sheet_replaced(world, instance, other, snapshot);
    sidle_instance_desc desc;
    demand(sidle_world_get(world, instance, &desc), "sidle_world_get");
    cr_expect(desc.mesh == other && desc.key == 7 && desc.pose.position.y == 3);
    cr_expect(sidle_world_find(world, 7).index == instance.index);
    demand(sidle_world_remove(world, instance), "sidle_world_remove");
    cr_expect_eq(sidle_world_replace(world, instance, other), SIDLE_ERROR_STALE);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    free(sheet);
}

/* ---- moves on it ---- */

#define WALKERS 24

/* A hash of all bodies and of the triangles that they touch, after ticks on a sheet that waves. */
static uint64_t walks(bool refitted, uint32_t lanes, const sidle_jobs *jobs)
{
    Sheet *sheet = sheet_at(0);
    sidle_instance instance;
    sidle_mesh *mesh = sheet_baked(sheet);
    sidle_mesh_retain(mesh);
    free(sheet);
    sidle_world *world = sheet_world(mesh, &instance);
    sidle_snapshot *snapshot = sheet_snapshot(world);
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .9f, .4f}};
    sidle_crowd_desc crowd_desc = {
        .size = sizeof crowd_desc, .profiles = &profile, .profile_count = 1, .lanes = lanes};
    sidle_crowd *crowd;
    demand(sidle_crowd_create(&crowd_desc, NULL, &crowd), "sidle_crowd_create");
    sidle_move moves[WALKERS] = {{0}};
    sidle_result results[WALKERS];
    sidle_contact contacts[WALKERS * SIDLE_MAX_AGENT_CONTACTS];
    uint64_t hash = 0xCBF29CE484222325u;
    for (uint32_t i = 0; i < WALKERS; ++i)
    {
        moves[i].id = i;
        moves[i].body.center = (sidle_position){i % 6 * 3. - 8, 3, i / 6 * 4. - 6};
    }
    for (uint32_t number = 0; number < 90; ++number)
    {
        Sheet *next = sheet_at(.02 * number);
        sidle_mesh *from = mesh;
        mesh = refitted ? sheet_refitted(from, next, jobs) : sheet_baked(next);
        sidle_mesh_retain(mesh);
        snapshot = sheet_replaced(world, instance, mesh, snapshot);
        sidle_mesh_release(from);
        free(next);
        uint32_t contact_count;
        sidle_tick_desc desc = {.size = sizeof desc,
                                .snapshot = snapshot,
                                .jobs = jobs,
                                .dt = 1 / 60.f,
                                .moves = moves,
                                .count = WALKERS,
                                .results = results,
                                .contacts = contacts,
                                .contact_capacity = WALKERS * SIDLE_MAX_AGENT_CONTACTS,
                                .contact_count = &contact_count};
        for (uint32_t i = 0; i < WALKERS; ++i) /* some rest */
        {
            moves[i].displacement = (sidle_vec3){i % 3 ? .04f : 0, 0, i % 3 == 1 ? .02f : 0};
        }
        demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
        for (uint32_t i = 0; i < WALKERS; ++i)
        {
            moves[i].body = results[i].body;
            hash = hash_memory(hash, &results[i].body.center, sizeof results[i].body.center);
            hash = hash_memory(hash, &results[i].body.velocity, sizeof results[i].body.velocity);
        }
        for (uint32_t i = 0; i < contact_count; ++i)
        {
            hash = hash_memory(hash, &contacts[i].point, sizeof contacts[i].point);
            hash = hash_memory(hash, &contacts[i].triangle, sizeof contacts[i].triangle);
        }
    }
    sidle_snapshot_release(snapshot);
    sidle_mesh_release(mesh);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    return hash;
}

Test(refit, agents_move_as_on_bakes_with_all_widths_and_threads)
{
    uint64_t baked = walks(false, 0, NULL);
    const uint32_t widths[4] = {1, 4, 8, 16};
    for (int i = 0; i < 4; ++i)
    {
        bool runs = sidle_cast_lanes(widths[i]) == widths[i];
        cr_expect(!runs || walks(true, widths[i], NULL) == baked, "%u lanes", widths[i]);
    }
    sidle_pool_desc desc = {.size = sizeof desc, .worker_count = 3};
    sidle_pool *pool = NULL;
    if (sidle_pool_create(&desc, NULL, &pool) == SIDLE_OK)
    {
        cr_expect(walks(true, 0, sidle_pool_jobs(pool)) == baked, "a pool");
    }
    sidle_pool_destroy(pool);
}

/* ---- a wall ---- */

/* A floor, and a wall at x = 2: two triangles each. */
static sidle_mesh *room(const sidle_mesh *from, bool has_wall)
{
    const float vertices[8][3] = {{-9, 0, -9}, {9, 0, -9}, {9, 0, 9}, {-9, 0, 9},
                                  {2, 0, -9},  {2, 3, -9}, {2, 3, 9}, {2, 0, 9}};
    uint32_t indices[4][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}};
    indices[2][0] = indices[3][0] = has_wall ? 4 : SIDLE_NO_TRIANGLE;
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = &vertices[0][0],
                            .vertex_count = 8,
                            .triangle_count = 4,
                            .indices = &indices[0][0]};
    sidle_mesh *mesh;
    demand(from ? sidle_mesh_refit(from, &desc, NULL, NULL, &mesh)
                : sidle_mesh_create(&desc, NULL, NULL, &mesh),
           "sidle_mesh_create or _refit");
    return mesh;
}

static sidle_body walk_for_a_second(sidle_crowd *crowd, sidle_snapshot *snapshot, sidle_body body)
{
    for (int i = 0; i < 60; ++i)
    {
        body = tick(crowd, snapshot, body, .1f);
    }
    return body;
}

Test(refit, a_destroyed_wall_lets_agents_pass_until_it_is_back)
{
    sidle_instance instance;
    sidle_mesh *whole = room(NULL, true), *open = room(whole, false), *back = room(open, true);
    sidle_world *world = sheet_world(whole, &instance);
    sidle_snapshot *snapshot = sheet_snapshot(world);
    sidle_crowd *crowd = walkers();
    const sidle_body start = {.center = {0, .92, 0}};
    sidle_body body = walk_for_a_second(crowd, snapshot, start);
    cr_expect(body.center.x > 1.5 && body.center.x < 1.6, "at %g before the wall", body.center.x);
    snapshot = sheet_replaced(world, instance, open, snapshot);
    body = walk_for_a_second(crowd, snapshot, body);
    cr_expect(body.center.x > 7 && (body.flags & SIDLE_BODY_GROUNDED), "at %g behind it", body.center.x);
    snapshot = sheet_replaced(world, instance, back, snapshot);
    body = walk_for_a_second(crowd, snapshot, start);
    cr_expect(body.center.x > 1.5 && body.center.x < 1.6, "at %g before the new one", body.center.x);
    sidle_snapshot_release(snapshot);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
}
