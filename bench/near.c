#include "near.h"

#include <math.h>
#include <stdlib.h>

#define CELL 2.0f /* metres: a few agents wide */

typedef struct Box
{
    FauerbyVector low, high;
} Box;

struct NearGrid
{
    FauerbyTriangle *triangles;
    Box *boxes;
    uint32_t *first, *members, *seen; /* members of cell c: [first[c], first[c + 1]) */
    uint32_t triangle_count, columns, rows, question;
    float x, z;
};

static Box box_of(const FauerbyTriangle *t)
{
    const FauerbyVector *p = t->p;
    return (Box){{fminf(p[0].x, fminf(p[1].x, p[2].x)), fminf(p[0].y, fminf(p[1].y, p[2].y)),
                  fminf(p[0].z, fminf(p[1].z, p[2].z))},
                 {fmaxf(p[0].x, fmaxf(p[1].x, p[2].x)), fmaxf(p[0].y, fmaxf(p[1].y, p[2].y)),
                  fmaxf(p[0].z, fmaxf(p[1].z, p[2].z))}};
}

static uint32_t cell_at(float value, float origin, uint32_t count)
{
    float cell = floorf((value - origin) / CELL);
    return cell < 0.0f ? 0 : cell >= (float)count ? count - 1 : (uint32_t)cell;
}

typedef struct Cells
{
    uint32_t x0, x1, z0, z1;
} Cells;

static Cells cells_of(const NearGrid *grid, Box box)
{
    return (Cells){cell_at(box.low.x, grid->x, grid->columns), cell_at(box.high.x, grid->x, grid->columns),
                   cell_at(box.low.z, grid->z, grid->rows), cell_at(box.high.z, grid->z, grid->rows)};
}

static bool read_triangles(NearGrid *grid, const Level *level)
{
    grid->triangle_count = level->triangle_count;
    grid->triangles = malloc(sizeof *grid->triangles * level->triangle_count);
    grid->boxes = malloc(sizeof *grid->boxes * level->triangle_count);
    grid->seen = calloc(level->triangle_count, sizeof *grid->seen);
    if (!grid->triangles || !grid->boxes || !grid->seen)
    {
        return false;
    }
    for (uint32_t i = 0; i < level->triangle_count * 3; ++i)
    {
        const double *v = level->vertices + 3 * (size_t)level->indices[i];
        grid->triangles[i / 3].p[i % 3] = (FauerbyVector){(float)v[0], (float)v[1], (float)v[2]};
    }
    for (uint32_t i = 0; i < level->triangle_count; ++i)
    {
        grid->boxes[i] = box_of(&grid->triangles[i]);
    }
    return true;
}

static void span_ground(NearGrid *grid)
{
    float right = -INFINITY, back = -INFINITY;
    grid->x = grid->z = INFINITY;
    for (uint32_t i = 0; i < grid->triangle_count; ++i)
    {
        grid->x = fminf(grid->x, grid->boxes[i].low.x);
        grid->z = fminf(grid->z, grid->boxes[i].low.z);
        right = fmaxf(right, grid->boxes[i].high.x);
        back = fmaxf(back, grid->boxes[i].high.z);
    }
    grid->columns = (uint32_t)((right - grid->x) / CELL) + 1;
    grid->rows = (uint32_t)((back - grid->z) / CELL) + 1;
}

/* Counts the triangle in every cell that it touches. If members are allocated, enters it there instead. */
static void visit_cells(NearGrid *grid, uint32_t triangle)
{
    Cells cells = cells_of(grid, grid->boxes[triangle]);
    for (uint32_t z = cells.z0; z <= cells.z1; ++z)
    {
        for (uint32_t x = cells.x0; x <= cells.x1; ++x)
        {
            uint32_t *cell = &grid->first[(size_t)z * grid->columns + x];
            if (grid->members)
            {
                grid->members[--*cell] = triangle;
            }
            else
            {
                ++*cell;
            }
        }
    }
}

/* A counting sort: sizes, then the end of each cell, then the members from each end backwards. */
static bool fill_cells(NearGrid *grid)
{
    size_t cell_count = (size_t)grid->columns * grid->rows;
    grid->first = calloc(cell_count + 1, sizeof *grid->first);
    if (!grid->first)
    {
        return false;
    }
    for (uint32_t i = 0; i < grid->triangle_count; ++i)
    {
        visit_cells(grid, i);
    }
    for (size_t c = 1; c <= cell_count; ++c)
    {
        grid->first[c] += grid->first[c - 1];
    }
    grid->members = malloc(sizeof *grid->members * ((size_t)grid->first[cell_count] + 1));
    for (uint32_t i = 0; grid->members && i < grid->triangle_count; ++i)
    {
        visit_cells(grid, i);
    }
    return grid->members != NULL;
}

NearGrid *near_create(const Level *level)
{
    NearGrid *grid = calloc(1, sizeof *grid);
    if (!grid || !read_triangles(grid, level))
    {
        near_destroy(grid);
        return NULL;
    }
    span_ground(grid);
    if (!fill_cells(grid))
    {
        near_destroy(grid);
        return NULL;
    }
    return grid;
}

void near_destroy(NearGrid *grid)
{
    if (grid)
    {
        free(grid->triangles);
        free(grid->boxes);
        free(grid->seen);
        free(grid->first);
        free(grid->members);
        free(grid);
    }
}

const FauerbyTriangle *near_triangles(const NearGrid *grid)
{
    return grid->triangles;
}

uint32_t near_collect(NearGrid *grid, FauerbyVector low, FauerbyVector high, uint32_t *indices,
                      uint32_t capacity)
{
    Cells cells = cells_of(grid, (Box){low, high});
    uint32_t count = 0;
    ++grid->question;
    for (uint32_t z = cells.z0; z <= cells.z1; ++z)
    {
        size_t begin = (size_t)z * grid->columns + cells.x0, end = begin + cells.x1 - cells.x0 + 1;
        for (uint32_t m = grid->first[begin]; m < grid->first[end] && count < capacity; ++m)
        {
            uint32_t i = grid->members[m];
            const Box *box = &grid->boxes[i];
            if (grid->seen[i] != grid->question && box->low.x <= high.x && box->high.x >= low.x &&
                box->low.y <= high.y && box->high.y >= low.y && box->low.z <= high.z && box->high.z >= low.z)
            {
                indices[count++] = i;
            }
            grid->seen[i] = grid->question;
        }
    }
    return count;
}
