/* The limits of shapes and of their displacements: the same for profiles and casts. */
#ifndef NARROW_SHAPE_H
#define NARROW_SHAPE_H

#include "sidle/crowd.h"

#include "base/vector.h"

/* A limit between two floats: radii of .01f and 1 have the aspect 100 for their author. Each float is off by up
 * to 2^-24 of itself. */
#define FLOAT_ROOM (1 + 0x1p-22)

/* The shape of a profile or of a cast that is no ray. On failure `error`, if given, gets a sentence that names the
 * field and its value; `index` is the profile's. */
sidle_status shape_check(const sidle_shape *shape, uint32_t index, sidle_error *error);

/* The longest displacement in a tick along an axis. */
static inline double shape_longest_path(Vec3 radii)
{
    return SIDLE_MAX_PATH * FLOAT_ROOM * vec3_min_component(radii);
}

#endif
