/* Spheres at rest against each other and planes: named cases, and against exact numbers. SIDLE_QUERIES says
 * how many. */
#include "support/intersect_plane_checks.h"
#include "support/intersect_sphere_draw.h"

#include <string.h>

static const sidle_plane ground = {{0, 1, 0}, 0};

Test(intersect_sphere, spheres_that_just_touch_are_a_hit_of_no_depth)
{
    sidle_sphere a = {{1, 2, 3}, 2}, b = {{4, 6, 3}, 3};
    sidle_touch touch = {.depth = 77};
    cr_assert(sidle_sphere_sphere(&a, &b, &touch));
    cr_expect(touch.depth == 0 && touch.point_count == 1 && touch.depths[0] == 0);
    cr_expect(same_vector(touch.normal, place(0.6, 0.8, 0)));
    cr_expect(fabs(touch.points[0].x - 2.2) < 1e-15 && fabs(touch.points[0].y - 3.6) < 1e-15);
    cr_expect(touch.feature_a.kind == SIDLE_FEATURE_FACE && touch.feature_b.index == 0);
    b.radius = nextafter(3, 0);
    touch.depth = 77;
    cr_expect_not(sidle_sphere_sphere(&a, &b, &touch));
    cr_expect_eq(touch.depth, 77);
    cr_expect(sidle_sphere_sphere(&a, &(sidle_sphere){{4, 6, 3}, 4}, &touch) && touch.depth == 1);
}

Test(intersect_sphere, concentric_spheres_part_upwards_from_the_larger)
{
    sidle_sphere large = {{1, 2, 3}, 2}, small = {{1, 2, 3}, 1}, point = {{1, 2, 3}, 0};
    sidle_touch touch;
    cr_assert(sidle_sphere_sphere(&large, &small, &touch));
    cr_expect(same_vector(touch.normal, place(0, 1, 0)) && touch.depth == 3);
    cr_expect(same_vector(touch.points[0], place(1, 2.5, 3)));
    cr_assert(sidle_sphere_sphere(&small, &large, &touch));
    cr_expect(same_vector(touch.normal, place(0, -1, 0)) && touch.depth == 3);
    cr_expect(same_vector(touch.points[0], place(1, 2.5, 3)));
    cr_assert(sidle_sphere_sphere(&point, &point, &touch));
    cr_expect(same_vector(touch.normal, place(0, 1, 0)) && touch.depth == 0);
    cr_expect_not(sidle_sphere_sphere(&large, &(sidle_sphere){{1, 2, 3}, -1}, NULL));
}

Test(intersect_sphere, a_sphere_touches_a_plane_from_both_sides)
{
    sidle_touch touch;
    cr_assert(sidle_sphere_plane(&(sidle_sphere){{5, 1.5, 6}, 2}, &ground, &touch));
    cr_expect(same_vector(touch.normal, place(0, -1, 0)) && touch.depth == 0.5);
    cr_expect(same_vector(touch.points[0], place(5, -0.25, 6)));
    cr_assert(sidle_sphere_plane(&(sidle_sphere){{5, -1.5, 6}, 2}, &ground, &touch));
    cr_expect(same_vector(touch.normal, place(0, 1, 0)) && touch.depth == 0.5);
    cr_assert(sidle_sphere_plane(&(sidle_sphere){{5, 0, 6}, 2}, &ground, &touch));
    cr_expect(same_vector(touch.normal, place(0, -1, 0)) && touch.depth == 2);
    cr_expect(sidle_sphere_plane(&(sidle_sphere){{5, 2, 6}, 2}, &ground, &touch) && touch.depth == 0);
    cr_expect(sidle_sphere_plane(&(sidle_sphere){{5, 0, 6}, 0}, &ground, &touch) && touch.depth == 0);
    cr_expect_not(sidle_sphere_plane(&(sidle_sphere){{5, nextafter(2, 3), 6}, 2}, &ground, NULL));
    cr_expect_not(sidle_sphere_plane(&(sidle_sphere){{5, 0, 6}, -1}, &ground, NULL));
    cr_expect_not(sidle_sphere_plane(&(sidle_sphere){{0, 0, 0}, 1}, &(sidle_plane){{0, 0, 0}, 0}, NULL));
}

/* b beside a at a distance where they touch, or all but; or anywhere. */
static void draw_spheres(Random *random, sidle_sphere *a, sidle_sphere *b)
{
    Style style = draw_style(random);
    *a = (sidle_sphere){draw_place(random, style), draw_length(random, style)};
    *b = (sidle_sphere){draw_place(random, style), draw_length(random, style)};
    if (random_chance(random, 0.7))
    {
        double x = b->center.x - a->center.x, y = b->center.y - a->center.y, z = b->center.z - a->center.z;
        double gap = sqrt(x * x + y * y + z * z) - a->radius;
        b->radius = nudged(random, gap < 0 ? 0 : gap);
    }
    b->center = random_chance(random, 0.05) ? a->center : nudged_place(random, b->center);
}

