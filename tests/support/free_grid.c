#include "support/free_grid.h"

#include "support/oracle_core.h"

#include <math.h>
#include <stdlib.h>

/* In radii. */
static double apart(const SoupTriangle *triangle, const sidle_shape *shape, Vector center)
{
    double r = (double)shape->radii.x, core = (double)shape->half_height;
    return (core > 0 ? oracle_core(triangle->v, vector(0, core, 0), center).distance
                     : oracle_closest(triangle->v, center).distance) /
           r;
}

double free_room(const Soup *soup, const sidle_shape *shape, Vector center)
{
    double least = INFINITY;
    for (size_t i = 0; i < soup->count; ++i)
    {
        least = fmin(least, apart(&soup->triangles[i], shape, center));
    }
    return least;
}

static bool reaches(const SoupTriangle *triangle, Vector low, Vector high)
{
    const Vector *v = triangle->v;
    return fmin(v[0].x, fmin(v[1].x, v[2].x)) <= high.x && fmax(v[0].x, fmax(v[1].x, v[2].x)) >= low.x &&
           fmin(v[0].y, fmin(v[1].y, v[2].y)) <= high.y && fmax(v[0].y, fmax(v[1].y, v[2].y)) >= low.y &&
           fmin(v[0].z, fmin(v[1].z, v[2].z)) <= high.z && fmax(v[0].z, fmax(v[1].z, v[2].z)) >= low.z;
}

Soup soup_near(const Soup *soup, Vector center, double reach)
{
    Soup near = {0};
    Vector by = vector(reach, reach, reach), low = vector_sub(center, by), high = vector_add(center, by);
    for (size_t i = 0; i < soup->count; ++i)
    {
        if (reaches(&soup->triangles[i], low, high))
        {
            const Vector *v = soup->triangles[i].v;
            soup_triangle(&near, v[0], v[1], v[2]);
        }
    }
    return near;
}

static int by_distance(const void *a, const void *b)
{
    double one = vector_length(*(const Vector *)a), other = vector_length(*(const Vector *)b);
    return (one > other) - (one < other);
}

FreeGrid free_grid_of(double radius, double step)
{
    int most = (int)(radius / step);
    size_t side = 2 * (size_t)most + 1;
    FreeGrid grid = {
        .offsets = malloc(side * side * side * sizeof *grid.offsets), .radius = radius, .step = step};
    for (int x = -most; x <= most; ++x)
    {
        for (int y = -most; y <= most; ++y)
        {
            for (int z = -most; z <= most; ++z)
            {
                Vector by = vector(x * step, y * step, z * step);
                if (vector_length(by) <= radius)
                {
                    grid.offsets[grid.count++] = by;
                }
            }
        }
    }
    qsort(grid.offsets, grid.count, sizeof *grid.offsets, by_distance);
    return grid;
}

void free_grid_free(FreeGrid *grid)
{
    free(grid->offsets);
    *grid = (FreeGrid){0};
}

/* Three balls on the core decide most triangles, and cost less than the whole core. */
static bool blocks(const SoupTriangle *triangle, const sidle_shape *shape, double wide, Vector center)
{
    double r = (double)shape->radii.x * wide, core = (double)shape->half_height;
    double distance = oracle_closest(triangle->v, center).distance;
    if (distance < r || distance >= r + core)
    {
        return distance < r;
    }
    Vector end = vector(0, core, 0);
    return oracle_closest(triangle->v, vector_add(center, end)).distance < r ||
           oracle_closest(triangle->v, vector_sub(center, end)).distance < r ||
           apart(triangle, shape, center) < wide;
}

/* A triangle that overlaps here probably does at the next place too, so it goes to the front. */
static bool is_blocked(Soup *soup, const sidle_shape *shape, double wide, Vector center)
{
    double r = (double)shape->radii.x * wide, h = (double)shape->half_height;
    Vector reach = vector(r, r + h, r), low = vector_sub(center, reach), high = vector_add(center, reach);
    for (size_t i = 0; i < soup->count; ++i)
    {
        SoupTriangle triangle = soup->triangles[i];
        if (reaches(&triangle, low, high) && blocks(&triangle, shape, wide, center))
        {
            soup->triangles[i] = soup->triangles[0];
            soup->triangles[0] = triangle;
            return true;
        }
    }
    return false;
}

double free_grid_nearest(const FreeGrid *grid, Soup *near, const sidle_shape *shape, double wide,
                         Vector center)
{
    for (uint32_t i = 0; i < grid->count; ++i)
    {
        if (!is_blocked(near, shape, wide, vector_add(center, grid->offsets[i])))
        {
            return vector_length(grid->offsets[i]);
        }
    }
    return INFINITY;
}
