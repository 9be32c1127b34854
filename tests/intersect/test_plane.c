/* Planes: named cases, the defects of print, and every function against exact numbers. SIDLE_QUERIES says how
 * many. */
#include "intersect/support/plane_checks.h"
#include "intersect/support/plane_printed.h"

#include <string.h>

/* ---- cases ---- */

Test(intersect_plane, a_normal_of_any_length_gives_the_same_plane)
{
    sidle_plane plane = {{0, 0, 0}, 0}, other;
    cr_assert(sidle_plane_from_point_normal(place(1, 2, 3), place(0, 5, 0), &plane));
    cr_expect(same_vector(plane.normal, place(0, 1, 0)) && plane.offset == 2);
    cr_assert(sidle_plane_from_point_normal(place(9, 2, 9), place(0, 1e-200, 0), &other));
    cr_expect(memcmp(&plane, &other, sizeof plane) == 0);
    cr_assert(sidle_plane_from_point_normal(place(9, 2, 9), place(0, 1e200, 0), &other));
    cr_expect(memcmp(&plane, &other, sizeof plane) == 0);
    cr_expect_not(sidle_plane_from_point_normal(place(1, 2, 3), place(0, 0, 0), &other));
    cr_expect(sidle_plane_from_point_normal(place(1, 2, 3), place(1, 2, 3), NULL));
    cr_expect(memcmp(&plane, &other, sizeof plane) == 0, "written to on a miss");
}

Test(intersect_plane, three_points_counter_clockwise_look_to_the_front)
{
    sidle_plane plane;
    cr_assert(sidle_plane_from_points(place(0, 1, 0), place(0, 1, 4), place(4, 1, 0), &plane));
    cr_expect(same_vector(plane.normal, place(0, 1, 0)) && plane.offset == 1);
    cr_expect_eq(sidle_plane_distance(&plane, place(7, 3, 7)), 2);
    cr_expect_eq(sidle_plane_distance(&plane, place(7, -3, 7)), -4);
    cr_expect(same_vector(sidle_plane_closest_point(&plane, place(7, -3, 8)), place(7, 1, 8)));
    cr_expect(same_vector(sidle_plane_project(&plane, place(7, -3, 8)), place(7, 0, 8)));
}

Test(intersect_plane, points_on_one_line_have_no_plane_whatever_their_size)
{
    static const double sizes[] = {1, 1e-50, 1e50, 0.1, 1e6};
    for (int i = 0; i < 5; ++i)
    {
        double s = sizes[i];
        sidle_position a = place(s, 2 * s, 3 * s), b = place(2 * s, 4 * s, 6 * s), o = place(0, 0, 0);
        cr_expect_not(sidle_plane_from_points(o, a, b, NULL), "size %g", s);
        cr_expect_not(sidle_plane_from_points(b, a, a, NULL), "size %g", s);
        cr_expect_not(sidle_plane_from_points(a, a, a, NULL), "size %g", s);
        b.x = nextafter(b.x, 0);
        cr_expect(sidle_plane_from_points(o, a, b, NULL), "size %g: one ulp is an area", s);
    }
}

/* Appendix B: a zero-area triangle has a normal of NaN, and one that is all but on a line one of noise: here
 * it even points to the other side. */
Test(intersect_plane, print_has_noise_for_the_normal_of_a_needle)
{
    sidle_position a = place(1.2, 1.7, 1.8), b = place(16.7, 8.7, 12.3);
    sidle_position c = place(0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z));
    c.z = nextafter(c.z, 0);
    sidle_plane printed = printed_plane_from_points(a, b, c), plane;
    cr_expect(isnan(printed_plane_from_points(a, b, b).normal.x));
    cr_assert(sidle_plane_from_points(a, b, c, &plane));
    double across = plane.normal.x * printed.normal.x + plane.normal.y * printed.normal.y;
    across += plane.normal.z * printed.normal.z;
    cr_expect(across < 0, "print is right by luck: %g", across);
    if (number_available())
    {
        number_begin();
        NumberVector exact = number_cross(number_offset(a, b), number_offset(a, c));
        cr_expect(place_off(number_unit(exact), plane.normal) < 4 * ULP);
    }
}

/* Print: a point is in the plane though it lies beside it by what rounding took from the offset. */
Test(intersect_plane, print_loses_small_distances_far_out)
{
    sidle_plane plane = {{0.6, 0.8, 0}, 0};
    sidle_position point = place(0x1p20 + 0x1p-20, 0, 0);
    plane.offset = 0.6 * point.x;
    if (number_available())
    {
        number_begin();
        Number exact = number_sub(number_mul(number_of(0.6), number_of(point.x)), number_of(plane.offset));
        double got = sidle_plane_distance(&plane, point), print = printed_plane_distance(&plane, point);
        cr_expect_eq(got, number_double(exact));
        cr_expect(print == 0 && got != 0, "%g", got);
    }
}

