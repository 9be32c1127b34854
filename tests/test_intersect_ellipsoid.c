/* The normals and the space of an ellipsoid: named cases, and every function against exact numbers.
 * SIDLE_QUERIES says how many. */
#include "support/intersect_plane_checks.h"

#include <string.h>

Test(intersect_ellipsoid, the_normal_of_an_ellipsoid_is_no_way_from_its_centre)
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

static Real3 over(Real3 a, sidle_dvec3 b)
{
    return (Real3){real_div(a.x, real(b.x)), real_div(a.y, real(b.y)), real_div(a.z, real(b.z))};
}

static Real3 times(Real3 a, sidle_dvec3 b)
{
    return (Real3){real_mul(a.x, real(b.x)), real_mul(a.y, real(b.y)), real_mul(a.z, real(b.z))};
}

Test(intersect_ellipsoid, normals_of_ellipsoids_are_right_to_a_few_ulps)
{
    Random random = random_seeded(606);
    Errors errors = {0};
    for (uint32_t i = 0, count = asked(50000); i < count; ++i)
    {
        sidle_dvec3 radii = draw_radii(&random), on_ball = draw_unit(&random), normal;
        sidle_position p = {on_ball.x * radii.x, on_ball.y * radii.y, on_ball.z * radii.z};
        real_forget();
        cr_assert(sidle_ellipsoid_normal(radii, p, &normal));
        note_error(&errors, real3_off_share(real3_unit(over(over(real3(p), radii), radii)), normal),
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
static Real3 rotated(const sidle_dquat *q, sidle_dvec3 vector)
{
    Real3 i = real3(place(q->x, q->y, q->z)), v = real3(vector);
    Real square = real_add(real3_dot(i, i), real_mul(real(q->w), real(q->w)));
    if (real_sign(square) == 0)
    {
        return v;
    }
    Real3 inner = real3_add(real3_cross(i, v), real3_scale(v, real(q->w)));
    return real3_add(v, real3_scale(real3_cross(i, inner), real_div(real(2), square)));
}

Test(intersect_ellipsoid, the_axes_of_an_ellipsoid_are_turned_as_the_quaternion_says)
{
    Random random = random_seeded(607);
    Errors errors = {0};
    for (uint32_t i = 0, count = asked(20000); i < count; ++i)
    {
        sidle_dquat q;
        sidle_ellipsoid_space space = draw_space(&random, &q);
        real_forget();
        note_error(&errors, real3_off(rotated(&q, place(1, 0, 0)), space.axes[0]), 20 * ULP);
        note_error(&errors, real3_off(rotated(&q, place(0, 1, 0)), space.axes[1]), 20 * ULP);
        note_error(&errors, real3_off(rotated(&q, place(0, 0, 1)), space.axes[2]), 20 * ULP);
    }
    conclude(&errors, "axes (u)", 20);
    sidle_ellipsoid_space quarter; /* about y: x goes to -z */
    cr_assert(
        sidle_ellipsoid_space_from(place(0, 0, 0), place(1, 2, 3), &(sidle_dquat){0, 1, 0, 1}, &quarter));
    cr_expect(same_vector(quarter.axes[0], place(0, 0, -1)) && same_vector(quarter.axes[2], place(1, 0, 0)));
    cr_expect_not(
        sidle_ellipsoid_space_from(place(0, 0, 0), place(1, 0, 3), &(sidle_dquat){0, 1, 0, 1}, NULL));
}

static Real3 turned_in(const sidle_ellipsoid_space *space, Real3 v)
{
    return (Real3){real3_dot(real3(space->axes[0]), v), real3_dot(real3(space->axes[1]), v),
                   real3_dot(real3(space->axes[2]), v)};
}

static Real3 turned_out(const sidle_ellipsoid_space *space, Real3 v)
{
    return real3_add(
        real3_add(real3_scale(real3(space->axes[0]), v.x), real3_scale(real3(space->axes[1]), v.y)),
        real3_scale(real3(space->axes[2]), v.z));
}

/* The worst error of a coordinate, times the radius there. */
static double off_in_world(Real3 exact, sidle_dvec3 told, sidle_dvec3 radii)
{
    double x = fabs(real_off(exact.x, told.x)) * radii.x, y = fabs(real_off(exact.y, told.y)) * radii.y;
    return fmax(fmax(x, y), fabs(real_off(exact.z, told.z)) * radii.z);
}

Test(intersect_ellipsoid, places_and_ways_go_into_an_ellipsoid_s_space_and_back)
{
    Random random = random_seeded(608);
    Errors in = {0}, out = {0}, back = {0};
    for (uint32_t i = 0, count = asked(20000); i < count; ++i)
    {
        sidle_dquat q;
        sidle_ellipsoid_space space = draw_space(&random, &q);
        sidle_position p = draw_place(&random, draw_style(&random)), inside = draw_place(&random, STYLE_EVEN);
        real_forget();
        Real3 center = real3(space.center), away = real3_sub(real3(p), center);
        double far = real_double(real3_length(away));
        Real3 exact = over(turned_in(&space, away), space.radii);
        sidle_position told = sidle_ellipsoid_space_point_in(&space, p);
        note_error(&in, off_in_world(exact, told, space.radii), 6 * ULP * far);
        exact = over(turned_in(&space, real3(p)), space.radii);
        note_error(&in, off_in_world(exact, sidle_ellipsoid_space_vector_in(&space, p), space.radii),
                   6 * ULP * length_of(p));
        Real3 world = turned_out(&space, times(real3(inside), space.radii));
        double size = real_double(real3_length(world));
        note_error(&out, real3_off(world, sidle_ellipsoid_space_vector_out(&space, inside)), 8 * ULP * size);
        note_error(&out, real3_off(real3_add(world, center), sidle_ellipsoid_space_point_out(&space, inside)),
                   8 * ULP * (size + length_of(space.center)));
        sidle_position again = sidle_ellipsoid_space_point_out(&space, told);
        note_error(&back, real3_off(real3(p), again), 32 * ULP * (far + length_of(space.center)));
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
        sidle_plane plane = draw_plane(&random, draw_style(&random)), told;
        sidle_dvec3 normal;
        real_forget();
        Real3 n = real3(plane.normal), center = real3(space.center);
        Real3 inward = times(turned_in(&space, n), space.radii),
              outward = turned_out(&space, over(n, space.radii));
        Real in_length = real3_length(inward), out_length = real3_length(outward);
        cr_assert(sidle_ellipsoid_space_normal_in(&space, plane.normal, &normal));
        note_error(&in, real3_off(real3_unit(inward), normal), 12 * ULP);
        cr_assert(sidle_ellipsoid_space_plane_in(&space, &plane, &told));
        note_wrong(&in, same_vector(told.normal, normal));
        Real offset = real_div(real_sub(real(plane.offset), real3_dot(n, center)), in_length);
        double noise =
            16 * ULP * ULP * (3 * length_of(space.center) + fabs(plane.offset)) / real_double(in_length);
        note_error(&offsets, real_off(offset, told.offset), 12 * ULP * fabs(real_double(offset)) + noise);
        cr_assert(sidle_ellipsoid_space_normal_out(&space, plane.normal, &normal));
        note_error(&out, real3_off(real3_unit(outward), normal), 12 * ULP);
        cr_assert(sidle_ellipsoid_space_plane_out(&space, &plane, &told));
        Real from_center = real_div(real(plane.offset), out_length);
        offset = real_add(from_center, real3_dot(real3_unit(outward), center));
        note_error(&offsets, real_off(offset, told.offset),
                   12 * ULP * (fabs(real_double(from_center)) + length_of(space.center)));
    }
    conclude(&in, "normal in (u)", 12);
    conclude(&out, "normal out (u)", 12);
    conclude(&offsets, "offset (u)", 12);
}

/* A slope of 45 degrees and an ellipsoid twice as high as wide. The way along the slope goes in as (.7, .35);
 * across it lies (1, -2), which is the normal's image. Taken for a vector the normal would go to (1, -.5). */
Test(intersect_ellipsoid, a_normal_taken_for_a_vector_would_tilt)
{
    sidle_ellipsoid_space space;
    sidle_dvec3 normal;
    cr_assert(sidle_ellipsoid_space_from(place(5, 6, 7), place(1, 2, 1), &(sidle_dquat){0, 0, 0, 0}, &space));
    sidle_dvec3 way = sidle_ellipsoid_space_vector_in(&space, place(1, 1, 0));
    sidle_dvec3 vector = sidle_ellipsoid_space_vector_in(&space, place(1, -1, 0));
    cr_assert(sidle_ellipsoid_space_normal_in(&space, place(1, -1, 0), &normal));
    cr_expect(same_vector(way, place(1, 0.5, 0)));
    cr_expect_eq(normal.x * way.x + normal.y * way.y, 0);
    cr_expect(fabs(vector.x * way.x + vector.y * way.y) > 0.7, "it would not matter here");
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
