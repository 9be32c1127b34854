/* Rays and segments against spheres, capsules and boxes: named cases, and what is printed. */
#include "sidle/intersect/ray.h"

#include "intersect/support/ray_printed.h"
#include "support/random.h"

#include <criterion/criterion.h>

#include <stdio.h>

#define UNIT 0x1p-53

static sidle_position place(Vector a)
{
    return (sidle_position){a.x, a.y, a.z};
}

static Vector plain(sidle_position a)
{
    return vector(a.x, a.y, a.z);
}

static bool is_at(sidle_position a, double x, double y, double z)
{
    return a.x == x && a.y == y && a.z == z;
}

Test(intersect_ray_solid_cases, a_sphere_is_entered_grazed_begun_in_and_left_behind)
{
    sidle_sphere sphere = {{5, 0, 0}, 3};
    sidle_ray ray = {{-1, 0, 0}, {2, 0, 0}};
    sidle_ray_hit hit;
    cr_expect(sidle_ray_sphere(&ray, &sphere, &hit));
    cr_expect(hit.t == 1.5 && hit.t_exit == 4.5 && is_at(hit.point, 2, 0, 0) && is_at(hit.normal, -1, 0, 0));
    ray.origin.y = 3;
    cr_expect(sidle_ray_sphere(&ray, &sphere, &hit) && hit.t == 3 && hit.t_exit == 3 && hit.normal.y == 1);
    ray.origin.y = nextafter(3, 4);
    cr_expect_not(sidle_ray_sphere(&ray, &sphere, &hit));
    ray.origin = (sidle_position){6, 0, 0};
    cr_expect(sidle_ray_sphere(&ray, &sphere, &hit) && hit.t == 0 && hit.t_exit == 1 &&
              is_at(hit.normal, 0, 0, 0));
    ray.origin.x = 8; /* on it, going away: it touches */
    cr_expect(sidle_ray_sphere(&ray, &sphere, &hit) && hit.t == 0 && hit.t_exit == 0 && hit.normal.x == 1);
    ray.origin.x = 9;
    cr_expect_not(sidle_ray_sphere(&ray, &sphere, &hit));
    ray = (sidle_ray){{0, 0, 0}, {5, 0, 0}};
    sphere.radius = 0;
    cr_expect(sidle_ray_sphere(&ray, &sphere, &hit) && hit.t == 1 && is_at(hit.normal, -1, 0, 0));
    sphere.radius = -1;
    cr_expect_not(sidle_ray_sphere(&ray, &sphere, &hit));
    ray.direction.x = 0;
    sphere = (sidle_sphere){{0, 0, 0}, 9};
    cr_expect_not(sidle_ray_sphere(&ray, &sphere, &hit), "no direction, no hit");
    sidle_segment segment = {{1, 0, 0}, {1, 0, 0}};
    cr_expect(sidle_segment_sphere(&segment, &sphere, &hit) && hit.t == 0 && hit.t_exit == 1);
    segment = (sidle_segment){{20, 0, 0}, {9, 0, 0}};
    cr_expect(sidle_segment_sphere(&segment, &sphere, &hit) && hit.t == 1 && hit.t_exit == 1);
    segment.b.x = 9.5;
    cr_expect_not(sidle_segment_sphere(&segment, &sphere, &hit));
}

/* b^2 - c at 1e9 from a ball of radius 1: c itself has lost the radius. */
Test(intersect_ray_solid_cases, a_small_sphere_far_away_is_hit_where_the_printed_root_cancels)
{
    Vector from = vector(-3e9, 0, 1), toward = vector(1, 0, 0);
    double t, truth = 3e9 - sqrt(.75);
    cr_expect(printed_ray_sphere(from, toward, vector(0, .5, 1), 1, &t));
    double printed = fabs(t - truth);
    sidle_sphere sphere = {{0, .5, 1}, 1};
    sidle_ray ray = {{-3e9, 0, 1}, {1, 0, 0}};
    sidle_ray_hit hit;
    cr_expect(sidle_ray_sphere(&ray, &sphere, &hit));
    cr_expect(fabs(hit.t - truth) < 8 * UNIT * 3e9, "off by %g", fabs(hit.t - truth));
    cr_expect(fabs(hit.normal.y + .5) < 1e-6, "%g", hit.normal.y);
    cr_expect_gt(printed, .5, "printed: off by %g, of a radius of 1", printed);
    sidle_sphere aside = {{0, 1.5, 1}, 1};
    cr_expect_not(sidle_ray_sphere(&ray, &aside, &hit));
    cr_expect(printed_ray_sphere(from, toward, vector(0, 1.5, 1), 1, &t),
              "a ghost: the ray passes 1.5 radii away");
}

