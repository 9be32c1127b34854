#include "support/shells.h"

#include <stdlib.h>
#include <string.h>

static Shell shell_around(sidle_mesh *mesh)
{
    Shell shell = {.mesh = mesh};
    sidle_mesh_info info = {.size = sizeof info};
    demand(sidle_mesh_get_info(mesh, &info), "sidle_mesh_get_info");
    for (uint32_t i = 0; i < info.triangle_count; ++i)
    {
        sidle_triangle t;
        Vector v[3];
        demand(sidle_mesh_get_triangles(mesh, i, 1, &t), "sidle_mesh_get_triangles");
        for (int corner = 0; corner < 3; ++corner)
        {
            v[corner] = vector(t.vertices[corner].x, t.vertices[corner].y, t.vertices[corner].z);
        }
        soup_triangle(&shell.soup, v[0], v[1], v[2]);
    }
    return shell;
}

Shell shell_of(Soup soup)
{
    return shell_around(soup_mesh(soup));
}

void shell_close(Shell *shell)
{
    soup_free(&shell->soup);
    sidle_mesh_release(shell->mesh);
}

sidle_mesh *shell_mesh(Shell shell)
{
    soup_free(&shell.soup);
    return shell.mesh;
}

Shell shell_flipped(Shell shell)
{
    Soup soup = soup_copy(&shell.soup);
    soup_flip(&soup);
    shell_close(&shell);
    return shell_of(soup);
}

Shell shell_solid(uint32_t kind)
{
    sidle_vec3 points[40];
    Random random = random_seeded(3);
    for (int i = 0; i < 40; ++i)
    {
        Vector v = random_in_box(&random, vector(-2, -1, -1.5), vector(2, 1, 1.5));
        points[i] = (sidle_vec3){(float)v.x, (float)v.y, (float)v.z};
    }
    sidle_solid_desc desc = {.size = sizeof desc,
                             .kind = kind,
                             .half_extents = {1.5f, 1, .75f},
                             .radius = 1,
                             .half_height = 1,
                             .points = points,
                             .point_count = 40};
    sidle_mesh *mesh;
    demand(sidle_mesh_create_solid(&desc, NULL, &mesh), "sidle_mesh_create_solid");
    return shell_around(mesh);
}

/* A corner of one of two rings around y: 1.4 from its middle, .6 thick. */
static Vector torus_corner(int segment, int side, int segments, int sides)
{
    const double turn = 6.283185307179586;
    double a = turn * (segment % segments) / segments, b = turn * (side % sides) / sides,
           r = 1.4 + .6 * cos(b);
    return vector((double)(float)(r * cos(a)), (double)(float)(.6 * sin(b)), (double)(float)(r * sin(a)));
}

Shell shell_torus(int segments, int sides)
{
    Soup soup = {0};
    for (int i = 0; i < segments * sides; ++i)
    {
        int a = i / sides, b = i % sides;
        soup_quad(&soup, torus_corner(a, b, segments, sides), torus_corner(a, b + 1, segments, sides),
                  torus_corner(a + 1, b + 1, segments, sides), torus_corner(a + 1, b, segments, sides));
    }
    return shell_of(soup);
}

Shell shell_hollow(void)
{
    Shell ball = shell_solid(SIDLE_SOLID_BALL);
    Soup soup = soup_copy(&ball.soup), cavity = soup_copy(&ball.soup);
    soup_stretch(&soup, vector(2, 2, 2));
    soup_flip(&cavity);
    soup_append(&soup, &cavity);
    soup_free(&cavity);
    shell_close(&ball);
    return shell_of(soup);
}

/* ---- cubes ---- */

static bool is_filled(const uint64_t *cubes, const int at[3])
{
    bool within = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        within = within && at[axis] >= 0 && at[axis] < 4;
    }
    return within && *cubes >> (16 * at[0] + 4 * at[1] + at[2]) & 1;
}

/* A face of a cube across an axis, at its upper end or its lower one. */
static void add_face(Soup *soup, const int at[3], int axis, int upper)
{
    double corners[4][3];
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int i = 0; i < 4; ++i)
    {
        int k = upper ? i : 3 - i;
        corners[i][axis] = at[axis] - 2 + upper;
        corners[i][u] = at[u] - 2 + (k == 1 || k == 2);
        corners[i][v] = at[v] - 2 + (k >= 2);
    }
    Vector c[4];
    for (int i = 0; i < 4; ++i)
    {
        c[i] = vector(corners[i][0], corners[i][1], corners[i][2]);
    }
    soup_quad(soup, c[0], c[1], c[2], c[3]);
}

Shell shell_voxels(uint64_t seed)
{
    Random random = random_seeded(seed);
    Soup soup = {0};
    uint64_t cubes = random_bits(&random) | random_bits(&random);
    for (int i = 0; i < 64; ++i)
    {
        const int at[3] = {i / 16, i / 4 % 4, i % 4};
        for (int face = 0; face < 6 && is_filled(&cubes, at); ++face)
        {
            int next[3];
            memcpy(next, at, sizeof next);
            next[face / 2] += face % 2 ? 1 : -1;
            if (!is_filled(&cubes, next))
            {
                add_face(&soup, at, face / 2, face % 2);
            }
        }
    }
    return shell_of(soup);
}

/* ---- the oracle ---- */

static double solid_angle(const Vector v[3], Vector point)
{
    Vector a = vector_sub(v[0], point), b = vector_sub(v[1], point), c = vector_sub(v[2], point);
    double la = vector_length(a), lb = vector_length(b), lc = vector_length(c);
    double below = la * lb * lc + vector_dot(a, b) * lc + vector_dot(b, c) * la + vector_dot(c, a) * lb;
    return 2 * atan2(vector_dot(a, vector_cross(b, c)), below);
}

bool shell_holds(const Shell *shell, Vector point)
{
    double sum = 0;
    for (size_t i = 0; i < shell->soup.count; ++i)
    {
        sum += solid_angle(shell->soup.triangles[i].v, point);
    }
    return fabs(sum) > 6.283185307179586;
}
