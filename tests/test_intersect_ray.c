/* Rays and segments against planes and triangles, and picking rays: named cases, MPFR, and what is printed.
 * SIDLE_QUERIES says how many. */
#include "sidle/intersect/ray.h"

#include "support/intersect_number.h"
#include "support/intersect_ray_printed.h"
#include "support/queries.h"
#include "support/random.h"

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

/* ---- planes ---- */

Test(intersect_ray, a_plane_is_hit_from_both_sides_touched_and_run_along)
{
    sidle_plane floor = {{0, 1, 0}, 2};
    sidle_ray_hit hit;
    sidle_ray ray = {{1, 5, 1}, {0, -2, 0}};
    cr_expect(sidle_ray_plane(&ray, &floor, &hit));
    cr_expect(hit.t == 1.5 && hit.t_exit == 1.5 && is_at(hit.point, 1, 2, 1) && is_at(hit.normal, 0, 1, 0));
    ray = (sidle_ray){{1, 0, 1}, {1, 4, 0}};
    cr_expect(sidle_ray_plane(&ray, &floor, &hit));
    cr_expect(hit.t == .5 && is_at(hit.point, 1.5, 2, 1) && hit.normal.y == -1);
    ray.direction.y = -4;
    cr_expect_not(sidle_ray_plane(&ray, &floor, &hit));
    ray = (sidle_ray){{1, 2, 1}, {0, 4, 0}}; /* leaves it */
    cr_expect(sidle_ray_plane(&ray, &floor, &hit) && hit.t == 0 && hit.t_exit == 0 && hit.normal.y == -1);
    ray.direction = (sidle_dvec3){1, 0, 0};
    cr_expect(sidle_ray_plane(&ray, &floor, &hit) && hit.t == 0 && hit.t_exit == INFINITY &&
              hit.normal.y == 1);
    ray.origin.y = nextafter(2, 3);
    cr_expect_not(sidle_ray_plane(&ray, &floor, &hit));
    sidle_segment segment = {{0, 5, 0}, {0, 2, 0}};
    cr_expect(sidle_segment_plane(&segment, &floor, &hit) && hit.t == 1 && hit.point.y == 2);
    segment.b.y = nextafter(2, 3);
    cr_expect_not(sidle_segment_plane(&segment, &floor, &hit));
    segment.a.y = segment.b.y = 2;
    cr_expect(sidle_segment_plane(&segment, &floor, &hit) && hit.t == 0 && hit.t_exit == 1);
    floor.normal.y = 0;
    cr_expect_not(sidle_segment_plane(&segment, &floor, &hit), "no normal, no plane");
}

Test(intersect_ray, a_segment_that_ends_on_a_plane_meets_it_in_the_bits_of_its_end)
{
    Random random = random_seeded(20);
    sidle_plane floor = {{0, 1, 0}, 2};
    for (int i = 0; i < 1000; ++i)
    {
        Vector a = random_in_box(&random, vector(-9, 3, -9), vector(9, 9, 9));
        Vector b = random_in_box(&random, vector(-9, 2, -9), vector(9, 2, 9));
        sidle_segment segment = {place(a), place(b)};
        sidle_ray_hit hit;
        cr_assert(sidle_segment_plane(&segment, &floor, &hit) && hit.t == 1 &&
                  is_at(hit.point, b.x, b.y, b.z));
    }
}

static Vector drawn_vector(Random *random, int kind)
{
    double x, y, z;
    switch (kind)
    {
    case 0:
        x = (double)random_below(random, 7) - 3, y = (double)random_below(random, 7) - 3;
        z = (double)random_below(random, 7) - 3;
        return vector(x, y, z);
    case 1: /* far apart in size */
        x = random_scale(random, 1e-12, 1e12);
        return vector_scale(random_direction(random), x);
    case 2: /* far off */
        return vector_add(vector(1e6, -3e6, 2e6), random_direction(random));
    default:
        return random_in_box(random, vector(-1, -1, -1), vector(1, 1, 1));
    }
}