static double spheres_size(const sidle_sphere *a, const sidle_sphere *b)
{
    return fmax(largest_of(&a->center.x, 4), largest_of(&b->center.x, 4));
}

Test(intersect_sphere, spheres_touch_when_they_do_and_as_deep_as_they_do)
{
    Random random = random_seeded(701);
    Errors verdicts = {0}, depths = {0}, normals = {0}, points = {0};
    for (uint32_t i = 0, count = asked(100000); i < count; ++i)
    {
        sidle_sphere a, b;
        sidle_touch touch;
        draw_spheres(&random, &a, &b);
        real_forget();
        Real3 ca = real3(a.center), cb = real3(b.center), way = real3_sub(cb, ca);
        Real reach = real_add(real(a.radius), real(b.radius)), distance = real3_length(way);
        Real depth = real_sub(reach, distance);
        bool told = sidle_sphere_sphere(&a, &b, &touch);
        note_verdict(&verdicts, told, real_double(depth), 0);
        if (!told)
        {
            continue;
        }
        note_error(&depths, real_off(depth, touch.depth), 6 * ULP * fabs(real_double(depth)));
        bool concentric = real_sign(distance) == 0;
        Real3 normal = concentric ? real3(touch.normal) : real3_unit(way);
        note_error(&normals, real3_off_share(normal, touch.normal), 6 * ULP);
        Real half = real(0.5), share = real_mul(half, real_sub(real(a.radius), real(b.radius)));
        Real3 point = real3_add(real3_scale(real3_add(ca, cb), half), real3_scale(normal, share));
        note_error(&points, real3_off(point, touch.points[0]), 8 * ULP * spheres_size(&a, &b));
    }
    conclude_verdicts(&verdicts, "sphere sphere, verdict");
    conclude(&depths, "sphere sphere, depth (u)", 6);
    conclude(&normals, "sphere sphere, normal (u)", 6);
    conclude(&points, "sphere sphere, point (u size)", 8);
}

Test(intersect_sphere, spheres_the_other_way_round_touch_in_the_same_bits)
{
    Random random = random_seeded(702);
    uint32_t wrong = 0, hits = 0;
    for (uint32_t i = 0; i < 50000; ++i)
    {
        sidle_sphere a, b;
        sidle_touch one, two;
        draw_spheres(&random, &a, &b);
        bool told = sidle_sphere_sphere(&a, &b, &one), other = sidle_sphere_sphere(&b, &a, &two);
        bool equal = memcmp(&a, &b, sizeof a) == 0;
        wrong += told != other;
        hits += told;
        wrong += told && other &&
                 ((!is_opposite(one.normal, two.normal) && !equal) || one.depth != two.depth ||
                  (!same_vector(one.points[0], two.points[0]) && !equal));
    }
    cr_expect_eq(wrong, 0, "%u of %u", wrong, hits);
    cr_expect(hits > 5000);
}

Test(intersect_sphere, a_sphere_touches_a_plane_when_it_does_and_as_deep_as_it_does)
{
    Random random = random_seeded(703);
    Errors verdicts = {0}, depths = {0}, points = {0};
    for (uint32_t i = 0, count = asked(100000); i < count; ++i)
    {
        Style style = draw_style(&random);
        sidle_plane plane = draw_plane(&random, style);
        sidle_sphere sphere = {draw_place(&random, style), draw_length(&random, style)};
        sidle_touch touch;
        if (random_chance(&random, 0.6))
        {
            sphere.radius = fabs(nudged(&random, sidle_plane_distance(&plane, sphere.center)));
        }
        real_forget();
        Real distance = distance_of(&plane, sphere.center);
        Real depth = real_sub(real(sphere.radius), real_abs(distance));
        bool told = sidle_sphere_plane(&sphere, &plane, &touch);
        note_verdict(&verdicts, told, real_double(depth), 0);
        if (!told)
        {
            continue;
        }
        note_error(&depths, real_off(depth, touch.depth), ULP * fabs(real_double(depth)));
        double side = real_sign(distance) < 0 ? 1 : -1;
        Real3 normal = real3_scale(real3(plane.normal), real(side));
        note_wrong(&points, real3_off(normal, touch.normal) == 0);
        normal = real3(touch.normal);
        Real share = real_mul(real(0.5), real_add(real(sphere.radius), real_abs(distance)));
        Real3 point = real3_add(real3(sphere.center), real3_scale(normal, share));
        note_error(&points, real3_off(point, touch.points[0]),
                   8 * ULP * fmax(largest_of(&sphere.center.x, 3), sphere.radius));
    }
    conclude_verdicts(&verdicts, "sphere plane, verdict");
    conclude(&depths, "sphere plane, depth (u)", 1);
    conclude(&points, "sphere plane, point (u size)", 8);
}

