/* Leaves keep every bit of their vertices, numbers and surfaces, however they store them. */
#include "mesh/mesh.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TRIANGLES = 300
};

/* Corners near each other, as in a level: multiples of `step` from `offset` on, or with a step of 0 anything. */
typedef struct Grid
{
    double offset, step, size;
} Grid;

static float *corners_on(const Grid *grid, Random *random)
{
    float *corners = malloc(9 * TRIANGLES * sizeof *corners);
    cr_assert_not_null(corners);
    for (int t = 0; t < TRIANGLES; ++t)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            double at = random_between(random, -20, 20) * grid->size;
            for (int corner = 0; corner < 3; ++corner)
            {
                double value = at + random_between(random, -1, 1) * grid->size;
                value = grid->step > 0 ? floor(value / grid->step) * grid->step : value;
                corners[9 * t + 3 * corner + axis] = (float)(grid->offset + value);
            }
        }
    }
    return corners;
}

/* How many of the leaves' axes take so many bytes a coordinate. */
static void count_forms(const sidle_mesh *mesh, uint32_t forms[5])
{
    for (uint32_t i = 0; i < mesh->node_count * BVH_WIDTH; ++i)
    {
        uint32_t child = mesh->nodes[i / BVH_WIDTH].child[i % BVH_WIDTH];
        for (uint32_t axis = 0; (child & BVH_LEAF) && axis < 3; ++axis)
        {
            ++forms[1u << packet_form(packet_at(mesh->packets, child & ~BVH_LEAF), axis)];
        }
    }
}

static void expect_kept(const Grid *grid, uint32_t forms[5])
{
    static sidle_triangle read[TRIANGLES];
    Random random = random_seeded(5);
    float *corners = corners_on(grid, &random);
    uint16_t surfaces[TRIANGLES];
    for (int t = 0; t < TRIANGLES; ++t)
    {
        surfaces[t] = (uint16_t)(t % 7 == 0 ? 65535 - t : 3);
    }
    const sidle_position zero = {0, 0, 0};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = corners,
                            .vertex_count = 3 * TRIANGLES,
                            .triangle_count = TRIANGLES,
                            .surfaces = surfaces,
                            .origin = &zero};
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    demand(sidle_mesh_get_triangles(mesh, 0, TRIANGLES, read), "sidle_mesh_get_triangles");
    for (int t = 0; t < TRIANGLES; ++t)
    {
        for (int i = 0; i < 9; ++i)
        {
            double place[3] = {read[t].vertices[i / 3].x, read[t].vertices[i / 3].y,
                               read[t].vertices[i / 3].z};
            cr_assert_eq(place[i % 3], (double)corners[9 * t + i], "offset %g, step %g: triangle %d",
                         grid->offset, grid->step, t);
        }
        cr_assert_eq(read[t].surface, surfaces[t]);
    }
    count_forms(mesh, forms);
    sidle_mesh_release(mesh);
    free(corners);
}

Test(packet, every_bit_is_kept_on_grids_and_off_them)
{
    const double sizes[] = {1e-30, 1e-3, 1, 100, 1e6};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    {
        double unit = exp2(floor(log2(sizes[i])));
        for (int bits = 0; bits <= 24; ++bits)
        {
            uint32_t forms[5] = {0};
            Grid grid = {0, unit * exp2(-bits), sizes[i]};
            expect_kept(&grid, forms);
            grid.offset = 77 * sizes[i]; /* fewer bits are left */
            expect_kept(&grid, forms);
        }
        uint32_t forms[5] = {0};
        Grid anywhere = {0, 0, sizes[i]};
        expect_kept(&anywhere, forms);
        cr_expect_gt(forms[4], forms[1] + forms[2], "floats off any grid");
    }
}

Test(packet, coarse_grids_take_fewer_bytes)
{
    uint32_t forms[5] = {0};
    const Grid coarse = {1000, .125, 1}, fine = {1000, 0x1p-9, 1};
    expect_kept(&coarse, forms);
    cr_expect_gt(forms[1], 10 * (forms[2] + forms[4]), "one byte");
    memset(forms, 0, sizeof forms);
    expect_kept(&fine, forms);
    cr_expect_gt(forms[2], 10 * (forms[1] + forms[4]), "two bytes");
}

Test(packet, numbers_far_apart_are_kept)
{
    enum
    {
        MANY = 70000 /* no two bytes hold their distance */
    };
    Random random = random_seeded(6);
    Soup soup = {0};
    soup_scatter(&soup, &random, MANY, 3);
    sidle_mesh *mesh = soup_mesh(soup_copy(&soup));
    sidle_triangle *read = malloc(MANY * sizeof *read);
    cr_assert_not_null(read);
    demand(sidle_mesh_get_triangles(mesh, 0, MANY, read), "sidle_mesh_get_triangles");
    for (int t = 0; t < MANY; ++t)
    {
        cr_assert_lt(fabs(read[t].vertices[0].x - soup.triangles[t].v[0].x), 1e-5, "triangle %d", t);
    }
    free(read);
    sidle_mesh_release(mesh);
    soup_free(&soup);
}
