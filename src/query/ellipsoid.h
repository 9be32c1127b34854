/* The distance between an ellipsoid, or a capsule with elliptic ends, and a triangle, in the world. */
#ifndef QUERY_ELLIPSOID_H
#define QUERY_ELLIPSOID_H

#include "kernels/kernels.h"

typedef enum EllipsoidCase
{
    ELLIPSOID_APART,
    ELLIPSOID_OVERLAPS,
    CORE_CROSSES /* the triangle */
} EllipsoidCase;

/* `corners`: relative to the shape's centre, along its axes; `core`: half of a capsule's, or 0. The normal is unit, from the triangle to
 * the shape, and t the distance. If they overlap, t is minus the shortest displacement that ends the overlap, along the normal. A core
 * that crosses the triangle leaves it along the normal of its face, as one of a capsule with round ends does: over the seams of a floor
 * there is no shorter displacement. */
KernelContact sidle_contact_of_ellipsoid(const Vec3 corners[3], Vec3 radii, double core, EllipsoidCase is);

/* The normal whose line from the surface of an ellipsoid leads to a point; `side` 1: of the nearest point of the surface. -1: of one on
 * the other side across the least axis, for a point inside. Returns false if there is none. */
bool sidle_normal_towards(Vec3 radii, Vec3 at, double side, Vec3 *out);

/* The point of the surface with a normal, and the distance of its plane from the centre. */
Vec3 sidle_surface_at(Vec3 radii, Vec3 n, double *support);

#endif