Test(intersect_ray_solid_cases, a_box_is_entered_by_its_faces_whatever_direction_is_zero)
{
    sidle_box box = {{0, 0, 0}, {2, 4, 6}};
    sidle_ray ray = {{-2, 1, 1}, {1, 0, -0.}};
    sidle_ray_hit hit;
    cr_expect(sidle_ray_box(&ray, &box, &hit));
    cr_expect(hit.t == 2 && hit.t_exit == 4 && is_at(hit.point, 0, 1, 1) && is_at(hit.normal, -1, 0, 0));
    cr_expect(hit.feature.kind == SIDLE_FEATURE_FACE && hit.feature.index == 0);
    ray = (sidle_ray){{1, 9, 1}, {0, -1, 0}};
    cr_expect(sidle_ray_box(&ray, &box, &hit) && hit.t == 5 && hit.feature.index == 3 && hit.normal.y == 1);
    ray.origin.y = 1;
    cr_expect(sidle_ray_box(&ray, &box, &hit) && hit.t == 0 && hit.t_exit == 1 && is_at(hit.normal, 0, 0, 0));
    ray.origin.y = 4;
    cr_expect(sidle_ray_box(&ray, &box, &hit) && hit.t == 0 && hit.normal.y == 1);
    ray = (sidle_ray){{1, 4, 1}, {0, 1, 0}};
    cr_expect(sidle_ray_box(&ray, &box, &hit) && hit.t == 0 && hit.t_exit == 0);
    cr_expect(is_at(hit.normal, 0, 1, 0) && hit.feature.index == 3, "begins on the face that it leaves by");
    ray = (sidle_ray){{0, 1, 1}, {-1, 1, 0}};
    cr_expect(sidle_ray_box(&ray, &box, &hit) && is_at(hit.normal, -1, 0, 0) && hit.feature.index == 0);
    ray = (sidle_ray){{0, 1, 1}, {0, 1, 0}};
    cr_expect(sidle_ray_box(&ray, &box, &hit) && is_at(hit.normal, 0, 0, 0), "runs along it");
    ray.origin.y = nextafter(4, 5);
    cr_expect_not(sidle_ray_box(&ray, &box, &hit));
    ray = (sidle_ray){{3, 0, 0}, {-1, 4, 0}}; /* through the edge x = 2, y = 4, then on: a touch */
    cr_expect(sidle_ray_box(&ray, &box, &hit) && hit.t == 1 && hit.t_exit == 1);
    sidle_segment segment = {{5, 1, 1}, {2, 1, 1}};
    cr_expect(sidle_segment_box(&segment, &box, &hit) && hit.t == 1);
    segment.b.x = nextafter(2, 3);
    cr_expect_not(sidle_segment_box(&segment, &box, &hit));
    segment = (sidle_segment){{2, 4, 6}, {2, 4, 6}};
    cr_expect(sidle_segment_box(&segment, &box, &hit) && hit.t == 0 && hit.t_exit == 1);
    sidle_box empty = {{0, 0, 0}, {2, -1, 6}}, point = {{2, 4, 6}, {2, 4, 6}};
    cr_expect_not(sidle_segment_box(&segment, &empty, &hit));
    ray = (sidle_ray){{2 - 3 * .1, 4 - 7 * .1, 6 - 9 * .1}, {3, 7, 9}};
    cr_expect(sidle_segment_box(&segment, &point, &hit));
    ray = (sidle_ray){{-1, -3, -3}, {3, 7, 9}};
    cr_expect(sidle_ray_box(&ray, &point, &hit) && hit.t == 1);
}

/* m d of 60 bits, in two parts: the origin takes the lower, so that three faces are met at m exactly, where
 * quotients of what is rounded differ. */
