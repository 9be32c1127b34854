/* Moving spheres for tests, and what is asked of them. */
#ifndef TESTS_SUPPORT_INTERSECT_SPHERE_DRAW_H
#define TESTS_SUPPORT_INTERSECT_SPHERE_DRAW_H

#include "intersect/support/place.h"
#include "intersect/support/plane_draw.h"

/* The margin within which a verdict may be wrong, of what it is the difference of. */
#define VERDICT_MARGIN (64 * ULP * ULP)

sidle_moving_sphere draw_moving(Random *random, Style style);
double places_size(const sidle_moving_sphere *sphere); /* the largest coordinate or the radius */
double path_length(const sidle_moving_sphere *sphere);
double plane_size(const sidle_plane *plane, sidle_position p); /* of what the distance is the difference of */
Vector offset_between(sidle_position from, sidle_position to);

/* A radius with which a sphere touches one of `other` whose centre is at this distance, or all but. */
double touching_radius(Random *random, double distance, double other);

sidle_sphere at_start(const sidle_moving_sphere *sphere);
sidle_sphere at_end(const sidle_moving_sphere *sphere);
sidle_moving_sphere at_rest(const sidle_sphere *sphere);

Number depth_of(sidle_sphere a, sidle_sphere b); /* < 0: they are apart */

bool is_in_order(const sidle_passage *passage);
bool same_times_and_points(const sidle_passage *one, const sidle_passage *other);
/* Of a sweep and the same spheres at rest: what touches at an end of the motion is a hit to that end. */
bool ends_agree(bool begins, bool ends, bool hit, const sidle_passage *passage);
bool write_passage(bool hit, const sidle_passage *passage, double *out); /* 24 numbers, if it is a hit */

/* Of a Question: how a passage and a moving sphere change with the unit of length. */
#define PASSAGE_POWERS 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
#define MOVING_POWERS  1, 1, 1, 1, 1, 1, 1

#endif
