/* The normals and the space of an ellipsoid: named cases, and every function against exact numbers.
 * SIDLE_QUERIES says how many. */
#include "intersect/support/plane_checks.h"

#include <string.h>

Test(intersect_ellipsoid, the_normal_of_an_ellipsoid_is_not_the_direction_from_its_centre)
{
    sidle_dvec3 normal, flat = {2, 1, 1};
    cr_assert(sidle_ellipsoid_normal(place(2, 1, 1), place(2, 0, 0), &normal));
    cr_expect(same_vector(normal, place(1, 0, 0)));
    cr_assert(sidle_ellipsoid_normal(flat, place(1.2, 0.8, 0), &normal)); /* (.3, .8), by sqrt(.73) */
    cr_expect(fabs(normal.x / normal.y - 0.375) < 1e-15);
    cr_expect_not(sidle_ellipsoid_normal(flat, place(0, 0, 0), &normal));
    cr_expect_not(sidle_ellipsoid_normal(place(2, 0, 1), place(2, 0, 0), &normal));
    cr_expect_not(sidle_ellipsoid_normal(place(2, -1, 1), place(2, 0, 0), &normal));
}

static sidle_dvec3 draw_radii(Random *random)
{
    double low = random_chance(random, 0.5) ? 0.1 : 1e-6, high = random_chance(random, 0.5) ? 10 : 1e6;
    double x = random_scale(random, low, high), y = random_scale(random, low, high);
    return (sidle_dvec3){x, y, random_chance(random, 0.2) ? x : random_scale(random, low, high)};
}

static NumberVector over(NumberVector a, sidle_dvec3 b)
{
    NumberVector by = number_place(b);
    return (NumberVector){number_div(a.x, by.x), number_div(a.y, by.y), number_div(a.z, by.z)};
}

static NumberVector times(NumberVector a, sidle_dvec3 b)
{
    NumberVector by = number_place(b);
    return (NumberVector){number_mul(a.x, by.x), number_mul(a.y, by.y), number_mul(a.z, by.z)};
}

Test(intersect_ellipsoid, normals_of_ellipsoids_are_right_to_a_few_ulps)
{
    Random random = random_seeded(606);
    Errors errors = {0};
    for (uint32_t i = 0, count = asked(50000); i < count; ++i)
    {
        sidle_dvec3 radii = draw_radii(&random), on_ball = draw_unit(&random), normal;
        sidle_position p = {on_ball.x * radii.x, on_ball.y * radii.y, on_ball.z * radii.z};
        number_begin();
        cr_assert(sidle_ellipsoid_normal(radii, p, &normal));
        note_error(&errors, place_off_share(number_unit(over(over(number_place(p), radii), radii)), normal),
                   10 * ULP);
    }
    conclude(&errors, "ellipsoid normal (u)", 10);
}

static sidle_ellipsoid_space draw_space(Random *random, sidle_dquat *rotation)
{
    sidle_ellipsoid_space space;
    *rotation = draw_rotation(random, draw_style(random));
    cr_assert(sidle_ellipsoid_space_from(draw_place(random, draw_style(random)), draw_radii(random), rotation,
                                         &space));
    return space;
}

/* The image of a vector under the rotation, exactly: v + 2 i x (i x v + w v) / q.q. */
static NumberVector rotated(const sidle_dquat *q, sidle_dvec3 vector)
{
    NumberVector i = number_place(place(q->x, q->y, q->z)), v = number_place(vector);
    Number square = number_add(number_dot(i, i), number_mul(number_of(q->w), number_of(q->w)));
    if (number_sign(square) == 0)
    {
        return v;
    }
    NumberVector inner = number_along(number_cross(i, v), v, number_of(q->w));
    return number_along(v, number_cross(i, inner), number_div(number_of(2), square));
}

Test(intersect_ellipsoid, the_axes_of_an_ellipsoid_follow_the_quaternion)
{
    Random random = random_seeded(607);
    Errors errors = {0};
    for (uint32_t i = 0, count = asked(20000); i < count; ++i)
    {
        sidle_dquat q;
        sidle_ellipsoid_space space = draw_space(&random, &q);
        number_begin();
        note_error(&errors, place_off(rotated(&q, place(1, 0, 0)), space.axes[0]), 20 * ULP);
        note_error(&errors, place_off(rotated(&q, place(0, 1, 0)), space.axes[1]), 20 * ULP);
        note_error(&errors, place_off(rotated(&q, place(0, 0, 1)), space.axes[2]), 20 * ULP);
    }
    conclude(&errors, "axes (u)", 20);
    sidle_ellipsoid_space quarter; /* about y: x goes to -z */
    cr_assert(
        sidle_ellipsoid_space_from(place(0, 0, 0), place(1, 2, 3), &(sidle_dquat){0, 1, 0, 1}, &quarter));
    cr_expect(same_vector(quarter.axes[0], place(0, 0, -1)) && same_vector(quarter.axes[2], place(1, 0, 0)));
    cr_expect_not(
        sidle_ellipsoid_space_from(place(0, 0, 0), place(1, 0, 3), &(sidle_dquat){0, 1, 0, 1}, NULL));
}