Test(intersect_ray_solid_cases, of_faces_entered_at_once_the_first_is_reported)
{
    Random random = random_seeded(33);
    int wrong = 0;
    for (int i = 0; i < 20000; ++i)
    {
        uint64_t m = UINT64_C(0x40000001) + 2 * random_below(&random, 1u << 28);
        double from[3], low[3], toward[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            uint64_t d = UINT64_C(0x10000001) + 2 * random_below(&random, 1u << 26);
            double scale = ldexp(1, -(int)random_below(&random, 30));
            double upper = (double)(m * d), lower = (double)((int64_t)(m * d) - (int64_t)upper);
            toward[axis] = (double)d * scale;
            low[axis] = upper * scale;
            from[axis] = -lower * scale;
        }
        sidle_box box = {{low[0], low[1], low[2]}, {2 * low[0], 2 * low[1], 2 * low[2]}};
        sidle_ray ray = {{from[0], from[1], from[2]}, {toward[0], toward[1], toward[2]}};
        sidle_ray_hit hit;
        cr_assert(sidle_ray_box(&ray, &box, &hit));
        cr_assert(fabs(hit.t - (double)m) <= 4 * UNIT * (double)m);
        wrong += hit.feature.index != 0;
    }
    cr_expect_eq(wrong, 0, "%d of 20000", wrong);
}

/* 0 times infinity: where the origin is on the face of a slab that the ray runs along. */
Test(intersect_ray_solid_cases, a_ray_along_a_face_hits_where_the_printed_slabs_make_nan)
{
    int missed = 0;
    for (int i = 0; i < 12; ++i)
    {
        int along = i % 3, on = (along + 1 + i / 3 % 2) % 3;
        double from[3] = {.5, .5, .5}, toward[3] = {0, 0, 0};
        from[along] = -2;
        toward[along] = 1;
        from[on] = i >= 6;
        for (int sign = 0; sign < 4; ++sign)
        {
            toward[on] = sign % 2 ? 0. : -0.;
            toward[3 - on - along] = sign / 2 ? 0. : -0.;
            sidle_box box = {{0, 0, 0}, {1, 1, 1}};
            sidle_ray ray = {{from[0], from[1], from[2]}, {toward[0], toward[1], toward[2]}};
            sidle_ray_hit hit;
            cr_expect(sidle_ray_box(&ray, &box, &hit) && hit.t == 2 && hit.t_exit == 3);
            missed +=
                !printed_ray_box(vector(from[0], from[1], from[2]), vector(toward[0], toward[1], toward[2]),
                                 vector(0, 0, 0), vector(1, 1, 1));
        }
    }
    printf("ray: printed slabs miss %d of 48 rays along a face\n", missed);
    cr_expect_gt(missed, 0);
}

/* From outside to outside, touching the edge x = 3, y = 0 in whole numbers. */
Test(intersect_ray_solid_cases, rays_touch_an_edge_where_the_printed_slabs_slip_past)
{
    Random random = random_seeded(31);
    sidle_box box = {{0, -1, 0}, {3, 0, 1}};
    int missed = 0;
    for (int i = 0; i < 20000; ++i)
    {
        double dx = 1 + random_below(&random, 50), dy = 1 + random_below(&random, 50),
               t = 1 + random_below(&random, 9);
        Vector from = vector(3 + t * dx, -t * dy, .5), toward = vector(-7 * dx, 7 * dy, 0);
        sidle_ray ray = {place(from), place(toward)};
        sidle_ray_hit hit;
        cr_assert(sidle_ray_box(&ray, &box, &hit));
        cr_assert(fabs(hit.t - t / 7) <= UNIT * hit.t && is_at(hit.point, 3, 0, .5));
        missed += !printed_ray_box(from, toward, plain(box.min), plain(box.max));
    }
    printf("ray: printed slabs slip past %d of 20000 edges\n", missed);
    cr_expect_gt(missed, 0);
}

