/* Refitted meshes in a world: from the next commit on, and noticed by agents at rest. */
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
