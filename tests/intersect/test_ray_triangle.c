/* Rays and segments against triangles: named cases, MPFR, and what is printed. SIDLE_QUERIES says how
 * many. */
#include "sidle/intersect/ray.h"

#include "intersect/support/number.h"
#include "intersect/support/ray_drawn.h"
#include "intersect/support/ray_printed.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#define UNIT 0x1p-53

static sidle_position place(Vector a)
{
    return (sidle_position){a.x, a.y, a.z};
}

static Vector plain(sidle_position a)
{
    return vector(a.x, a.y, a.z);
}

static sidle_ray ray_of(Vector origin, Vector direction)
{
    return (sidle_ray){place(origin), place(direction)};
}

static sidle_dtriangle triangle_of(const Vector at[3])
{
    return (sidle_dtriangle){{place(at[0]), place(at[1]), place(at[2])}};
}

static bool is_at(sidle_position a, double x, double y, double z)
{
    return a.x == x && a.y == y && a.z == z;
}

static double units_of(double found, Number truth)
{
    double size = fabs(number_double(truth));
    return size > 0 ? number_error(truth, found) / size / UNIT : found == 0 ? 0 : INFINITY;
}

static const Vector corner[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}; /* its front is +z */

static bool from_above(double x, double y, double dz, uint32_t flags, sidle_ray_hit *hit)
{
    sidle_dtriangle triangle = triangle_of(corner);
    sidle_ray ray = ray_of(vector(x, y, dz < 0 ? 3 : -3), vector(0, 0, dz));
    return sidle_ray_triangle(&ray, &triangle, flags, hit);
}

Test(intersect_ray_triangle, a_hit_reports_the_face_edge_or_corner_of_the_triangle)
{
    sidle_ray_hit hit;
    cr_expect(from_above(1, 1, -2, 0, &hit));
    cr_expect(hit.t == 1.5 && is_at(hit.point, 1, 1, 0) && is_at(hit.normal, 0, 0, 1));
    cr_expect(hit.barycentric[0] == .5 && hit.barycentric[1] == .25 &&
              hit.feature.kind == SIDLE_FEATURE_FACE);
    cr_expect(from_above(1, 1, 2, 0, &hit) && hit.normal.z == -1);
    cr_expect_not(from_above(1, 1, 2, SIDLE_RAY_ONE_SIDED, &hit));
    cr_expect(from_above(1, 1, -2, SIDLE_RAY_ONE_SIDED, &hit));
    cr_expect(from_above(2, 0, -2, 0, &hit) && hit.feature.kind == SIDLE_FEATURE_EDGE &&
              hit.feature.index == 0);
    cr_expect(from_above(2, 2, -2, 0, &hit) && hit.feature.kind == SIDLE_FEATURE_EDGE &&
              hit.feature.index == 1);
    cr_expect(from_above(0, 1, -2, 0, &hit) && hit.feature.kind == SIDLE_FEATURE_EDGE &&
              hit.feature.index == 2);
    cr_expect(from_above(0, 4, -2, 0, &hit) && hit.feature.kind == SIDLE_FEATURE_VERTEX &&
              hit.feature.index == 2);
    cr_expect_not(from_above(2, nextafter(2, 3), -2, 0, &hit));
    cr_expect_not(from_above(2, -0x1p-1000, -2, 0, NULL), "even so near");
}

Test(intersect_ray_triangle, segments_reach_a_triangle_with_their_ends)
{
    sidle_dtriangle triangle = triangle_of(corner);
    sidle_segment segment = {{1, 1, 3}, {1, 1, 0}};
    sidle_ray_hit hit;
    cr_expect(sidle_segment_triangle(&segment, &triangle, 0, &hit) && hit.t == 1);
    segment = (sidle_segment){{1, 1, 0}, {1, 1, 3}};
    cr_expect(sidle_segment_triangle(&segment, &triangle, 0, &hit) && hit.t == 0);
    segment.a.z = 0x1p-190;
    cr_expect_not(sidle_segment_triangle(&segment, &triangle, 0, &hit));
    segment = (sidle_segment){{1, 1, 0}, {1, 1, 0}};
    cr_expect(sidle_segment_triangle(&segment, &triangle, 0, &hit), "a point on it");
    segment = (sidle_segment){{3, 3, 0}, {3, 3, 0}};
    cr_expect_not(sidle_segment_triangle(&segment, &triangle, 0, &hit));
    segment = (sidle_segment){{1, 1, 1}, {1, 1, 1}};
    cr_expect_not(sidle_segment_triangle(&segment, &triangle, 0, &hit));
}