Test(intersect_plane, who_goes_against_the_normal_or_along_the_plane_sees_the_front)
{
    sidle_plane plane = {{0, 1, 0}, 3};
    cr_expect(sidle_plane_is_front_facing(&plane, place(5, -1e-300, 0)));
    cr_expect(sidle_plane_is_front_facing(&plane, place(1, 0, 0)), "along");
    cr_expect_not(sidle_plane_is_front_facing(&plane, place(5, 1e-300, 0)));
    cr_expect_not(sidle_plane_is_front_facing(&plane, place(0, 0, 0)));
    cr_expect_not(sidle_plane_is_front_facing(&plane, place(0, -1, (double)NAN)));
}

/* Directions that are along the plane but for the rounding of their own numbers (D9). */
Test(intersect_plane, a_plain_dot_product_has_the_wrong_sign_for_faces_seen_edge_on)
{
    sidle_plane plane = {{0.6, 0.8, 0}, 0};
    uint32_t wrong = 0;
    Random random = random_seeded(601);
    for (uint32_t i = 0; i < 1000 && number_available(); ++i)
    {
        sidle_dvec3 displacement = {0, 0, random_between(&random, -1, 1)};
        displacement.x = random_between(&random, 0, 1);
        displacement.y = -0.6 * displacement.x / 0.8;
        number_begin();
        bool exact = number_sign(number_dot(number_place(plane.normal), number_place(displacement))) <= 0;
        wrong += (plane.normal.x * displacement.x + plane.normal.y * displacement.y <= 0) != exact;
        cr_expect_eq(sidle_plane_is_front_facing(&plane, displacement), exact);
    }
    cr_expect(!number_available() || wrong > 10, "%u: plain double is as good", wrong);
}

Test(intersect_plane, functions_that_return_numbers_return_nan_for_nan)
{
    const double nan = (double)NAN;
    sidle_plane plane = {{0, 1, 0}, 3}, none = {{0, 1, 0}, nan};
    cr_expect(isnan(sidle_plane_distance(&plane, place(0, nan, 0))));
    cr_expect(isnan(sidle_plane_distance(&none, place(0, 1, 0))));
    cr_expect(isnan(sidle_plane_closest_point(&none, place(0, 1, 0)).y));
    cr_expect(isnan(sidle_plane_project(&plane, place(0, nan, 0)).y));
}

/* ---- planes against exact numbers ---- */

static void draw_corners(Random *random, sidle_position corners[3])
{
    Style style = draw_style(random);
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = draw_place(random, style);
    }
    uint32_t kind = random_below(random, 4);
    sidle_dvec3 edge = {corners[1].x - corners[0].x, corners[1].y - corners[0].y,
                        corners[1].z - corners[0].z};
    if (kind == 0) /* on a line, or next to it */
    {
        static const double parts[] = {0, 0.5, 1, 2, 0.3};
        double t = parts[random_below(random, 5)];
        corners[2] = nudged_place(random, place_along(corners[0], t, edge));
    }
    else if (kind == 1) /* a needle */
    {
        sidle_dvec3 aside = draw_place(random, style);
        corners[2] = place_along(place_along(corners[0], random_unit(random), edge),
                                 random_scale(random, 1e-14, 1e-2), aside);
    }
}

Test(intersect_plane, planes_of_three_points_are_exact_in_their_verdict_and_right_to_a_few_ulps)
{
    Random random = random_seeded(602);
    Errors normals = {0}, places = {0}, verdicts = {0};
    for (uint32_t i = 0, count = asked(100000); i < count; ++i)
    {
        sidle_position c[3];
        sidle_plane plane;
        draw_corners(&random, c);
        number_begin();
        NumberVector area = number_cross(number_offset(c[0], c[1]), number_offset(c[0], c[2]));
        bool exact = number_sign(number_dot(area, area)) > 0,
             got = sidle_plane_from_points(c[0], c[1], c[2], &plane);
        note_verdict(&verdicts, got, exact ? 1 : -1, 0);
        if (!got || !exact)
        {
            continue;
        }
        note_error(&normals, place_off(number_unit(area), plane.normal), 6 * ULP);
        double size = largest_of(&c[0].x, 9);
        for (int k = 0; k < 3; ++k)
        {
            note_error(&places, number_double(number_plane_distance(&plane, c[k])), 12 * ULP * size);
        }
    }
    conclude(&verdicts, "from points, verdict", 1);
    conclude(&normals, "from points, normal (u)", 6);
    conclude(&places, "from points, corners off the plane (u size)", 12);
    cr_expect(asked(1) == 0 || verdicts.asked - verdicts.hits > verdicts.asked / 50, "hardly a line");
}

