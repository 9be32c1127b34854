/* The tolerances of the geometry of triangles in lanes. u = 2^-24 is the unit roundoff of float. */
#ifndef WIDE_CONSTANTS_H
#define WIDE_CONSTANTS_H

/* kappa is the sine of the angle between the two shortest edges. From this kappa^2 on, the normal is the cross product,
 * which leans on an edge by less than 2 u / kappa. Below it, down to LOST_FACTOR u in kappa, the normal leans by an
 * eighth at most and is straightened. Below that, rounding has lost its direction. */
#define STRAIGHT_KAPPA2 .25
#define LOST_FACTOR     16

/* The square of the shortest edge whose squared length has all of its bits. Shorter edges have no direction; their
 * corners are tested. */
#define SHORTEST_EDGE2        1e-30
#define SHORTEST_EDGE2_DOUBLE 1e-286 /* mutant: tiny_edge_in_double */

/* A sum of three products that is at least this has lost less than u/16 of itself to underflow, which rounds a product
 * to 2^-149 in float and to 2^-1074 in double. */
#define LEAST_SUM        0x1p-120
#define LEAST_SUM_DOUBLE 0x1p-1000

#endif
