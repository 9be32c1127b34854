/* Points in polygons and triangles of space, and next to them: docs/intersect/polygon.md. */
#include "intersect/support/number.h"
#include "intersect/support/polygon.h"
#include "support/precise.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static SpaceCase space_case(const double numbers[12])
{
    SpaceCase made;
    memcpy(&made.triangle, numbers, sizeof made.triangle);
    memcpy(&made.point, numbers + 9, sizeof made.point);
    return made;
}

#define CASE(...) space_case((const double[12]){__VA_ARGS__})

static sidle_location upright(SpaceCase asked)
{
    return sidle_point_in_triangle(asked.point, &asked.triangle);
}

static sidle_location along_axis(SpaceCase asked)
{
    return sidle_point_in_triangle_along_axis(asked.point, &asked.triangle);
}

static sidle_triangle_point closest(SpaceCase asked)
{
    sidle_triangle_point out;
    cr_assert(sidle_closest_on_triangle(asked.point, &asked.triangle, &out));
    return out;
}

/* ---- verdicts ---- */

Test(triangle_point, is_inside_on_the_boundary_or_outside)
{
    const SpaceCase inside = CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 0);
    const SpaceCase edge = CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 2, 2, 0);
    const SpaceCase corner = CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 4, 0);
    const SpaceCase outside = CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 2, 0x1.0000000000001p1, 0);
    cr_expect_eq(upright(inside), SIDLE_INSIDE);
    cr_expect_eq(upright(edge), SIDLE_BOUNDARY);
    cr_expect_eq(upright(corner), SIDLE_BOUNDARY);
    cr_expect_eq(upright(outside), SIDLE_OUTSIDE);
    cr_expect_eq(along_axis(inside), SIDLE_INSIDE);
    cr_expect_eq(along_axis(edge), SIDLE_BOUNDARY);
    cr_expect_eq(along_axis(corner), SIDLE_BOUNDARY);
    cr_expect_eq(along_axis(outside), SIDLE_OUTSIDE);
    cr_expect(!printed_in_triangle(&edge), "the printed form loses the edge opposite of the first corner");
}

Test(triangle_point, is_taken_onto_the_plane)
{
    cr_expect_eq(upright((CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1000))), SIDLE_INSIDE);
    /* on a slope: at right angles it lands at 12/13 of it, along z beyond its top */
    cr_expect_eq(upright((CASE(0, 0, 0, 4, 0, 0, 0, 3, 2, .125, 4, 0))), SIDLE_INSIDE);
    cr_expect_eq(along_axis((CASE(0, 0, 0, 4, 0, 0, 0, 3, 2, .125, 4, 0))), SIDLE_OUTSIDE);
}

/* Seen along a fixed axis some triangles are but a line. */
Test(triangle_point, is_decided_for_triangles_parallel_to_any_axis)
{
    const SpaceCase inside[] = {CASE(0, 0, 0, 4, 0, 0, 0, 0, 4, 1, 0, 1),
                                CASE(0, 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1),
                                CASE(0, 0, 0, 1, 1, 0, 0, 0, 4, .25, .25, 1)};
    for (int i = 0; i < 3; ++i)
    {
        SpaceCase outside = inside[i];
        outside.point.z = 5;
        cr_expect_eq(upright(inside[i]), SIDLE_INSIDE);
        cr_expect_eq(along_axis(inside[i]), SIDLE_INSIDE);
        cr_expect_eq(upright(outside), SIDLE_OUTSIDE);
        cr_expect_eq(along_axis(outside), SIDLE_OUTSIDE);
        cr_expect(!printed_without_z(&inside[i]));
    }
}

/* The plane of this needle faces z most, by 5.08 to 4.61 to 1.88, in parts of 1e-11 of numbers up to 1000: plain
 * cross products say x. The point is above it along z. */
