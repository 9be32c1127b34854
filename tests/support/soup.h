/* Triangle soups for scenes, in double, front faces counter-clockwise. Builders append; every soup is freed
 * once, by its owner. */
#ifndef TESTS_SUPPORT_SOUP_H
#define TESTS_SUPPORT_SOUP_H

#include "support/random.h"
#include "support/vector.h"

#include <stddef.h>

typedef struct SoupTriangle
{
    Vector v[3];
} SoupTriangle;

typedef struct Soup
{
    SoupTriangle *triangles;
    size_t count, capacity;
} Soup;

void soup_free(Soup *soup);
Soup soup_copy(const Soup *soup);

void soup_triangle(Soup *soup, Vector a, Vector b, Vector c);
void soup_quad(Soup *soup, Vector a, Vector b, Vector c, Vector d); /* a b c and a c d */
void soup_append(Soup *soup, const Soup *other);

/* Two triangles facing up, or up the slope's normal; the slope rises towards +x. */
void soup_floor(Soup *soup, double half, double height);
void soup_slope(Soup *soup, double half, double degrees);
/* A wall at x facing -x. */
void soup_wall(Soup *soup, double half, double x);
/* An axis-parallel rectangle in y: [x0, x1] by [z0, z1], facing up. */
void soup_plate(Soup *soup, double x0, double x1, double z0, double z1, double height);
/* cells x cells squares of the given size around the origin, facing up. */
void soup_grid(Soup *soup, int cells, double size, double height);
/* The same with corner heights in [-amplitude, amplitude]. */
void soup_terrain(Soup *soup, int cells, double size, double amplitude, uint64_t seed);
/* A V along z whose sides enclose the angle, deepest line at the origin. */
void soup_groove(Soup *soup, double degrees, double half_length, double side);
/* The same V standing upright: two walls that meet on the y axis and open towards -x. */
void soup_wedge(Soup *soup, double degrees, double half_height, double side);
/* A ring wall of flat facets around the y axis, facing inwards. */
void soup_ring(Soup *soup, int facets, double radius, double half_height);
/* A pyramid's mantle of `valence` triangles, apex at the origin, base ring of `radius` at height -depth. */
void soup_fan(Soup *soup, int valence, double radius, double depth);
/* Two triangles that meet in an edge along z at the origin and fall away to both sides. */
void soup_ridge(Soup *soup, double length, double side, double drop);
/* A square tunnel along x, open at both ends, facing inwards. */
void soup_tunnel(Soup *soup, double half_width, double half_length);

/* Rows of three triangles along x around the origin, facing up: a sliver of this length and height, and what
 * fills the row above it. Slivers are the triangles 0, 3, 6 ... */
void soup_slivers(Soup *soup, int rows, double length, double height);

/* Triangles of any size up to half of a box around the origin, all through it; their corners are floats. */
void soup_scatter(Soup *soup, Random *random, int count, double half);

void soup_turn(Soup *soup, const Rotation *rotation);
void soup_shift(Soup *soup, Vector offset);
void soup_stretch(Soup *soup, Vector factors);
void soup_flip(Soup *soup); /* the other winding */
void soup_shuffle(Soup *soup, Random *random);
void soup_round(Soup *soup); /* every coordinate to the nearest float */

/* Least distance from a centre to the soup in the space where an ellipsoid with these radii is the unit ball.
 */
double soup_distance(const Soup *soup, Vector center, Vector radii);
/* Least distance along the straight path between two centres, in the same space. */
double soup_approach(const Soup *soup, Vector from, Vector to, Vector radii);
/* The same from the core of an upright capsule. */
double soup_core_approach(const Soup *soup, Vector from, Vector to, Vector radii, double half_height);

#endif
