/* Points in polygons of the plane, and their areas: docs/intersect/polygon.md. */
#include "intersect/support/polygon.h"
#include "support/precise.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

#define LOCATE_CONVEX(x, y, corners)                                                                         \
    sidle_point_in_convex_polygon((sidle_dvec2){x, y}, corners, sizeof(corners) / sizeof *(corners))

static sidle_location locate(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count)
{
    sidle_polygon polygon = {corners, &count, 1};
    sidle_location location = sidle_point_in_polygon(point, &polygon);
    cr_expect_eq(location, sidle_point_in_polygon_by_triangles(point, &polygon));
    return location;
}

static const sidle_dvec2 square[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

Test(convex_polygon, holds_the_points_between_its_edges_for_either_winding)
{
    const sidle_dvec2 clockwise[] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
    for (int which = 0; which < 2; ++which)
    {
        const sidle_dvec2 *corners = which ? clockwise : square;
        cr_expect_eq(sidle_point_in_convex_polygon((sidle_dvec2){0, .5}, corners, 4), SIDLE_INSIDE);
        cr_expect_eq(sidle_point_in_convex_polygon((sidle_dvec2){1, .5}, corners, 4), SIDLE_BOUNDARY);
        cr_expect_eq(sidle_point_in_convex_polygon((sidle_dvec2){-1, 1}, corners, 4), SIDLE_BOUNDARY);
        cr_expect_eq(sidle_point_in_convex_polygon((sidle_dvec2){0x1.0000000000001p0, .5}, corners, 4),
                     SIDLE_OUTSIDE);
        cr_expect_eq(sidle_point_in_convex_polygon((sidle_dvec2){1, 2}, corners, 4), SIDLE_OUTSIDE);
    }
    cr_expect(!printed_plane_equations((sidle_dvec2){0, .5}, clockwise, 4), "print wants one winding");
}

/* Kenwright 3.1 takes the inner side from any other corner. */
Test(convex_polygon, a_corner_on_the_line_of_an_edge_defines_no_inner_side)
{
    const sidle_dvec2 corners[] = {{0, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}};
    cr_expect_eq(LOCATE_CONVEX(1, 1, corners), SIDLE_INSIDE);
    cr_expect(!printed_cross_products((sidle_dvec2){1, 1}, corners, 5));
}

Test(convex_polygon, without_area_is_a_segment_or_point)
{
    const sidle_dvec2 segment[] = {{0, 0}, {3, 3}, {1, 1}}, point[] = {{2, 1}, {2, 1}};
    cr_expect_eq(LOCATE_CONVEX(2, 2, segment), SIDLE_BOUNDARY);
    cr_expect_eq(LOCATE_CONVEX(4, 4, segment), SIDLE_OUTSIDE);
    cr_expect_eq(LOCATE_CONVEX(2, 1, segment), SIDLE_OUTSIDE);
    cr_expect_eq(LOCATE_CONVEX(2, 1, point), SIDLE_BOUNDARY);
    cr_expect_eq(LOCATE_CONVEX(2, 2, point), SIDLE_OUTSIDE);
    cr_expect_eq(sidle_point_in_convex_polygon((sidle_dvec2){2, 1}, point, 1), SIDLE_BOUNDARY);
    cr_expect_eq(sidle_point_in_convex_polygon((sidle_dvec2){2, 1}, point, 0), SIDLE_OUTSIDE);
}

Test(convex_polygon, agrees_with_whole_numbers)
{
    Random random = random_seeded(500);
    uint32_t wrong = 0, got[3] = {0}, count = query_count(40000);
    for (uint32_t i = 0; i < count; ++i)
    {
        WholeCase drawn;
        whole_case_draw_convex(&random, &drawn);
        sidle_location expected = whole_locate(&drawn);
        wrong += expected != sidle_point_in_convex_polygon(drawn.asked_rounded, drawn.rounded, drawn.ends[0]);
        ++got[expected];
    }
    printf("convex: %u cases, outside %u, boundary %u, inside %u, wrong %u\n", count, got[0], got[1], got[2],
           wrong);
    cr_expect_eq(wrong, 0);
    cr_expect(got[0] > count / 10 && got[1] > count / 10 && got[2] > count / 10);
}

/* ---- as printed ---- */

Test(polygon, a_ray_through_a_corner_counts_it_once)
{
    cr_expect(!printed_crossings((sidle_dvec2){0, 0}, square, 4), "both edges of the corner (1, 1) count");
    cr_expect_eq(locate((sidle_dvec2){0, 0}, square, 4), SIDLE_INSIDE);
    const sidle_dvec2 diamond[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}}; /* the same along +x */
    cr_expect_eq(locate((sidle_dvec2){0, 0}, diamond, 4), SIDLE_INSIDE);
    cr_expect_eq(locate((sidle_dvec2){-2, 0}, diamond, 4), SIDLE_OUTSIDE);
    cr_expect_eq(locate((sidle_dvec2){-2, 1}, diamond, 4), SIDLE_OUTSIDE);
}

