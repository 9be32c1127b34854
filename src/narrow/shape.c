#include "narrow/shape.h"

#include "base/status.h"

static sidle_status check_field(double value, double low, bool may_be_zero)
{
    if (!isfinite(value))
    {
        return SIDLE_ERROR_NOT_FINITE;
    }
    if (value < 0 || (value == 0 && !may_be_zero))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    return value < low || value > SIDLE_MAX_LENGTH ? SIDLE_ERROR_LIMIT : SIDLE_OK;
}

sidle_status sidle_shape_check(const sidle_shape *shape, uint32_t index, sidle_error *error)
{
    static const char *const names[4] = {"radii.x", "radii.y", "radii.z", "half_height"};
    Vec3 r = vec3_from(shape->radii);
    const double values[4] = {r.x, r.y, r.z, (double)shape->half_height};
    for (uint32_t i = 0; i < 4; ++i)
    {
        double low = i < 3 ? SIDLE_MIN_RADIUS : 0;
        sidle_status status = check_field(values[i], low, i == 3);
        if (status != SIDLE_OK)
        {
            return sidle_status_fail(error, status, index, "profile %u: %s is %g, but must be from %g to %g",
                                     index, names[i], values[i], low, SIDLE_MAX_LENGTH);
        }
    }
    double least = vec3_min_component(r);
    for (uint32_t i = 0; i < 4; ++i)
    {
        if (values[i] > SIDLE_MAX_ASPECT * FLOAT_MARGIN * least)
        {
            return sidle_status_fail(
                error, SIDLE_ERROR_LIMIT, index,
                "profile %u: %s is %g, but must be at most %d times the smallest radius, %g", index, names[i],
                values[i], SIDLE_MAX_ASPECT, least);
        }
    }
    return SIDLE_OK;
}
