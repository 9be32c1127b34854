/* The tolerances of the kernels, in ellipsoid space (the agent is the unit ball). u = 2^-24 is the unit roundoff of
 * float; S is the size of a lane: the largest of its corners' distances from the frame's origin and the length of the
 * path. delta is the skin. Measured errors and the ranges that were tried: docs/tuning.md. */
#ifndef KERNELS_CONSTANTS_H
#define KERNELS_CONSTANTS_H

#include "wide/constants.h"

/* In u S: the depth to which the test of an edge can miss a contact on a shallow path. */
#define HIDDEN_FACTOR 4

/* A triangle lower than this over its longest edge has no face. A ball that rests on its edges alone sinks between
 * them by at most h^2 / 8R = 2.5e-5, less than an eighth of the smallest skin (6.25e-4). */
#define THIN_HEIGHT .014 /* mutant: sliver_has_face */

/* The same, as a share of the longest edge, where distances are to be exact: at this height the normal errs by 2^-53 / 1e-7 = 1e-9,
 * and below it the face is at most half as far from its edges. */
#define FLAT_SINE 1e-7

/* A graze is ignored: a hit with an approach at less than this slope, and by no more than a sixteenth of the skin
 * until the end of the path. The slope alone would let long paths through. Grazes that add up end below the
 * recovery shell, where the next tick pushes the agent out. */
#define GRAZE_SLOPE    1e-4
#define GRAZE_OF_SLACK .5 /* mutant: deep_graze */

/* Culls are wider than the radius by an eighth of the skin. A lane stays in float only if its error is below that:
 * (16 + 1/kappa) u S <= delta/8 (setup.inl, docs/numerics.md). */
#define SLACK_OF_SKIN .125

/* Radii. Closer to a point, the direction from it is rounding, which is 6 u S = 4e-7 near the agent. */
#define NO_DIRECTION 1e-6

#define FLOAT_ROUNDOFF     0x1p-24
#define FLOAT_ERROR_FACTOR 16.
#define LAW_FACTOR         6. /* of the error law, for edges and corners */

#endif
