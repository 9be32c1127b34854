/* O4: the oracle for what double cannot decide: distances at 1,024 bits with MPFR (L. Fousse and others, "MPFR:
 * A Multiple-Precision Binary Floating-Point Library with Correct Rounding", 2007). The least distance on a
 * path comes from closed forms (segment against segment, ends against the triangle), not from a search as in
 * O3. Each answer is a difference, rounded to double once, so that it is right where distance and radius all
 * but agree. */
#ifndef TESTS_SUPPORT_PRECISE_H
#define TESTS_SUPPORT_PRECISE_H

#include "support/vector.h"

#include <stdbool.h>

/* Whether this build has MPFR. Without it the other functions abort. */
bool precise_available(void);

/* The distance from a point to a triangle, less `radius`. */
double precise_excess(const Vector vertices[3], Vector point, double radius);

/* The same where a path stands after `time`; the place is never rounded. */
double precise_excess_at(const Vector vertices[3], Vector start, Vector direction, double time,
                         double radius);

/* The least distance along a straight path, less `radius`. */
double precise_approach(const Vector vertices[3], Vector start, Vector direction, double length,
                        double radius);

/* How much deeper than the radius, or than it began if that is deeper, a ball comes along a straight path. */
double precise_depth(const Vector vertices[3], Vector start, Vector direction, double length, double radius);

#endif
