/* Makes triangles of the painted plan: floors, ceilings and walls become polygons on the lattice, and fans
 * where a corner of another polygon divides their edges. */
#include "dungeon.h"

#include <stdlib.h>
#include <string.h>

enum
{
    CELL = 8 /* lattice units of a raster cell */
};

static const double LATTICE_UNIT = 1.0 / 32;

typedef struct Polygon
{
    int corners[4][3]; /* lattice units; triangles repeat a corner */
    uint16_t surface;
} Polygon;

typedef struct Shell
{
    Dungeon *dungeon;
    Polygon *polygons;
    uint32_t count, capacity;
} Shell;

static void add_polygon(Shell *shell, const int corners[4][3], uint16_t surface)
{
    if (shell->count == shell->capacity)
    {
        uint32_t capacity = shell->capacity * 2 + 1024;
        Polygon *larger = realloc(shell->polygons, (size_t)capacity * sizeof *larger);
        if (!larger)
        {
            shell->dungeon->build->failed = true;
            return;
        }
        shell->polygons = larger;
        shell->capacity = capacity;
    }
    Polygon *polygon = &shell->polygons[shell->count++];
    memcpy(polygon->corners, corners, sizeof polygon->corners);
    polygon->surface = surface;
}

static int floor_at(const Plot *plot, int x, int z)
{
    return plot->floor + plot->slope_x * (x - plot->origin_x) + plot->slope_z * (z - plot->origin_z);
}

static void add_upright(Shell *shell, const int p[2], const int q[2], const int low[2], const int high[2],
                        uint16_t surface)
{
    if (low[0] == high[0] && low[1] == high[1])
        return;
    const int corners[4][3] = {{p[0] * CELL, low[0], p[1] * CELL},
                               {q[0] * CELL, low[1], q[1] * CELL},
                               {q[0] * CELL, high[1], q[1] * CELL},
                               {p[0] * CELL, high[0], p[1] * CELL}};
    add_polygon(shell, corners, surface);
}

/* Builds what is visible from `plot` towards `other`, with the corner p at the left and q at the right: a
 * whole wall, or the parts that rise above the floor and hang down from the ceiling. */
static void add_wall(Shell *shell, uint32_t plot, uint32_t other, const int p[2], const int q[2])
{
    const Plot *near = &shell->dungeon->plots[plot], *far = &shell->dungeon->plots[other];
    int low[2] = {floor_at(near, p[0], p[1]), floor_at(near, q[0], q[1])};
    int high[2] = {near->ceiling, near->ceiling};
    if (plot == 0)
        return;
    if (other == 0)
    {
        add_upright(shell, p, q, low, high, near->wall_surface);
        return;
    }
    int far_low[2] = {floor_at(far, p[0], p[1]), floor_at(far, q[0], q[1])};
    int far_high[2] = {far->ceiling, far->ceiling};
    for (int end = 0; end < 2; ++end)
    {
        far_low[end] = far_low[end] > low[end] ? far_low[end] : low[end];
        far_high[end] = far_high[end] < high[end] ? far_high[end] : high[end];
    }
    add_upright(shell, p, q, low, far_low, far->floor_surface);
    add_upright(shell, p, q, far_high, high, near->wall_surface);
}

static uint32_t plot_at(const Dungeon *dungeon, int axis, int along, int across)
{
    int x = axis == 0 ? along : across, z = axis == 0 ? across : along;
    return dungeon->raster[(size_t)z * (size_t)dungeon->width + (size_t)x];
}

/* The lines along x (axis 0) or z (axis 1), each cut into runs where the same two plots meet. */
static void add_walls(Shell *shell, int axis)
{
    const Dungeon *dungeon = shell->dungeon;
    for (int across = 1; across < dungeon->width; ++across)
        for (int start = 0; start < dungeon->width;)
        {
            uint32_t before = plot_at(dungeon, axis, start, across - 1),
                     after = plot_at(dungeon, axis, start, across);
            int end = start + 1;
            while (end < dungeon->width && plot_at(dungeon, axis, end, across - 1) == before &&
                   plot_at(dungeon, axis, end, across) == after)
                ++end;
            int p[2] = {axis == 0 ? start : across, axis == 0 ? across : start};
            int q[2] = {axis == 0 ? end : across, axis == 0 ? across : end};
            if (before != after)
            {
                add_wall(shell, axis == 0 ? after : before, axis == 0 ? before : after, p, q);
                add_wall(shell, axis == 0 ? before : after, axis == 0 ? after : before, q, p);
            }
            start = end;
        }
}

static void add_rectangle(Shell *shell, uint32_t number, int x0, int z0, int x1, int z1)
{
    const Plot *plot = &shell->dungeon->plots[number];
    const int floor[4][3] = {{x0 * CELL, floor_at(plot, x0, z0), z0 * CELL},
                             {x0 * CELL, floor_at(plot, x0, z1), z1 * CELL},
                             {x1 * CELL, floor_at(plot, x1, z1), z1 * CELL},
                             {x1 * CELL, floor_at(plot, x1, z0), z0 * CELL}};
    const int ceiling[4][3] = {{x0 * CELL, plot->ceiling, z0 * CELL},
                               {x1 * CELL, plot->ceiling, z0 * CELL},
                               {x1 * CELL, plot->ceiling, z1 * CELL},
                               {x0 * CELL, plot->ceiling, z1 * CELL}};
    add_polygon(shell, floor, plot->floor_surface);
    add_polygon(shell, ceiling, plot->wall_surface);
}

