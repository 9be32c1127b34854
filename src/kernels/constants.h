/* The tolerances of the kernels, in ellipsoid space (the agent is the unit ball). u = 2^-24 is the unit roundoff of float;
 * S is the size of a lane: the largest of its corners' distances from the frame's origin and the length of the path. delta
 * is the skin. Measured errors and the ranges that were tried: docs/tuning.md. */
#ifndef KERNELS_CONSTANTS_H
#define KERNELS_CONSTANTS_H

/* In u S: the depth of a touch that the test of an edge may miss on a shallow path. */
#define HIDDEN_FACTOR 4

/* A triangle lower than this over its longest edge has no face: a ball that rests on its edges alone sinks between them
 * by h^2 / 8R = 2.5e-5 at most, less than an eighth of the smallest skin (6.25e-4). */
#define THIN_HEIGHT .014 /* mutant: sliver_has_face */

/* kappa is the sine of the angle between the two shortest edges. From this kappa^2 on, a normal is the cross product as it
 * is: it leans on an edge by less than 2 u / kappa. Below this kappa in u, rounding may have turned it anywhere; above, it
 * leans by an eighth at most and is straightened. */
#define STRAIGHT_KAPPA2 .25
#define LOST_FACTOR     16

/* The square of the shortest edge that has a direction: all of its bits are there. Shorter edges are covered by their
 * corners. */
#define SHORTEST_EDGE2        1e-30
#define SHORTEST_EDGE2_DOUBLE 1e-286 /* mutant: tiny_edge_in_double */

/* A sum of three products, of float or of double, that is at least this has lost less than u/16 of itself
 * below their range, where a product is rounded to 2^-149, or 2^-1074. */
#define LEAST_SUM        0x1p-120
#define LEAST_SUM_DOUBLE 0x1p-1000

/* A hit is ignored as a graze if the path approaches the surface by less than this slope AND comes closer by no more than
 * a sixteenth of the skin until its end. The slope alone would let long paths through. Grazes that add up end below the
 * recovery shell, where the next tick pushes the agent out. */
#define GRAZE_SLOPE    1e-4
#define GRAZE_OF_SLACK .5 /* mutant: deep_graze */

/* Culls are wider than the answer by an eighth of the skin. Float serves a lane only if its error is below that:
 * (16 + 1/kappa) u S <= delta/8 (finish.inl, docs/numerics.md). */
#define SLACK_OF_SKIN .125

/* One ball against many triangles, at any scale, in float. A triangle whose least angle, |N| / longest^2, is below this
 * goes to double: its normal errs by u / angle. */
#define PAIR_TIP 0x1p-6

/* In u S: the error of a distance, 1 / PAIR_TIP for the normal and as much for the tip. Closer than that to the radius,
 * double decides. */
#define PAIR_ERROR_FACTOR 128.

/* |N|^2 above which none of its terms is lost below float's range, where the farthest coordinate is in [1, 2). */
#define PAIR_LEAST_N2 0x1p-96

/* Radii: so close to a point the direction away from it is rounding, 6 u S = 4e-7 near the agent. */
#define NO_DIRECTION 1e-6

#define FLOAT_ROUNDOFF     0x1p-24
#define FLOAT_ERROR_FACTOR 16.
#define LAW_FACTOR         6. /* of the error law, for edges and corners */

#endif
