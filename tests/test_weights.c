/* The weights of a triangle's vertices at a point: with them, the vertices add up to it, in instances of every kind. */
#include "sidle/query.h"
#include "support/random.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>

enum
{
    TRIANGLES = 60,
    KINDS = 4, /* plain, turned, mirrored and stretched, moving */
    RAYS = 4000
};

typedef struct Places
{
    sidle_mesh *mesh;
    sidle_triangle triangles[TRIANGLES];
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_instance instances[KINDS];
    sidle_pose poses[KINDS];
} Places;

static Places places_of(Random *random)
{
    Places places = {.mesh = NULL};
    float vertices[9 * TRIANGLES];
    for (int i = 0; i < 3 * TRIANGLES; ++i)
    {
        Vector v = random_in_box(random, vector(-4, -4, -4), vector(4, 4, 4));
        vertices[3 * i] = (float)v.x;
        vertices[3 * i + 1] = (float)v.y;
        vertices[3 * i + 2] = (float)v.z;
    }
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = vertices,
                            .vertex_count = 3 * TRIANGLES,
                            .triangle_count = TRIANGLES};
    demand(sidle_mesh_create(&desc, NULL, NULL, &places.mesh), "sidle_mesh_create");
    demand(sidle_mesh_get_triangles(places.mesh, 0, TRIANGLES, places.triangles), "triangles");
    demand(sidle_world_create(NULL, NULL, &places.world), "sidle_world_create");
    for (int i = 0; i < KINDS; ++i)
    {
        sidle_pose *pose = &places.poses[i];
        *pose = (sidle_pose){.position = {20. * i, 1, -3}, .scale = {1, 1, 1}};
        pose->rotation = i == 0 ? (sidle_quat){0, 0, 0, 1} : (sidle_quat){.5f, -.5f, .5f, .5f};
        pose->scale = i == 2 ? (sidle_vec3){1.5f, -.5f, 2} : pose->scale;
        sidle_instance_desc placed = {.size = sizeof placed, .mesh = places.mesh, .pose = *pose};
        demand(sidle_world_add(places.world, &placed, &places.instances[i]), "sidle_world_add");
    }
    demand(sidle_world_commit(places.world, NULL), "commit");
    places.poses[3].position.x += 2; /* where it is at the end of the motion */
    demand(sidle_world_move(places.world, places.instances[3], NULL, &places.poses[3]), "sidle_world_move");
    demand(sidle_world_commit(places.world, NULL), "commit");
    demand(sidle_world_snapshot(places.world, &places.snapshot), "snapshot");
    return places;
}

static void close_places(Places *places)
{
    sidle_snapshot_release(places->snapshot);
    sidle_world_destroy(places->world);
    sidle_mesh_release(places->mesh);
}

/* The turn by 120 degrees about (1, -1, 1) of the poses above. */
static Vector in_world(const sidle_pose *pose, bool turned, Vector v)
{
    v = vector(v.x * (double)pose->scale.x, v.y * (double)pose->scale.y, v.z * (double)pose->scale.z);
    v = turned ? vector(-v.y, -v.z, v.x) : v;
    return vector_add(v, vector(pose->position.x, pose->position.y, pose->position.z));
}

static Vector sum_of(const Places *places, int kind, uint32_t triangle, const float weights[3])
{
    Vector sum = {0, 0, 0};
    for (int i = 0; i < 3; ++i)
    {
        sidle_position v = places->triangles[triangle].vertices[i];
        Vector at = in_world(&places->poses[kind], kind > 0, vector(v.x, v.y, v.z));
        sum = vector_along(sum, (double)weights[i], at);
    }
    return sum;
}

