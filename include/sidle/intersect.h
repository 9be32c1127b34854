/* Tests between shapes as free functions: no world, no memory, no state. They are a library of their own,
 * sidle::intersect.
 *
 * Numbers    double in and out; data in float converts exactly. There is no absolute epsilon: a scene scaled by a
 *            power of two gets the same verdicts, times and normals. [Limit] lengths between 1e-60 and 1e60, or 0.
 * Touching   shapes are closed: touching is a hit, at depth 0. NaN is never a hit.
 * Results    a function returns whether there is a hit and writes through `out` only then; `out` may be NULL.
 * Symmetry   (b, a) gives the same bits as (a, b), with the normal negated.
 * Arithmetic in the caller's floating-point environment, which must round to nearest and keep denormals. No flag
 *            or trap is looked at.
 * Threads    any; everything is a pure function of its arguments, to the same bits on every machine.
 *
 * Each header below names its sources. Defects of the printed forms, each with a counterexample, error bounds and
 * costs are in docs/intersect. */
#ifndef SIDLE_INTERSECT_H
#define SIDLE_INTERSECT_H

#include "sidle/intersect/batch.h"
#include "sidle/intersect/box.h"
#include "sidle/intersect/levels.h"
#include "sidle/intersect/line.h"
#include "sidle/intersect/plane.h"
#include "sidle/intersect/polygon.h"
#include "sidle/intersect/ray.h"
#include "sidle/intersect/rotation.h"
#include "sidle/intersect/shapes.h"
#include "sidle/intersect/sphere.h"

#endif