Test(intersect_ray_triangle, what_runs_in_a_triangle_s_plane_hits_its_outline)
{
    sidle_dtriangle triangle = triangle_of(corner);
    sidle_ray ray = ray_of(vector(-2, 1, 0), vector(2, 0, 0));
    sidle_ray_hit hit;
    cr_expect(sidle_ray_triangle(&ray, &triangle, 0, &hit));
    cr_expect(hit.t == 1 && hit.t_exit == 2.5 && is_at(hit.point, 0, 1, 0));
    cr_expect(hit.feature.kind == SIDLE_FEATURE_EDGE && hit.feature.index == 2 && hit.barycentric[0] == .75);
    cr_expect_not(sidle_ray_triangle(&ray, &triangle, SIDLE_RAY_ONE_SIDED, &hit));
    ray.origin.x = 1;
    cr_expect(sidle_ray_triangle(&ray, &triangle, 0, &hit) && hit.t == 0 && hit.t_exit == 1);
    ray = ray_of(vector(-2, 6, 0), vector(1, -1, 0)); /* along an edge */
    cr_expect(sidle_ray_triangle(&ray, &triangle, 0, &hit) && hit.t == 2 && hit.t_exit == 6);
    cr_expect(hit.feature.kind == SIDLE_FEATURE_VERTEX && hit.feature.index == 2);
    ray = ray_of(vector(-2, 6, 0), vector(1, -.75, 0));
    cr_expect_not(sidle_ray_triangle(&ray, &triangle, 0, &hit));
    sidle_segment segment = {{-2, 1, 0}, {0, 1, 0}};
    cr_expect(sidle_segment_triangle(&segment, &triangle, 0, &hit) && hit.t == 1 && hit.t_exit == 1);
    segment.b.x = -0x1p-60;
    cr_expect_not(sidle_segment_triangle(&segment, &triangle, 0, &hit));
}

Test(intersect_ray_triangle, a_triangle_of_no_area_is_never_hit)
{
    const Vector flat[][3] = {{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}},
                              {{0, 0, 0}, {0, 0, 0}, {4, 0, 0}},
                              {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}},
                              {{.1, .1, .1}, {.2, .2, .2}, {.4, .4, .4}}};
    for (int i = 0; i < 4; ++i)
    {
        sidle_dtriangle triangle = triangle_of(flat[i]);
        for (int k = 0; k < 3; ++k)
        {
            sidle_ray ray = ray_of(vector_add(flat[i][k], vector(0, 0, 3)), vector(0, 0, -1));
            cr_expect_not(sidle_ray_triangle(&ray, &triangle, 0, NULL));
            ray = ray_of(vector_add(flat[i][k], vector(-1, -1, -1)), vector(1, 1, 1));
            cr_expect_not(sidle_ray_triangle(&ray, &triangle, 0, NULL));
        }
    }
}

/* Printed: |det| < 1e-6 is parallel. */
Test(intersect_ray_triangle, a_small_triangle_is_hit_where_the_printed_epsilon_calls_it_parallel)
{
    const Vector at[3] = {{0, 0, 0}, {9e-4, 0, 0}, {0, 9e-4, 0}};
    Vector origin = vector(2e-4, 2e-4, 1), down = vector(0, 0, -1);
    double t;
    cr_expect_not(printed_ray_triangle(origin, down, at, &t), "a millimetre, in metres, met at right angles");
    sidle_dtriangle triangle = triangle_of(at);
    sidle_ray ray = ray_of(origin, down);
    sidle_ray_hit hit;
    cr_expect(sidle_ray_triangle(&ray, &triangle, 0, &hit) && fabs(hit.t - 1) <= 8 * UNIT);
}