Test(intersect_ray, planes_are_met_exactly)
{
    Random random = random_seeded(21);
    double worst = 0;
    uint32_t wrong = 0, hits = 0, count = number_available() ? query_count(20000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        int kind = (int)random_below(&random, 4);
        Vector a = drawn_vector(&random, kind), b = drawn_vector(&random, kind);
        Vector n = kind ? random_direction(&random) : drawn_vector(&random, 0);
        Vector on = random_chance(&random, .3)   ? a
                    : random_chance(&random, .3) ? b
                                                 : drawn_vector(&random, kind);
        bool is_ray = i % 2;
        sidle_plane plane = {place(n), vector_dot(n, on)};
        sidle_segment segment = {place(a), place(b)};
        sidle_ray ray = ray_of(a, b);
        sidle_ray_hit hit;
        bool found =
            is_ray ? sidle_ray_plane(&ray, &plane, &hit) : sidle_segment_plane(&segment, &plane, &hit);
        number_begin();
        NumberVector normal = number_vector(n), d = number_vector(b);
        d = is_ray ? d : number_vector_sub(d, number_vector(a));
        Number height = number_sub(number_dot(normal, number_vector(a)), number_of(plane.offset));
        Number fall = number_mul(number_dot(normal, d), number_of(-1));
        bool nothing = (n.x == 0 && n.y == 0 && n.z == 0) || (is_ray && b.x == 0 && b.y == 0 && b.z == 0);
        bool truth = number_sign(height) == 0 || number_sign(height) == number_sign(fall);
        truth = truth && (is_ray || number_sign(number_sub(number_abs(height), number_abs(fall))) <= 0 ||
                          number_sign(height) == 0);
        wrong += found != (truth && !nothing);
        hits += found;
        if (found && number_sign(height))
        {
            worst = fmax(worst, units_of(hit.t, number_div(height, fall)));
            cr_assert(is_ray || hit.t <= 1);
        }
    }
    printf("ray: %u planes, %u hit, %u wrong, t off by at most %.2f u of itself\n", count, hits, wrong,
           worst);
    cr_expect(wrong == 0 && worst <= 6);
}

/* ---- triangles ---- */

static const Vector corner[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}; /* its front is +z */

static bool from_above(double x, double y, double dz, uint32_t flags, sidle_ray_hit *hit)
{
    sidle_dtriangle triangle = triangle_of(corner);
    sidle_ray ray = ray_of(vector(x, y, dz < 0 ? 3 : -3), vector(0, 0, dz));
    return sidle_ray_triangle(&ray, &triangle, flags, hit);
}

Test(intersect_ray, a_triangle_tells_its_face_edges_and_corners)
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

Test(intersect_ray, segments_reach_a_triangle_with_their_ends)
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

Test(intersect_ray, what_runs_in_a_triangle_s_plane_hits_its_outline)
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

Test(intersect_ray, a_triangle_of_no_area_is_never_hit)
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
Test(intersect_ray, a_small_triangle_is_hit_where_the_printed_epsilon_says_parallel)
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
        scene.at[2] =
            vector_add(vector_along(scene.at[0], random_unit(random), vector_sub(scene.at[1], scene.at[0])),
                       vector_scale(random_direction(random), random_scale(random, 1e-15, 1e-3)));
    }
    double weights[2] = {random_between(random, -.2, 1), random_between(random, -.2, 1)};
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
    Vector way = kind == 0 ? drawn_vector(random, 0) : vector_sub(aim, scene.a);
    scene.b = scene.is_ray ? way : random_chance(random, .4) ? aim : vector_along(scene.a, 1.5, way);
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

