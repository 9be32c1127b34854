/* Rotations in double, and what lies between two of them. */
#ifndef SIDLE_INTERSECT_ROTATION_H
#define SIDLE_INTERSECT_ROTATION_H

#include "sidle/intersect/shapes.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* x, y and z are the imaginary part; all zero means the identity; need not be unit. */
typedef struct sidle_dquat
{
    double x, y, z, w;
} sidle_dquat;

/* The rotation between two, at an even speed along the shorter arc.
 *
 * `time` 0 is `from`, 1 is `to`; [Limit] times beyond are taken for the nearer of these. The result is unit.
 * Of the two quaternions that mean `to` it takes the one nearer to `from` (so the end may be -to), and `to`
 * itself where both are as near: half a turn. Equal and opposite quaternions give `from`. false, nothing
 * written: NaN or an infinity. [Limit] lengths of the quaternions: 1e-60 to 1e60, or 0. Each number errs by
 * at most 8 u, u = 2^-53; no sine comes from the system, so the bits are the same everywhere; from, to, t and
 * to, from, 1 - t agree in them, the sign apart, if 1 - t is exact. Cost: docs/intersect/sphere.md. K.
 * Shoemake, "Animating Rotation with Quaternion Curves", 1985, section 3.3. */
SIDLE_API bool sidle_slerp(const sidle_dquat *from, const sidle_dquat *to, double time, sidle_dquat *out);

#ifdef __cplusplus
}
#endif

#endif
