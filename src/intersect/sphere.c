/* Spheres at rest against each other and against planes. M. Gomez, "Simple Intersection Tests for Games",
 * 1999.
 *
 * Departs from it: squared distances and radii are compared in twice the precision, or exactly where that
 * cannot decide, and the depth comes from their difference, (R^2 - D^2) / (R + D), so that it is right also
 * where it is small. */
#include "sidle/intersect/sphere.h"

#include "intersect/sphere_touch.h"

static void answer(Vec3 normal, double depth, Vec3 point, sidle_touch *out)
{
    if (out)
    {
        *out = (sidle_touch){.normal = position_from(normal),
                             .depth = depth,
                             .point_count = 1,
                             .feature_a = {SIDLE_FEATURE_FACE, 0},
                             .feature_b = {SIDLE_FEATURE_FACE, 0},
                             .points = {position_from(point)},
                             .depths = {depth}};
    }
}

static bool sphere_is_valid(const sidle_sphere *sphere)
{
    return vec3_is_finite(vec3_from_position(sphere->center)) && radius_is_valid(sphere->radius);
}

bool sidle_sphere_sphere(const sidle_sphere *a, const sidle_sphere *b, sidle_touch *out)
{
    if (!sphere_is_valid(a) || !sphere_is_valid(b))
    {
        return false;
    }
    Vec3 p = vec3_from_position(a->center), q = vec3_from_position(b->center);
    ExactVec3 offset = exact_vec3_sub(q, p);
    Exact reach = exact_sum(a->radius, b->radius);
    Exact distance2 = twofold3_dot(offset, offset);
    double excess = reach_excess(&offset, distance2, reach);
    if (!(excess >= 0))
    {
        return false;
    }
    double sum = reach.high + sqrt(distance2.high); /* 0: two points in one place */
    Vec3 normal = normal_between(twofold3_high(offset), a->radius, b->radius);
    answer(normal, sum > 0 ? excess / sum : 0, point_between(p, a->radius, q, b->radius, normal), out);
    return true;
}

bool sidle_sphere_plane(const sidle_sphere *sphere, const sidle_plane *plane, sidle_touch *out)
{
    if (!sphere_is_valid(sphere) || !plane_is_valid(plane))
    {
        return false;
    }
    Vec3 center = vec3_from_position(sphere->center), front = vec3_from_position(plane->normal);
    Height height = height_of(plane, center, sphere->radius);
    if (!(height.depth >= 0))
    {
        return false;
    }
    Vec3 point = point_on_way_to_plane(center, sphere->radius, front, height.distance);
    answer(vec3_scale(front, height.distance < 0 ? 1 : -1), height.depth, point, out);
    return true;
}
