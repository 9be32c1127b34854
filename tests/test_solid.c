/* Simple solids are closed, look outward, and are as large as they should be. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#define MOST 20000

typedef struct Shell
{
    sidle_triangle triangles[MOST];
    uint32_t count;
} Shell;

static Shell shell;

static void open_shell(const sidle_solid_desc *desc)
{
    sidle_mesh *mesh = NULL;
    sidle_mesh_info info = {.size = sizeof info};
    demand(sidle_mesh_create_solid(desc, NULL, &mesh), "sidle_mesh_create_solid");
    demand(sidle_mesh_get_info(mesh, &info), "sidle_mesh_get_info");
    cr_assert_eq(info.degenerate_count, 0);
    cr_assert_leq(info.triangle_count, MOST);
    shell.count = info.triangle_count;
    demand(sidle_mesh_get_triangles(mesh, 0, shell.count, shell.triangles), "sidle_mesh_get_triangles");
    sidle_mesh_release(mesh);
}

static Vector corner_of(uint32_t triangle, uint32_t corner)
{
    sidle_position p = shell.triangles[triangle].vertices[corner % 3];
    return vector(p.x, p.y, p.z);
}

static bool same_place(Vector a, Vector b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Each edge has one triangle on the other side, which has it in reverse. */
static void expect_closed(const char *what)
{
    for (uint32_t t = 0; t < shell.count; ++t)
    {
        for (uint32_t i = 0; i < 3; ++i)
        {
            uint32_t matches = 0;
            for (uint32_t k = 0; k < 3 * shell.count; ++k)
            {
                matches += same_place(corner_of(k / 3, k % 3), corner_of(t, i + 1)) &&
                           same_place(corner_of(k / 3, k % 3 + 1), corner_of(t, i));
            }
            cr_assert_eq(matches, 1, "%s: triangle %u, edge %u: %u", what, t, i, matches);
        }
    }
}

static double volume(void)
{
    double sum = 0;
    for (uint32_t t = 0; t < shell.count; ++t)
    {
        sum += vector_dot(corner_of(t, 0), vector_cross(corner_of(t, 1), corner_of(t, 2))) / 6;
    }
    return sum;
}

static void expect_solid(const sidle_solid_desc *desc, double expected, double tolerance, const char *what)
{
    open_shell(desc);
    expect_closed(what);
    cr_expect_lt(fabs(volume() / expected - 1), tolerance, "%s: %g, not %g", what, volume(), expected);
}

static sidle_solid_desc solid_of(uint32_t kind)
{
    return (sidle_solid_desc){.size = sizeof(sidle_solid_desc),
                              .kind = kind,
                              .half_extents = {1, 2, 3},
                              .radius = 2,
                              .half_height = 3,
                              .surface = 77};
}

Test(solid, boxes_and_round_solids_are_closed_and_as_large_as_they_should_be)
{
    const double pi = 3.14159265358979324;
    sidle_solid_desc box = solid_of(SIDLE_SOLID_BOX), ball = solid_of(SIDLE_SOLID_BALL),
                     capsule = solid_of(SIDLE_SOLID_CAPSULE), cylinder = solid_of(SIDLE_SOLID_CYLINDER);
    expect_solid(&box, 48, 1e-12, "box");
    cr_expect(shell.count == 12 && shell.triangles[5].surface == 77);
    expect_solid(&ball, pi * 8 * 4 / 3, .03, "ball");
    expect_solid(&capsule, pi * 8 * 4 / 3 + pi * 4 * 6, .03, "capsule");
    expect_solid(&cylinder, pi * 4 * 6, .01, "cylinder");
    box.half_extents = (sidle_vec3){1e-3f, 1e6f, 1};
    expect_solid(&box, 8e3, 1e-6, "sheet");
}

/* No point of a triangle is deeper inside than that, and none outside. */
Test(solid, balls_keep_their_tolerance)
{
    const float tolerances[] = {.5f, .1f, .02f, .004f};
    uint32_t counts[4];
    for (int i = 0; i < 4; ++i)
    {
        sidle_solid_desc ball = solid_of(SIDLE_SOLID_BALL);
        double deepest = 0;
        ball.tolerance = tolerances[i];
        open_shell(&ball);
        for (uint32_t t = 0; t < shell.count; ++t)
        {
            for (int k = 0; k < 45; ++k) /* on a grid over the triangle */
            {
                double a = k % 9 / 8., b = k / 9 / 4. * (1 - a);
                Vector p = vector_add(
                    vector_scale(corner_of(t, 0), 1 - a - b),
                    vector_add(vector_scale(corner_of(t, 1), a), vector_scale(corner_of(t, 2), b)));
                double depth = 2 - vector_length(p);
                deepest = fmax(deepest, depth);
                cr_assert_gt(depth, -1e-6);
            }
        }
        cr_expect_lt(deepest, (double)tolerances[i] + 1e-6, "tolerance %g", (double)tolerances[i]);
        counts[i] = shell.count;
    }
    cr_expect(counts[0] < counts[1] && counts[1] < counts[2] && counts[2] < counts[3]);
}

