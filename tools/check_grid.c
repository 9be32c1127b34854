#include "check_grid.h"

#include <stdlib.h>

/* A cell holds a handful of triangles of average size, whatever the level's unit is. More cells than the
 * maximum would cost more memory than the level. */
#define TRIANGLES_PER_CELL 4.0
#define MAX_CELLS          16e6
#define COARSER            1.3

/* A triangle also enters cells that it misses by this share of a cell's edge. That covers the rounding of
 * cell numbers: about 1e-15 of the level's extent, which is at most 1e4 cells along an axis. */
#define CELL_SLACK 1e-6

/* Clamps as a double: a NaN or a number too large for the integer must not reach the conversion. */
static uint32_t cell_number(double offset, double cell, uint32_t size)
{
    double number = floor(offset / cell);
    double last = size - 1;
    return number > 0 ? (uint32_t)(number < last ? number : last) : 0;
}

CellRange grid_cells_of(const CheckGrid *grid, const Box *box, double slack)
{
    const uint32_t *size = grid->size;
    Vector low = minus(box->low, grid->origin), high = minus(box->high, grid->origin);
    return (CellRange){
        {cell_number(low.x - slack, grid->cell, size[0]), cell_number(low.y - slack, grid->cell, size[1]),
         cell_number(low.z - slack, grid->cell, size[2])},
        {cell_number(high.x + slack, grid->cell, size[0]), cell_number(high.y + slack, grid->cell, size[1]),
         cell_number(high.z + slack, grid->cell, size[2])}};
}

/* Returns true if the triangle's plane passes through the cell. Without this test a large slanted triangle
 * would fill its whole box. */
static bool plane_hits_cell(const CheckGrid *grid, const Corners *t, Vector normal, uint32_t x, uint32_t y,
                            uint32_t z)
{
    double half = grid->cell * (.5 + CELL_SLACK);
    Vector center = {grid->origin.x + (x + .5) * grid->cell, grid->origin.y + (y + .5) * grid->cell,
                     grid->origin.z + (z + .5) * grid->cell};
    return fabs(dot(normal, minus(center, t->a))) <=
           half * (fabs(normal.x) + fabs(normal.y) + fabs(normal.z));
}

/* Counts the triangle in each of its cells. If `triangles` is given, writes it instead at the place that
 * counting left in `first`, which then advances. Returns the number of cells. */
static uint64_t enter_triangle(CheckGrid *grid, uint32_t triangle)
{
    Corners t = corners_of(grid->level, triangle);
    Box box = corners_box(&t);
    CellRange range = grid_cells_of(grid, &box, CELL_SLACK * grid->cell);
    Vector normal = cross(minus(t.b, t.a), minus(t.c, t.a));
    uint64_t count = 0;
    for (uint32_t z = range.low[2]; z <= range.high[2]; z++)
    {
        for (uint32_t x = range.low[0]; x <= range.high[0]; x++)
        {
            for (uint32_t y = range.low[1]; y <= range.high[1]; y++)
            {
                if (!plane_hits_cell(grid, &t, normal, x, y, z))
                {
                    continue;
                }
                uint32_t *place = &grid->first[grid_cell_index(grid, x, y, z)];
                if (grid->triangles)
                {
                    grid->triangles[*place] = triangle;
                }
                (*place)++;
                count++;
            }
        }
    }
    return count;
}

/* Counting sort into cells: count, sum up, write, and shift the sums back by one cell. */
static bool fill_cells(CheckGrid *grid, uint64_t max_entries, bool *too_many)
{
    uint32_t triangle_count = grid->level->triangle_count;
    size_t cell_count = (size_t)grid->size[0] * grid->size[1] * grid->size[2];
    uint64_t entries = 0;
    grid->first = calloc(cell_count + 1, sizeof *grid->first);
    for (uint32_t i = 0; grid->first && i < triangle_count && entries <= max_entries; i++)
    {
        entries += enter_triangle(grid, i);
    }
    *too_many = entries > max_entries;
    if (!grid->first || *too_many)
    {
        return false;
    }
    uint32_t sum = 0;
    for (size_t i = 0; i <= cell_count; i++)
    {
        uint32_t count = grid->first[i];
        grid->first[i] = sum;
        sum += count;
    }
    grid->triangles = malloc((size_t)(entries + 1) * sizeof *grid->triangles);
    for (uint32_t i = 0; grid->triangles && i < triangle_count; i++)
    {
        enter_triangle(grid, i);
    }
    for (size_t i = cell_count; i > 0; i--)
    {
        grid->first[i] = grid->first[i - 1];
    }
    grid->first[0] = 0;
    return grid->triangles != NULL;
}

static double count_along(double extent, double cell)
{
    return floor(extent / cell) + 1;
}

static bool build_cells(CheckGrid *grid, const Box *bounds)
{
    Vector extent = minus(bounds->high, bounds->low);
    uint64_t max_entries = 4 * (uint64_t)grid->level->triangle_count + (1u << 24);
    bool too_many = false;
    do
    {
        while (count_along(extent.x, grid->cell) * count_along(extent.y, grid->cell) *
                   count_along(extent.z, grid->cell) >
               MAX_CELLS)
        {
            grid->cell *= COARSER;
        }
        grid->size[0] = (uint32_t)count_along(extent.x, grid->cell);
        grid->size[1] = (uint32_t)count_along(extent.y, grid->cell);
        grid->size[2] = (uint32_t)count_along(extent.z, grid->cell);
        if (fill_cells(grid, max_entries, &too_many))
        {
            return true;
        }
        free(grid->first);
        grid->first = NULL;
        grid->cell *= COARSER;
    }
    while (too_many);
    return false;
}

/* Finds bounds, the size of the cells and the lowest floor in one pass. */
static Box survey(CheckGrid *grid)
{
    const Level *level = grid->level;
    double area = 0, lowest_floor = INFINITY;
    Box bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < level->triangle_count; i++)
    {
        Corners t = corners_of(level, i);
        Box box = corners_box(&t);
        Vector normal = cross(minus(t.b, t.a), minus(t.c, t.a));
        double length = sqrt(dot(normal, normal));
        bounds = box_join(bounds, box);
        area += .5 * length;
        if (normal.y >= WALKABLE_COS * length && length > 0)
        {
            lowest_floor = least(lowest_floor, box.low.y);
        }
    }
    Vector extent = minus(bounds.high, bounds.low);
    double diagonal = sqrt(dot(extent, extent));
    double cell = sqrt(TRIANGLES_PER_CELL * area / level->triangle_count);
    /* Above zero, even if no triangle has an area. */
    grid->cell = greatest(cell, greatest(1e-4 * diagonal, 1e-30));
    grid->origin = bounds.low;
    grid->lowest_floor = isfinite(lowest_floor) ? lowest_floor : bounds.low.y;
    return bounds;
}

CheckGrid *check_create(const Level *level)
{
    CheckGrid *grid = calloc(1, sizeof *grid);
    if (!grid)
    {
        return NULL;
    }
    grid->level = level;
    Box bounds = survey(grid);
    if (!build_cells(grid, &bounds))
    {
        check_destroy(grid);
        return NULL;
    }
    return grid;
}

void check_destroy(CheckGrid *grid)
{
    if (grid)
    {
        free(grid->first);
        free(grid->triangles);
        free(grid);
    }
}

double check_lowest(const CheckGrid *grid)
{
    return grid->origin.y;
}

double check_lowest_floor(const CheckGrid *grid)
{
    return grid->lowest_floor;
}
