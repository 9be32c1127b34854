/* Which casts are in order. */
#include "query/cast.h"

#include "base/vector.h"

#define LARGEST_ASPECT 1e4

static bool is_ray(const sidle_cast *cast)
{
    return vec3_is_zero(vec3_from(cast->shape.radii));
}

static sidle_status check_shape(const sidle_cast *cast)
{
    Vec3 r = vec3_from(cast->shape.radii);
    double low = vec3_min_component(r), high = vec3_max_component(r);
    if ((low <= 0 && !is_ray(cast)) || cast->shape.half_height < 0)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (!is_ray(cast) &&
        (low < CAST_SMALLEST_RADIUS || high > CAST_LARGEST_RADIUS || high > LARGEST_ASPECT * low))
    {
        return SIDLE_ERROR_LIMIT;
    }
    double half = (double)cast->shape.half_height;
    if (is_ray(cast))
    {
        return half > 0 ? SIDLE_ERROR_ARGUMENT : SIDLE_OK;
    }
    return half > CAST_LARGEST_RADIUS || half > LARGEST_ASPECT * low ? SIDLE_ERROR_LIMIT : SIDLE_OK;
}

sidle_status cast_check(const sidle_cast *cast)
{
    const sidle_quat *q = &cast->rotation;
    Vec3 origin = vec3_from_position(cast->origin), displacement = vec3_from(cast->displacement);
    if (!vec3_is_finite(origin) || !vec3_is_finite(displacement) ||
        !vec3_is_finite(vec3_from(cast->shape.radii)) || !isfinite(cast->shape.half_height) ||
        !isfinite(q->x) || !isfinite(q->y) || !isfinite(q->z) || !isfinite(q->w))
    {
        return SIDLE_ERROR_NOT_FINITE;
    }
    if (cast->flags & ~(uint32_t)SIDLE_CAST_ONE_SIDED)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (vec3_max_component(vec3_abs(origin)) > SIDLE_MAX_COORDINATE ||
        vec3_max_component(vec3_abs(displacement)) > SIDLE_MAX_COORDINATE)
    {
        return SIDLE_ERROR_LIMIT;
    }
    return check_shape(cast);
}
