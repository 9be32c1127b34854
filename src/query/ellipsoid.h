/* The distance between an ellipsoid and a triangle, in the world. */
#ifndef QUERY_ELLIPSOID_H
#define QUERY_ELLIPSOID_H

#include "kernels/kernels.h"

/* `corners`: relative to the ellipsoid's centre, along its axes; `overlaps`: they do. The normal is unit, from the triangle to the
 * ellipsoid, and t the distance. If they overlap, t is minus the shortest displacement that ends the overlap, along the normal. */
KernelContact sidle_contact_of_ellipsoid(const Vec3 corners[3], Vec3 radii, bool overlaps);

#endif
