/* The uniform grid of check.h, and the vectors that both of its files use. */
#ifndef SIDLE_TOOLS_CHECK_GRID_H
#define SIDLE_TOOLS_CHECK_GRID_H

#include "check.h"

#include <math.h>

typedef sidle_position Vector;

/* Uniform cells; each lists the triangles that may pass through it. */
struct CheckGrid
{
    const Level *level;
    Vector origin;
    double cell, lowest_floor;
    uint32_t size[3];
    /* Where each cell's triangles begin, and the end of the last. */
    uint32_t *first;
    uint32_t *triangles; /* ids, cell after cell */
};

typedef struct Corners
{
    Vector a, b, c;
} Corners;

typedef struct Box
{
    Vector low, high;
} Box;

typedef struct CellRange
{
    uint32_t low[3], high[3]; /* both included */
} CellRange;

/* fmin and fmax also handle NaN, which costs a call each. */
static inline double least(double a, double b)
{
    return b < a ? b : a;
}

static inline double greatest(double a, double b)
{
    return b > a ? b : a;
}

static inline Vector minus(Vector a, Vector b)
{
    return (Vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vector cross(Vector a, Vector b)
{
    return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline Box box_of(Vector a, Vector b)
{
    return (Box){{least(a.x, b.x), least(a.y, b.y), least(a.z, b.z)},
                 {greatest(a.x, b.x), greatest(a.y, b.y), greatest(a.z, b.z)}};
}

static inline Box box_join(Box a, Box b)
{
    return (Box){{least(a.low.x, b.low.x), least(a.low.y, b.low.y), least(a.low.z, b.low.z)},
                 {greatest(a.high.x, b.high.x), greatest(a.high.y, b.high.y), greatest(a.high.z, b.high.z)}};
}

static inline Box box_around(Vector center, Vector half)
{
    return (Box){minus(center, half), {center.x + half.x, center.y + half.y, center.z + half.z}};
}

static inline bool boxes_overlap(const Box *a, const Box *b)
{
    return a->low.x <= b->high.x && a->high.x >= b->low.x && a->low.y <= b->high.y && a->high.y >= b->low.y &&
           a->low.z <= b->high.z && a->high.z >= b->low.z;
}

static inline Vector corner(const Level *level, uint32_t index)
{
    const double *v = &level->vertices[3 * (size_t)index];
    return (Vector){v[0], v[1], v[2]};
}

static inline Corners corners_of(const Level *level, uint32_t triangle)
{
    const uint32_t *index = &level->indices[3 * (size_t)triangle];
    return (Corners){corner(level, index[0]), corner(level, index[1]), corner(level, index[2])};
}

static inline Box corners_box(const Corners *t)
{
    return box_join(box_of(t->a, t->b), box_of(t->c, t->c));
}

/* Clamps to the grid, so that a box outside of it gets the outermost cells. [Units] slack as the level. */
CellRange grid_cells_of(const CheckGrid *grid, const Box *box, double slack);

static inline size_t grid_cell_index(const CheckGrid *grid, uint32_t x, uint32_t y, uint32_t z)
{
    /* A column's cells are adjacent. */
    return ((size_t)z * grid->size[0] + x) * grid->size[1] + y;
}

/* Returns true to stop the search. */
typedef bool CornersTest(const Corners *t, void *context);

/* Calls the test for every triangle whose box overlaps the box, for some more than once. Returns true if
 * the test did. */
bool grid_visit(const CheckGrid *grid, const Box *box, CornersTest *test, void *context);

/* Squared distance of the triangle from the segment between (0, -core, 0) and (0, core, 0). */
double core_distance_squared(const Corners *t, double core);

/* Squared distance of the triangle from the origin. */
double triangle_distance_squared(const Corners *t);

#endif