/* Every point is inside or on all faces, within the grid. */
static void expect_hull(const sidle_vec3 *points, uint32_t count, double size, const char *what)
{
    sidle_solid_desc desc = solid_of(SIDLE_SOLID_HULL);
    desc.points = points;
    desc.point_count = count;
    open_shell(&desc);
    expect_closed(what);
    cr_expect_gt(volume(), 0, "%s", what);
    for (uint32_t t = 0; t < shell.count; ++t)
    {
        Vector a = corner_of(t, 0),
               n = vector_cross(vector_sub(corner_of(t, 1), a), vector_sub(corner_of(t, 2), a));
        double height2 = vector_dot(n, n);
        for (uint32_t i = 0; i < count; ++i)
        {
            Vector p = vector((double)points[i].x, (double)points[i].y, (double)points[i].z);
            double beyond = vector_dot(n, vector_sub(p, a)) / sqrt(height2);
            cr_assert_lt(beyond, .01 * size, "%s: triangle %u, point %u: %g", what, t, i, beyond);
        }
    }
}

Test(solid, hulls_hold_all_their_points)
{
    static sidle_vec3 points[SIDLE_MAX_HULL_POINTS];
    Random random = random_seeded(31);
    for (int round = 0; round < 300; ++round)
    {
        uint32_t count = 4 + (uint32_t)random_below(&random, SIDLE_MAX_HULL_POINTS - 3);
        double size = round % 3 == 0 ? 1e-2 : round % 3 == 1 ? 1 : 1e4;
        int style = round % 5;
        for (uint32_t i = 0; i < count; ++i)
        {
            double v[3];
            for (int axis = 0; axis < 3; ++axis)
            {
                v[axis] = random_between(&random, -1, 1);
                v[axis] =
                    style == 1 ? floor(v[axis] * 2 + .5) / 2 : v[axis]; /* many on common planes and lines */
            }
            double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 1e-9;
            double scale = style == 2 ? size / length : size; /* all are corners */
            points[i] = (sidle_vec3){(float)(v[0] * scale), (float)(v[1] * scale * (style == 3 ? .01 : 1)),
                                     (float)(v[2] * scale)};
        }
        if (style == 4) /* copies */
        {
            memcpy(points + count / 2, points, count / 2 * sizeof *points);
        }
        const sidle_vec3 frame[4] = {
            {0, 0, 0}, {(float)size, 0, 0}, {0, (float)size, 0}, {0, 0, (float)size}};
        memcpy(points, frame, sizeof frame); /* a volume, whatever is drawn */
        expect_hull(points, count, size, "drawn");
    }
}

Test(solid, points_on_the_faces_of_a_cube_leave_twelve_triangles)
{
    static sidle_vec3 points[27];
    for (int i = 0; i < 27; ++i)
    {
        points[i] = (sidle_vec3){(float)(i % 3), (float)(i / 3 % 3), (float)(i / 9)};
    }
    expect_hull(points, 27, 2, "cube");
    cr_expect_eq(shell.count, 12);
    cr_expect_lt(fabs(volume() - 8), 1e-12);
}

static void is_refused(const sidle_solid_desc *desc, sidle_status status, const char *text)
{
    sidle_error error = {0};
    sidle_solid_desc asked = *desc;
    sidle_mesh *mesh = NULL;
    asked.error = &error;
    cr_expect_eq(sidle_mesh_create_solid(&asked, NULL, &mesh), status, "%s", text);
    cr_expect_null(mesh);
    cr_expect(strstr(error.text, text) != NULL, "'%s' does not say '%s'", error.text, text);
}

Test(solid, an_invalid_desc_is_refused_with_a_sentence)
{
    const sidle_vec3 flat[5] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}, {.5f, 0, .25f}};
    sidle_solid_desc desc = solid_of(SIDLE_SOLID_HULL);
    desc.points = flat;
    desc.point_count = 3;
    is_refused(&desc, SIDLE_ERROR_LIMIT, "a hull needs 4");
    desc.point_count = 5;
    is_refused(&desc, SIDLE_ERROR_ARGUMENT, "no volume");
    desc = solid_of(SIDLE_SOLID_BALL);
    desc.radius = 0;
    is_refused(&desc, SIDLE_ERROR_LIMIT, "radius");
    desc.radius = NAN;
    is_refused(&desc, SIDLE_ERROR_NOT_FINITE, "radius");
    desc = solid_of(SIDLE_SOLID_CAPSULE);
    desc.half_height = -1;
    is_refused(&desc, SIDLE_ERROR_LIMIT, "half_height");
    desc = solid_of(7);
    is_refused(&desc, SIDLE_ERROR_ARGUMENT, "kind 7");
}