Test(triangle_point, of_a_needle_is_seen_along_the_axis_that_it_faces_most)
{
    const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const SpaceCase asked =
        CASE(-0x1.85dba8ec5f208p-2, 0x1.005ce64312d3dp+7, -0x1.2b241ddb7b7c7p+8, 0x1.e98675d90313p+9,
             -0x1.9cd29002f362p-5, 0x1.3e61078bc2d4fp+9, 0x1.4274600274b88p+8, 0x1.57a83cbec72fcp+6,
             0x1.2b0d8a6dded0ap+3, 0x1.b1b546ee15424p+8, 0x1.1d64cfa64ed3p+6, 0x1.cea5344b3a81cp+6);
    for (int i = 0; i < 6; ++i)
    {
        SpaceCase turned = asked;
        for (int k = 0; k < 3; ++k)
        {
            turned.triangle.corners[k] = asked.triangle.corners[orders[i][k]];
        }
        cr_expect_eq(along_axis(turned), SIDLE_INSIDE);
    }
}

Test(triangle_point, without_area_is_on_the_segment_or_point)
{
    cr_expect_eq(upright((CASE(0, 0, 0, 1, 2, 3, 3, 6, 9, 2, 4, 6))), SIDLE_BOUNDARY);
    cr_expect_eq(upright((CASE(0, 0, 0, 1, 2, 3, 3, 6, 9, 2, 4, 7))), SIDLE_OUTSIDE);
    cr_expect_eq(upright((CASE(0, 0, 0, 1, 2, 3, 3, 6, 9, 4, 8, 12))), SIDLE_OUTSIDE);
    cr_expect_eq(along_axis((CASE(0, 0, 0, 1, 2, 3, 3, 6, 9, 2, 4, 6))), SIDLE_BOUNDARY);
    cr_expect_eq(along_axis((CASE(0, 0, 0, 1, 2, 3, 3, 6, 9, 2, 4, 7))), SIDLE_OUTSIDE);
    cr_expect_eq(upright((CASE(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3))), SIDLE_BOUNDARY);
    cr_expect_eq(along_axis((CASE(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 4))), SIDLE_OUTSIDE);
}

/* D14 of tests/support/defects.c: in the Gram determinant of a needle there is nothing left but rounding. */
Test(triangle_point, of_a_needle_is_decided_exactly)
{
    const SpaceCase inside = CASE(0, 0, 0, 1000, 1, 0, 2000, 2.0078125, 0, 1000, 1.001953125, 0);
    const SpaceCase outside = CASE(0, 0, 0, 1000, 1, 0, 2000, 2.0078125, 0, 1000, .9990234375, 0);
    cr_expect_eq(upright(inside), SIDLE_INSIDE);
    cr_expect_eq(upright(outside), SIDLE_OUTSIDE);
    uint32_t wrong = 0;
    Random random = random_seeded(510);
    for (int i = 0; i < 1000; ++i)
    {
        double a = random_between(&random, .1, .9), b = random_between(&random, 0, 1 - a);
        SpaceCase asked = CASE(0, 0, 0, 1000, 1, 3, 2000, 2.0078125, 6, 0, 0, 0);
        asked.point = (sidle_position){1000 * a + 2000 * b, a + 2.0078125 * b, 3 * a + 6 * b};
        wrong += (upright(asked) == SIDLE_OUTSIDE) != !printed_in_triangle(&asked);
        cr_expect_neq(upright(asked), SIDLE_OUTSIDE);
    }
    printf("needle: print is wrong in %u of 1000\n", wrong);
    cr_expect_gt(wrong, 50);
}

/* Differences of these numbers are sums of two doubles, and the plane's normal is what products of those leave:
 * 2^-64 of them. In double-double it leans enough to take points this far off to the wrong side. */
