/* The contact of a float lane that hit its face, which sidle computes from the plane alone, against the contact of the whole
 * triangle. */
#ifndef TESTS_SUPPORT_FACE_CHECKER_H
#define TESTS_SUPPORT_FACE_CHECKER_H

#include "support/queries.h"

typedef enum FaceVerdict
{
    FACE_NOT_ASKED, /* no lane hit its face alone, or another function answered */
    FACE_EXACT,     /* the bits of the whole triangle */
    FACE_ALIKE,     /* the same face, within rounding */
    FACE_BEYOND,    /* the whole triangle is hit nowhere: the path ends within the law before, or grazes */
    FACE_AT_RIM, /* of a point within the law of an edge, or of a triangle that is nearly none: nothing to compare */
    FACE_WRONG
} FaceVerdict;

/* `core`: half of a capsule's core, along the y axis; 0: a ball. The triangles are those of float lanes. */
FaceVerdict face_check(const Query *query, const Kernels *kernels, double core);

#endif
