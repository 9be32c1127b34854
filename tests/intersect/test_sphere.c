/* Spheres at rest against each other and planes: named cases, and against exact numbers. SIDLE_QUERIES says
 * how many. */
#include "intersect/support/plane_checks.h"
#include "intersect/support/sphere_draw.h"

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
        double distance = vector_length(offset_between(a->center, b->center));
        b->radius = touching_radius(random, distance, a->radius);
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
        number_begin();
        NumberVector displacement = number_offset(a.center, b.center);
        Number depth = depth_of(a, b);
        bool got = sidle_sphere_sphere(&a, &b, &touch);
        note_verdict(&verdicts, got, number_double(depth), 0);
        if (!got)
        {
            continue;
        }
        note_error(&depths, number_error(depth, touch.depth), 6 * ULP * fabs(number_double(depth)));
        bool concentric = number_sign(number_dot(displacement, displacement)) == 0;
        NumberVector normal = concentric ? number_place(touch.normal) : number_unit(displacement);
        note_error(&normals, place_off_share(normal, touch.normal), 6 * ULP);
        Number half = number_of(0.5), share = number_mul(half, number_sum(a.radius, -b.radius));
        NumberVector point = number_along(number_between(a.center, b.center, half), normal, share);
        note_error(&points, place_off(point, touch.points[0]), 8 * ULP * spheres_size(&a, &b));
    }
    conclude_verdicts(&verdicts, "sphere sphere, verdict");
    conclude(&depths, "sphere sphere, depth (u)", 6);
    conclude(&normals, "sphere sphere, normal (u)", 6);
    conclude(&points, "sphere sphere, point (u size)", 8);
}

Test(intersect_sphere, swapped_spheres_give_the_same_bits)
{
    Random random = random_seeded(702);
    uint32_t wrong = 0, hits = 0;
    for (uint32_t i = 0; i < 50000; ++i)
    {
        sidle_sphere a, b;
        sidle_touch one, two;
        draw_spheres(&random, &a, &b);
        bool got = sidle_sphere_sphere(&a, &b, &one), other = sidle_sphere_sphere(&b, &a, &two);
        bool equal = memcmp(&a, &b, sizeof a) == 0;
        wrong += got != other;
        hits += got;
        wrong += got && other &&
                 ((!is_opposite(one.normal, two.normal) && !equal) || one.depth != two.depth ||
                  (!same_vector(one.points[0], two.points[0]) && !equal));
    }
    cr_expect_eq(wrong, 0, "%u of %u", wrong, hits);
    cr_expect(hits > 5000);
}

Test(intersect_sphere, spheres_against_planes_have_exact_verdicts_and_depths)
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
        number_begin();
        Number distance = number_plane_distance(&plane, sphere.center);
        Number depth = number_sub(number_of(sphere.radius), number_abs(distance));
        bool got = sidle_sphere_plane(&sphere, &plane, &touch);
        note_verdict(&verdicts, got, number_double(depth), 0);
        if (!got)
        {
            continue;
        }
        note_error(&depths, number_error(depth, touch.depth), ULP * fabs(number_double(depth)));
        double side = number_sign(distance) < 0 ? 1 : -1;
        NumberVector normal = number_vector_scale(number_place(plane.normal), number_of(side));
        note_wrong(&points, place_off(normal, touch.normal) == 0);
        normal = number_place(touch.normal);
        Number share = number_mul(number_of(0.5), number_add(number_of(sphere.radius), number_abs(distance)));
        NumberVector point = number_along(number_place(sphere.center), normal, share);
        note_error(&points, place_off(point, touch.points[0]),
                   8 * ULP * fmax(largest_of(&sphere.center.x, 3), sphere.radius));
    }
    conclude_verdicts(&verdicts, "sphere plane, verdict");
    conclude(&depths, "sphere plane, depth (u)", 1);
    conclude(&points, "sphere plane, point (u size)", 8);
}

/* Two radii whose sum is a distance, but for 10^-12 to 10^-33 of it, more or less. */
static void draw_radii(Random *random, Number distance, double *one, double *other)
{
    double off = random_scale(random, 1e-33, 1e-12) * (random_chance(random, 0.5) ? 1 : -1);
    Number reach = number_mul(distance, number_add(number_of(1), number_of(off)));
    *one = nextafter(number_double(reach), 0);
    *other = number_double(number_sub(reach, number_of(*one)));
}

static void judge_depth(Errors *errors, Number depth, bool got, bool swept, const sidle_touch *touch,
                        double units)
{
    note_wrong(errors, got == (number_sign(depth) >= 0));
    note_wrong(errors, swept == got);
    note_error(errors, got ? number_error(depth, touch->depth) : 0, units * ULP * fabs(number_double(depth)));
}

Test(intersect_sphere, depths_far_below_an_ulp_are_right)
{
    Random random = random_seeded(704);
    Errors spheres = {0}, planes = {0};
    for (uint32_t i = 0, count = asked(30000); i < count; ++i)
    {
        Style style = draw_style(&random);
        sidle_sphere a = {draw_place(&random, style), 0}, b = {draw_place(&random, style), 0};
        sidle_touch touch = {.depth = 0};
        number_begin();
        Number distance = number_length(number_offset(a.center, b.center));
        if (number_sign(distance) == 0)
        {
            continue;
        }
        draw_radii(&random, distance, &a.radius, &b.radius);
        sidle_moving_sphere rest = at_rest(&a), other = at_rest(&b);
        bool got = sidle_sphere_sphere(&a, &b, &touch);
        judge_depth(&spheres, depth_of(a, b), got, sidle_sphere_sphere_sweep(&rest, &other, NULL), &touch, 6);
        /* Of the distance from a plane the numbers themselves leave what no double holds. */
        sidle_plane plane = draw_plane(&random, style);
        plane.offset = number_double(number_dot(number_place(plane.normal), number_place(a.center)));
        Number height = number_abs(number_plane_distance(&plane, a.center));
        a.radius = nudged(&random, number_double(height));
        rest = at_rest(&a);
        got = sidle_sphere_plane(&a, &plane, &touch);
        judge_depth(&planes, number_sub(number_of(a.radius), height), got,
                    sidle_sphere_plane_sweep(&rest, &plane, NULL), &touch, 1);
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
