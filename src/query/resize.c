/* Whether a shape has room to grow where it stands. */
#include "query/place.h"

#include "base/fp_environment.h"
#include "query/cast.h"

/* Radii: deeper overlaps refuse the shape. Less than the smallest skin of agents (.005), so that the next move still has a gap to
 * take it out of one. More than the rounding of float vertices: 1.5e-4 at 1 km for a radius of .4 m. */
#define TOUCH .001

/* How far the shape reaches along a unit vector, from its centre. */
static double reach_along(const Frame *frame, Vec3 up)
{
    double core = fabs(vec3_dot(mat3_mul(frame->to_w, frame->core), up));
    return vec3_length(mat3_mul_transposed(frame->to_w, up)) + core;
}

static bool is_larger(const sidle_shape *shape, const sidle_shape *than)
{
    return shape->radii.x > than->radii.x || shape->radii.y > than->radii.y ||
           shape->radii.z > than->radii.z || shape->half_height > than->half_height;
}

static bool has_room(const Around *around, const Frame *frame)
{
    Nearest deepest = {.frame = frame, .radius = 1, .unit = 1};
    sidle_around_visit(around, 0, sidle_take_nearer, &deepest);
    return !deepest.found || deepest.contact.t >= 1 - TOUCH; /* mutant: resize_without_touch */
}

static sidle_status check(const sidle_place *place)
{
    sidle_status status = sidle_place_check(place);
    bool is_supported = !(place->flags & SIDLE_PLACE_BOX) && !vec3_is_zero(vec3_from(place->shape.radii));
    return status == SIDLE_OK && !is_supported ? SIDLE_ERROR_UNSUPPORTED : status;
}

static FP_BODY sidle_status resize(const sidle_snapshot *snapshot, float motion_time,
                                   const sidle_place *place, const sidle_shape *shape, sidle_vec3 along,
                                   sidle_position *center, uint32_t *fits)
{
    if (!snapshot || !place || !shape || !center || !fits || !motion_is_good(motion_time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_place resized = *place;
    resized.shape = *shape;
    sidle_status status = check(place);
    status = status == SIDLE_OK ? check(&resized) : status;
    if (status != SIDLE_OK || !vec3_is_finite(vec3_from(along)))
    {
        return status != SIDLE_OK ? status : SIDLE_ERROR_NOT_FINITE;
    }
    Vec3 up = vec3_is_zero(vec3_from(along)) ? vec3(0, 1, 0) : vec3_normalize(vec3_from(along));
    Frame before, after;
    sidle_around_of(snapshot, motion_time, place, &before);
    Around around = sidle_around_of(snapshot, motion_time, &resized, &after);
    double rise = reach_along(&after, up) - reach_along(&before, up);
    after.center = vec3_add_scaled(before.center, up, rise);
    if (vec3_max_component(vec3_abs(after.center)) > SIDLE_MAX_COORDINATE)
    {
        return SIDLE_ERROR_LIMIT;
    }
    *center = (sidle_position){after.center.x, after.center.y, after.center.z};
    *fits = !is_larger(shape, &place->shape) || has_room(&around, &after);
    return SIDLE_OK;
}

sidle_status sidle_place_resize(const sidle_snapshot *snapshot, float motion_time, const sidle_place *place,
                                const sidle_shape *shape, sidle_vec3 up, sidle_position *center,
                                uint32_t *fits)
{
    FpEnvironment host = fp_enter();
    sidle_status status = resize(snapshot, motion_time, place, shape, up, center, fits);
    fp_leave(host);
    return status;
}