/* Divides the raster into rectangles of one plot, first wide, then deep. Erases it at the same time. */
static void add_floors(Shell *shell)
{
    Dungeon *dungeon = shell->dungeon;
    for (int z0 = 0; z0 < dungeon->width; ++z0)
        for (int x0 = 0; x0 < dungeon->width; ++x0)
        {
            uint32_t plot = plot_at(dungeon, 0, x0, z0);
            if (plot == 0)
                continue;
            int x1 = x0 + 1, z1 = z0 + 1;
            while (plot_at(dungeon, 0, x1, z0) == plot)
                ++x1;
            for (bool is_whole = true; is_whole;)
            {
                for (int x = x0; x < x1; ++x)
                    is_whole = is_whole && plot_at(dungeon, 0, x, z1) == plot;
                z1 += is_whole;
            }
            add_rectangle(shell, plot, x0, z0, x1, z1);
            dungeon_fill(dungeon, x0, z0, x1, z1, 0);
        }
}

static int common_divisor(int a, int b)
{
    while (b)
    {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static uint32_t lattice_vertex(Dungeon *dungeon, const int point[3])
{
    static const Frame origin = {0};
    double half = dungeon->width * CELL * 0.5;
    return build_vertex(dungeon->build, &origin, (point[0] - half) * LATTICE_UNIT, point[1] * LATTICE_UNIT,
                        (point[2] - half) * LATTICE_UNIT);
}

static bool has_lattice_vertex(const Dungeon *dungeon, const int point[3], uint32_t *index)
{
    double half = dungeon->width * CELL * 0.5;
    return build_has_vertex(dungeon->build, (point[0] - half) * LATTICE_UNIT, point[1] * LATTICE_UNIT,
                            (point[2] - half) * LATTICE_UNIT, index);
}

/* Visits every vertex on the polygon's boundary and, with a centre, makes a fan of triangles around it.
 * Returns true if any edge has vertices between its ends. */
static bool walk_boundary(Dungeon *dungeon, const Polygon *polygon, const uint32_t *centre)
{
    bool is_divided = false;
    for (int edge = 0; edge < 4; ++edge)
    {
        const int *from = polygon->corners[edge], *to = polygon->corners[(edge + 1) & 3];
        int delta[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        int steps = common_divisor(common_divisor(delta[0], delta[1]), delta[2]);
        uint32_t previous = lattice_vertex(dungeon, from);
        for (int k = 1; k <= steps; ++k)
        {
            const int point[3] = {from[0] + delta[0] / steps * k, from[1] + delta[1] / steps * k,
                                  from[2] + delta[2] / steps * k};
            uint32_t vertex;
            if (!has_lattice_vertex(dungeon, point, &vertex))
                continue;
            is_divided = is_divided || k < steps;
            if (centre)
                build_triangle(dungeon->build, *centre, previous, vertex, polygon->surface);
            previous = vertex;
        }
    }
    return is_divided;
}

static void add_triangles(Dungeon *dungeon, const Polygon *polygon)
{
    static const Frame origin = {0};
    uint32_t corner[4];
    double middle[3] = {0, 0, 0}, half = dungeon->width * CELL * 0.5;
    for (int i = 0; i < 4; ++i)
    {
        corner[i] = lattice_vertex(dungeon, polygon->corners[i]);
        for (int axis = 0; axis < 3; ++axis)
            middle[axis] += polygon->corners[i][axis] * 0.25;
    }
    if (walk_boundary(dungeon, polygon, NULL))
    {
        uint32_t centre = build_vertex(dungeon->build, &origin, (middle[0] - half) * LATTICE_UNIT,
                                       middle[1] * LATTICE_UNIT, (middle[2] - half) * LATTICE_UNIT);
        walk_boundary(dungeon, polygon, &centre);
        return;
    }
    build_triangle(dungeon->build, corner[0], corner[1], corner[2], polygon->surface);
    build_triangle(dungeon->build, corner[0], corner[2], corner[3], polygon->surface);
}

void dungeon_mesh(Dungeon *dungeon)
{
    Shell shell = {.dungeon = dungeon};
    add_walls(&shell, 0);
    add_walls(&shell, 1);
    add_floors(&shell);
    /* All corners come first: an edge can only be divided at vertices that exist. */
    for (uint32_t i = 0; i < shell.count; ++i)
        for (int corner = 0; corner < 4; ++corner)
            lattice_vertex(dungeon, shell.polygons[i].corners[corner]);
    for (uint32_t i = 0; i < shell.count && !dungeon->build->failed; ++i)
        add_triangles(dungeon, &shell.polygons[i]);
    free(shell.polygons);
}