typedef struct Scene
{
    Vector at[3], a, b; /* b is the direction of a ray, the other end of a segment */
    bool is_ray;
} Scene;

/* At the triangle, at an edge or a corner of it, but for rounding; at times in its plane. */
static Scene drawn_scene(Random *random, uint32_t i)
{
    Scene scene = {.is_ray = i % 2};
    int kind = (int)(i / 2 % 6);
    for (int k = 0; k < 3; ++k)
    {
        scene.at[k] = drawn_vector(random, kind);
    }
    if (kind == 4) /* a needle */
    {
        double along = random_unit(random), width = random_scale(random, 1e-15, 1e-3);
        scene.at[2] = vector_along(scene.at[0], along, vector_sub(scene.at[1], scene.at[0]));
        scene.at[2] = vector_along(scene.at[2], width, random_direction(random));
    }
    double weights[2];
    weights[0] = random_between(random, -.2, 1);
    weights[1] = random_between(random, -.2, 1);
    weights[0] = random_chance(random, .3) ? 0 : weights[0];
    weights[1] = random_chance(random, .3) ? 1 - weights[0] : random_chance(random, .3) ? 0 : weights[1];
    Vector aim = vector_along(scene.at[0], weights[0], vector_sub(scene.at[1], scene.at[0]));
    aim = vector_along(aim, weights[1], vector_sub(scene.at[2], scene.at[0]));
    scene.a = drawn_vector(random, kind);
    if (kind == 5 || random_chance(random, .1)) /* flat: in the plane but for rounding, or a little off */
    {
        double off = random_chance(random, .5) ? 0 : random_scale(random, 1e-18, 1e-3);
        scene.a = vector_along(aim, random_between(random, -3, 3), vector_sub(scene.at[1], scene.at[2]));
        scene.a = vector_along(scene.a, off, random_direction(random));
    }
    Vector offset = kind == 0 ? drawn_vector(random, 0) : vector_sub(aim, scene.a);
    scene.b = scene.is_ray ? offset : random_chance(random, .4) ? aim : vector_along(scene.a, 1.5, offset);
    if (kind == 0 && random_chance(random, .3)) /* all in one plane of the lattice */
    {
        Vector *all[] = {&scene.at[0], &scene.at[1], &scene.at[2], &scene.a, &scene.b};
        for (int k = 0; k < 5; ++k)
        {
            all[k]->z = all[k]->x - 2 * all[k]->y;
        }
    }
    return scene;
}

typedef struct Truth
{
    NumberVector corners[3], d, n; /* seen from the origin */
    Number volumes[3], sum, height;
    bool hits, flat;
    Number t, t_exit;
} Truth;

/* In the plane: where all three edge functions, which are linear along the ray, are on the inner side. */
static void find_outline(Truth *truth, bool is_ray)
{
    bool any = true;
    Number low = number_of(0), high = number_of(is_ray ? 1e300 : 1);
    for (int i = 0; i < 3; ++i)
    {
        NumberVector edge = number_vector_sub(truth->corners[(i + 1) % 3], truth->corners[i]);
        NumberVector inner = number_cross(truth->n, edge);
        Number begin = number_mul(number_dot(inner, truth->corners[i]), number_of(-1));
        Number slope = number_dot(inner, truth->d);
        if (number_sign(slope) == 0)
        {
            any = any && number_sign(begin) >= 0;
            continue;
        }
        Number at = number_mul(number_div(begin, slope), number_of(-1));
        low = number_sign(slope) > 0 ? number_max(low, at) : low;
        high = number_sign(slope) < 0 ? number_min(high, at) : high;
    }
    /* Two quotients that are equal may be a rounding of 2,200 bits apart. */
    Number slack = number_of(ldexp(fabs(number_double(high)), -900));
    truth->hits = any && number_sign(number_sub(number_add(high, slack), low)) >= 0;
    truth->t = low;
    truth->t_exit = high;
}

