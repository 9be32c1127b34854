#include "intersect/support/plane_printed.h"

#include "support/vector.h"

static Vector from(sidle_position p)
{
    return vector(p.x, p.y, p.z);
}

sidle_plane printed_plane_from_points(sidle_position a, sidle_position b, sidle_position c)
{
    Vector normal = vector_cross(vector_sub(from(b), from(a)), vector_sub(from(c), from(a)));
    normal = vector_scale(normal, 1 / vector_length(normal));
    return (sidle_plane){{normal.x, normal.y, normal.z}, vector_dot(normal, from(a))};
}

double printed_plane_distance(const sidle_plane *plane, sidle_position point)
{
    return vector_dot(from(point), from(plane->normal)) + -plane->offset;
}

bool printed_lowest_root(double a, double b, double c, double limit, double *root)
{
    double inside = b * b - 4 * a * c;
    if (inside < 0)
    {
        return false;
    }
    double width = sqrt(inside), first = (-b - width) / (2 * a), second = (-b + width) / (2 * a);
    if (first > second)
    {
        double other = first;
        first = second;
        second = other;
    }
    if (first > 0 && first < limit)
    {
        *root = first;
        return true;
    }
    if (second > 0 && second < limit)
    {
        *root = second;
        return true;
    }
    return false;
}

bool printed_sphere_plane_sweep(const sidle_moving_sphere *sphere, const sidle_plane *plane, double *time,
                                sidle_position *center)
{
    double begin = printed_plane_distance(plane, sphere->from),
           end = printed_plane_distance(plane, sphere->to);
    if (fabs(begin) <= sphere->radius)
    {
        *time = 0;
        *center = sphere->from;
        return true;
    }
    if (begin > sphere->radius && end < sphere->radius)
    {
        double t = (begin - sphere->radius) / (begin - end);
        Vector at = vector_add(vector_scale(from(sphere->from), 1 - t), vector_scale(from(sphere->to), t));
        *time = t;
        *center = (sidle_position){at.x, at.y, at.z};
        return true;
    }
    return false;
}

bool printed_sphere_sphere_sweep(const sidle_moving_sphere *a, const sidle_moving_sphere *b, double times[2])
{
    Vector start = vector_sub(from(b->from), from(a->from));
    Vector displacement =
        vector_sub(vector_sub(from(b->to), from(b->from)), vector_sub(from(a->to), from(a->from)));
    double reach = a->radius + b->radius;
    double square = vector_dot(displacement, displacement), twice = 2 * vector_dot(displacement, start);
    double beyond = vector_dot(start, start) - reach * reach;
    if (beyond <= 0)
    {
        times[0] = times[1] = 0;
        return true;
    }
    double inside = twice * twice - 4 * square * beyond;
    if (!(inside >= 0))
    {
        return false;
    }
    times[0] = (-twice - sqrt(inside)) / (2 * square);
    times[1] = (-twice + sqrt(inside)) / (2 * square);
    return true;
}