Test(polygon, no_ray_is_too_short_and_no_edge_too_small)
{
    sidle_dvec2 large[4], small[4];
    for (int i = 0; i < 4; ++i)
    {
        large[i] = (sidle_dvec2){4000 * square[i].x, 4001 * square[i].y};
        small[i] = (sidle_dvec2){1e-10 * square[i].x, 1.5e-10 * square[i].y};
    }
    cr_expect(!printed_crossings((sidle_dvec2){0, 0}, large, 4));
    cr_expect(!printed_crossings((sidle_dvec2){0, 0}, small, 4));
    cr_expect_eq(locate((sidle_dvec2){0, 0}, large, 4), SIDLE_INSIDE);
    cr_expect_eq(locate((sidle_dvec2){0, 0}, small, 4), SIDLE_INSIDE);
}

Test(polygon, a_point_between_two_triangles_is_in_one_of_them)
{
    cr_expect(!printed_triangles((sidle_dvec2){.5, .5}, square, 4), "on the diagonal: counted twice");
    cr_expect_eq(locate((sidle_dvec2){.5, .5}, square, 4), SIDLE_INSIDE);
}

/* ---- what polygons there are ---- */

Test(polygon, a_hole_is_outside_and_an_island_in_it_inside)
{
    const sidle_dvec2 points[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {1, 1}, {1, 8},
                                  {8, 8}, {8, 1}, {3, 3}, {6, 3}, {6, 6}};
    const uint32_t ends[] = {4, 8, 11};
    const sidle_polygon polygon = {points, ends, 3};
    const struct
    {
        sidle_dvec2 point;
        sidle_location location;
    } cases[] = {{{.5, 5}, SIDLE_INSIDE},  {{1, 5}, SIDLE_BOUNDARY}, {{2, 5}, SIDLE_OUTSIDE},
                 {{5, 4}, SIDLE_INSIDE},   {{5, 5}, SIDLE_BOUNDARY}, {{4, 5}, SIDLE_OUTSIDE},
                 {{8.5, 8}, SIDLE_INSIDE}, {{8, 8}, SIDLE_BOUNDARY}, {{10, 9}, SIDLE_OUTSIDE},
                 {{-1, 0}, SIDLE_OUTSIDE}, {{-1, 9}, SIDLE_OUTSIDE}, {{.5, 8}, SIDLE_INSIDE},
                 {{2, 3}, SIDLE_OUTSIDE},  {{.5, 1}, SIDLE_INSIDE},  {{9, 4}, SIDLE_BOUNDARY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        cr_expect_eq(sidle_point_in_polygon(cases[i].point, &polygon), cases[i].location, "case %zu", i);
        cr_expect_eq(sidle_point_in_polygon_by_triangles(cases[i].point, &polygon), cases[i].location);
    }
    cr_expect_eq(sidle_polygon_area(&polygon), 81 - 49 + 4.5);
}

Test(polygon, needs_no_ring_and_no_corner)
{
    const uint32_t ends[] = {0, 0, 1, 1};
    const sidle_polygon none = {NULL, NULL, 0}, point = {square, ends, 4};
    cr_expect_eq(sidle_point_in_polygon(square[0], &none), SIDLE_OUTSIDE);
    cr_expect_eq(sidle_point_in_polygon_by_triangles(square[0], &none), SIDLE_OUTSIDE);
    cr_expect_eq(sidle_point_in_polygon(square[0], &point), SIDLE_BOUNDARY);
    cr_expect_eq(sidle_point_in_polygon_by_triangles(square[0], &point), SIDLE_BOUNDARY);
    cr_expect_eq(sidle_point_in_polygon_by_triangles(square[1], &point), SIDLE_OUTSIDE);
    cr_expect_eq(sidle_polygon_area(&none), 0);
    cr_expect_eq(sidle_polygon_winding(&point), 0);
}

/* ---- oracles ---- */

Test(polygon, crossings_and_triangles_agree_with_whole_numbers)
{
    Random random = random_seeded(501);
    uint32_t crossings = 0, triangles = 0, got[3] = {0}, count = query_count(40000);
    for (uint32_t i = 0; i < count; ++i)
    {
        WholeCase drawn;
        whole_case_draw(&random, &drawn);
        sidle_location expected = whole_locate(&drawn);
        crossings += expected != sidle_point_in_polygon(drawn.asked_rounded, &drawn.polygon);
        triangles += expected != sidle_point_in_polygon_by_triangles(drawn.asked_rounded, &drawn.polygon);
        ++got[expected];
    }
    printf("polygons: %u cases, outside %u, boundary %u, inside %u, wrong by crossings %u, by triangles %u\n",
           count, got[0], got[1], got[2], crossings, triangles);
    cr_expect_eq(crossings, 0);
    cr_expect_eq(triangles, 0);
    cr_expect(got[0] > count / 10 && got[1] > count / 10 && got[2] > count / 10);
}

/* Coordinates of all sizes between the limits, and points that rounding alone takes off an edge. */
static void draw_any_size(Random *random, sidle_dvec2 corners[3], sidle_dvec2 *point)
{
    for (int i = 0; i < 3; ++i)
    {
        corners[i].x = random_scale(random, 1e-60, 1e60) * (random_chance(random, .5) ? 1 : -1);
        corners[i].y = random_scale(random, 1e-60, 1e60) * (random_chance(random, .5) ? 1 : -1);
    }
    double share = random_unit(random);
    point->x = corners[0].x + share * (corners[1].x - corners[0].x);
    point->y = corners[0].y + share * (corners[1].y - corners[0].y);
}

static sidle_location precise_location(const sidle_dvec2 c[3], sidle_dvec2 p)
{
    int around = precise_side(c[0], c[1], c[2]), least = 1;
    for (int i = 0; i < 3; ++i)
    {
        int side = around * precise_side(c[i], c[(i + 1) % 3], p);
        least = side < least ? side : least;
    }
    return least > 0 ? SIDLE_INSIDE : least == 0 ? SIDLE_BOUNDARY : SIDLE_OUTSIDE;
}

Test(polygon, coordinates_of_all_sizes_are_decided_exactly)
{
    Random random = random_seeded(502);
    uint32_t wrong = 0, inside = 0, count = precise_available() ? query_count(10000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_dvec2 corners[3], point;
        uint32_t end = 3;
        sidle_polygon polygon = {corners, &end, 1};
        draw_any_size(&random, corners, &point);
        sidle_location expected = precise_location(corners, point);
        wrong += expected != sidle_point_in_convex_polygon(point, corners, 3);
        wrong += expected != sidle_point_in_polygon(point, &polygon);
        wrong += expected != sidle_point_in_polygon_by_triangles(point, &polygon);
        inside += expected != SIDLE_OUTSIDE;
    }
    printf("sizes: %u cases, %u not outside, wrong %u\n", count, inside, wrong);
    cr_expect_eq(wrong, 0);
}

Test(polygon, areas_are_those_of_whole_numbers)
{
    Random random = random_seeded(503);
    uint32_t count = query_count(40000), zero = 0, wrong = 0;
    double worst = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        WholeCase drawn;
        random_chance(&random, .5) ? whole_case_draw(&random, &drawn)
                                   : whole_case_draw_convex(&random, &drawn);
        double expected = whole_area(&drawn), area = sidle_polygon_area(&drawn.polygon);
        int winding = sidle_polygon_winding(&drawn.polygon);
        wrong += winding != (expected > 0) - (expected < 0) || (expected == 0 && area != 0);
        worst = expected != 0 ? worse(worst, fabs(area / expected - 1) / 0x1p-53) : worst;
        zero += expected == 0;
    }
    printf("areas: %u cases, %u zero, wrong %u, worst error %.1f u\n", count, zero, wrong, worst);
    cr_expect_eq(wrong, 0);
    cr_expect(worst <= 2);
    cr_expect(zero > count / 50);
}

