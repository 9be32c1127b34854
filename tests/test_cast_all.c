/* All triangles on a ray, beside a test of each triangle in long double, and beside the closest hit. */
#include "support/casts.h"
#include "support/queries.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>

#define TRIANGLES 400
#define RAYS      3000
#define MOST      512

/* 1: the ray passes through the triangle at *t; -1: it does not; 0: too near an edge or an end to say. */
static int passes(const SoupTriangle *triangle, Vector from, Vector by, long double *t)
{
    long double e[2][3], d[3] = {by.x, by.y, by.z}, p[3], q[3], s[3];
    const Vector *v = triangle->v;
    for (int i = 0; i < 2; ++i)
    {
        e[i][0] = (long double)v[i + 1].x - v[0].x;
        e[i][1] = (long double)v[i + 1].y - v[0].y;
        e[i][2] = (long double)v[i + 1].z - v[0].z;
    }
    s[0] = (long double)from.x - v[0].x;
    s[1] = (long double)from.y - v[0].y;
    s[2] = (long double)from.z - v[0].z;
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        p[i] = d[j] * e[1][k] - d[k] * e[1][j];
        q[i] = s[j] * e[0][k] - s[k] * e[0][j];
    }
    long double det = e[0][0] * p[0] + e[0][1] * p[1] + e[0][2] * p[2];
    long double u = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / det,
                w = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det;
    *t = (e[1][0] * q[0] + e[1][1] * q[1] + e[1][2] * q[2]) / det;
    long double least = fminl(fminl(u, w), fminl(1 - u - w, fminl(*t, 1 - *t)));
    return !(fabsl(det) > 0) ? -1 : least > 1e-6L ? 1 : least < -1e-6L ? -1 : 0;
}

static Vector any_place(Random *random)
{
    return vector_as_float(random_in_box(random, vector(-6, -6, -6), vector(6, 6, 6)));
}

/* The triangles as they are baked, which rounds them: a graze enlarges what that changes. */
static void take_baked(Scene *scene)
{
    uint32_t each = (uint32_t)scene->soup.count / scene->piece_count;
    sidle_triangle baked[TRIANGLES];
    for (uint32_t piece = 0; piece < scene->piece_count; ++piece)
    {
        demand(sidle_mesh_get_triangles(scene->meshes[piece], 0, each, baked), "sidle_mesh_get_triangles");
        for (uint32_t i = 0; i < 3 * each; ++i)
        {
            sidle_position at = baked[i / 3].vertices[i % 3];
            scene->soup.triangles[piece * each + i / 3].v[i % 3] = vector(at.x, at.y, at.z);
        }
    }
}

/* Compares the list of a ray with every triangle. Returns how many are on it. */
static uint32_t check(const Scene *scene, const sidle_cast *ray, Vector from, Vector by)
{
    static sidle_cast_hit list[MOST];
    bool listed[MOST] = {false};
    uint32_t count;
    demand(sidle_cast_all(scene->snapshot, 0, ray, list, MOST, &count), "sidle_cast_all");
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t number = scene->piece_count == 1 ? list[i].triangle : (uint32_t)list[i].instance_key;
        long double t;
        int expected = passes(&scene->soup.triangles[number], from, by, &t);
        cr_expect(expected >= 0 && !listed[number], "triangle %u is not on the ray, or twice", number);
        cr_expect(expected == 0 || fabsl(t - (long double)list[i].t) < 1e-7L, "t is %g", list[i].t);
        cr_expect(i == 0 || list[i - 1].t <= list[i].t, "no order");
        listed[number] = true;
    }
    for (uint32_t i = 0; i < scene->soup.count; ++i)
    {
        long double t;
        cr_expect(listed[i] || passes(&scene->soup.triangles[i], from, by, &t) <= 0, "triangle %u is missing",
                  i);
    }
    sidle_cast_hit closest;
    demand(sidle_cast_closest(scene->snapshot, 0, ray, &closest), "sidle_cast_closest");
    cr_expect_eq(closest.hit == SIDLE_CAST_HIT, count > 0);
    cr_expect(count == 0 || fabs(closest.t - list[0].t) < 1e-6, "the closest is at %g, the first at %g",
              closest.t, list[0].t);
    return count;
}

