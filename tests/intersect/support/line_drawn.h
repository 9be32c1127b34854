/* Pairs of segments that tests of lines stumble over, as twelve numbers: p.a, p.b, q.a, q.b. */
#ifndef TESTS_SUPPORT_INTERSECT_LINE_DRAWN_H
#define TESTS_SUPPORT_INTERSECT_LINE_DRAWN_H

#include "support/random.h"

enum
{
    DRAWN_LATTICE,  /* ties, shared ends, parallels, points */
    DRAWN_PLAIN,    /* even in a cube */
    DRAWN_PARALLEL, /* an angle of 1e-17 to .1, near each other or overlapping */
    DRAWN_SIZES,    /* lengths apart by up to 1e20 */
    DRAWN_FAR,      /* small ones far from the origin */
    DRAWN_TOUCHING, /* an end of one on the other, but for rounding */
    DRAWN_ONE_LINE, /* on one line, but for rounding */
    DRAWN_KINDS
};

void drawn_pair(Random *random, int kind, double out[12]);

#endif
