/* Planes, the space of an ellipsoid, and the lowest root: named cases, the defects of print, and every
 * function against exact numbers. SIDLE_QUERIES says how many. */
#include "support/intersect_plane_draw.h"
#include "support/intersect_plane_printed.h"
#include "support/intersect_plane_real.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <string.h>

static sidle_position place(double x, double y, double z)
{
    return (sidle_position){x, y, z};
}

static bool same_vector(sidle_dvec3 a, sidle_dvec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static double length_of(sidle_dvec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static uint32_t asked(uint32_t otherwise)
{
    return real_available() ? query_count(otherwise) : 0;
}

static void conclude(const Errors *errors, const char *what, double unit)
{
    print_errors(errors, what, unit);
    cr_expect_eq(errors->wrong, 0, "%s", what);
}

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
    if (real_available())
    {
        Real3 exact = real3_cross(real3_sub(real3(b), real3(a)), real3_sub(real3(c), real3(a)));
        cr_expect(real3_off(real3_unit(exact), plane.normal) < 4 * ULP);
    }
}

/* Print: a point is in the plane though it lies beside it by what rounding took from the offset. */
Test(intersect_plane, print_loses_small_distances_far_out)
{
    sidle_plane plane = {{0.6, 0.8, 0}, 0};
    sidle_position point = place(0x1p20 + 0x1p-20, 0, 0);
    Real exact = NULL;
    plane.offset = 0.6 * point.x;
    if (real_available())
    {
        exact = real_sub(real_mul(real(0.6), real(point.x)), real(plane.offset));
        double told = sidle_plane_distance(&plane, point), print = printed_plane_distance(&plane, point);
        cr_expect_eq(told, real_double(exact));
        cr_expect(print == 0 && told != 0, "%g", told);
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
Test(intersect_plane, a_plain_dot_product_cannot_tell_the_side_of_a_face_seen_edge_on)
{
    sidle_plane plane = {{0.6, 0.8, 0}, 0};
    uint32_t wrong = 0;
    Random random = random_seeded(601);
    for (uint32_t i = 0; i < 1000 && real_available(); ++i)
    {
        sidle_dvec3 way = {0, 0, random_between(&random, -1, 1)};
        way.x = random_between(&random, 0, 1);
        way.y = -0.6 * way.x / 0.8;
        real_forget();
        bool exact = real_sign(real3_dot(real3(plane.normal), real3(way))) <= 0;
        wrong += (plane.normal.x * way.x + plane.normal.y * way.y <= 0) != exact;
        cr_expect_eq(sidle_plane_is_front_facing(&plane, way), exact);
    }
    cr_expect(!real_available() || wrong > 10, "%u: plain double is as good", wrong);
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
        real_forget();
        Real3 area = real3_cross(real3_sub(real3(c[1]), real3(c[0])), real3_sub(real3(c[2]), real3(c[0])));
        bool exact = real_sign(real3_dot(area, area)) > 0,
             told = sidle_plane_from_points(c[0], c[1], c[2], &plane);
        note_verdict(&verdicts, told, exact ? 1 : -1, 0);
        if (!told || !exact)
        {
            continue;
        }
        note_error(&normals, real3_off(real3_unit(area), plane.normal), 6 * ULP);
        double size = largest_of(&c[0].x, 9);
        for (int k = 0; k < 3; ++k)
        {
            Real off = real_sub(real3_dot(real3(plane.normal), real3(c[k])), real(plane.offset));
            note_error(&places, real_double(off), 12 * ULP * size);
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
        bool told = sidle_plane_from_points(c[0], c[1], c[2], &plain);
        for (int k = 1; k < 6; ++k)
        {
            const int *o = orders[k];
            double side = k < 3 ? 1 : -1;
            wrong += told != sidle_plane_from_points(c[o[0]], c[o[1]], c[o[2]], &other);
            wrong +=
                told && (other.normal.x != side * plain.normal.x || other.normal.y != side * plain.normal.y ||
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
        bool told = sidle_plane_from_point_normal(point, normal, &plane);
        note_wrong(&normals, told == !zero);
        if (told)
        {
            real_forget();
            note_error(&normals, real3_off_share(real3_unit(real3(normal)), plane.normal), 3.5 * ULP);
            Real exact = real3_dot(real3(plane.normal), real3(point));
            double size = largest_of(&point.x, 3);
            note_error(&offsets, real_off(exact, plane.offset),
                       ULP * fabs(real_double(exact)) + 24 * ULP * ULP * size);
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
        real_forget();
        Real3 normal = real3(plane.normal);
        Real along = real3_dot(normal, real3(p)), distance = real_sub(along, real(plane.offset));
        double size = 3 * largest_of(&p.x, 3) + fabs(plane.offset), exact = fabs(real_double(distance));
        note_error(&distances, real_off(distance, d), ULP * exact + 16 * ULP * ULP * size);
        Real3 foot = real3_sub(real3(p), real3_scale(normal, distance));
        note_error(&points, real3_off(foot, sidle_plane_closest_point(&plane, p)),
                   ULP * (length_of(p) + 3 * exact));
        Real3 flat = real3_sub(real3(p), real3_scale(normal, along));
        note_error(&vectors, real3_off(flat, sidle_plane_project(&plane, p)), 4 * ULP * length_of(p));
        double margin = 8 * ULP * ULP * length_of(p), low = -real_double(along);
        bool zero = length_of(p) == 0;
        note_verdict(&sides, sidle_plane_is_front_facing(&plane, p), zero ? -1 : low, zero ? 0 : margin);
    }
    conclude(&distances, "distance (u)", 1);
    conclude(&points, "closest point (u)", 1);
    conclude(&vectors, "project (u)", 4);
    conclude(&sides, "front facing", 1);
}

/* ---- the ellipsoid ---- */

Test(intersect_plane, the_normal_of_an_ellipsoid_is_no_way_from_its_centre)
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

Test(intersect_plane, normals_of_ellipsoids_are_right_to_a_few_ulps)
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

Test(intersect_plane, the_axes_of_an_ellipsoid_are_turned_as_the_quaternion_says)
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

Test(intersect_plane, places_and_ways_go_into_an_ellipsoid_s_space_and_back)
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

Test(intersect_plane, normals_and_planes_go_into_an_ellipsoid_s_space_and_back)
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
Test(intersect_plane, a_normal_taken_for_a_vector_would_tilt)
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

Test(intersect_plane, a_place_keeps_its_side_of_a_plane_in_an_ellipsoid_s_space)
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

/* ---- roots ---- */

static bool root_is(double a, double b, double c, double low, double high, double expected)
{
    double root = 77;
    bool found = sidle_lowest_root(a, b, c, low, high, &root);
    return found && root == expected && !signbit(root) == !signbit(expected);
}

static bool no_root(double a, double b, double c, double low, double high)
{
    double root = 77;
    return !sidle_lowest_root(a, b, c, low, high, &root) && root == 77;
}

Test(intersect_plane, roots_of_squares_lines_and_constants_are_told_apart)
{
    const double inf = (double)INFINITY;
    cr_expect(root_is(1, -3, 2, 0, 10, 1) && root_is(1, -3, 2, 1.5, 10, 2) && no_root(1, -3, 2, 3, 10));
    cr_expect(root_is(-1, 3, -2, 0, 10, 1), "upside down");
    cr_expect(root_is(1, -3, 2, 1, 1, 1) && root_is(1, -3, 2, 2, 2, 2), "at both ends");
    cr_expect(root_is(1, 3, 2, -inf, inf, -2) && root_is(1, 3, 2, -1.5, inf, -1));
    cr_expect(root_is(1, 0, -4, -inf, inf, -2) && root_is(1, 0, -4, 0, inf, 2) &&
              no_root(1, 0, 4, -inf, inf));
    cr_expect(root_is(0, 2, -4, 0, 5, 2) && no_root(0, 2, -4, 3, 5) && root_is(0, -2, 0, 0, 5, 0));
    cr_expect(root_is(0, 0, 0, 3, 5, 3) && no_root(0, 0, 1, 3, 5) && no_root(0, 0, 0, -inf, 5));
    cr_expect(root_is(3, 0, 0, 0, 1, 0) && root_is(3, 6, 0, -5, 5, -2) && root_is(3, 6, 0, -1, 5, 0));
    cr_expect(no_root(1, -3, 2, 10, 0), "no range");
}

Test(intersect_plane, a_double_root_is_one_exactly_when_it_is)
{
    double exact = 3 * (1 + 0x1p-20); /* its square fits into a double */
    cr_expect(root_is(1, -2 * exact, exact * exact, 0, 10, exact));
    cr_expect(no_root(1, -2 * exact, nextafter(exact * exact, 10), 0, 10));
    cr_expect(root_is(1, -6, 9, 0, 10, 3) && no_root(1, -6, nextafter(9, 10), 0, 10));
    cr_expect(sidle_lowest_root(1, -6, nextafter(9, 0), 0, 10, NULL));
    /* The square of 1 + 2^-30 lacks its 2^-60 here: two roots, 2^-30 apart from their mean. */
    double odd = 1 + 0x1p-30, square = 1 + 0x1p-29, root;
    cr_expect_eq(4 * odd * odd - 4 * square, 0, "plain double is as good");
    cr_expect(root_is(1, -2 * odd, square, 0, 10, 1));
    cr_expect(sidle_lowest_root(1, -2 * odd, square, 1.0000000001, 10, &root) && root == 1 + 0x1p-29);
    cr_expect(no_root(1, -2 * odd, nextafter(square, 2), 0, 10));
}

/* Defects of appendix D: what touches now (D1), what touches at the very end (D3), what is far (D11), a line,
 * and which of two roots are one. */
Test(intersect_plane, print_loses_roots)
{
    double root = 77;
    cr_expect_not(printed_lowest_root(1, 2, 0, 1, &root), "D1");
    cr_expect(root_is(1, 2, 0, 0, 1, 0));
    cr_expect_not(printed_lowest_root(1, -3, 2, 1, &root), "D3");
    cr_expect(root_is(1, -3, 2, 0, 1, 1));
    cr_expect_not(printed_lowest_root(0, 2, -1, 1, &root) && root == 0.5, "a line");
    cr_expect(root_is(0, 2, -1, 0, 1, 0.5));
    cr_expect(printed_lowest_root(1, -1e8, 1, 1, &root) && fabs(root - 1e-8) > 2e-9, "D11: %g", root);
    cr_expect(sidle_lowest_root(1, -1e8, 1, 0, 1, &root) && fabs(root - 1e-8) < 1e-23);
    cr_expect_not(printed_lowest_root(1, -1e9, 1, 1, &root), "it has become 0");
    cr_expect(sidle_lowest_root(1, -1e9, 1, 0, 1, &root) && fabs(root - 1e-9) < 1e-24);
    double odd = 1 + 0x1p-30;
    cr_expect(printed_lowest_root(1, -2 * odd, 1 + 0x1p-29, 10, &root) && root == odd,
              "two roots taken for one");
}

typedef struct Coefficients
{
    double a, b, c;
} Coefficients;

static double draw_coefficient(Random *random)
{
    switch (random_below(random, 4))
    {
    case 0:
        return (double)random_below(random, 21) - 10;
    case 1:
        return random_between(random, -1, 1);
    case 2:
        return (random_chance(random, 0.5) ? -1 : 1) * random_scale(random, 1e-120, 1e120);
    default:
        return (random_chance(random, 0.5) ? -1 : 1) * random_scale(random, 1e-6, 1e6);
    }
}

/* Any, or those of two chosen roots that may be one or all but one. */
static Coefficients draw_coefficients(Random *random)
{
    double a = draw_coefficient(random), b = draw_coefficient(random), c = draw_coefficient(random);
    if (random_chance(random, 0.5))
    {
        double r =
            random_chance(random, 0.3) ? (double)random_below(random, 9) - 4 : random_between(random, -9, 9);
        double s = random_chance(random, 0.5) ? r : r * (1 + random_scale(random, 1e-16, 1e-2));
        a = random_chance(random, 0.5) ? 1 : (double)random_below(random, 7) - 3;
        b = nudged(random, -a * (r + s));
        c = nudged(random, a * r * s);
    }
    return (Coefficients){a, b, c};
}

/* The two roots in order; the number of them. */
static int exact_roots(Coefficients k, Real roots[2])
{
    Real a = real(k.a), b = real(k.b), c = real(k.c);
    if (k.a == 0)
    {
        roots[0] = k.b == 0 ? NULL : real_neg(real_div(c, b));
        return k.b != 0;
    }
    Real inside = real_sub(real_mul(b, b), real_mul(real(4), real_mul(a, c)));
    if (real_sign(inside) < 0)
    {
        return 0;
    }
    Real outer = real_add(real_abs(b), real_sqrt(inside)); /* |b| - root would cancel */
    Real sum = k.b < 0 ? outer : real_neg(outer);
    Real one = real_div(sum, real_mul(real(2), a));
    Real two = k.c == 0 ? real(0) : real_div(real_mul(real(2), c), sum);
    roots[0] = real_lesser(one, two);
    roots[1] = real_larger(one, two);
    return 2;
}

Test(intersect_plane, lowest_roots_are_right_to_a_few_ulps_and_exact_in_their_number)
{
    Random random = random_seeded(611);
    const double inf = (double)INFINITY;
    Errors number = {0}, values = {0};
    for (uint32_t i = 0, count = asked(200000); i < count; ++i)
    {
        Coefficients k = draw_coefficients(&random);
        Real roots[2] = {NULL, NULL};
        double root;
        real_forget();
        int exact = exact_roots(k, roots);
        bool found = sidle_lowest_root(k.a, k.b, k.c, -inf, inf, &root);
        note_verdict(&number, found, exact > 0 ? 1 : -1, 0);
        if (!found || exact == 0)
        {
            continue;
        }
        note_error(&values, real_off(roots[0], root), 5 * ULP * fabs(real_double(roots[0])));
        double above = nextafter(root, inf);
        found = sidle_lowest_root(k.a, k.b, k.c, above, inf, &root); /* the other one, if it is another */
        note_wrong(&number, !found || (root >= above && exact == 2));
        if (found)
        {
            note_error(&values, real_off(roots[1], root), 5 * ULP * fabs(real_double(roots[1])));
        }
        else
        {
            note_wrong(&number, exact == 1 || real_off(roots[1], above) > -8 * ULP * fabs(above));
        }
    }
    conclude(&number, "number of roots", 1);
    conclude(&values, "roots (u)", 5);
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

static bool ask_root(const double *in, double *out)
{
    return sidle_lowest_root(in[0], in[1], in[2], in[3], in[4], out);
}

typedef struct Question
{
    bool (*ask)(const double *in, double *out);
    size_t in_count, out_count;
    double in[19];
    int powers[19], out_powers[18];
} Question;

static const Question questions[] = {
    {ask_from_points, 9, 4, {1, 2, 3, 5, 1, 2, 0.3, 0.1, 9}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1}},
    {ask_from_normal, 6, 4, {1, 2, 3, 5, 1, 2}, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 1}},
    {ask_front, 6, 0, {0, 1, 0, 2, -1, 1}, {0, 0, 0, 1, 1, 1}, {0}},
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
    {ask_root, 5, 1, {1.3, -3.1, 1.7, 0.1, 10}, {0, 1, 2, 1, 1}, {1}},
    {ask_root, 5, 1, {1.3, -3.1, 1.7, 0.1, 10}, {1, 1, 1, 0, 0}, {0}},
};

Test(intersect_plane, what_is_no_number_has_no_answer)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i)
    {
        Question question = questions[i];
        uint32_t wrong = count_false_hits(question.in, question.in_count, question.ask, question.out_count);
        cr_expect_eq(wrong, 0, "question %zu: %u", i, wrong);
    }
}

Test(intersect_plane, the_unit_of_length_changes_no_bit)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i)
    {
        const Question *q = &questions[i];
        uint32_t wrong =
            count_scale_changes(q->in, q->powers, q->in_count, q->ask, q->out_powers, q->out_count);
        cr_expect_eq(wrong, 0, "question %zu: %u", i, wrong);
    }
}