Test(weights, the_vertices_add_up_to_the_point)
{
    Random random = random_seeded(81);
    Places places = places_of(&random);
    int hits[KINDS] = {0};
    for (int i = 0; i < RAYS; ++i)
    {
        int kind = i % KINDS;
        Vector middle = in_world(&places.poses[kind], false, vector(0, 0, 0)),
               from = vector_along(middle, 9, random_direction(&random)),
               by = vector_scale(vector_sub(vector_along(middle, 3, random_direction(&random)), from), 1.5);
        float radius = i % 8 < 4 ? 0 : .3f, weights[3];
        sidle_cast cast = {.origin = {from.x, from.y, from.z},
                           .displacement = {(float)by.x, (float)by.y, (float)by.z},
                           .shape.radii = {radius, radius, radius}};
        sidle_cast_hit hit;
        demand(sidle_cast_closest(places.snapshot, 1, &cast, &hit), "sidle_cast_closest");
        if (hit.hit != SIDLE_CAST_HIT)
        {
            continue;
        }
        demand(sidle_triangle_weights(places.snapshot, 1, hit.instance, hit.triangle, hit.point, weights),
               "sidle_triangle_weights");
        Vector sum = sum_of(&places, kind, hit.triangle, weights);
        double off = vector_distance(sum, vector(hit.point.x, hit.point.y, hit.point.z)),
               total = (double)weights[0] + (double)weights[1] + (double)weights[2];
        cr_expect(off < 1e-5 && fabs(total - 1) < 1e-6, "ray %d: %g beside the point, %g in sum", i, off,
                  total);
        hits[kind] += 1;
    }
    for (int kind = 0; kind < KINDS; ++kind)
    {
        cr_expect(hits[kind] > RAYS / 16, "kind %d: %d", kind, hits[kind]);
    }
    close_places(&places);
}

Test(weights, a_moving_triangle_is_weighed_where_it_is)
{
    Random random = random_seeded(82);
    Places places = places_of(&random);
    sidle_position point = {0, 0, 0};
    for (int i = 0; i < 3; ++i)
    {
        sidle_position v = places.triangles[5].vertices[i];
        Vector at = in_world(&places.poses[3], true, vector(v.x, v.y, v.z));
        point = (sidle_position){point.x + at.x / 3, point.y + at.y / 3, point.z + at.z / 3};
    }
    float weights[3];
    sidle_instance moving = places.instances[3];
    demand(sidle_triangle_weights(places.snapshot, 1, moving, 5, point, weights), "at its end");
    cr_expect(fabsf(weights[0] - 1.f / 3) < 1e-6f && fabsf(weights[1] - 1.f / 3) < 1e-6f);
    cr_expect_eq(sidle_triangle_weights(places.snapshot, .5f, moving, 5, point, weights), SIDLE_ERROR_INDEX);
    point.x -= 1; /* half of its path before */
    demand(sidle_triangle_weights(places.snapshot, .5f, moving, 5, point, weights), "on its path");
    cr_expect(fabsf(weights[0] - 1.f / 3) < 1e-6f && fabsf(weights[2] - 1.f / 3) < 1e-6f);
    close_places(&places);
}

Test(weights, what_is_not_there_is_refused)
{
    Random random = random_seeded(83);
    Places places = places_of(&random);
    float weights[3];
    sidle_position at = places.triangles[0].vertices[0];
    at.y += 1;
    at.z -= 3;
    const sidle_instance plain = places.instances[0], gone = {plain.index, plain.generation + 1};
    demand(sidle_triangle_weights(places.snapshot, 0, plain, 0, at, weights), "a corner");
    cr_expect(fabsf(weights[0] - 1) < 1e-6f && fabsf(weights[1]) < 1e-6f && fabsf(weights[2]) < 1e-6f);
    cr_expect_eq(sidle_triangle_weights(places.snapshot, 0, gone, 0, at, weights), SIDLE_ERROR_STALE);
    cr_expect_eq(sidle_triangle_weights(places.snapshot, 0, plain, TRIANGLES, at, weights),
                 SIDLE_ERROR_INDEX);
    cr_expect_eq(sidle_triangle_weights(places.snapshot, 2, plain, 0, at, weights), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_triangle_weights(places.snapshot, 0, plain, 0, at, NULL), SIDLE_ERROR_ARGUMENT);
    at.x = (double)NAN;
    cr_expect_eq(sidle_triangle_weights(places.snapshot, 0, plain, 0, at, weights), SIDLE_ERROR_NOT_FINITE);
    close_places(&places);
}

/* A third of a needle without area is a third of its length. */
Test(weights, a_triangle_without_area_shares_its_longest_edge)
{
    Soup soup = {0};
    soup_triangle(&soup, vector(0, 0, 0), vector(1, 0, 0), vector(3, 0, 0));
    soup_plate(&soup, -1, 1, -1, 1, -5);
    Scene scene = scene_of(soup, flying_ball());
    float weights[3];
    demand(
        sidle_triangle_weights(scene.snapshot, 0, scene.instances[0], 0, (sidle_position){2, 0, 0}, weights),
        "a needle");
    cr_expect(fabsf(weights[0] - 1.f / 3) < 1e-6f && weights[1] == 0 && fabsf(weights[2] - 2.f / 3) < 1e-6f);
    scene_close(&scene);
}
