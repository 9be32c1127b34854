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

/* A body of many parts, each a tube of sixteen triangles, that crawls along x. */
#define PART_TRIANGLES 16
#define PART_SIDES     8

static sidle_mesh *snake(const sidle_mesh *from, uint32_t parts, double phase)
{
    uint32_t rings = parts + 1;
    float(*vertices)[3] = calloc((size_t)rings * PART_SIDES, sizeof *vertices);
    uint32_t(*indices)[3] = calloc((size_t)parts * PART_TRIANGLES, sizeof *indices);
    for (uint32_t i = 0; i < rings * PART_SIDES; ++i)
    {
        double x = .5 * (i / PART_SIDES) - .25 * parts, angle = i % PART_SIDES * (6.283185307 / PART_SIDES);
        vertices[i][0] = (float)x;
        vertices[i][1] = (float)(.3 * cos(angle));
        vertices[i][2] = (float)(.3 * sin(angle) + sin(.4 * x + phase));
    }
    for (uint32_t i = 0; i < parts * PART_TRIANGLES; ++i)
    {
        uint32_t side = i / 2 % PART_SIDES, at = i / PART_TRIANGLES * PART_SIDES,
                 next = (side + 1) % PART_SIDES;
        indices[i][0] = i % 2 ? at + PART_SIDES + next : at + side;
        indices[i][1] = i % 2 ? at + next : at + PART_SIDES + side;
        indices[i][2] = i % 2 ? at + PART_SIDES + side : at + next;
    }
    sidle_mesh *mesh;
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = &vertices[0][0],
                            .vertex_count = rings * PART_SIDES,
                            .triangle_count = parts * PART_TRIANGLES,
                            .indices = &indices[0][0]};
    demand(from ? sidle_mesh_refit(from, &desc, NULL, NULL, &mesh)
                : sidle_mesh_create(&desc, NULL, NULL, &mesh),
           "sidle_mesh_create or _refit");
    free(vertices);
    free(indices);
    return mesh;
}

/* Triangles that the agents beside a crawling snake are compared with. */
static uint64_t triangles_looked_at(uint32_t parts)
{
    sidle_instance instance;
    sidle_mesh *mesh = snake(NULL, parts, 0);
    sidle_mesh_retain(mesh);
    sidle_world *world = sheet_world(mesh, &instance);
    sidle_snapshot *snapshot = sheet_snapshot(world);
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .4f, .4f}, .mode = SIDLE_FLY};
    sidle_crowd_desc crowd_desc = {.size = sizeof crowd_desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd *crowd;
    demand(sidle_crowd_create(&crowd_desc, NULL, &crowd), "sidle_crowd_create");
    sidle_stats stats = {.size = sizeof stats};
    sidle_move moves[9] = {{0}};
    sidle_result results[9];
    for (uint32_t i = 0; i < 9; ++i)
    {
        moves[i].id = i;
        moves[i].body.center = (sidle_position){i - 4., .1 * i, 1.5};
    }
    for (uint32_t number = 0; number < 40; ++number)
    {
        for (uint32_t i = 0; i < 9; ++i)
        {
            moves[i].displacement = (sidle_vec3){0, 0, -.02f};
        }
        snapshot = sheet_replaced(world, instance, snake(mesh, parts, .05 * number), snapshot);
        sidle_tick_desc desc = {.size = sizeof desc,
                                .snapshot = snapshot,
                                .dt = 1 / 60.f,
                                .moves = moves,
                                .count = 9,
                                .results = results,
                                .stats = &stats};
        demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
        for (uint32_t i = 0; i < 9; ++i)
        {
            moves[i].body = results[i].body;
        }
    }
    sidle_snapshot_release(snapshot);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    sidle_mesh_release(mesh);
    cr_expect(stats.candidates > 500, "%llu candidates", (unsigned long long)stats.candidates);
    return stats.leaf_triangles;
}

Test(refit, only_the_touched_parts_of_a_long_body_are_looked_at)
{
    uint64_t of_short = triangles_looked_at(50), of_long = triangles_looked_at(1000);
    cr_expect(of_long < of_short * 3 / 2, "%llu triangles of 1,000 parts, %llu of 50",
              (unsigned long long)of_long, (unsigned long long)of_short);
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
