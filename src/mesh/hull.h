/* The triangles of simple solids. */
#ifndef MESH_HULL_H
#define MESH_HULL_H

#include "sidle/solid.h"

#define HULL_MOST_TRIANGLES (2 * SIDLE_MAX_HULL_POINTS)

/* Writes the triangles of the convex hull as indices of the points, counter-clockwise from outside. Returns their number; 0: the
 * points span no volume. The points are finite. */
uint32_t sidle_hull(const sidle_vec3 *points, uint32_t count, uint32_t triangles[HULL_MOST_TRIANGLES][3]);

#endif