Test(intersect_plane, the_order_of_three_points_changes_no_bit_but_the_side)
{
    Random random = random_seeded(603);
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        sidle_position c[3];
        sidle_plane plain = {{0, 0, 0}, 0}, other = {{0, 0, 0}, 0};
        draw_corners(&random, c);
        bool got = sidle_plane_from_points(c[0], c[1], c[2], &plain);
        for (int k = 1; k < 6; ++k)
        {
            const int *o = orders[k];
            double side = k < 3 ? 1 : -1;
            wrong += got != sidle_plane_from_points(c[o[0]], c[o[1]], c[o[2]], &other);
            wrong +=
                got && (other.normal.x != side * plain.normal.x || other.normal.y != side * plain.normal.y ||
                        other.normal.z != side * plain.normal.z || other.offset != side * plain.offset);
        }
    }
    cr_expect_eq(wrong, 0);
}

Test(intersect_plane, planes_of_a_point_and_a_normal_are_right_to_a_few_ulps)
{
    Random random = random_seeded(604);
    Errors normals = {0}, offsets = {0};
    for (uint32_t i = 0, count = asked(50000); i < count; ++i)
    {
        sidle_position point = draw_place(&random, draw_style(&random));
        sidle_dvec3 normal = draw_place(&random, draw_style(&random));
        sidle_plane plane;
        bool zero = normal.x == 0 && normal.y == 0 && normal.z == 0;
        bool got = sidle_plane_from_point_normal(point, normal, &plane);
        note_wrong(&normals, got == !zero);
        if (got)
        {
            number_begin();
            note_error(&normals, place_off_share(number_unit(number_place(normal)), plane.normal), 3.5 * ULP);
            Number exact = number_dot(number_place(plane.normal), number_place(point));
            double size = largest_of(&point.x, 3);
            note_error(&offsets, number_error(exact, plane.offset),
                       ULP * fabs(number_double(exact)) + 24 * ULP * ULP * size);
        }
    }
    conclude(&normals, "from point and normal, normal (u)", 3.5);
    conclude(&offsets, "from point and normal, offset (u)", 1);
}

Test(intersect_plane, distances_and_projections_are_right_to_a_few_ulps)
{
    Random random = random_seeded(605);
    Errors distances = {0}, points = {0}, vectors = {0}, sides = {0};
    for (uint32_t i = 0, count = asked(50000); i < count; ++i)
    {
        Style style = draw_style(&random);
        sidle_plane plane = draw_plane(&random, style);
        sidle_position p = draw_place(&random, style);
        double d = sidle_plane_distance(&plane, p);
        if (random_chance(&random, 0.5)) /* down to the plane, or next to it */
        {
            p = nudged_place(&random, place_along(p, -d, plane.normal));
            d = sidle_plane_distance(&plane, p);
        }
        number_begin();
        NumberVector normal = number_place(plane.normal);
        Number along = number_dot(normal, number_place(p)),
               distance = number_sub(along, number_of(plane.offset));
        double size = 3 * largest_of(&p.x, 3) + fabs(plane.offset), exact = fabs(number_double(distance));
        note_error(&distances, number_error(distance, d), ULP * exact + 16 * ULP * ULP * size);
        NumberVector foot = number_vector_sub(number_place(p), number_vector_scale(normal, distance));
        note_error(&points, place_off(foot, sidle_plane_closest_point(&plane, p)),
                   ULP * (length_of(p) + 3 * exact));
        NumberVector flat = number_vector_sub(number_place(p), number_vector_scale(normal, along));
        note_error(&vectors, place_off(flat, sidle_plane_project(&plane, p)), 4 * ULP * length_of(p));
        double margin = 8 * ULP * ULP * length_of(p), low = -number_double(along);
        bool zero = length_of(p) == 0;
        note_verdict(&sides, sidle_plane_is_front_facing(&plane, p), zero ? -1 : low, zero ? 0 : margin);
    }
    conclude(&distances, "distance (u)", 1);
    conclude(&points, "closest point (u)", 1);
    conclude(&vectors, "project (u)", 4);
    conclude(&sides, "front facing", 1);
}

/* ---- every function: NaN, infinities, scale ---- */

static sidle_position at(const double *numbers)
{
    return place(numbers[0], numbers[1], numbers[2]);
}

static bool ask_from_points(const double *in, double *out)
{
    return sidle_plane_from_points(at(in), at(in + 3), at(in + 6), (sidle_plane *)out);
}

static bool ask_from_normal(const double *in, double *out)
{
    return sidle_plane_from_point_normal(at(in), at(in + 3), (sidle_plane *)out);
}

static bool ask_front(const double *in, double *out)
{
    sidle_plane plane = {at(in), 3}; /* nobody asks for the offset here */
    (void)out;
    return sidle_plane_is_front_facing(&plane, at(in + 3));
}

static const Question questions[] = {
    {ask_from_points, 9, 4, {1, 2, 3, 5, 1, 2, 0.3, 0.1, 9}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1}},
    {ask_from_normal, 6, 4, {1, 2, 3, 5, 1, 2}, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 1}},
    {ask_front, 6, 0, {0, 1, 0, 2, -1, 1}, {0, 0, 0, 1, 1, 1}, {0}},
};

Test(intersect_plane, what_is_no_number_has_no_answer_and_the_unit_of_length_changes_no_bit)
{
    check_questions(questions, sizeof questions / sizeof *questions);
}