Test(triangle_point, of_numbers_of_all_sizes_is_seen_from_far_off_as_from_near)
{
    const SpaceCase outside =
        CASE(-0x1.17b6275f36358p-16, -0x1.b0b0f283115p-58, 0x1.8c706541c0282p-51, -0x1.f6a9d840db828p-29,
             -0x1.62c1488e8e9e4p-7, 0x1.a854a5f34c808p-28, 0x1.549604f09d3ap-18, -0x1.ced8cec5c4668p-7,
             0x1.14cf98bc573b5p-27, 0x1.2e3b6c35919ffp-15, -0x1.8f6c1b9718871p-7, 0x1.19a1e6c8977b3p-3);
    const SpaceCase inside = CASE(-0x1.8p0, -0x1p41, -0x1.8p38, -0x1p-113, -0x1p70, -0x1p-133,
                                  0x1.6e42c3163ffcep0, -0x1.f42c820733ef3p70, 0x1.6e42c3163ffcep38,
                                  0x1.c0f7e0de94048p-3, -0x1p70, -0x1.c0f7e0de94048p-41);
    cr_expect_eq(upright(outside), SIDLE_OUTSIDE);
    cr_expect_eq(upright(inside), SIDLE_INSIDE);
}

Test(triangle_point, agrees_with_mpfr_to_the_last_bit)
{
    Random random = random_seeded(511);
    uint32_t wrong = 0, got[3] = {0}, count = precise_available() ? query_count(20000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        SpaceCase asked;
        (i % 4 == 0 ? space_case_draw_mixed : space_case_draw)(&random, &asked);
        sidle_location expected = precise_in_triangle(&asked);
        wrong += expected != upright(asked);
        ++got[expected];
    }
    printf("triangles: %u cases, outside %u, boundary %u, inside %u, wrong %u\n", count, got[0], got[1],
           got[2], wrong);
    cr_expect_eq(wrong, 0);
}

/* Twice the signed area of three points seen along an axis. */
static Number area_seen(const double *a, const double *b, const double *c, int axis)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Number ab_u = number_sub(number_of(b[u]), number_of(a[u])),
           ab_v = number_sub(number_of(b[v]), number_of(a[v]));
    Number ac_u = number_sub(number_of(c[u]), number_of(a[u])),
           ac_v = number_sub(number_of(c[v]), number_of(a[v]));
    return number_sub(number_mul(ab_u, ac_v), number_mul(ab_v, ac_u));
}

static sidle_location seen_along(const double *v, int axis, int winding)
{
    sidle_location location = SIDLE_INSIDE;
    for (int i = 0; i < 3; ++i)
    {
        int side = winding * number_sign(area_seen(v + 3 * i, v + 3 * ((i + 1) % 3), v + 9, axis));
        if (side < 0)
        {
            return SIDLE_OUTSIDE;
        }
        location = side == 0 ? SIDLE_BOUNDARY : location;
    }
    return location;
}

/* What is seen along the axis of the largest area; where two are equal but for rounding, either will do. */
Test(triangle_point, along_an_axis_agrees_with_exact_numbers)
{
    Random random = random_seeded(513);
    uint32_t wrong = 0, got[3] = {0}, off_plane = 0, count = number_available() ? query_count(20000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        SpaceCase asked;
        space_case_draw(&random, &asked);
        const double *v = (const double *)&asked;
        double area[3], most = 0;
        number_begin();
        for (int axis = 0; axis < 3; ++axis)
        {
            area[axis] = number_double(area_seen(v, v + 3, v + 6, axis));
            most = fmax(most, fabs(area[axis]));
        }
        sidle_location answer = along_axis(asked);
        bool is_right = most == 0; /* without area: other tests */
        for (int axis = 0; axis < 3; ++axis)
        {
            is_right = is_right || (fabs(area[axis]) >= most * (1 - 0x1p-50) &&
                                    answer == seen_along(v, axis, area[axis] < 0 ? -1 : 1));
        }
        wrong += !is_right;
        off_plane += answer != upright(asked);
        ++got[answer];
    }
    printf("along an axis: %u cases, outside %u, boundary %u, inside %u, elsewhere than at right angles %u, "
           "wrong %u\n",
           count, got[0], got[1], got[2], off_plane, wrong);
    cr_expect_eq(wrong, 0);
}

