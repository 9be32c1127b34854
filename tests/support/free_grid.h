/* An exhaustive search for free places: each of a fine grid, the nearest first, against every triangle near it. */
#ifndef TESTS_SUPPORT_FREE_GRID_H
#define TESTS_SUPPORT_FREE_GRID_H

#include "sidle/sidle.h"
#include "support/soup.h"

#include <stdint.h>

typedef struct FreeGrid
{
    Vector *offsets; /* by distance */
    uint32_t count;
    double radius, step;
} FreeGrid;

FreeGrid free_grid_of(double radius, double step);
void free_grid_free(FreeGrid *grid);

/* How far the nearest free place of the grid around a centre is; INFINITY if none is free. A place is free if a ball or an
 * upright capsule of `wide` times the shape's radii touches nothing. Changes the order of the triangles. */
double free_grid_nearest(const FreeGrid *grid, Soup *near, const sidle_shape *shape, double wide,
                         Vector center);

/* The least distance of the soup from a ball or an upright capsule, in radii. */
double free_room(const Soup *soup, const sidle_shape *shape, Vector center);

/* The triangles whose boxes reach within `reach` of the centre on each axis. The caller frees it. */
Soup soup_near(const Soup *soup, Vector center, double reach);

#endif
