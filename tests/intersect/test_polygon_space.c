/* Points in convex polygons of space: docs/intersect/polygon.md. */
#include "intersect/support/polygon.h"
#include "support/precise.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

/* Onto planes that whole numbers stay exact in. */
static sidle_position lifted(sidle_dvec2 p, int which)
{
    return which == 0   ? (sidle_position){p.x, p.y, 0}
           : which == 1 ? (sidle_position){p.x, p.x + p.y, p.y}
                        : (sidle_position){0, p.y, p.x};
}

Test(convex_polygon_in_space, is_the_one_in_its_plane)
{
    Random random = random_seeded(513);
    uint32_t got[3] = {0}, wrong = 0, count = query_count(40000);
    for (uint32_t i = 0; i < count; ++i)
    {
        WholeCase drawn;
        sidle_position corners[MAX_CORNERS];
        whole_case_draw_convex(&random, &drawn);
        uint32_t corner_count = drawn.ends[0];
        int which = (int)random_below(&random, 3);
        for (uint32_t k = 0; k < corner_count; ++k)
        {
            corners[k] = lifted(drawn.rounded[k], which);
        }
        sidle_location expected =
            sidle_point_in_convex_polygon(drawn.asked_rounded, drawn.rounded, corner_count);
        sidle_position point = lifted(drawn.asked_rounded, which);
        wrong += sidle_point_in_convex_polygon3(point, corners, corner_count) != expected;
        ++got[expected];
        if (which == 0 && whole_area(&drawn) != 0)
        {
            point.z = random_between(&random, -1e3, 1e3);
            wrong += sidle_point_in_convex_polygon3(point, corners, corner_count) != expected;
        }
    }
    printf("convex in space: %u cases, outside %u, boundary %u, inside %u, wrong %u\n", count, got[0], got[1],
           got[2], wrong);
    cr_expect_eq(wrong, 0);
}

Test(convex_polygon_in_space, of_two_corners_one_or_none_is_a_segment_a_point_or_empty)
{
    const sidle_position corners[] = {{0, 0, 0}, {2, 4, 6}, {2, 4, 6}, {1, 2, 3}};
    const sidle_position on = {1, 2, 3}, off = {1, 2, 4};
    for (uint32_t count = 2; count <= 4; ++count)
    {
        cr_expect_eq(sidle_point_in_convex_polygon3(on, corners, count), SIDLE_BOUNDARY);
        cr_expect_eq(sidle_point_in_convex_polygon3(off, corners, count), SIDLE_OUTSIDE);
    }
    cr_expect_eq(sidle_point_in_convex_polygon3(corners[0], corners, 1), SIDLE_BOUNDARY);
    cr_expect_eq(sidle_point_in_convex_polygon3(on, corners, 1), SIDLE_OUTSIDE);
    cr_expect_eq(sidle_point_in_convex_polygon3(corners[0], corners, 0), SIDLE_OUTSIDE);
}

/* Kenwright 3.2 takes z for the normal: of a wall it sees a line. */
Test(convex_polygon_in_space, may_stand_upright_and_be_seen_from_behind)
{
    const sidle_position wall[] = {{1, 1, 0}, {1, 1, 4}, {3, 3, 4}, {3, 3, 0}, {2, 2, -1}};
    for (int side = -1; side <= 1; side += 2)
    {
        const sidle_position inside = {2 + side, 2 - side, 2}, edge = {3 + side, 3 - side, 1};
        const sidle_position outside = {2 + side, 2 - side, 5};
        cr_expect_eq(sidle_point_in_convex_polygon3(inside, wall, 5), SIDLE_INSIDE);
        cr_expect_eq(sidle_point_in_convex_polygon3(edge, wall, 5), SIDLE_BOUNDARY);
        cr_expect_eq(sidle_point_in_convex_polygon3(outside, wall, 5), SIDLE_OUTSIDE);
    }
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3 * 15; ++i)
    {
        sidle_position corners[5];
        memcpy(corners, wall, sizeof corners);
        ((double *)corners)[i / 3] = bad[i % 3];
        cr_expect_eq(sidle_point_in_convex_polygon3((sidle_position){2, 2, 2}, corners, 5), SIDLE_OUTSIDE);
    }
}
