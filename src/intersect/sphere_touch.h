/* What spheres at rest and moving ones have in common. */
#ifndef INTERSECT_SPHERE_TOUCH_H
#define INTERSECT_SPHERE_TOUCH_H

#include "intersect/direction.h"
#include "intersect/plane_distance.h"

static inline bool radius_is_valid(double radius)
{
    return isfinite(radius) && radius >= 0;
}

/* Below this share of what they are the difference of, numbers of twice the precision are asked again, as
 * exact sums: 16 u^2 of the parts are less than u / 2^16 of a result that is larger. */
#define TOUCH_DOUBT 0x1p-36

/* By how much the squared reach exceeds the squared distance of the centres. distance2 is that distance in
 * twice the precision. The sign is exact and the value is within some u of itself, however small it is. */
static inline double reach_excess(const ExactVec3 *displacement, Exact distance2, Exact reach)
{
    Exact reach2 = exact_times(reach, reach), excess = twofold_sub(reach2, distance2);
    if (fabs(excess.high) > TOUCH_DOUBT * reach2.high)
    {
        return excess.high;
    }
    ExactSum sum;
    exact_begin(&sum);
    exact_add_terms(&sum, 1, reach, reach);
    exact_add_terms(&sum, -1, displacement->x, displacement->x);
    exact_add_terms(&sum, -1, displacement->y, displacement->y);
    exact_add_terms(&sum, -1, displacement->z, displacement->z);
    return exact_value(&sum);
}

/* A centre's distance from a plane, signed, and how deep its sphere is in it, negative where it stays clear:
 * exact in sign and right to u, as reach_excess. */
typedef struct Height
{
    double distance, depth;
    Exact doubled; /* the distance in twice the precision */
} Height;

/* Out of line, since it is asked seldom. */
static __attribute__((noinline)) Height height_listed(const sidle_plane *plane, Vec3 center, double radius,
                                                      Exact doubled)
{
    Vec3 front = vec3_from_position(plane->normal);
    ExactSum sum;
    exact_begin(&sum);
    exact_add_product(&sum, front.x, center.x);
    exact_add_product(&sum, front.y, center.y);
    exact_add_product(&sum, front.z, center.z);
    exact_add(&sum, -plane->offset);
    double distance = exact_value(&sum);
    exact_add(&sum, distance < 0 ? radius : -radius);
    double excess = exact_value(&sum); /* of the distance over the radius */
    return (Height){distance, distance < 0 ? excess : 0 - excess, doubled};
}

static inline Height height_of(const sidle_plane *plane, Vec3 center, double radius)
{
    Vec3 front = vec3_from_position(plane->normal);
    Exact distance = plane_distance(plane, center);
    Exact depth = twofold_sub(exact_of(radius), twofold_abs(distance));
    double size = vec3_dot(vec3_abs(front), vec3_abs(center)) + fabs(plane->offset) + radius;
    if (fabs(distance.high) > TOUCH_DOUBT * size && fabs(depth.high) > TOUCH_DOUBT * size)
    {
        return (Height){distance.high, depth.high, distance};
    }
    return height_listed(plane, center, radius, distance);
}

/* The unit vector from a sphere's centre to another's. For concentric spheres it is up or down, so that
 * swapping the two negates it. */
static inline Vec3 normal_between(Vec3 from_a_to_b, double radius_a, double radius_b)
{
    Vec3 unit = direction_unit(from_a_to_b);
    return vec3_is_zero(unit) ? vec3(0, radius_a >= radius_b ? 1 : -1, 0) : unit;
}

/* Midway between the surfaces of two spheres: the mean of a + n ra and b - n rb. */
static inline Vec3 point_between(Vec3 a, double radius_a, Vec3 b, double radius_b, Vec3 normal)
{
    Vec3 middle = vec3(0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z));
    return vec3_add(middle, vec3_scale(normal, 0.5 * (radius_a - radius_b)));
}

/* Midway between the surface of a plane and that of a sphere. `front` is the plane's normal; `distance` the
 * centre's from the plane, signed. */
static inline Vec3 point_on_way_to_plane(Vec3 center, double radius, Vec3 front, double distance)
{
    return vec3_add_scaled(center, front, -0.5 * (distance + (distance < 0 ? -radius : radius)));
}

#endif
