/* The limits of shapes and of their displacements: the same for profiles and casts. */
#ifndef NARROW_SHAPE_H
#define NARROW_SHAPE_H

#include "sidle/crowd.h"

#include "narrow/frame.h"

/* Relative tolerance of limits on float inputs: .01f and 1 have the aspect 100. Each float errs by up to 2^-24 of
 * it. */
#define FLOAT_MARGIN (1 + 0x1p-22)

/* Checks the shape of a profile, or of a cast other than a ray. On failure `error`, if given, gets a sentence that
 * names the field and its value. `index`: of the profile. */
sidle_status sidle_shape_check(const sidle_shape *shape, uint32_t index, sidle_error *error);

/* The longest displacement in a tick along an axis. */
static inline double shape_longest_path(Vec3 radii)
{
    return SIDLE_MAX_PATH * FLOAT_MARGIN * vec3_min_component(radii);
}

/* A point is the centre of a frame whose unit is that of the world. */
static inline Frame frame_of_shape(sidle_position center, sidle_quat rotation, const sidle_shape *shape)
{
    Vec3 radii = vec3_from(shape->radii);
    radii = vec3_is_zero(radii) ? vec3(1, 1, 1) : radii;
    Frame frame = frame_make(vec3_from_position(center), rotation, radii);
    if (shape->half_height > 0)
    {
        frame_give_core(&frame, vec3(0, (double)shape->half_height / radii.y, 0));
    }
    return frame;
}

#endif
