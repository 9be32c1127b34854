/* Checks of the oracles: the published algorithm gets simple hits right, and the oracles agree with dense
 * sampling and with each other. */
#include "support/fauerby.h"
#include "support/oracle.h"
#include "support/random.h"
#include "support/soup.h"

#include <criterion/criterion.h>

static const FauerbyTriangle ground = {{{-50, 0, -50}, {-50, 0, 50}, {90, 0, 7}}};

Test(baseline, a_ball_falls_onto_a_face)
{
    FauerbyHit hit = fauerby_sweep(&ground, 1, (FauerbyVector){0, 3, 0}, (FauerbyVector){0, -5, 0});
    cr_assert(hit.found);
    cr_expect_float_eq(hit.distance, 2.0, 1e-6);
    cr_expect_float_eq(hit.point.y, 0.0f, 1e-6);
}

Test(baseline, a_ball_flies_onto_an_edge_and_onto_a_vertex)
{
    FauerbyHit edge = fauerby_sweep(&ground, 1, (FauerbyVector){-53, 0, 1}, (FauerbyVector){5, 0, 0});
    cr_assert(edge.found);
    cr_expect_float_eq(edge.distance, 2.0, 1e-4);
    cr_expect_float_eq(edge.point.x, -50.0f, 1e-4);
    FauerbyHit vertex = fauerby_sweep(&ground, 1, (FauerbyVector){93, 0, 7}, (FauerbyVector){-5, 0, 0});
    cr_assert(vertex.found);
    cr_expect_float_eq(vertex.distance, 2.0, 1e-4);
    cr_expect_float_eq(vertex.point.x, 90.0f, 1e-6);
}

Test(baseline, the_nearest_of_several_triangles_wins)
{
    const FauerbyTriangle floors[3] = {
        ground, {{{-50, 1, -50}, {-50, 1, 50}, {90, 1, 7}}}, {{{-50, -1, -50}, {-50, -1, 50}, {90, -1, 7}}}};
    FauerbyHit hit = fauerby_sweep(floors, 3, (FauerbyVector){0, 5, 0}, (FauerbyVector){0, -9, 0});
    cr_expect_float_eq(hit.distance, 3.0, 1e-6);
}

Test(baseline, an_empty_path_has_no_hit)
{
    cr_expect(!fauerby_sweep(&ground, 1, (FauerbyVector){0, 3, 0}, (FauerbyVector){1, 0, 0}).found);
    cr_expect(!fauerby_sweep(&ground, 1, (FauerbyVector){0, 3, 0}, (FauerbyVector){0, -1, 0}).found);
    cr_expect(!fauerby_sweep(&ground, 0, (FauerbyVector){0, 3, 0}, (FauerbyVector){0, -9, 0}).found);
}

Test(baseline, wide_intermediates_agree_near_the_origin)
{
    FauerbyVector base = {0.3f, 2.5f, -4}, velocity = {0.4f, -3, 1};
    double narrow = fauerby_sweep(&ground, 1, base, velocity).distance;
    double wide = fauerby_sweep_wide(&ground, 1, base, velocity).distance;
    cr_expect_float_eq(narrow, wide, 1e-6);
}

Test(baseline, a_move_slides_along_a_face_and_keeps_the_gap)
{
    FauerbyWorld world = {.triangles = &ground, .triangle_count = 1};
    FauerbyVector end = fauerby_move(&world, (FauerbyVector){0, 2, 0}, (FauerbyVector){1, 1, 1},
                                     (FauerbyVector){2, -2, 0}, (FauerbyVector){0, 0, 0});
    cr_expect_float_eq(end.x, 2.0f, 0.02);
    cr_expect_float_eq(end.y, 1.005f, 0.002);
}

Test(baseline, gravity_pulls_an_ellipsoid_onto_the_ground)
{
    FauerbyWorld world = {.triangles = &ground, .triangle_count = 1};
    FauerbyVector end = fauerby_move(&world, (FauerbyVector){0, 2, 0}, (FauerbyVector){0.4f, 0.9f, 0.4f},
                                     (FauerbyVector){1, 0, 0}, (FauerbyVector){0, -5, 0});
    cr_expect_float_eq(end.x, 1.0f, 1e-5);
    cr_expect_float_eq(end.y, 0.9f * 1.005f, 1e-4);
}

