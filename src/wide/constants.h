/* The tolerances of the geometry of triangles in lanes. u = 2^-24 is the unit roundoff of float. */
#ifndef WIDE_CONSTANTS_H
#define WIDE_CONSTANTS_H

/* kappa is the sine of the angle between the two shortest edges. From this kappa^2 on, a normal is the cross product as it
 * is: it leans on an edge by less than 2 u / kappa. Below this kappa in u, rounding may have turned it anywhere; above, it
 * leans by an eighth at most and is straightened. */
#define STRAIGHT_KAPPA2 .25
#define LOST_FACTOR     16

/* The square of the shortest edge that has a direction: all of its bits are there. Shorter edges are covered by their
 * corners. */
#define SHORTEST_EDGE2        1e-30
#define SHORTEST_EDGE2_DOUBLE 1e-286

/* A sum of three products, of float or of double, that is at least this has lost less than u/16 of itself
 * below their range, where a product is rounded to 2^-149, or 2^-1074. */
#define LEAST_SUM        0x1p-120
#define LEAST_SUM_DOUBLE 0x1p-1000

#endif