Test(cast_all, a_list_holds_every_triangle_on_the_ray)
{
    const int rays = (int)query_count(2 * RAYS) / 2;
    const ScenePieces pieces[2] = {SCENE_ONE_MESH, SCENE_TRIANGLE_EACH};
    for (int i = 0; i < 2; ++i)
    {
        Random random = random_seeded(71);
        Soup soup = {0};
        soup_scatter(&soup, &random, TRIANGLES, 4);
        SceneOptions options = flying_ball();
        options.pieces = pieces[i];
        Scene scene = scene_of(soup, options);
        take_baked(&scene);
        uint32_t on = 0;
        for (int n = 0; n < rays; ++n)
        {
            Vector from = any_place(&random), by = vector_as_float(vector_sub(any_place(&random), from));
            if (n % 5 == 0)
            {
                by = vector(n % 3 == 0 ? by.x : 0, n % 3 == 1 ? by.y : 0, n % 3 == 2 ? by.z : 0);
            }
            sidle_cast ray = {.origin = {from.x, from.y, from.z},
                              .displacement = {(float)by.x, (float)by.y, (float)by.z}};
            on += check(&scene, &ray, from, by);
        }
        cr_expect((int)on > rays / 5, "%u triangles on %d rays", on, rays);
        scene_close(&scene);
    }
}

Test(cast_all, back_faces_are_skipped_as_by_the_closest_hit)
{
    const int rays = (int)query_count(RAYS);
    Random random = random_seeded(72);
    Soup soup = {0};
    soup_scatter(&soup, &random, TRIANGLES, 4);
    Scene scene = scene_of(soup, flying_ball());
    for (int n = 0; n < rays; ++n)
    {
        Vector from = any_place(&random), by = vector_sub(any_place(&random), from);
        sidle_cast ray = {.origin = {from.x, from.y, from.z},
                          .displacement = {(float)by.x, (float)by.y, (float)by.z},
                          .flags = SIDLE_CAST_ONE_SIDED};
        sidle_cast_hit list[MOST], closest;
        uint32_t count;
        demand(sidle_cast_all(scene.snapshot, 0, &ray, list, MOST, &count), "sidle_cast_all");
        demand(sidle_cast_closest(scene.snapshot, 0, &ray, &closest), "sidle_cast_closest");
        cr_expect(closest.hit == SIDLE_CAST_MISS ? count == 0
                                                 : count > 0 && closest.triangle == list[0].triangle,
                  "ray %d", n);
    }
    scene_close(&scene);
}

Test(cast_all, a_short_list_holds_the_first)
{
    Soup soup = {0};
    for (int i = 0; i < 9; ++i)
    {
        soup_floor(&soup, 3, i);
    }
    Scene scene = scene_of(soup, flying_ball());
    sidle_cast ray = {.origin = {.5, 20, .25}, .displacement = {0, -40, 0}};
    sidle_cast_hit list[3];
    uint32_t count;
    demand(sidle_cast_all(scene.snapshot, 0, &ray, list, 3, &count), "sidle_cast_all");
    cr_expect_eq(count, 9);
    for (int i = 0; i < 3; ++i)
    {
        cr_expect(list[i].point.y == 8 - i && list[i].normal.y == 1, "%g", list[i].point.y);
    }
    demand(sidle_cast_all(scene.snapshot, 0, &ray, NULL, 0, &count), "only counts");
    cr_expect_eq(count, 9);
    ray.origin.x = NAN;
    cr_expect_eq(sidle_cast_all(scene.snapshot, 0, &ray, list, 3, &count), SIDLE_ERROR_NOT_FINITE);
    scene_close(&scene);
}