/* Of whole numbers. */
static bool is_in_plane(const SpaceCase *asked)
{
    const double *v = (const double *)asked;
    double e[3], f[3], p[3];
    for (int i = 0; i < 3; ++i)
    {
        e[i] = v[3 + i] - v[i];
        f[i] = v[6 + i] - v[i];
        p[i] = v[9 + i] - v[i];
    }
    return p[0] * (e[1] * f[2] - e[2] * f[1]) + p[1] * (e[2] * f[0] - e[0] * f[2]) +
               p[2] * (e[0] * f[1] - e[1] * f[0]) ==
           0;
}

Test(triangle_point, in_the_plane_both_projections_are_one)
{
    Random random = random_seeded(512);
    uint32_t met = 0;
    for (uint32_t i = 0; i < query_count(100000); ++i)
    {
        double numbers[12];
        for (int k = 0; k < 12; ++k)
        {
            numbers[k] = (double)random_below(&random, 5) - 2;
        }
        SpaceCase asked = space_case(numbers);
        if (is_in_plane(&asked))
        {
            cr_assert_eq(upright(asked), along_axis(asked));
            met += upright(asked) != SIDLE_OUTSIDE;
        }
    }
    cr_expect_gt(met, query_count(100000) / 100);
}

/* ---- closest points ---- */

static void expect_closest(SpaceCase asked, double x, double y, double z, uint16_t kind, uint16_t index)
{
    sidle_triangle_point out = closest(asked);
    cr_expect(out.point.x == x && out.point.y == y && out.point.z == z, "%g %g %g", out.point.x, out.point.y,
              out.point.z);
    cr_expect(out.feature.kind == kind && out.feature.index == index);
}

Test(closest_on_triangle, is_on_the_face_an_edge_or_a_corner)
{
    expect_closest(CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -2), 1, 1, 0, SIDLE_FEATURE_FACE, 0);
    expect_closest(CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 3, 3, 5), 2, 2, 0, SIDLE_FEATURE_EDGE, 1);
    expect_closest(CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 1, -2, 5), 1, 0, 0, SIDLE_FEATURE_EDGE, 0);
    expect_closest(CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, -1, 3, 5), 0, 3, 0, SIDLE_FEATURE_EDGE, 2);
    expect_closest(CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, -1, -1, 5), 0, 0, 0, SIDLE_FEATURE_VERTEX, 0);
    expect_closest(CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 4, 0, 0), 4, 0, 0, SIDLE_FEATURE_VERTEX, 1);
    expect_closest(CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 9, 0), 0, 4, 0, SIDLE_FEATURE_VERTEX, 2);
    expect_closest(CASE(0, 0, 0, 4, 0, 0, 2, 0, 0, 3, 1, 0), 3, 0, 0, SIDLE_FEATURE_EDGE, 0);
    expect_closest(CASE(1, 2, 3, 1, 2, 3, 1, 2, 3, 3, 1, 0), 1, 2, 3, SIDLE_FEATURE_VERTEX, 0);
}

/* Of what is exactly on it the distance is exactly 0: a sphere of radius 0 touches. */
Test(closest_on_triangle, is_at_distance_zero_only_on_the_triangle)
{
    Random random = random_seeded(514);
    uint32_t met = 0, count = query_count(50000);
    for (uint32_t i = 0; i < count; ++i)
    {
        double numbers[12];
        for (int k = 0; k < 12; ++k)
        {
            numbers[k] = (double)random_below(&random, 4);
        }
        SpaceCase asked = space_case(numbers);
        bool is_met = is_in_plane(&asked) && upright(asked) != SIDLE_OUTSIDE;
        cr_assert_eq(closest(asked).distance == 0, is_met);
        met += is_met;
    }
    cr_expect_gt(met, count / 50);
}