static const uint32_t *only_the_second(void *user, FauerbyVector low, FauerbyVector high, size_t *count)
{
    static const uint32_t second = 1;
    uint32_t *questions = user;
    *questions += 1;
    cr_expect(low.y <= high.y && low.x <= 0.0f && high.x >= 0.0f);
    *count = 1;
    return &second;
}

Test(baseline, candidates_come_from_a_list_or_from_a_question)
{
    const FauerbyTriangle floors[2] = {{{{-50, 1, -50}, {-50, 1, 50}, {90, 1, 7}}}, ground};
    const uint32_t list[1] = {1};
    uint32_t questions = 0;
    FauerbyVector start = {0, 4, 0}, ball = {1, 1, 1}, down = {0, -9, 0}, none = {0, 0, 0};
    FauerbyWorld all = {.triangles = floors, .triangle_count = 2};
    cr_expect_float_eq(fauerby_move(&all, start, ball, down, none).y, 2.005f, 1e-4);
    FauerbyWorld listed = all;
    listed.candidates = list;
    listed.candidate_count = 1;
    cr_expect_float_eq(fauerby_move(&listed, start, ball, down, none).y, 1.005f, 1e-4);
    FauerbyWorld asked = all;
    asked.near = only_the_second;
    asked.user = &questions;
    cr_expect_float_eq(fauerby_move(&asked, start, ball, down, none).y, 1.005f, 1e-4);
    cr_expect(questions >= 1);
}

/* A triangle of any size and slenderness near the origin, now and then degenerate. */
static void random_triangle(Random *random, Vector vertices[3])
{
    double size = random_scale(random, 0.05, 30.0);
    for (int corner = 0; corner < 3; ++corner)
    {
        vertices[corner] = vector_scale(random_in_box(random, vector(-1, -1, -1), vector(1, 1, 1)), size);
    }
    if (random_chance(random, 0.3))
    {
        vertices[2] = vector_along(vertices[0], random_between(random, -0.5, 1.5),
                                   vector_sub(vertices[1], vertices[0]));
    }
    if (random_chance(random, 0.2))
    {
        random_snap(random, vertices, 3, 0.02, 0.4);
    }
}

/* The least distance over a fine net of the triangle's points. */
static double sampled_distance(const Vector vertices[3], Vector point, int steps)
{
    double least = INFINITY;
    for (int row = 0; row <= steps; ++row)
    {
        for (int column = 0; column <= steps - row; ++column)
        {
            double s = (double)row / steps, t = (double)column / steps;
            Vector place = vector_along(vector_along(vector_scale(vertices[0], 1.0 - s - t), s, vertices[1]),
                                        t, vertices[2]);
            double distance = vector_distance(place, point);
            if (distance < least) /* not fmin: gcc 12 breaks down over that for aarch64 */
            {
                least = distance;
            }
        }
    }
    return least;
}

static double longest_edge(const Vector vertices[3])
{
    return fmax(vector_distance(vertices[0], vertices[1]),
                fmax(vector_distance(vertices[1], vertices[2]), vector_distance(vertices[2], vertices[0])));
}

Test(oracles, the_closest_point_is_as_close_as_dense_sampling_finds)
{
    const int steps = 60;
    Random random = random_seeded(1);
    for (int query = 0; query < 2000; ++query)
    {
        Vector vertices[3];
        random_triangle(&random, vertices);
        Vector point = vector_scale(random_direction(&random), random_scale(&random, 0.01, 40.0));
        OracleClosest closest = oracle_closest(vertices, point);
        double sampled = sampled_distance(vertices, point, steps);
        /* Some sample lies within one step of the closest point. */
        double step = longest_edge(vertices) / steps;
        cr_expect(closest.distance <= sampled + 1e-12, "query %d: %.17g > %.17g", query, closest.distance,
                  sampled);
        cr_expect(closest.distance >= sampled - step, "query %d: %.17g << %.17g", query, closest.distance,
                  sampled);
        cr_expect_float_eq(closest.distance, vector_distance(closest.point, point), 1e-12);
    }
}

