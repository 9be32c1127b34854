/* The signed distance from a plane, in twice the precision: whether something touches the plane hangs on
 * it. */
#ifndef INTERSECT_PLANE_DISTANCE_H
#define INTERSECT_PLANE_DISTANCE_H

#include "sidle/intersect/shapes.h"

#include "intersect/twofold.h"

/* normal . p - offset, to 16 u^2 (|nx px| + |ny py| + |nz pz| + |offset|). */
static inline Exact plane_distance(const sidle_plane *plane, Vec3 p)
{
    return twofold_sub(twofold_dot(vec3_from_position(plane->normal), p), exact_of(plane->offset));
}

/* One without a normal would be everywhere or nowhere. */
static inline bool plane_is_valid(const sidle_plane *plane)
{
    Vec3 normal = vec3_from_position(plane->normal);
    return vec3_is_finite(normal) && isfinite(plane->offset) && !vec3_is_zero(normal);
}

#endif
