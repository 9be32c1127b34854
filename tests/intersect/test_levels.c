/* Surfaces that cross: the cases with a name, and what the printed levels miss. */
#include "intersect/support/levels.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A box as twelve triangles. */
typedef struct Cuboid
{
    double vertices[24];
    uint32_t indices[36];
} Cuboid;

static Cuboid cuboid(Vector low, Vector high)
{
    static const uint32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    Cuboid out;
    for (uint32_t i = 0; i < 8; ++i)
    {
        out.vertices[3 * i] = i & 1 ? high.x : low.x;
        out.vertices[3 * i + 1] = i & 2 ? high.y : low.y;
        out.vertices[3 * i + 2] = i & 4 ? high.z : low.z;
    }
    for (uint32_t i = 0; i < 12; ++i)
    {
        const uint32_t *quad = quads[i / 2];
        out.indices[3 * i] = quad[0];
        out.indices[3 * i + 1] = quad[1 + i % 2];
        out.indices[3 * i + 2] = quad[2 + i % 2];
    }
    return out;
}

static sidle_surface surface_of(const Cuboid *cuboid)
{
    return (sidle_surface){
        .vertices_d = cuboid->vertices, .vertex_count = 8, .triangle_count = 12, .indices = cuboid->indices};
}

static sidle_surface surface_of_one(const Vector corners[3])
{
    return (sidle_surface){.vertices_d = &corners[0].x, .vertex_count = 3, .triangle_count = 1};
}

static bool is_place(sidle_position p, double x, double y, double z)
{
    return p.x == x && p.y == y && p.z == z;
}

/* ---- two triangles ---- */