static NumberVector turned_in(const sidle_ellipsoid_space *space, NumberVector v)
{
    return (NumberVector){number_dot(number_place(space->axes[0]), v),
                          number_dot(number_place(space->axes[1]), v),
                          number_dot(number_place(space->axes[2]), v)};
}

static NumberVector turned_out(const sidle_ellipsoid_space *space, NumberVector v)
{
    NumberVector x = number_vector_scale(number_place(space->axes[0]), v.x);
    return number_along(number_along(x, number_place(space->axes[1]), v.y), number_place(space->axes[2]),
                        v.z);
}

/* The worst error of a coordinate, times the radius there. */
static double off_in_world(NumberVector exact, sidle_dvec3 got, sidle_dvec3 radii)
{
    double x = number_error(exact.x, got.x) * radii.x, y = number_error(exact.y, got.y) * radii.y;
    return fmax(fmax(x, y), number_error(exact.z, got.z) * radii.z);
}

Test(intersect_ellipsoid, points_and_vectors_go_into_ellipsoid_space_and_back)
{
    Random random = random_seeded(608);
    Errors in = {0}, out = {0}, back = {0};
    for (uint32_t i = 0, count = asked(20000); i < count; ++i)
    {
        sidle_dquat q;
        sidle_ellipsoid_space space = draw_space(&random, &q);
        sidle_position p = draw_place(&random, draw_style(&random)), inside = draw_place(&random, STYLE_EVEN);
        number_begin();
        NumberVector center = number_place(space.center), away = number_offset(space.center, p);
        double far = number_double(number_length(away));
        NumberVector exact = over(turned_in(&space, away), space.radii);
        sidle_position got = sidle_ellipsoid_space_point_in(&space, p);
        note_error(&in, off_in_world(exact, got, space.radii), 6 * ULP * far);
        exact = over(turned_in(&space, number_place(p)), space.radii);
        note_error(&in, off_in_world(exact, sidle_ellipsoid_space_vector_in(&space, p), space.radii),
                   6 * ULP * length_of(p));
        NumberVector world = turned_out(&space, times(number_place(inside), space.radii));
        double size = number_double(number_length(world));
        note_error(&out, place_off(world, sidle_ellipsoid_space_vector_out(&space, inside)), 8 * ULP * size);
        sidle_position outside = sidle_ellipsoid_space_point_out(&space, inside);
        note_error(&out, place_off(number_vector_add(world, center), outside),
                   8 * ULP * (size + length_of(space.center)));
        sidle_position again = sidle_ellipsoid_space_point_out(&space, got);
        note_error(&back, place_off(number_place(p), again), 32 * ULP * (far + length_of(space.center)));
    }
    conclude(&in, "into the space (u of the world's length)", 6);
    conclude(&out, "out of the space (u of the world's length)", 8);
    conclude(&back, "in and out (u of the world's length)", 32);
}

Test(intersect_ellipsoid, normals_and_planes_go_into_an_ellipsoid_s_space_and_back)
{
    Random random = random_seeded(609);
    Errors in = {0}, out = {0}, offsets = {0};
    for (uint32_t i = 0, count = asked(20000); i < count; ++i)
    {
        sidle_dquat q;
        sidle_ellipsoid_space space = draw_space(&random, &q);
        sidle_plane plane = draw_plane(&random, draw_style(&random)), got;
        sidle_dvec3 normal;
        number_begin();
        NumberVector n = number_place(plane.normal), center = number_place(space.center);
        NumberVector inward = times(turned_in(&space, n), space.radii),
                     outward = turned_out(&space, over(n, space.radii));
        Number in_length = number_length(inward), out_length = number_length(outward);
        cr_assert(sidle_ellipsoid_space_normal_in(&space, plane.normal, &normal));
        note_error(&in, place_off(number_unit(inward), normal), 12 * ULP);
        cr_assert(sidle_ellipsoid_space_plane_in(&space, &plane, &got));
        note_wrong(&in, same_vector(got.normal, normal));
        Number offset = number_div(number_sub(number_of(plane.offset), number_dot(n, center)), in_length);
        double noise =
            16 * ULP * ULP * (3 * length_of(space.center) + fabs(plane.offset)) / number_double(in_length);
        note_error(&offsets, number_error(offset, got.offset),
                   12 * ULP * fabs(number_double(offset)) + noise);
        cr_assert(sidle_ellipsoid_space_normal_out(&space, plane.normal, &normal));
        note_error(&out, place_off(number_unit(outward), normal), 12 * ULP);
        cr_assert(sidle_ellipsoid_space_plane_out(&space, &plane, &got));
        Number from_center = number_div(number_of(plane.offset), out_length);
        offset = number_add(from_center, number_dot(number_unit(outward), center));
        note_error(&offsets, number_error(offset, got.offset),
                   12 * ULP * (fabs(number_double(from_center)) + length_of(space.center)));
    }
    conclude(&in, "normal in (u)", 12);
    conclude(&out, "normal out (u)", 12);
    conclude(&offsets, "offset (u)", 12);
}

