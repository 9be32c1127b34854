/* Lines and segments: where they meet in the plane, and where they come nearest to each other in space.
 *
 * In the plane every verdict is exact, and so is every case in space: there is no angle below which lines
 * count as parallel. A caller that needs one compares the directions. Parameters count in the length of what
 * they run along: 0 at a or the origin, 1 at b or after one direction.
 *
 * Sources: C. Ericson, "Real-Time Collision Detection", 2005, sections 5.1.8 and 5.1.9; J. R. Shewchuk,
 * "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997. Errors and what
 * print got wrong: docs/intersect/line.md. Cost: some 50 ns in the plane, 100 in space, up to twice that for
 * exact ties. */
#ifndef SIDLE_INTERSECT_LINE_H
#define SIDLE_INTERSECT_LINE_H

#include "sidle/intersect/shapes.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct sidle_segment2
{
    sidle_dvec2 a, b; /* equal: a point */
} sidle_segment2;

/* How two of them lie. "Share" means: exactly, ends included. */
typedef enum sidle_line_case
{
    SIDLE_LINES_NONE = 0,  /* a number is NaN or infinite: nothing is said */
    SIDLE_LINES_APART,     /* neither parallel nor skew, or on one line, and they share nothing */
    SIDLE_LINES_PARALLEL,  /* in one direction or against it, not on one line: they share nothing */
    SIDLE_LINES_SKEW,      /* not in one plane: they share nothing */
    SIDLE_LINES_CROSSING,  /* not parallel: they share one point */
    SIDLE_LINES_COLLINEAR, /* on one line: they share a stretch, perhaps of length 0 */
    SIDLE_LINES_POINT      /* one of them or both are points: they share that point */
} sidle_line_case;

/* What two share in the plane: a stretch from points[0] to points[1], the one of lesser x, or of lesser y
 * where x is equal, first; one point twice unless SIDLE_LINES_COLLINEAR. */
typedef struct sidle_meeting2
{
    double s[2], t[2]; /* along the first and along the second */
    sidle_dvec2 points[2];
} sidle_meeting2;

/* Where two come nearest to each other in space. */
typedef struct sidle_nearest
{
    double s, t; /* along the first and along the second */
    double
        distance_squared; /* between the points at s and t; 0 only where they share something or nearly do */
    sidle_position p, q;  /* the points at s and t */
} sidle_nearest;

/* Finds where the endless lines through p and through q cross; out is written for CROSSING and POINT. Never
 * SKEW. COLLINEAR: they are one line. Ends that are equal make a point: POINT on the other line, else APART.
 * Errors: s and t 5 u of themselves, u = 2^-53. [Limit] lengths 1e-60 to 1e60, or 0. */
SIDLE_API sidle_line_case sidle_line2_line2(const sidle_segment2 *p, const sidle_segment2 *q,
                                            sidle_meeting2 *out);

/* Finds what two segments share; out is written for CROSSING, COLLINEAR and POINT. Never SKEW. s and t lie in
 * [0, 1] and err by 6 u of themselves; a shared end is given in its own bits. [Limit] as above. */
SIDLE_API sidle_line_case sidle_segment2_segment2(const sidle_segment2 *p, const sidle_segment2 *q,
                                                  sidle_meeting2 *out);

/* Finds where two endless lines are nearest to each other; out is written unless NONE. Never APART, but where
 * a direction is zero: that line is its origin, POINT where it lies on the other, else APART. Of all the
 * pairs of parallel lines one that holds an origin. The squared distance errs by 32 u of itself, however
 * small the angle. [Limit] as above. */
SIDLE_API sidle_line_case sidle_line_line(const sidle_ray *p, const sidle_ray *q, sidle_nearest *out);

/* Finds where two segments are nearest to each other; out is written unless NONE. s and t lie in [0, 1]. The
 * distance errs by at most 8 u of the longest of the two lengths and the gap between p's and q's first ends,
 * however small the angle. Of many nearest pairs one that holds an end. [Limit] as above. */
SIDLE_API sidle_line_case sidle_segment_segment(const sidle_segment *p, const sidle_segment *q,
                                                sidle_nearest *out);

#ifdef __cplusplus
}
#endif

#endif