static sidle_dtriangle triangle(Vector a, Vector b, Vector c)
{
    return (sidle_dtriangle){{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
}

Test(intersect_levels, crossing_triangles_report_both_ends_and_their_edges)
{
    sidle_dtriangle a = triangle(vector(-4, 0, 0), vector(4, 0, 0), vector(0, 4, 0));
    sidle_dtriangle b = triangle(vector(0, 1, -1), vector(0, 1, 1), vector(0, 9, 0));
    sidle_crossing out;
    cr_assert(sidle_triangle_triangle(&a, &b, &out));
    cr_expect_eq(out.kind, SIDLE_CROSSING_SEGMENT);
    int low = out.ends[0].point.y < out.ends[1].point.y ? 0 : 1;
    cr_expect(is_place(out.ends[low].point, 0, 1, 0));
    cr_expect(out.ends[low].owner == 1 && out.ends[low].edge == 0);
    cr_expect(is_place(out.ends[1 - low].point, 0, 4, 0) && out.ends[1 - low].owner == 0);
}

Test(intersect_levels, triangles_that_share_an_edge_a_corner_or_nothing)
{
    sidle_dtriangle a = triangle(vector(0, 0, 0), vector(4, 0, 0), vector(0, 4, 0));
    sidle_dtriangle edge = triangle(vector(0, 0, 0), vector(4, 0, 0), vector(0, 0, 4));
    sidle_dtriangle corner = triangle(vector(4, 0, 0), vector(5, 0, 1), vector(5, 1, 1));
    sidle_dtriangle above = triangle(vector(0, 0, 0x1p-60), vector(4, 0, 1), vector(0, 4, 1));
    sidle_crossing out;
    cr_expect(sidle_triangle_triangle(&a, &edge, &out) && out.kind == SIDLE_CROSSING_SEGMENT);
    cr_expect_eq(fabs(out.ends[0].point.x - out.ends[1].point.x), 4);
    cr_expect(sidle_triangle_triangle(&a, &corner, &out) && out.kind == SIDLE_CROSSING_POINT);
    cr_expect(is_place(out.ends[0].point, 4, 0, 0) && is_place(out.ends[1].point, 4, 0, 0));
    cr_expect_not(sidle_triangle_triangle(&a, &above, &out));
}

Test(intersect_levels, triangles_in_one_plane_are_named_so_if_they_overlap_or_touch)
{
    sidle_dtriangle a = triangle(vector(0, 0, 2), vector(4, 0, 2), vector(0, 4, 2));
    sidle_dtriangle inside = triangle(vector(1, 1, 2), vector(2, 1, 2), vector(1, 2, 2));
    sidle_dtriangle star = triangle(vector(3, 3, 2), vector(-1, 3, 2), vector(3, -1, 2));
    sidle_dtriangle beyond = triangle(vector(4, 4, 2), vector(4, 0.5, 2), vector(1, 4, 2));
    sidle_crossing out;
    cr_expect(sidle_triangle_triangle(&a, &inside, &out) && out.kind == SIDLE_CROSSING_COPLANAR);
    cr_expect(sidle_triangle_triangle(&a, &star, &out) && out.kind == SIDLE_CROSSING_COPLANAR);
    cr_expect_not(sidle_triangle_triangle(&a, &beyond, &out));
}

Test(intersect_levels, a_triangle_without_area_crosses_nothing)
{
    sidle_dtriangle a = triangle(vector(-4, -4, 0), vector(4, -4, 0), vector(0, 4, 0));
    sidle_dtriangle line = triangle(vector(0, 0, -1), vector(0, 0, 1), vector(0, 0, 0));
    sidle_dtriangle flat = triangle(vector(0, 0, 0), vector(1, 0, 0), vector(2, 0, 0));
    cr_expect_not(sidle_triangle_triangle(&a, &line, NULL));
    cr_expect_not(sidle_triangle_triangle(&line, &a, NULL));
    cr_expect_not(sidle_triangle_triangle(&a, &flat, NULL));
    cr_expect_not(sidle_triangle_triangle(&flat, &flat, NULL));
}

/* ---- what print misses ---- */

Test(intersect_levels, surfaces_that_cross_like_a_plus_sign_cross)
{
    Cuboid tall = cuboid(vector(-1, -9, -1), vector(1, 9, 1));
    Cuboid wide = cuboid(vector(-9, -1, -.5), vector(9, 1, .5));
    sidle_surface a = surface_of(&tall), b = surface_of(&wide);
    sidle_crossing crossings[64];
    uint32_t count = 0;
    cr_assert(sidle_surfaces_cross(&a, &b, crossings, 64, &count));
    cr_expect(count >= 8 && count <= 64, "%u", count);
    for (uint32_t i = 0; i < count; ++i) /* all on the faces x = 1 and -1, where the wide one goes through */
    {
        cr_expect_eq(fabs(crossings[i].ends[0].point.x), 1);
        cr_expect_eq(fabs(crossings[i].ends[1].point.x), 1);
    }
}

Test(intersect_levels, an_edge_of_a_triangle_that_pierces_a_face_is_found)
{
    Vector low = vector(-1, -1, -1), high = vector(1, 1, 1);
    Vector spike[3] = {vector(0, 0, 0), vector(5, .25, .125), vector(5, -.25, .25)};
    Cuboid box = cuboid(low, high);
    sidle_surface a = surface_of(&box), b = surface_of_one(spike);
    sidle_crossing crossings[8];
    uint32_t count = 0;
    cr_expect_not(printed_box_crosses(low, high, spike), "the printed form has learnt it");
    cr_assert(sidle_surfaces_cross(&a, &b, crossings, 8, &count));
    cr_expect(count == 1 || count == 2);
    for (uint32_t i = 0; i < count; ++i)
    {
        cr_expect(crossings[i].ends[0].point.x == 1 && crossings[i].ends[1].point.x == 1);
    }
}

Test(intersect_levels, a_hit_on_the_edge_across_from_the_first_corner_is_a_hit)
{
    Vector corners[3] = {vector(0, 0, 0), vector(2, 0, 0), vector(0, 2, 0)}; /* r + t = 1 is not spoken of */
    Vector other[3] = {vector(1, 1, -1), vector(1, 1, 1), vector(9, 9, 0)};
    sidle_surface a = surface_of_one(corners), b = surface_of_one(other);
    sidle_crossing out;
    cr_expect_not(printed_segment_crosses(other[0], other[1], corners), "the printed form has learnt it");
    cr_assert(sidle_surfaces_cross(&a, &b, &out, 1, NULL));
    cr_expect(out.kind == SIDLE_CROSSING_POINT && is_place(out.ends[0].point, 1, 1, 0));
}

/* A shared edge, crossed by a segment's plane exactly there: in doubles both neighbours may say no. */
Test(intersect_levels, no_crossing_slips_through_between_neighbours)
{
    Random random = random_seeded(950);
    uint32_t printed_leaks = 0, leaks = 0;
    for (int i = 0; i < 20000; ++i)
    {
        Vector p = random_in_box(&random, vector(-1, -1, -1), vector(1, 1, 1));
        Vector q = random_in_box(&random, vector(-1, -1, -1), vector(1, 1, 1));
        Vector on = vector_along(p, random_unit(&random), vector_sub(q, p)), side = random_direction(&random);
        Vector left = vector_along(on, -3, side), right = vector_along(on, 3, side);
        Vector offset = random_direction(&random), from = vector_along(on, -4, offset),
               to = vector_along(on, 4, offset);
        Vector one[3] = {p, q, left}, other[3] = {q, p, right};
        Vector needle[3] = {from, to, vector_along(to, .5, random_direction(&random))};
        sidle_surface a = surface_of_one(one), b = surface_of_one(other), c = surface_of_one(needle);
        printed_leaks += !printed_segment_crosses(from, to, one) && !printed_segment_crosses(from, to, other);
        leaks += !sidle_surfaces_cross(&a, &c, NULL, 0, NULL) && !sidle_surfaces_cross(&b, &c, NULL, 0, NULL);
    }
    cr_expect(printed_leaks > 0, "the printed form has learnt it");
    cr_expect_eq(leaks, 0, "%u; printed %u", leaks, printed_leaks);
}

/* ---- surfaces ---- */

Test(intersect_levels, an_overflow_is_counted_and_nothing_is_written_beyond)
{
    Cuboid one = cuboid(vector(0, 0, 0), vector(2, 2, 2)), other = cuboid(vector(1, 1, 1), vector(3, 3, 3));
    sidle_surface a = surface_of(&one), b = surface_of(&other);
    sidle_crossing all[100], few[4], guard;
    uint32_t count = 0, again = 0;
    memset(few, 77, sizeof few);
    memset(&guard, 77, sizeof guard);
    cr_assert(sidle_surfaces_cross(&a, &b, all, 100, &count));
    cr_expect(count > 4 && count <= 100);
    cr_assert(sidle_surfaces_cross(&a, &b, few, 3, &again));
    cr_expect_eq(again, count);
    cr_expect(memcmp(few, all, 3 * sizeof *few) == 0 && memcmp(&few[3], &guard, sizeof guard) == 0);
    again = 0;
    cr_expect(sidle_surfaces_cross(&a, &b, NULL, 0, &again) && again == count);
    cr_expect(sidle_surfaces_cross(&a, &b, NULL, 9, NULL));
    for (uint32_t i = 1; i < count; ++i)
    {
        cr_expect(all[i - 1].triangle_a < all[i].triangle_a ||
                  (all[i - 1].triangle_a == all[i].triangle_a && all[i - 1].triangle_b < all[i].triangle_b));
    }
}

static int by_numbers(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(uint32_t));
}

Test(intersect_levels, swapped_surfaces_cross_in_the_same_pairs_and_points)
{
    Cuboid one = cuboid(vector(0, 0, 0), vector(2, 2, 2));
    Cuboid other = cuboid(vector(1, .3, -.7), vector(3, 1.1, 3.3));
    sidle_surface a = surface_of(&one), b = surface_of(&other);
    sidle_crossing forth[100], back[100];
    uint32_t count = 0, again = 0;
    cr_assert(sidle_surfaces_cross(&a, &b, forth, 100, &count));
    cr_assert(sidle_surfaces_cross(&b, &a, back, 100, &again));
    cr_assert(count == again && count <= 100);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t of_b = back[i].triangle_a;
        back[i].triangle_a = back[i].triangle_b;
        back[i].triangle_b = of_b;
        back[i].ends[0].owner = 1 - back[i].ends[0].owner;
        back[i].ends[1].owner = 1 - back[i].ends[1].owner;
    }
    qsort(forth, count, sizeof *forth, by_numbers);
    qsort(back, count, sizeof *back, by_numbers);
    cr_expect_eq(memcmp(forth, back, count * sizeof *forth), 0);
}

