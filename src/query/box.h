/* A box beside a triangle. */
#ifndef QUERY_BOX_H
#define QUERY_BOX_H

#include "kernels/kernels.h"

/* A triangle and the box from -1 to 1. */
bool sidle_box_overlaps_triangle(const Vec3 corners[3]);

/* `corners`: relative to the centre of the box, along its axes; `half`: its edges. The normal is unit, from the triangle to the box,
 * and t the distance. If they overlap, t is minus the shortest displacement that ends the overlap, along the normal. */
KernelContact sidle_contact_of_box(const Vec3 corners[3], Vec3 half);

#endif