/* The first product alone is 1e40 times what remains. */
Test(polygon, an_area_is_right_where_its_terms_cancel)
{
    const sidle_dvec2 thin[] = {{1e20, 1e20}, {-1e20, -1e20}, {0, 0x1p-60}};
    uint32_t end = 3;
    const sidle_polygon polygon = {thin, &end, 1};
    cr_expect_eq(sidle_polygon_winding(&polygon), -1);
    cr_expect_float_eq(sidle_polygon_area(&polygon) / (-1e20 * 0x1p-60), 1, 1e-15);
    const sidle_dvec2 flat[] = {{1e20, 3e20}, {-1e20, -3e20}, {0, 0}, {0x1p-60, 3 * 0x1p-60}};
    const sidle_polygon none = {flat, &end, 1};
    cr_expect_eq(sidle_polygon_winding(&none), 0);
}

/* Triangles of twice the area a b, as rings: the sum needs more bits than two doubles have, or lies a last trace
 * beyond the middle between two numbers. */
Test(polygon, an_area_is_rounded_once_whatever_its_length)
{
    const double terms[5][2] = {
        {0x1p100, 0x1p100}, {1, 1}, {-0x1p100, 0x1p100}, {0x1p-53, 1}, {0x1p-70, 0x1p-70}};
    const double sums[5] = {0x1p200, 0x1p200, 1, 1, 1 + 0x1p-52};
    sidle_dvec2 points[15];
    uint32_t ends[5];
    for (uint32_t i = 0; i < 5; ++i)
    {
        points[3 * i] = (sidle_dvec2){0, 0};
        points[3 * i + 1] = (sidle_dvec2){terms[i][0], 0};
        points[3 * i + 2] = (sidle_dvec2){0, terms[i][1]};
        ends[i] = 3 * i + 3;
        const sidle_polygon polygon = {points, ends, i + 1};
        cr_expect_eq(sidle_polygon_area(&polygon), sums[i] / 2, "%u terms", i + 1);
    }
}

