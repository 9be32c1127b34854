/* Validation of casts. */
#include "query/cast.h"

#include "base/vector.h"
#include "narrow/shape.h"

static bool is_ray(const sidle_cast *cast)
{
    return vec3_is_zero(vec3_from(cast->shape.radii));
}

sidle_status sidle_cast_check(const sidle_cast *cast)
{
    const sidle_quat *q = &cast->rotation;
    Vec3 origin = vec3_from_position(cast->origin), displacement = vec3_from(cast->displacement);
    if (!vec3_is_finite(origin) || !vec3_is_finite(displacement) || !isfinite(cast->shape.half_height) ||
        !isfinite(q->x) || !isfinite(q->y) || !isfinite(q->z) || !isfinite(q->w))
    {
        return SIDLE_ERROR_NOT_FINITE;
    }
    if ((cast->flags & ~(uint32_t)(SIDLE_CAST_ONE_SIDED | SIDLE_CAST_ANY)) ||
        (is_ray(cast) && cast->shape.half_height != 0))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (vec3_max_component(vec3_abs(origin)) > SIDLE_MAX_COORDINATE ||
        vec3_max_component(vec3_abs(displacement)) > SIDLE_MAX_COORDINATE)
    {
        return SIDLE_ERROR_LIMIT;
    }
    return is_ray(cast) ? SIDLE_OK : sidle_shape_check(&cast->shape, 0, NULL);
}