static Truth truth_of(const Scene *scene)
{
    Truth truth = {.hits = true};
    bool positive = false, negative = false;
    NumberVector origin = number_vector(scene->a);
    truth.d = scene->is_ray ? number_vector(scene->b) : number_vector_sub(number_vector(scene->b), origin);
    for (int i = 0; i < 3; ++i)
    {
        truth.corners[i] = number_vector_sub(number_vector(scene->at[i]), origin);
    }
    truth.n = number_cross(number_vector_sub(truth.corners[1], truth.corners[0]),
                           number_vector_sub(truth.corners[2], truth.corners[0]));
    for (int i = 0; i < 3; ++i)
    {
        truth.volumes[i] =
            number_dot(truth.d, number_cross(truth.corners[(i + 1) % 3], truth.corners[(i + 2) % 3]));
        positive = positive || number_sign(truth.volumes[i]) > 0;
        negative = negative || number_sign(truth.volumes[i]) < 0;
    }
    truth.sum = number_dot(truth.d, truth.n);
    truth.height = number_dot(truth.corners[0], truth.n);
    truth.flat = number_sign(truth.sum) == 0;
    if (number_sign(number_dot(truth.n, truth.n)) == 0 || (truth.flat && number_sign(truth.height)) ||
        (scene->is_ray && number_sign(number_dot(truth.d, truth.d)) == 0))
    {
        truth.hits = false;
    }
    else if (truth.flat)
    {
        find_outline(&truth, scene->is_ray);
    }
    else
    {
        truth.t = truth.t_exit = number_div(truth.height, truth.sum);
        truth.hits =
            !(positive && negative) && number_sign(truth.height) * number_sign(truth.sum) >= 0 &&
            (scene->is_ray || number_sign(number_sub(number_abs(truth.height), number_abs(truth.sum))) <= 0);
    }
    return truth;
}

typedef struct Worst
{
    double t, weights, point, normal;
    uint32_t hits, flat;
} Worst;

static void judge_hit(const Scene *scene, const Truth *truth, const sidle_ray_hit *hit, Worst *worst)
{
    double size = 0, sum = 0;
    NumberVector at = {number_of(0), number_of(0), number_of(0)};
    worst->t = worse(worst->t,
                     worse(units_of(hit->t, truth->t),
                           number_double(truth->t_exit) < 1e299 ? units_of(hit->t_exit, truth->t_exit) : 0));
    for (int i = 0; i < 3; ++i)
    {
        size = fmax(size, vector_length(scene->at[i]));
        sum += hit->barycentric[i];
        cr_assert(hit->barycentric[i] >= 0);
        if (!truth->flat)
        {
            Number weight = number_div(truth->volumes[i], truth->sum);
            worst->weights = worse(worst->weights, units_of(hit->barycentric[i], weight));
            at = number_vector_add(at, number_vector_scale(number_vector(scene->at[i]), weight));
        }
    }
    cr_assert(fabs(sum - 1) < 8 * UNIT);
    if (!truth->flat)
    {
        NumberVector apart = number_vector_sub(number_vector(plain(hit->point)), at);
        worst->point = worse(worst->point, number_double(number_length(apart)) / size / UNIT);
    }
    Number length = number_length(truth->n);
    double side = !truth->flat && number_sign(truth->sum) > 0 ? -1 : 1;
    const Number exact[3] = {truth->n.x, truth->n.y, truth->n.z};
    const double got[3] = {hit->normal.x, hit->normal.y, hit->normal.z};
    for (int i = 0; i < 3; ++i)
    {
        double off = number_error(number_div(exact[i], length), side * got[i]);
        worst->normal = worse(worst->normal, off / UNIT);
    }
}