Test(oracles, features_are_named_right)
{
    const Vector vertices[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    cr_expect(oracle_closest(vertices, vector(1, 1, 3)).feature == ORACLE_FACE);
    OracleClosest edge = oracle_closest(vertices, vector(3, 3, 0));
    cr_expect(edge.feature == ORACLE_EDGE && edge.index == 1);
    OracleClosest vertex = oracle_closest(vertices, vector(-1, 6, 1));
    cr_expect(vertex.feature == ORACLE_VERTEX && vertex.index == 2);
}

/* At least as near as every sampled place of the path, and attained. */
Test(oracles, the_approach_is_the_least_distance_on_the_path)
{
    Random random = random_seeded(3);
    for (int query = 0; query < 3000; ++query)
    {
        Vector vertices[3];
        random_triangle(&random, vertices);
        Vector start = vector_scale(random_direction(&random), random_scale(&random, 0.1, 40.0));
        Vector direction = random_direction(&random);
        double length = random_scale(&random, 0.01, 100.0);
        OracleApproach approach = oracle_approach(vertices, start, direction, length);
        for (int step = 0; step <= 100; ++step)
        {
            Vector place = vector_along(start, length * step / 100.0, direction);
            double distance = oracle_closest(vertices, place).distance;
            cr_expect(approach.distance <= distance + 1e-7, "query %d: %.17g > %.17g", query,
                      approach.distance, distance);
        }
        Vector at = vector_along(start, approach.time, direction);
        cr_expect_float_eq(oracle_closest(vertices, at).distance, approach.distance, 1e-12);
    }
}

/* O2 hits where O3 comes closer than the radius, and not where it stays farther away; up to the hit it was
 * never closer. */
Test(oracles, sweep_and_approach_agree)
{
    Random random = random_seeded(2);
    int hits = 0, misses = 0;
    for (int query = 0; query < 3000; ++query)
    {
        Vector vertices[3];
        random_triangle(&random, vertices);
        Vector start = vector_scale(random_direction(&random), random_scale(&random, 1.0, 40.0));
        Vector aim = random_in_box(&random, vector(-2, -2, -2), vector(2, 2, 2));
        Vector direction = vector_unit(vector_sub(aim, start));
        double length = random_scale(&random, 0.1, 100.0);
        OracleApproach approach = oracle_approach(vertices, start, direction, length);
        if (fabs(approach.distance - 1.0) < 1e-6)
        {
            continue;
        }
        OracleSweep sweep = oracle_sweep(vertices, start, direction, length, 1.0);
        hits += sweep.hit;
        misses += !sweep.hit;
        cr_expect(sweep.hit == (approach.distance < 1.0), "query %d: nearest %.17g", query,
                  approach.distance);
        cr_expect(!sweep.begins_inside || sweep.time == 0.0);
        if (sweep.hit && !sweep.begins_inside)
        {
            cr_expect_float_eq(sweep.at.distance, 1.0, 2e-9);
            double before = oracle_approach(vertices, start, direction, sweep.time).distance;
            cr_expect(before >= 1.0 - 1e-9, "query %d: was at %.17g before", query, before);
        }
    }
    cr_expect(hits > 300 && misses > 300, "%d hits, %d misses", hits, misses);
}

Test(oracles, scenes_measure_ellipsoids_where_they_are_balls)
{
    Soup floor = {0};
    soup_floor(&floor, 10, 0);
    cr_expect_float_eq(soup_distance(&floor, vector(0, 1.8, 0), vector(0.4, 0.9, 0.4)), 2.0, 1e-12);
    cr_expect_float_eq(soup_approach(&floor, vector(0, 3, 0), vector(0, 0.9, 0), vector(0.4, 0.9, 0.4)), 1.0,
                       1e-12);
    soup_free(&floor);
}
