/* The exact projection of a displacement on what contacts leave free. */
#ifndef CROWD_PROJECT_H
#define CROWD_PROJECT_H

#include "base/vector.h"

/* The point of {x : m_i . x >= 0} nearest to v; world units, so that a slide never grows. m: unit, in any
 * order: no bit depends on it, but for the sign of a zero. Costs count^3 at most, and contacts are few. */
Vec3 project(Vec3 v, const Vec3 *m, uint32_t count);

#endif
