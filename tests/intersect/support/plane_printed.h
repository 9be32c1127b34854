/* What the sources print, written anew from their formulas with their choices and defects, in double: so that
 * tests can show where it fails. K. Fauerby, "Improved Collision Detection and Response", 2003, appendices B
 * and D. M. Gomez, "Simple Intersection Tests for Games", 1999. */
#ifndef TESTS_SUPPORT_INTERSECT_PLANE_PRINTED_H
#define TESTS_SUPPORT_INTERSECT_PLANE_PRINTED_H

#include "sidle/intersect.h"

#include <stdbool.h>

/* Appendix B. Always gives a plane; the normal is NaN where the points have no area. */
sidle_plane printed_plane_from_points(sidle_position a, sidle_position b, sidle_position c);
double printed_plane_distance(const sidle_plane *plane, sidle_position point);

/* Appendix D: the lowest root above 0 and below `limit`. */
bool printed_lowest_root(double a, double b, double c, double limit, double *root);

/* The sweep of a sphere against a plane: when they first touch, and where the centre is then. */
bool printed_sphere_plane_sweep(const sidle_moving_sphere *sphere, const sidle_plane *plane, double *time,
                                sidle_position *center);

/* The sweep of two spheres: the roots of (d + t v)^2 = R^2 by b^2 - 4ac; touching at the start is time 0. */
bool printed_sphere_sphere_sweep(const sidle_moving_sphere *a, const sidle_moving_sphere *b, double times[2]);

#endif
