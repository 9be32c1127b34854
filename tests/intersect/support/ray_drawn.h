/* Vectors that tests of rays and segments stumble over. */
#ifndef TESTS_SUPPORT_INTERSECT_RAY_DRAWN_H
#define TESTS_SUPPORT_INTERSECT_RAY_DRAWN_H

#include "support/random.h"

/* Of kind 0 on a lattice, 1 far apart in size, 2 far off; of any other even in a cube. */
Vector drawn_vector(Random *random, int kind);

#endif
