/* The tolerances of the kernels, in ellipsoid space (the agent is the unit ball), each with its derivation.
 * u = 2^-24 is the unit roundoff of float; S is the size of a lane: the largest of its corners' distances
 * from the frame's origin and the length of the path. delta is the skin. */
#ifndef KERNELS_CONSTANTS_H
#define KERNELS_CONSTANTS_H

/* The depth in u S that an edge's test may fail to see on a shallow path. Without a late face the law breaks
 * in one of a million adversarial queries; with 3, 4, 5 and 6 it held in two million each. In these corners
 * were told a touch up to 5.2 u S early from 5 on, with 4 it was 4.3; in ten million 4.7, and 4.6 now. */
#define HIDDEN_FACTOR 4

/* A triangle lower than this over its longest edge has no face of its own: all of its points are within h/2
 * of an edge, and the ball that touches it only between its edges sinks by h^2 / 8R = 2.5e-5 at most, less
 * than an eighth of the smallest skin (6.25e-4). Which way it faces would be a matter of rounding. */
#define THIN_HEIGHT .014

/* kappa^2 (the sine of the angle between the two shortest edges, squared) from which a normal is taken as
 * its cross product gives it: it leans on an edge by less than 2 u / kappa then, which the law of edges has
 * room for. And the kappa in u below which rounding may have turned it anywhere: from there on it leans by
 * an eighth at most, and what straightening leaves of it is still its direction. */
#define STRAIGHT_KAPPA2 .25
#define LOST_FACTOR     16

/* The square of the shortest edge that has a direction. It has all of its bits, and a normal that is given up for
 * less than LEAST_SUM leans by LEAST_SUM over it at most: 13 u, and 9 u of double. Shorter edges are covered by their
 * corners. */
#define SHORTEST_EDGE2        1e-30
#define SHORTEST_EDGE2_DOUBLE 1e-286

/* A sum of three products, of float or of double, that is at least this has lost less than u/16 of itself
 * below their range, where a product is rounded to 2^-149, or 2^-1074. */
#define LEAST_SUM        0x1p-120
#define LEAST_SUM_DOUBLE 0x1p-1000

/* A hit is a mere graze, and ignored, if the path turns towards the surface by less than this slope AND
 * cannot come closer by more than a sixteenth of the skin until its end. The slope alone would let long paths
 * through. One graze after the other leads an agent below the recovery shell, and there the next tick pushes
 * it out, if its recovery_speed is worth more than that a tick: .075 radii a second at 60 Hz with a skin of
 * .02, where the default is 7.5. */
#define GRAZE_SLOPE    1e-4
#define GRAZE_OF_SLACK .5

/* Everything that leaves a lane out early is wider than the answer by an eighth of the skin. Float serves a
 * lane only if its error is below that: (16 + 1/kappa) u S <= delta/8, as finish.inl asks it. Drawn queries
 * err by 6 u S, at faces by max(6, 1/kappa) u S; the worst that a search found is 11 (docs/numerics.md). */
#define SLACK_OF_SKIN .125

/* One ball against many triangles, at any scale, in float. A triangle whose least angle, |N| / longest^2, is
 * below this goes to double: its normal errs by u / angle, and so far in u S does its face reach beyond the
 * corner. */
#define PAIR_TIP 0x1p-6

/* In u S, what a distance is taken to err by: 1 / PAIR_TIP, for the normal, and as much for the tip. Closer
 * than that to the radius is for double to decide. Found in 20 million adversarial pairs: 4. */
#define PAIR_ERROR_FACTOR 128.

/* |N|^2 above which none of its terms is lost below float's range, where the farthest coordinate is in [1,
 * 2): triangles from 1e-6 of their distance on. */
#define PAIR_LEAST_N2 0x1p-96

/* Radii: so close to a point the direction away from it is rounding, 6 u S = 4e-7 near the agent. */
#define NO_DIRECTION 1e-6

#define FLOAT_ROUNDOFF     0x1p-24
#define FLOAT_ERROR_FACTOR 16.
#define LAW_FACTOR         6. /* of the error law, for edges and corners */

#endif
