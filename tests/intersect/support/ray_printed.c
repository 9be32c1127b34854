#include "intersect/support/ray_printed.h"

bool printed_ray_triangle(Vector origin, Vector direction, const Vector corners[3], double *t)
{
    Vector first = vector_sub(corners[1], corners[0]), second = vector_sub(corners[2], corners[0]);
    Vector p = vector_cross(direction, second);
    double below = vector_dot(first, p);
    if (below > -1e-6 && below < 1e-6)
    {
        return false;
    }
    double inverse = 1 / below;
    Vector from = vector_sub(origin, corners[0]), q = vector_cross(from, first);
    double u = vector_dot(from, p) * inverse, v = vector_dot(direction, q) * inverse;
    *t = vector_dot(second, q) * inverse;
    return u >= 0 && u <= 1 && v >= 0 && u + v <= 1 && *t >= 0;
}

bool printed_ray_box(Vector origin, Vector direction, Vector low, Vector high)
{
    const double from[3] = {origin.x, origin.y, origin.z},
                 offset[3] = {direction.x, direction.y, direction.z};
    const double sides[2][3] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    double enter = 0, leave = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        double inverse = 1 / offset[axis];
        int sign = inverse < 0;
        double near_t = (sides[sign][axis] - from[axis]) * inverse;
        double far_t = (sides[1 - sign][axis] - from[axis]) * inverse;
        if (axis == 0)
        {
            enter = near_t;
            leave = far_t;
            continue;
        }
        if (enter > far_t || near_t > leave)
        {
            return false;
        }
        enter = near_t > enter ? near_t : enter;
        leave = far_t < leave ? far_t : leave;
    }
    return enter < INFINITY && leave > 0;
}

bool printed_ray_sphere(Vector origin, Vector direction, Vector center, double radius, double *t)
{
    Vector from = vector_sub(origin, center);
    double b = vector_dot(from, direction), c = vector_dot(from, from) - radius * radius;
    double below = b * b - c;
    if ((c > 0 && b > 0) || below < 0)
    {
        return false;
    }
    *t = fmax(-b - sqrt(below), 0);
    return true;
}