/* A slope of 45 degrees and an ellipsoid twice as high as wide. The vector along the slope goes in as (.7,
 * .35); across it lies (1, -2), which is the normal's image. Taken for a vector the normal would go to (1,
 * -.5). */
Test(intersect_ellipsoid, a_normal_taken_for_a_vector_would_tilt)
{
    sidle_ellipsoid_space space;
    sidle_dvec3 normal;
    cr_assert(sidle_ellipsoid_space_from(place(5, 6, 7), place(1, 2, 1), &(sidle_dquat){0, 0, 0, 0}, &space));
    sidle_dvec3 displacement = sidle_ellipsoid_space_vector_in(&space, place(1, 1, 0));
    sidle_dvec3 vector = sidle_ellipsoid_space_vector_in(&space, place(1, -1, 0));
    cr_assert(sidle_ellipsoid_space_normal_in(&space, place(1, -1, 0), &normal));
    cr_expect(same_vector(displacement, place(1, 0.5, 0)));
    cr_expect_eq(normal.x * displacement.x + normal.y * displacement.y, 0);
    cr_expect(fabs(vector.x * displacement.x + vector.y * displacement.y) > 0.7, "it would not matter here");
    cr_expect(sidle_ellipsoid_space_normal_out(&space, normal, &normal) && fabs(normal.x + normal.y) < 1e-15);
    cr_expect_not(sidle_ellipsoid_space_normal_in(&space, place(0, 0, 0), &normal));
}

Test(intersect_ellipsoid, a_place_keeps_its_side_of_a_plane_in_an_ellipsoid_s_space)
{
    Random random = random_seeded(610);
    uint32_t wrong = 0, decided = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        sidle_dquat q;
        sidle_ellipsoid_space space = draw_space(&random, &q);
        space.center = draw_place(&random, STYLE_EVEN);
        sidle_plane plane = draw_plane(&random, STYLE_EVEN), inside;
        sidle_position p = draw_place(&random, STYLE_EVEN);
        double before = sidle_plane_distance(&plane, p);
        wrong += !sidle_ellipsoid_space_plane_in(&space, &plane, &inside);
        double after = sidle_plane_distance(&inside, sidle_ellipsoid_space_point_in(&space, p));
        decided += fabs(before) > 1e-6;
        wrong += fabs(before) > 1e-6 && (before > 0) != (after > 0);
    }
    cr_expect_eq(wrong, 0);
    cr_expect(decided > 10000);
}

/* ---- every function: NaN, infinities, scale ---- */

static sidle_position at(const double *numbers)
{
    return place(numbers[0], numbers[1], numbers[2]);
}

static bool ask_ellipsoid_normal(const double *in, double *out)
{
    return sidle_ellipsoid_normal(at(in), at(in + 3), (sidle_dvec3 *)out);
}

static bool ask_space(const double *in, double *out)
{
    sidle_dquat rotation = {in[6], in[7], in[8], in[9]};
    return sidle_ellipsoid_space_from(at(in), at(in + 3), &rotation, (sidle_ellipsoid_space *)out);
}

static bool ask_plane_in(const double *in, double *out)
{
    sidle_ellipsoid_space space;
    memcpy(&space, in, sizeof space);
    sidle_plane plane = {at(in + 15), in[18]};
    return sidle_ellipsoid_space_plane_in(&space, &plane, (sidle_plane *)out);
}

static bool ask_plane_out(const double *in, double *out)
{
    sidle_ellipsoid_space space;
    memcpy(&space, in, sizeof space);
    sidle_plane plane = {at(in + 15), in[18]};
    return sidle_ellipsoid_space_plane_out(&space, &plane, (sidle_plane *)out);
}

static const Question questions[] = {
    {ask_ellipsoid_normal, 6, 3, {1, 2, 0.3, 0.5, 0.2, 0.1}, {1, 1, 1, 1, 1, 1}, {0, 0, 0}},
    {ask_space,
     10,
     18,
     {1, 2, 3, 0.5, 0.2, 0.1, 1, 2, 3, 4},
     {1, 1, 1, 1, 1, 1},
     {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1}},
    {ask_plane_in,
     19,
     4,
     {1, 2, 3, 0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1, 0.5, 0.2, 0.1, 0.8, 0, 0.6, 2},
     {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1},
     {0, 0, 0, 0}},
    {ask_plane_out,
     19,
     4,
     {1, 2, 3, 0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1, 0.5, 0.2, 0.1, 0.8, 0, 0.6, 2},
     {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0},
     {0, 0, 0, 1}},
};

Test(intersect_ellipsoid, what_is_no_number_has_no_answer_and_the_unit_of_length_changes_no_bit)
{
    check_questions(questions, sizeof questions / sizeof *questions);
}