/* In the plane: where all three edge functions, which are linear along the way, are on the inner side. */
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
    worst->t =
        fmax(worst->t, fmax(units_of(hit->t, truth->t),
                            number_double(truth->t_exit) < 1e299 ? units_of(hit->t_exit, truth->t_exit) : 0));
    for (int i = 0; i < 3; ++i)
    {
        size = fmax(size, vector_length(scene->at[i]));
        sum += hit->barycentric[i];
        cr_assert(hit->barycentric[i] >= 0);
        if (!truth->flat)
        {
            Number weight = number_div(truth->volumes[i], truth->sum);
            worst->weights = fmax(worst->weights, units_of(hit->barycentric[i], weight));
            at = number_vector_add(at, number_vector_scale(number_vector(scene->at[i]), weight));
        }
    }
    cr_assert(fabs(sum - 1) < 8 * UNIT);
    if (!truth->flat)
    {
        NumberVector apart = number_vector_sub(number_vector(plain(hit->point)), at);
        worst->point = fmax(worst->point, number_double(number_length(apart)) / size / UNIT);
    }
    Number length = number_length(truth->n);
    double side = !truth->flat && number_sign(truth->sum) > 0 ? -1 : 1;
    worst->normal =
        fmax(worst->normal, number_error(number_div(truth->n.x, length), side * hit->normal.x) / UNIT);
    worst->normal =
        fmax(worst->normal, number_error(number_div(truth->n.z, length), side * hit->normal.z) / UNIT);
}

Test(intersect_ray, triangles_are_met_exactly_however_thin_or_flat)
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

Test(intersect_ray, no_ray_slips_between_triangles_that_share_an_edge_or_a_corner)
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

/* ---- picking ---- */

Test(intersect_ray, a_picking_ray_runs_from_the_near_point_to_the_far_one)
{
    sidle_position near_point = {1, 2, 3}, far_point = {1, 2, -7};
    sidle_ray ray;
    cr_expect(sidle_ray_from_points(&near_point, &far_point, &ray));
    cr_expect(is_at(ray.origin, 1, 2, 3) && is_at(ray.direction, 0, 0, -10));
    cr_expect_not(sidle_ray_from_points(&near_point, &near_point, &ray));
    far_point.x = NAN;
    cr_expect_not(sidle_ray_from_points(&near_point, &far_point, NULL));
}

/* The inverse of a perspective projection as OpenGL has it: near 1, far 3, 90 degrees, looking along -z from e. */
static void perspective(double m[16], double ex, double ey, double ez)
{
    memset(m, 0, 16 * sizeof *m);
    m[0] = m[5] = 1;
    m[14] = -1;
    m[11] = -1. / 3; /* w = (4 - 2 z) / 6 */
    m[15] = 2. / 3;
    for (int column = 0; column < 4; ++column) /* then to the eye */
    {
        m[4 * column] += ex * m[4 * column + 3];
        m[4 * column + 1] += ey * m[4 * column + 3];
        m[4 * column + 2] += ez * m[4 * column + 3];
    }
}

Test(intersect_ray, the_ray_under_a_pointer_of_a_perspective_and_of_an_orthographic_view)
{
    double m[16];
    sidle_ray ray;
    perspective(m, 10, 20, 30);
    cr_expect(sidle_ray_from_matrix(m, .5, -1, -1, 1, &ray));
    cr_expect(fabs(ray.origin.x - 10.5) < 1e-14 && fabs(ray.origin.y - 19) < 1e-14 &&
              fabs(ray.origin.z - 29) < 1e-14);
    cr_expect(fabs(ray.direction.x - 1) < 1e-14 && fabs(ray.direction.y + 2) < 1e-14);
    cr_expect(fabs(ray.direction.z + 2) < 1e-14);
    cr_expect_not(sidle_ray_from_matrix(m, 0, 0, -1, 2, &ray), "at infinity, or nearly");
    cr_expect_not(sidle_ray_from_matrix(m, 0, 0, -1, 3, &ray), "behind the eye");
    cr_expect_not(sidle_ray_from_matrix(m, 0, 0, 1, 1, &ray), "no way to go");
    const double box[16] = {8, 0, 0, 0, 0, 6, 0, 0, 0, 0, -50, 0, 1, 2, -51, 1};
    cr_expect(sidle_ray_from_matrix(box, .25, .5, -1, 1, &ray));
    cr_expect(is_at(ray.origin, 3, 5, -1) && is_at(ray.direction, 0, 0, -100));
    cr_expect(sidle_ray_from_matrix(box, .25, .5, 1, -1, &ray) && ray.origin.z == -101);
    double flat[16];
    memcpy(flat, box, sizeof flat);
    flat[5] = 0;
    cr_expect_not(sidle_ray_from_matrix(flat, .25, .5, -1, 1, &ray));
    for (int i = 0; i < 16; ++i)
    {
        memcpy(flat, box, sizeof flat);
        flat[i] = NAN;
        cr_expect_not(sidle_ray_from_matrix(flat, .25, .5, -1, 1, NULL));
    }
    cr_expect_not(sidle_ray_from_matrix(box, NAN, .5, -1, 1, NULL));
}

