/* The tolerances of the kernels, in ellipsoid space (the agent is the unit ball). u = 2^-24 is the unit roundoff of
 * float; S is the size of a lane: the largest of its corners' distances from the frame's origin and the length of the
 * path. delta is the skin. Measured errors and the ranges that were tried: docs/tuning.md. */
#ifndef KERNELS_CONSTANTS_H
#define KERNELS_CONSTANTS_H

/* In u S: the depth to which the test of an edge can miss a contact on a shallow path. */
#define HIDDEN_FACTOR 4

/* A triangle lower than this over its longest edge has no face. A ball that rests on its edges alone sinks between
 * them by at most h^2 / 8R = 2.5e-5, less than an eighth of the smallest skin (6.25e-4). */
#define THIN_HEIGHT .014

/* kappa is the sine of the angle between the two shortest edges. From this kappa^2 on, the normal is the cross product,
 * which leans on an edge by less than 2 u / kappa. Below it, down to LOST_FACTOR u in kappa, the normal leans by an
 * eighth at most and is straightened. Below that, rounding has lost its direction. */
#define STRAIGHT_KAPPA2 .25
#define LOST_FACTOR     16

/* The square of the shortest edge whose squared length has all of its bits. Shorter edges have no direction; their
 * corners are tested. */
#define SHORTEST_EDGE2        1e-30
#define SHORTEST_EDGE2_DOUBLE 1e-286

/* A sum of three products that is at least this has lost less than u/16 of itself to underflow, which rounds a product
 * to 2^-149 in float and to 2^-1074 in double. */
#define LEAST_SUM        0x1p-120
#define LEAST_SUM_DOUBLE 0x1p-1000

/* A graze is ignored: a hit with an approach at less than this slope, and by no more than a sixteenth of the skin
 * until the end of the path. The slope alone would let long paths through. Grazes that add up end below the
 * recovery shell, where the next tick pushes the agent out. */
#define GRAZE_SLOPE    1e-4
#define GRAZE_OF_SLACK .5

/* Culls are wider than the radius by an eighth of the skin. A lane stays in float only if its error is below that:
 * (16 + 1/kappa) u S <= delta/8 (setup.inl, docs/numerics.md). */
#define SLACK_OF_SKIN .125

/* For one ball against many triangles in float, at any scale. A triangle with a smaller least angle, |N| / longest^2,
 * is tested in double, since its normal errs by u / angle. */
#define PAIR_TIP 0x1p-6

/* In u S: the error of such a distance, 1 / PAIR_TIP of the normal and as much of the tip. If the distance differs from
 * the radius by less, the triangle is tested in double. */
#define PAIR_ERROR_FACTOR 128.

/* |N|^2 above which none of its terms underflows, with the farthest coordinate in [1, 2). */
#define PAIR_LEAST_N2 0x1p-96

/* Radii. Closer to a point, the direction from it is rounding, which is 6 u S = 4e-7 near the agent. */
#define NO_DIRECTION 1e-6

#define FLOAT_ROUNDOFF     0x1p-24
#define FLOAT_ERROR_FACTOR 16.
#define LAW_FACTOR         6. /* of the error law, for edges and corners */

#endif