/* ---- what must not matter ---- */

static void turn_rings(const WholeCase *from, uint32_t by, bool back, sidle_dvec2 *points)
{
    uint32_t first = 0;
    for (uint32_t ring = 0; ring < from->ring_count; ++ring)
    {
        uint32_t end = from->ends[ring], count = end - first;
        for (uint32_t i = 0; i < count; ++i)
        {
            uint32_t to = (i + by) % count;
            points[first + (back ? count - 1 - to : to)] = from->rounded[first + i];
        }
        first = end;
    }
}

Test(polygon, first_corner_and_winding_of_a_ring_do_not_matter)
{
    Random random = random_seeded(504);
    for (uint32_t i = 0; i < query_count(20000); ++i)
    {
        WholeCase drawn;
        sidle_dvec2 points[MAX_CORNERS], point;
        i % 2 ? whole_case_draw(&random, &drawn) : whole_case_draw_convex(&random, &drawn);
        sidle_polygon turned = {points, drawn.ends, drawn.ring_count};
        bool back = random_chance(&random, .5);
        point = drawn.asked_rounded;
        turn_rings(&drawn, random_below(&random, 8), back, points);
        sidle_location location = sidle_point_in_polygon(point, &drawn.polygon);
        cr_assert_eq(sidle_point_in_polygon(point, &turned), location);
        cr_assert_eq(sidle_point_in_polygon_by_triangles(point, &turned), location);
        int winding = sidle_polygon_winding(&drawn.polygon);
        cr_assert_eq(sidle_polygon_winding(&turned), back ? -winding : winding);
        if (i % 2 == 0)
        {
            cr_assert_eq(sidle_point_in_convex_polygon(point, points, drawn.ends[0]), location);
        }
    }
}