Test(intersect_ray, a_singular_matrix_is_known_exactly)
{
    Random random = random_seeded(24);
    for (int i = 0; i < 2000; ++i)
    {
        double m[16];
        int64_t weights[3];
        for (int k = 0; k < 3; ++k)
        {
            weights[k] = (int64_t)random_below(&random, 9) - 4;
        }
        for (int row = 0; row < 4; ++row) /* the last column is a sum of the others, in whole numbers */
        {
            for (int column = 0; column < 3; ++column)
            {
                m[4 * column + row] = (double)random_below(&random, 1 << 20) - (1 << 19);
            }
            m[12 + row] = (double)weights[0] * m[row] + (double)weights[1] * m[4 + row] +
                          (double)weights[2] * m[8 + row];
        }
        sidle_ray ray;
        cr_assert_not(sidle_ray_from_matrix(m, .1, .2, 0, 1, &ray));
        m[3] = m[7] = m[11] = 0;
        m[15] = 1;
        m[12] = nextafter(m[12], 1e9);
        sidle_ray_from_matrix(m, .1, .2, 0, 1, &ray);
    }
}

Test(intersect_ray, picked_points_err_by_their_own_rounding)
{
    Random random = random_seeded(25);
    double worst = 0;
    uint32_t count = number_available() ? query_count(20000) : 0, hits = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        double m[16], x = random_between(&random, -1, 1), y = random_between(&random, -1, 1);
        for (int k = 0; k < 16; ++k)
        {
            m[k] = random_between(&random, -1, 1) * (i % 3 ? 1 : random_scale(&random, 1e-6, 1e6));
        }
        sidle_ray ray;
        if (!sidle_ray_from_matrix(m, x, y, 0, 1, &ray))
        {
            continue;
        }
        ++hits;
        number_begin();
        const double device[2][4] = {{x, y, 0, 1}, {x, y, 1, 1}};
        Number at[2][4];
        for (int end = 0; end < 2; ++end)
        {
            for (int row = 0; row < 4; ++row)
            {
                at[end][row] = number_of(0);
                for (int k = 0; k < 4; ++k)
                {
                    at[end][row] = number_add(
                        at[end][row], number_mul(number_of(m[4 * k + row]), number_of(device[end][k])));
                }
            }
            cr_assert(number_sign(at[end][3]) > 0);
        }
        const double found[6] = {ray.origin.x,    ray.origin.y,    ray.origin.z,
                                 ray.direction.x, ray.direction.y, ray.direction.z};
        for (int k = 0; k < 3; ++k)
        {
            Number first = number_div(at[0][k], at[0][3]), second = number_div(at[1][k], at[1][3]);
            double size = fabs(number_double(first)) + fabs(number_double(second));
            worst = fmax(worst, number_error(first, found[k]) / size / UNIT);
            worst = fmax(worst, number_error(number_sub(second, first), found[3 + k]) / size / UNIT);
        }
    }
    printf("ray: %u matrices, %u with a ray, off by at most %.2f u of the points\n", count, hits, worst);
    cr_expect(worst <= 8);
}