Test(closest_on_triangle, keeps_its_digits_on_needles_and_next_to_them)
{
    Random random = random_seeded(515);
    uint32_t count = precise_available() ? query_count(20000) : 0, wrong = 0, kinds[3] = {0};
    double worst_distance = 0, worst_size = 0, worst_point = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        SpaceCase asked;
        double of_distance, of_size;
        space_case_draw(&random, &asked);
        sidle_triangle_point out = closest(asked);
        precise_closest_error(&asked, &out, &of_distance, &of_size);
        wrong += of_distance > 8 && of_size > 0x1p-51;
        worst_distance = of_size > 0x1p-51 ? worse(worst_distance, of_distance) : worst_distance;
        worst_size = worse(worst_size, of_size);
        ++kinds[out.feature.kind];
        SpaceCase from_point = {asked.triangle, out.point};
        double coordinate = 0, off = closest(from_point).distance;
        for (int k = 0; k < 12; ++k)
        {
            coordinate = fmax(coordinate, fabs(((const double *)&asked)[k]));
        }
        /* All of it at the origin has no size to measure by. */
        worst_point = worse(worst_point, off == 0 ? 0 : off / 0x1p-53 / (coordinate + out.distance));
    }
    printf(
        "closest: %u cases, %u faces, %u edges, %u corners; worst distance %.2f u of itself, %.2f u of the "
        "size; point off the triangle %.2f u\n",
        count, kinds[0], kinds[1], kinds[2], worst_distance, worst_size, worst_point);
    cr_expect_eq(wrong, 0);
    cr_expect(worst_point < 16);
}

/* ---- what must not matter ---- */

Test(triangle_point, which_corner_is_first_and_which_side_is_front_does_not_matter)
{
    const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    Random random = random_seeded(516);
    for (uint32_t i = 0; i < query_count(20000); ++i)
    {
        SpaceCase asked, turned;
        (i % 4 == 0 ? space_case_draw_mixed : space_case_draw)(&random, &asked);
        for (int order = 1; order < 6; ++order)
        {
            turned.point = asked.point;
            for (int k = 0; k < 3; ++k)
            {
                turned.triangle.corners[k] = asked.triangle.corners[orders[order][k]];
            }
            cr_assert_eq(upright(turned), upright(asked));
            cr_assert_eq(along_axis(turned), along_axis(asked));
        }
    }
}

Test(triangle_point, no_power_of_two_changes_a_bit)
{
    Random random = random_seeded(517);
    for (uint32_t i = 0; i < query_count(20000); ++i)
    {
        SpaceCase asked, scaled;
        space_case_draw(&random, &asked);
        double scale = ldexp(1, (int)random_below(&random, 201) - 100);
        for (int k = 0; k < 12; ++k)
        {
            ((double *)&scaled)[k] = ((double *)&asked)[k] * scale;
        }
        cr_assert_eq(upright(scaled), upright(asked));
        cr_assert_eq(along_axis(scaled), along_axis(asked));
        sidle_triangle_point a = closest(asked), b = closest(scaled);
        cr_assert(b.distance == a.distance * scale && b.point.x == a.point.x * scale &&
                  b.point.y == a.point.y * scale && b.point.z == a.point.z * scale &&
                  b.feature.kind == a.feature.kind && b.feature.index == a.feature.index);
    }
}

Test(triangle_point, not_a_number_is_nowhere)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3 * 12; ++i)
    {
        SpaceCase asked = CASE(0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 0);
        sidle_triangle_point out, before;
        ((double *)&asked)[i / 3] = bad[i % 3];
        memset(&out, 0x5A, sizeof out);
        before = out;
        cr_expect_eq(upright(asked), SIDLE_OUTSIDE);
        cr_expect_eq(along_axis(asked), SIDLE_OUTSIDE);
        cr_expect(!sidle_closest_on_triangle(asked.point, &asked.triangle, &out));
        cr_expect_eq(memcmp(&out, &before, sizeof out), 0);
        cr_expect(!sidle_closest_on_triangle(asked.point, &asked.triangle, NULL));
    }
}
