/* Moving spheres for tests, and what is asked of them. */
#ifndef TESTS_SUPPORT_INTERSECT_SPHERE_DRAW_H
#define TESTS_SUPPORT_INTERSECT_SPHERE_DRAW_H

#include "support/intersect_plane_draw.h"
#include "support/intersect_plane_real.h"

/* The margin within which a verdict may be wrong, of what it is the difference of. */
#define VERDICT_MARGIN (64 * ULP * ULP)

sidle_moving_sphere draw_moving(Random *random, Style style);
double places_size(const sidle_moving_sphere *sphere); /* the largest coordinate or the radius */
double way_length(const sidle_moving_sphere *sphere);
double plane_size(const sidle_plane *plane, sidle_position p); /* of what the distance is the difference of */
Real distance_of(const sidle_plane *plane, sidle_position p);
bool write_passage(bool hit, const sidle_passage *passage, double *out); /* 24 numbers, if it is a hit */

/* Of a Question: how a passage and a moving sphere change with the unit of length. */
#define PASSAGE_POWERS 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
#define MOVING_POWERS  1, 1, 1, 1, 1, 1, 1

#endif