Test(intersect_ray_triangle, verdicts_of_thin_and_flat_triangles_are_exact)
{
    Random random = random_seeded(22);
    Worst worst = {0};
    uint32_t wrong = 0, count = number_available() ? query_count(48000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Scene scene = drawn_scene(&random, i);
        sidle_dtriangle triangle = triangle_of(scene.at);
        sidle_segment segment = {place(scene.a), place(scene.b)};
        sidle_ray ray = ray_of(scene.a, scene.b);
        sidle_ray_hit hit;
        bool found = scene.is_ray ? sidle_ray_triangle(&ray, &triangle, 0, &hit)
                                  : sidle_segment_triangle(&segment, &triangle, 0, &hit);
        number_begin();
        Truth truth = truth_of(&scene);
        wrong += found != truth.hits;
        worst.hits += found;
        worst.flat += found && truth.flat;
        if (found && truth.hits)
        {
            judge_hit(&scene, &truth, &hit, &worst);
        }
    }
    printf("ray: %u triangles, %u hit, %u flat, %u wrong; off by at most: t %.2f u, weights %.2f u of "
           "themselves, point "
           "%.2f u S, normal %.2f u\n",
           count, worst.hits, worst.flat, wrong, worst.t, worst.weights, worst.point, worst.normal);
    cr_expect(wrong == 0 && worst.t <= 8 && worst.weights <= 8 && worst.point <= 16 && worst.normal <= 8);
    cr_expect(!count || (worst.hits > count / 5 && worst.flat > count / 500));
}

/* ---- nothing slips through ---- */

#define AROUND 12

/* A double cone around the origin, closed: 24 triangles of 14 corners that no lattice holds. */
static int closed_surface(Random *random, Vector corners[24][3], Vector points[14])
{
    for (int i = 0; i < AROUND; ++i)
    {
        double angle = 6.283185307179586 * i / AROUND, radius = random_between(random, .5, 2);
        points[i] = vector(radius * cos(angle), radius * sin(angle), random_between(random, -.2, .2));
    }
    points[12] = vector(random_between(random, -.1, .1), .1, 1.3);
    points[13] = vector(random_between(random, -.1, .1), -.1, -.7);
    for (int i = 0; i < AROUND; ++i)
    {
        int next = (i + 1) % AROUND;
        const Vector up[3] = {points[i], points[next], points[12]},
                     down[3] = {points[next], points[i], points[13]};
        memcpy(corners[2 * i], up, sizeof up);
        memcpy(corners[2 * i + 1], down, sizeof down);
    }
    return 24;
}

Test(intersect_ray_triangle, no_ray_slips_between_triangles_that_share_an_edge_or_a_corner)
{
    Random random = random_seeded(23);
    uint32_t leaks = 0, printed_leaks = 0, one_sided_leaks = 0, count = query_count(20000);
    Vector corners[24][3], points[14];
    int triangles = closed_surface(&random, corners, points);
    for (uint32_t i = 0; i < count; ++i)
    {
        const Vector *at = corners[random_below(&random, 24)];
        Vector origin = random_in_box(&random, vector(-.05, -.05, -.05), vector(.05, .05, .05));
        double along = random_chance(&random, .2) ? 0 : random_unit(&random), t;
        Vector aim = vector_along(at[1], along, vector_sub(at[2], at[1]));
        sidle_ray ray = ray_of(origin, vector_sub(aim, origin));
        int hits = 0, printed = 0, from_outside = 0;
        sidle_ray back = ray_of(vector_along(origin, 5, plain(ray.direction)), vector_sub(origin, aim));
        for (int k = 0; k < triangles; ++k)
        {
            sidle_dtriangle triangle = triangle_of(corners[k]);
            hits += sidle_ray_triangle(&ray, &triangle, 0, NULL);
            from_outside += sidle_ray_triangle(&back, &triangle, SIDLE_RAY_ONE_SIDED, NULL);
            printed += printed_ray_triangle(origin, plain(ray.direction), corners[k], &t);
        }
        leaks += hits == 0;
        one_sided_leaks += from_outside == 0;
        printed_leaks += printed == 0;
    }
    printf("ray: %u rays at edges and corners, %u leaks, %u one-sided; as printed %u\n", count, leaks,
           one_sided_leaks, printed_leaks);
    cr_expect(leaks == 0 && one_sided_leaks == 0);
    cr_expect_gt(printed_leaks, 0);
}
