/* Forms as printed, written from their formulas, their choices included: what the library must do better. */
#ifndef TESTS_SUPPORT_INTERSECT_RAY_PRINTED_H
#define TESTS_SUPPORT_INTERSECT_RAY_PRINTED_H

#include "support/vector.h"

#include <stdbool.h>

/* T. Moeller, B. Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection", 1997, two-sided; a determinant
 * within 1e-6 of 0 is parallel. */
bool printed_ray_triangle(Vector origin, Vector direction, const Vector corners[3], double *t);

/* A. Williams and others, "An Efficient and Robust Ray-Box Intersection Algorithm", 2005; t from 0 on. */
bool printed_ray_box(Vector origin, Vector direction, Vector low, Vector high);

/* The quadratic formula: t of the first root. The direction is unit. */
bool printed_ray_sphere(Vector origin, Vector direction, Vector center, double radius, double *t);

#endif
