/* Forms as printed, written from their formulas, their choices included: what the library must do better. */
#ifndef TESTS_SUPPORT_INTERSECT_LINE_PRINTED_H
#define TESTS_SUPPORT_INTERSECT_LINE_PRINTED_H

#include "support/vector.h"

#include <stdbool.h>

/* B. Kenwright, "Workshop Series: Collision Detection", section 5: a cross product below 1e-6 is parallel. */
bool printed_segments_cross(const double p[4], const double q[4], double *s, double *t);

/* C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.9; points are distinguished from segments by
 * `epsilon`, an absolute number of squared length. Returns the squared distance. */
double printed_segments_nearest(const Vector p[2], const Vector q[2], double epsilon, double *s, double *t);

#endif
