/* A path in the plane of a triangle against its outline. */
#ifndef INTERSECT_RAY_OUTLINE_H
#define INTERSECT_RAY_OUTLINE_H

#include "intersect/path.h"

/* Writes t, t_exit, feature and barycentrics. The path runs in the plane, or is a point; normal is the
 * triangle's, not zero, its largest number right in sign. */
bool sidle_outline_meet(const Path *path, const sidle_dtriangle *triangle, Vec3 normal, sidle_ray_hit *hit);

#endif