/* Two radii whose sum is a distance, but for 10^-12 to 10^-33 of it either way. */
static void draw_radii(Random *random, Real distance, double *one, double *other)
{
    double off = random_scale(random, 1e-33, 1e-12) * (random_chance(random, 0.5) ? 1 : -1);
    Real reach = real_mul(distance, real_add(real(1), real(off)));
    *one = nextafter(real_double(reach), 0);
    *other = real_double(real_sub(reach, real(*one)));
}

Test(intersect_sphere, depths_of_far_less_than_an_ulp_are_told_and_right)
{
    Random random = random_seeded(704);
    Errors spheres = {0}, planes = {0};
    for (uint32_t i = 0, count = asked(30000); i < count; ++i)
    {
        Style style = draw_style(&random);
        sidle_sphere a = {draw_place(&random, style), 0}, b = {draw_place(&random, style), 0};
        sidle_touch touch = {.depth = 0};
        real_forget();
        Real distance = real3_length(real3_sub(real3(b.center), real3(a.center)));
        if (real_sign(distance) == 0)
        {
            continue;
        }
        draw_radii(&random, distance, &a.radius, &b.radius);
        Real depth = real_sub(real_add(real(a.radius), real(b.radius)), distance);
        bool told = sidle_sphere_sphere(&a, &b, &touch);
        note_wrong(&spheres, told == (real_sign(depth) >= 0));
        note_error(&spheres, told ? real_off(depth, touch.depth) : 0, 6 * ULP * fabs(real_double(depth)));
        sidle_moving_sphere rests[2] = {{a.center, a.center, a.radius}, {b.center, b.center, b.radius}};
        note_wrong(&spheres, sidle_sphere_sphere_sweep(&rests[0], &rests[1], NULL) == told);
        /* Of the distance from a plane the numbers themselves leave what no double holds. */
        sidle_plane plane = draw_plane(&random, style);
        plane.offset = real_double(real_add(distance_of(&plane, a.center), real(plane.offset)));
        Real height = real_abs(distance_of(&plane, a.center));
        a.radius = nudged(&random, real_double(height));
        depth = real_sub(real(a.radius), height);
        told = sidle_sphere_plane(&a, &plane, &touch);
        note_wrong(&planes, told == (real_sign(depth) >= 0));
        sidle_moving_sphere still = {a.center, a.center, a.radius};
        note_wrong(&planes, sidle_sphere_plane_sweep(&still, &plane, NULL) == told);
        note_error(&planes, told ? real_off(depth, touch.depth) : 0, ULP * fabs(real_double(depth)));
    }
    conclude(&spheres, "sphere sphere, tiny depth (u)", 6);
    conclude(&planes, "sphere plane, tiny depth (u)", 1);
}

/* ---- every function: NaN, infinities, scale ---- */

static bool write_touch(bool hit, const sidle_touch *touch, double *out)
{
    if (hit)
    {
        memcpy(out, &touch->normal, 3 * sizeof *out);
        memcpy(out + 3, &touch->points[0], 3 * sizeof *out);
        out[6] = touch->depth;
        out[7] = touch->depths[0];
    }
    return hit;
}

static bool ask_spheres(const double *in, double *out)
{
    sidle_sphere pair[2];
    sidle_touch touch;
    memcpy(pair, in, sizeof pair);
    return write_touch(sidle_sphere_sphere(&pair[0], &pair[1], &touch), &touch, out);
}

static bool ask_plane(const double *in, double *out)
{
    sidle_sphere sphere;
    sidle_plane plane;
    sidle_touch touch;
    memcpy(&sphere, in, sizeof sphere);
    memcpy(&plane, in + 4, sizeof plane);
    return write_touch(sidle_sphere_plane(&sphere, &plane, &touch), &touch, out);
}

static const Question questions[] = {
    {ask_spheres, 8, 8, {1, 2, 3, 1.7, 2, 3, 4, 0.9}, {1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 1, 1, 1, 1}},
    {ask_spheres, 8, 8, {1, 2, 3, 1.7, 1, 2, 3, 0.9}, {1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 1, 1, 1, 1}},
    {ask_plane, 8, 8, {1, 2, 3, 1.7, 0.6, 0.8, 0, 1}, {1, 1, 1, 1, 0, 0, 0, 1}, {0, 0, 0, 1, 1, 1, 1, 1}},
};

Test(intersect_sphere, what_is_no_number_has_no_answer_and_the_unit_of_length_changes_no_bit)
{
    check_questions(questions, sizeof questions / sizeof *questions);
}
