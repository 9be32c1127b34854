/* The defects that `sidle info` reports, of small meshes made by hand. */
#include "tools/defects.h"

#include "support/scene.h"

#include <criterion/criterion.h>

static const double cube_corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1},
                                          {0, 1, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}};
static const uint32_t cube[36] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 4, 5, 0, 5, 1,
                                  1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0};

static Defects defects_scaled(const double *vertices, uint32_t vertex_count, const uint32_t *indices,
                              uint32_t triangles, const double *scale)
{
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = vertices,
                            .vertex_count = vertex_count,
                            .indices = indices,
                            .triangle_count = triangles};
    sidle_mesh *mesh;
    Defects out;
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    cr_assert(defects_find(mesh, triangles, scale, &out));
    sidle_mesh_release(mesh);
    return out;
}

static Defects defects_of(const double *vertices, uint32_t vertex_count, const uint32_t *indices,
                          uint32_t triangles)
{
    return defects_scaled(vertices, vertex_count, indices, triangles, NULL);
}

static void expect(const Defects *defects, DefectKind kind, uint64_t count, uint32_t first)
{
    const Defect *defect = &defects->of[kind];
    cr_expect(defect->count == count && (count == 0 || defect->first == first),
              "%s: %u, the first at triangle %u", defect_name(kind), (unsigned)defect->count, defect->first);
}

/* One kind alone has defects. */
static void expect_only(const Defects *defects, DefectKind kind, uint64_t count, uint32_t first)
{
    for (int other = 0; other < DEFECT_KINDS; ++other)
    {
        expect(defects, (DefectKind)other, other == (int)kind ? count : 0, first);
    }
}

Test(defects_report, a_closed_cube_has_none)
{
    Defects defects = defects_of(cube_corners[0], 8, cube, 12);
    expect_only(&defects, DEFECT_KINDS, 0, 0);
}

Test(defects_report, a_missing_triangle_leaves_three_open_edges)
{
    Defects defects = defects_of(cube_corners[0], 8, cube, 11);
    expect_only(&defects, DEFECT_OPEN_EDGE, 3, 1);
}

Test(defects_report, a_triangle_that_faces_inwards_flips_its_edges)
{
    uint32_t indices[36];
    for (int i = 0; i < 36; ++i)
    {
        indices[i] = cube[i];
    }
    indices[12] = cube[13];
    indices[13] = cube[12];
    Defects defects = defects_of(cube_corners[0], 8, indices, 12);
    expect_only(&defects, DEFECT_FLIPPED, 3, 2);
}

Test(defects_report, the_same_corners_in_another_order_are_a_duplicate)
{
    uint32_t indices[39];
    for (int i = 0; i < 36; ++i)
    {
        indices[i] = cube[i];
    }
    indices[36] = 2;
    indices[37] = 0;
    indices[38] = 1;
    Defects defects = defects_of(cube_corners[0], 8, indices, 13);
    expect(&defects, DEFECT_DUPLICATE, 1, 12);
    expect(&defects, DEFECT_SHARED_EDGE, 3, 0);
}

Test(defects_report, a_vertex_on_a_longer_edge_is_a_t_junction)
{
    const double vertices[6][3] = {{0, 0, 0}, {2, 0, 0}, {0, 0, 2}, {1, 0, 0}, {0, 0, -1}, {2, 0, -1}};
    const uint32_t indices[9] = {0, 2, 1, 0, 3, 4, 3, 1, 5};
    Defects defects = defects_of(vertices[0], 6, indices, 3);
    expect(&defects, DEFECT_T_JUNCTION, 1, 0);
    expect(&defects, DEFECT_OPEN_EDGE, 9, 0);
    const uint32_t split[12] = {0, 2, 3, 3, 2, 1, 0, 3, 4, 3, 1, 5};
    defects = defects_of(vertices[0], 6, split, 4);
    expect(&defects, DEFECT_T_JUNCTION, 0, 0);
}

Test(defects_report, points_lines_and_slivers_are_counted)
{
    const double vertices[5][3] = {{0, 0, 0}, {4, 0, 0}, {2, 0, 1e-3}, {1, 0, 0}, {0, 0, 3}};
    const uint32_t indices[12] = {0, 1, 4, 0, 1, 2, 0, 3, 1, 2, 2, 2};
    Defects defects = defects_of(vertices[0], 5, indices, 4);
    expect(&defects, DEFECT_DEGENERATE, 2, 2);
    expect(&defects, DEFECT_SLIVER, 1, 1);
}

/* Two triangles that stand upright, and one that lies: a scale along y flattens the first two. */
Test(defects_report, a_scale_makes_slivers_of_some_triangles_and_no_others)
{
    const double vertices[7][3] = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 1, 1},
                                   {5, 0, 0}, {7, 0, 0}, {6, 0, 1}};
    const uint32_t indices[9] = {4, 6, 5, 0, 1, 2, 0, 1, 3};
    const double flat[3] = {1, .001, 1}, even[3] = {.001, .001, .001}, mirrored[3] = {1, -.001, 1};
    Defects defects = defects_of(vertices[0], 7, indices, 3);
    expect(&defects, DEFECT_SLIVER, 0, 0);
    defects = defects_scaled(vertices[0], 7, indices, 3, even);
    expect(&defects, DEFECT_SLIVER, 0, 0);
    defects = defects_scaled(vertices[0], 7, indices, 3, flat);
    expect(&defects, DEFECT_SLIVER, 1, 1);
    defects = defects_scaled(vertices[0], 7, indices, 3, mirrored);
    expect(&defects, DEFECT_SLIVER, 1, 1);
    expect(&defects, DEFECT_DEGENERATE, 0, 0);
}

/* The second triangle is .5 high and 2 long, the third 2 high and 2 long. */
Test(defects_report, a_triangle_that_a_scale_flattens_below_the_rounding_of_float_is_degenerate)
{
    const double vertices[9][3] = {{0, 0, 0},   {2, 0, 0}, {1, 0, 1},  {4, 4, 0}, {6, 4, 0},
                                   {5, 4.5, 0}, {8, 4, 0}, {10, 4, 0}, {9, 6, 0}};
    const uint32_t indices[9] = {0, 2, 1, 3, 4, 5, 6, 7, 8};
    const double none[3] = {1, 1, 1}, flat[3] = {10, 1e-6, 1};
    Defects defects = defects_scaled(vertices[0], 9, indices, 3, none);
    expect_only(&defects, DEFECT_OPEN_EDGE, 9, 0);
    defects = defects_scaled(vertices[0], 9, indices, 3, flat);
    expect(&defects, DEFECT_DEGENERATE, 1, 1);
    expect(&defects, DEFECT_SLIVER, 1, 2);
}
