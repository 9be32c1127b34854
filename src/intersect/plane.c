/* Planes: from a point and a normal, from three points, and what is asked of them. After K. Fauerby,
 * "Improved Collision Detection and Response", 2003, appendix B.
 *
 * Departs from it: the normal of three points comes from a cross product that is right to 2 u in each number,
 * needle or not, and 0 only if it is (exact.h), so "no area" is a fact and not a guess by an epsilon;
 * distances are rounded once, at the end. */
#include "sidle/intersect/plane.h"

#include "intersect/direction.h"
#include "intersect/plane_distance.h"

/* ---- construction ---- */

static bool comes_later(Vec3 a, Vec3 b)
{
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

/* Exchanges the two if they stand in the wrong order; whether it did. */
static bool order(Vec3 *a, Vec3 *b)
{
    Vec3 first = *a;
    if (!comes_later(*a, *b))
    {
        return false;
    }
    *a = *b;
    *b = first;
    return true;
}

/* The point is finite. */
static bool plane_through(Vec3 point, Vec3 normal, sidle_plane *out)
{
    Vec3 unit = direction_unit(normal);
    if (vec3_is_zero(unit))
    {
        return false;
    }
    if (out)
    {
        *out = (sidle_plane){{unit.x, unit.y, unit.z}, twofold_dot(unit, point).high};
    }
    return true;
}

bool sidle_plane_from_point_normal(sidle_position point, sidle_dvec3 normal, sidle_plane *out)
{
    Vec3 p = vec3_from_position(point);
    return vec3_is_finite(p) && plane_through(p, vec3_from_position(normal), out);
}

bool sidle_plane_from_points(sidle_position a, sidle_position b, sidle_position c, sidle_plane *out)
{
    Vec3 p = vec3_from_position(a), q = vec3_from_position(b), r = vec3_from_position(c);
    if (!vec3_is_finite(p) || !vec3_is_finite(q) || !vec3_is_finite(r))
    {
        return false;
    }
    /* In one order, whatever theirs is, so that it changes no bit of the result. */
    bool turned = order(&p, &q);
    turned ^= order(&q, &r);
    turned ^= order(&p, &q);
    ExactVec3 first = exact_vec3_sub(q, p), second = exact_vec3_sub(r, p);
    Vec3 area = exact_cross(&first, &second);
    return plane_through(p, turned ? vec3_scale(area, -1) : area, out);
}

/* ---- questions ---- */

double sidle_plane_distance(const sidle_plane *plane, sidle_position point)
{
    return plane_distance(plane, vec3_from_position(point)).high;
}

bool sidle_plane_is_front_facing(const sidle_plane *plane, sidle_dvec3 direction)
{
    Vec3 along = vec3_from_position(direction);
    return !vec3_is_zero(along) && twofold_dot(vec3_from_position(plane->normal), along).high <= 0;
}

sidle_position sidle_plane_closest_point(const sidle_plane *plane, sidle_position point)
{
    double distance = sidle_plane_distance(plane, point);
    Vec3 p = vec3_from_position(point);
    return position_from(vec3_add_scaled(p, vec3_from_position(plane->normal), -distance));
}

sidle_dvec3 sidle_plane_project(const sidle_plane *plane, sidle_dvec3 vector)
{
    Vec3 normal = vec3_from_position(plane->normal), v = vec3_from_position(vector);
    return position_from(vec3_add_scaled(v, normal, -twofold_dot(normal, v).high));
}