Test(polygon, no_power_of_two_changes_a_verdict)
{
    Random random = random_seeded(505);
    for (uint32_t i = 0; i < query_count(20000); ++i)
    {
        WholeCase drawn, scaled;
        whole_case_draw(&random, &drawn);
        int k = (int)random_below(&random, 201) - 100;
        whole_case_scale(&drawn, ldexp(1, k), &scaled);
        cr_assert_eq(sidle_point_in_polygon(scaled.asked_rounded, &scaled.polygon),
                     sidle_point_in_polygon(drawn.asked_rounded, &drawn.polygon));
        cr_assert_eq(sidle_point_in_polygon_by_triangles(scaled.asked_rounded, &scaled.polygon),
                     sidle_point_in_polygon_by_triangles(drawn.asked_rounded, &drawn.polygon));
        uint32_t corner_count = drawn.ends[0]; /* convex or not, it is the same answer */
        cr_assert_eq(sidle_point_in_convex_polygon(scaled.asked_rounded, scaled.rounded, corner_count),
                     sidle_point_in_convex_polygon(drawn.asked_rounded, drawn.rounded, corner_count));
        double area = ldexp(sidle_polygon_area(&drawn.polygon), 2 * k);
        cr_assert_eq(sidle_polygon_area(&scaled.polygon), area);
    }
}

static void expect_nothing(sidle_dvec2 point, const sidle_polygon *polygon)
{
    cr_expect_eq(sidle_point_in_polygon(point, polygon), SIDLE_OUTSIDE);
    cr_expect_eq(sidle_point_in_polygon_by_triangles(point, polygon), SIDLE_OUTSIDE);
    cr_expect_eq(sidle_point_in_convex_polygon(point, polygon->points, 4), SIDLE_OUTSIDE);
}

Test(polygon, not_a_number_is_nowhere)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const uint32_t ends[] = {4, 5}; /* another ring behind, so that the last corner counts, too */
    const sidle_dvec2 asked[] = {{0, 0}, {-1, -1}, {1, 0}, {0, 1}, {5, 0}};
    for (size_t point = 0; point < sizeof asked / sizeof *asked; ++point)
    {
        for (uint32_t i = 0; i < 3 * 10; ++i)
        {
            double numbers[10] = {-1, -1, 1, -1, 1, 1, -1, 1, 3, 3};
            sidle_dvec2 points[5];
            sidle_polygon polygon = {points, ends, 2};
            numbers[i / 3] = bad[i % 3];
            for (int corner = 0; corner < 5; ++corner)
            {
                points[corner] = (sidle_dvec2){numbers[2 * corner], numbers[2 * corner + 1]};
            }
            cr_expect_eq(sidle_point_in_polygon(asked[point], &polygon), SIDLE_OUTSIDE);
            cr_expect_eq(sidle_point_in_polygon_by_triangles(asked[point], &polygon), SIDLE_OUTSIDE);
            cr_expect(isnan(sidle_polygon_area(&polygon)), "number %u", i);
            cr_expect_eq(sidle_polygon_winding(&polygon), 0);
            cr_expect(i >= 24 || !sidle_point_in_convex_polygon(asked[point], points, 4));
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        const sidle_polygon polygon = {square, ends, 1};
        expect_nothing((sidle_dvec2){bad[i], 0}, &polygon);
        expect_nothing((sidle_dvec2){0, bad[i]}, &polygon);
    }
}
