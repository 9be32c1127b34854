/* Level 4: two triangles, exactly. */
#ifndef INTERSECT_LEVELS_PAIR_H
#define INTERSECT_LEVELS_PAIR_H

#include "base/vector.h"
#include "sidle/intersect/levels.h"

/* Corners are finite. The triangles' numbers in `out` stay what they are. */
bool sidle_triangles_cross(const Vec3 a[3], const Vec3 b[3], sidle_crossing *out);

#endif