Test(intersect_levels, floats_strides_and_poses_place_the_vertices)
{
    float stored[3][5]; /* two numbers more behind each */
    static const float corners[3][3] = {{0, 0, -1}, {0, 0, 1}, {0, 2, 0}};
    Vector floor[3] = {vector(-100, 1, -100), vector(100, 1, -100), vector(0, 1, 300)};
    sidle_pose pose = {.position = {5, 0, 0}, .rotation = {0, .70710678f, 0, .70710678f}};
    sidle_surface a = {.vertices_f = stored[0], .vertex_stride = sizeof stored[0], .vertex_count = 3};
    sidle_surface b = surface_of_one(floor);
    sidle_crossing out;
    for (int i = 0; i < 3; ++i)
    {
        memset(stored[i], 0xff, sizeof stored[i]);
        memcpy(stored[i], corners[i], sizeof corners[i]);
    }
    a.triangle_count = 1;
    cr_assert(sidle_surfaces_cross(&a, &b, &out, 1, NULL));
    cr_expect(is_place(out.ends[0].point, 0, 1, -.5) || is_place(out.ends[0].point, 0, 1, .5));
    a.pose = &pose; /* a quarter turn about y, then to the side */
    cr_assert(sidle_surfaces_cross(&a, &b, &out, 1, NULL));
    cr_expect(fabs(fabs(out.ends[0].point.x - 5) - .5) < 1e-15 && fabs(out.ends[0].point.z) < 1e-15);
    pose.scale = (sidle_vec3){1, 4, 1};
    cr_assert(sidle_surfaces_cross(&a, &b, &out, 1, NULL));
    cr_expect(fabs(fabs(out.ends[0].point.x - 5) - .875) < 1e-15);
}

Test(intersect_levels, bad_triangles_cross_nothing_and_spoil_no_other)
{
    Cuboid one = cuboid(vector(0, 0, 0), vector(2, 2, 2)), other = cuboid(vector(1, 1, 1), vector(3, 3, 3));
    Cuboid with_bad = one;
    sidle_surface a = surface_of(&one), b = surface_of(&other), empty = {.triangle_count = 7};
    uint32_t count = 0, fewer = 0, none = 7;
    cr_assert(sidle_surfaces_cross(&a, &b, NULL, 0, &count));
    with_bad.indices[5] = 8; /* beyond the vertices */
    with_bad.vertices[0] = NAN;
    a = surface_of(&with_bad);
    cr_assert(sidle_surfaces_cross(&a, &b, NULL, 0, &fewer));
    cr_expect(fewer > 0 && fewer <= count);
    cr_expect_not(sidle_surfaces_cross(&empty, &b, NULL, 0, &none));
    cr_expect_eq(none, 0);
}
