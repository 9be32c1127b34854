/* The exact projection of a displacement on the half-spaces of contacts. */
#ifndef CROWD_PROJECT_H
#define CROWD_PROJECT_H

#include "base/vector.h"

/* Returns the point of {x : m_i . x >= 0} nearest to v, which is never longer than v. World units. m: unit normals;
 * their order affects no bit except the sign of a zero. Cost: count^3 at most. */
Vec3 sidle_project(Vec3 v, const Vec3 *m, uint32_t count);

#endif