Test(intersect_ray_solid_cases, an_oriented_box_is_hit_in_its_own_axes)
{
    sidle_oriented_box box = {{10, 0, 0}, {1, 2, 3}, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    sidle_ray ray = {{0, .5, 0}, {2, 0, 0}};
    sidle_ray_hit hit;
    cr_expect(sidle_ray_oriented_box(&ray, &box, &hit));
    cr_expect(hit.t == 4 && hit.t_exit == 6 && is_at(hit.normal, -1, 0, 0) && hit.feature.index == 3);
    ray.origin.y = 1;
    cr_expect(sidle_ray_oriented_box(&ray, &box, &hit));
    ray.origin.y = nextafter(1, 2);
    cr_expect_not(sidle_ray_oriented_box(&ray, &box, &hit));
    ray.origin = (sidle_position){10, 0, 0};
    cr_expect(sidle_ray_oriented_box(&ray, &box, &hit) && hit.t == 0 && hit.t_exit == 1);
    box.half.x = -1;
    cr_expect_not(sidle_ray_oriented_box(&ray, &box, &hit));
}

Test(intersect_ray_solid_cases, a_capsule_is_hit_at_its_side_and_its_ends_also_along_its_axis)
{
    sidle_capsule capsule = {{0, 0, 0}, {0, 4, 0}, 1};
    sidle_ray ray = {{-3, 1, 0}, {1, 0, 0}};
    sidle_ray_hit hit;
    cr_expect(sidle_ray_capsule(&ray, &capsule, &hit));
    cr_expect(hit.t == 2 && hit.t_exit == 4 && is_at(hit.point, -1, 1, 0) && is_at(hit.normal, -1, 0, 0));
    ray = (sidle_ray){{0, -3, 0}, {0, 1, 0}};
    cr_expect(sidle_ray_capsule(&ray, &capsule, &hit) && hit.t == 2 && hit.t_exit == 8 && hit.normal.y == -1);
    ray.origin.x = 1; /* along the side: touches it from end to end */
    cr_expect(sidle_ray_capsule(&ray, &capsule, &hit) && hit.t == 3 && hit.t_exit == 7 && hit.normal.x == 1);
    ray.origin.x = nextafter(1, 2);
    cr_expect_not(sidle_ray_capsule(&ray, &capsule, &hit));
    ray.origin = (sidle_position){.5, 2, .5};
    cr_expect(sidle_ray_capsule(&ray, &capsule, &hit) && hit.t == 0 && is_at(hit.normal, 0, 0, 0));
    ray = (sidle_ray){{-3, 5, 0}, {1, 0, 0}};
    cr_expect(sidle_ray_capsule(&ray, &capsule, &hit) && hit.t == 3 && hit.normal.y == 1);
    capsule.radius = 0;
    ray.origin.y = 3;
    cr_expect(sidle_ray_capsule(&ray, &capsule, &hit) && hit.t == 3 && is_at(hit.normal, -1, 0, 0));
    capsule.radius = 1;
    capsule.b.y = 0;
    ray.origin.y = 0;
    cr_expect(sidle_ray_capsule(&ray, &capsule, &hit) && hit.t == 2 && hit.t_exit == 4);
    sidle_segment segment = {{-3, 0, 0}, {-1, 0, 0}};
    cr_expect(sidle_segment_capsule(&segment, &capsule, &hit) && hit.t == 1);
    segment.b.x = nextafter(-1, -2);
    cr_expect_not(sidle_segment_capsule(&segment, &capsule, &hit));
    segment = (sidle_segment){{.5, .5, .5}, {.5, .5, .5}};
    cr_expect(sidle_segment_capsule(&segment, &capsule, &hit) && hit.t == 0);
}

/* An ulp beside the axis: what is left across it is small, but no rounding. */
Test(intersect_ray_solid_cases, a_capsule_of_radius_zero_has_a_normal_at_right_angles_to_its_axis)
{
    Random random = random_seeded(34);
    for (int i = 0; i < 20000; ++i)
    {
        double a = 1 + random_below(&random, 1u << 20), b = 1 + random_below(&random, 1u << 20);
        double length = sqrt(a * a + b * b), k = 1 + random_below(&random, 15), side = i % 2 ? 1 : -1;
        sidle_capsule bare = {{0, 0, 0}, {a, b, 0}, 0};
        sidle_ray ray = {{0, 0, 0},
                         {nextafter(k * a, side * INFINITY), k * b, 0}}; /* to that side of (b, -a) */
        sidle_segment ends = {{-ray.direction.x, -ray.direction.y, 0}, {0, 0, 0}};
        sidle_ray_hit hit;
        cr_assert(sidle_ray_capsule(&ray, &bare, &hit) && hit.t == 0);
        cr_assert(fabs(hit.normal.x + side * b / length) < 1e-15);
        cr_assert(fabs(hit.normal.y - side * a / length) < 1e-15);
        cr_assert(sidle_segment_capsule(&ends, &bare, &hit) && hit.t == 1);
        cr_assert(fabs(hit.normal.x + side * b / length) < 1e-15);
        cr_assert(fabs(hit.normal.y - side * a / length) < 1e-15);
    }
}

/* Tangents of 3-4-5 triangles and the like: no rounding may decide whether they touch. */
Test(intersect_ray_solid_cases, whole_numbers_touch_a_sphere_exactly)
{
    Random random = random_seeded(32);
    int touching = 0, hits = 0;
    for (int i = 0; i < 200000; ++i)
    {
        int64_t m[3], d[3], c[3], r = random_below(&random, 15), a = 0, k = 0, cross2 = 0, m2 = 0;
        for (int axis = 0; axis < 3; ++axis)
        {
            m[axis] = (int64_t)random_below(&random, 41) - 20;
            d[axis] = axis < 2 || i % 2 ? (int64_t)random_below(&random, 13) - 6 : 0;
            a += d[axis] * d[axis];
            k -= m[axis] * d[axis];
            m2 += m[axis] * m[axis];
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            int y = (axis + 1) % 3, z = (axis + 2) % 3;
            c[axis] = m[y] * d[z] - m[z] * d[y];
            cross2 += c[axis] * c[axis];
        }
        sidle_sphere sphere = {{7, -9, 4}, (double)r};
        sidle_ray ray = {{7 + (double)m[0], (double)m[1] - 9, 4 + (double)m[2]},
                         {(double)d[0], (double)d[1], (double)d[2]}};
        bool truth = a && (m2 <= r * r || (k > 0 && r * r * a >= cross2));
        touching += truth && m2 > r * r && r * r * a == cross2;
        hits += truth;
        cr_assert_eq(sidle_ray_sphere(&ray, &sphere, NULL), truth);
    }
    cr_expect(touching > 40 && hits > 15000, "%d touch, %d hit", touching, hits);
}

/* w: a whole vector of whole length r, by Euler's four squares. What passes by its end at right angles
 * touches; the squares that say so have more digits than a double. */
Test(intersect_ray_solid_cases, large_whole_numbers_touch_a_sphere_exactly)
{
    Random random = random_seeded(35);
    for (int i = 0; i < 20000; ++i)
    {
        double n[4], v[3];
        for (int axis = 0; axis < 4; ++axis)
        {
            n[axis] = 1 + random_below(&random, 1000);
            v[axis % 3] = 1 + random_below(&random, 1000000);
        }
        double r = n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3], k = 1 + random_below(&random, 3);
        Vector w = vector(n[0] * n[0] + n[1] * n[1] - n[2] * n[2] - n[3] * n[3],
                          2 * (n[1] * n[2] + n[0] * n[3]), 2 * (n[1] * n[3] - n[0] * n[2]));
        Vector past = vector_cross(w, vector(v[0], v[1], v[2])), from = vector_sub(w, vector_scale(past, k));
        sidle_sphere ball = {{0, 0, 0}, r}, smaller = {{0, 0, 0}, r - 1};
        sidle_ray ray = {place(from), place(past)};
        sidle_segment to_touch = {place(from), place(w)};
        sidle_segment to_before = {place(from), place(vector_sub(w, past))};
        sidle_ray_hit hit;
        cr_assert(sidle_ray_sphere(&ray, &ball, &hit) && fabs(hit.t - k) < 1e-6);
        cr_assert_not(sidle_ray_sphere(&ray, &smaller, &hit));
        cr_assert(sidle_segment_sphere(&to_touch, &ball, &hit) && fabs(hit.t - 1) < 1e-6);
        cr_assert_not(sidle_segment_sphere(&to_before, &ball, &hit));
    }
}

/* The far ball is met by less than rounding, the side is left beyond the end: the first form lost the
 * exit. */
Test(intersect_ray_solid_cases, a_ray_that_all_but_follows_the_axis_leaves_at_the_far_end)
{
    sidle_capsule capsule = {{1464822.3306983402, 2523283.5500287856, 6994543.7763063423},
                             {-9.8063034775120261e-08, 2.6163235009277598e-08, 8.4578972005754831e-08},
                             1.9125096988808598e-06};
    sidle_ray ray = {{0.00015194773979004909, 1.2134072033609561e-05, -0.00043919444470660581},
                     {1464822.3305458317, 2523283.5500149643, 6994543.7767462414}};
    sidle_ray_hit hit;
    cr_expect(sidle_ray_capsule(&ray, &capsule, &hit));
    cr_expect(hit.t < .99 && fabs(hit.t_exit - 1) < 1e-13, "%.17g", hit.t_exit);
}
