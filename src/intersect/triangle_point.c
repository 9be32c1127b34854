/* Points against convex polygons and triangles in space. B. Kenwright, "Workshop Series: Collision Detection",
 * section 3.2 (planes through the edges); K. Fauerby, "Improved Collision Detection and Response", 2003,
 * appendix C; C. Ericson, "Real-Time Collision Detection", 2005, sections 5.1.5 (closest point) and 5.4.2.
 *
 * Departures: the plane's normal is the polygon's own, so either winding will do, also outside of the xy plane.
 * Neither it nor a distance along it is ever made unit before something is decided: an edge's side is the sign
 * of the determinant normal, edge, way to the point, the normal in double-double. No Gram determinant, which on a
 * needle is all rounding. Closest points ask for the side of each edge instead of for barycentric coordinates. */
#include "sidle/intersect/polygon.h"

#include "intersect/exact.h"

/* In double-double a corner's share of the normal errs by less than 2^-100 of its terms, and so does each sum:
 * below this, per corner, there is no telling whether there is an area. */
#define NORMAL_DOUBT 0x1p-98

static bool is_finite3(sidle_position p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static bool all_finite(sidle_position point, const sidle_position *corners, uint32_t count)
{
    bool finite = is_finite3(point);
    for (uint32_t i = 0; finite && i < count; ++i)
    {
        finite = is_finite3(corners[i]);
    }
    return finite;
}

static bool is_same(sidle_position a, sidle_position b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static ExactVec3 way(sidle_position from, sidle_position to)
{
    return exact_vec3_sub(vec3_from_position(to), vec3_from_position(from));
}

/* ---- segments, which is what remains where there is no plane ---- */

static bool in_range(double x, double a, double b)
{
    return (a <= x && x <= b) || (b <= x && x <= a);
}

static bool is_on_segment(sidle_position p, sidle_position a, sidle_position b)
{
    return in_range(p.x, a.x, b.x) && in_range(p.y, a.y, b.y) && in_range(p.z, a.z, b.z) &&
           exact_orient2d_sign(a.x, a.y, b.x, b.y, p.x, p.y) == 0 &&
           exact_orient2d_sign(a.y, a.z, b.y, b.z, p.y, p.z) == 0 &&
           exact_orient2d_sign(a.z, a.x, b.z, b.x, p.z, p.x) == 0;
}

static sidle_location locate_on_edges(sidle_position point, const sidle_position *corners, uint32_t count)
{
    bool on = false;
    for (uint32_t i = 0; i < count; ++i)
    {
        on = on || is_on_segment(point, corners[i], corners[i + 1 < count ? i + 1 : 0]);
    }
    return on ? SIDLE_BOUNDARY : SIDLE_OUTSIDE;
}

/* ---- at right angles ---- */

static void add_minor(Exact *sum, double *size, Exact a, Exact b, Exact c, Exact d)
{
    *sum = exact_plus(*sum, exact_minor(a, b, c, d));
    *size += fabs(a.high * d.high) + fabs(b.high * c.high);
}

/* Twice the area along the normal; false: there is none. */
static bool normal_of(const sidle_position *corners, uint32_t count, ExactVec3 *normal)
{
    Exact zero = exact_of(0);
    double size = 0;
    *normal = (ExactVec3){zero, zero, zero};
    for (uint32_t i = 1; i + 1 < count; ++i)
    {
        ExactVec3 a = way(corners[0], corners[i]), b = way(corners[0], corners[i + 1]);
        add_minor(&normal->x, &size, a.y, a.z, b.y, b.z);
        add_minor(&normal->y, &size, a.z, a.x, b.z, b.x);
        add_minor(&normal->z, &size, a.x, a.y, b.x, b.y);
    }
    Vec3 n = vec3_abs(exact_vec3_high(normal));
    return vec3_max_component(n) > NORMAL_DOUBT * count * size;
}

sidle_location sidle_point_in_convex_polygon3(sidle_position point, const sidle_position *corners,
                                              uint32_t count)
{
    ExactVec3 normal;
    if (!all_finite(point, corners, count))
    {
        return SIDLE_OUTSIDE;
    }
    if (!normal_of(corners, count, &normal))
    {
        return locate_on_edges(point, corners, count);
    }
    bool on_edge = false;
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_position a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
        if (is_same(a, b))
        {
            continue; /* has no plane */
        }
        ExactVec3 edge = way(a, b), to_point = way(a, point);
        double side = exact_det3_sign(&normal, &edge, &to_point);
        if (side < 0)
        {
            return SIDLE_OUTSIDE;
        }
        on_edge = on_edge || side == 0;
    }
    return on_edge ? SIDLE_BOUNDARY : SIDLE_INSIDE;
}

sidle_location sidle_point_in_triangle(sidle_position point, const sidle_dtriangle *triangle)
{
    return sidle_point_in_convex_polygon3(point, triangle->corners, 3);
}

/* ---- along an axis ---- */

static double along(sidle_position p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static sidle_dvec2 seen_along(sidle_position p, int axis)
{
    return (sidle_dvec2){along(p, (axis + 1) % 3), along(p, (axis + 2) % 3)};
}

/* The axis along which the triangle shows its largest area, the first of equal ones; -1: it has none. Plain numbers
 * choose where the largest stands clear of what rounding may have done. */
static int facing_axis(const sidle_position *corners)
{
    double size[3], doubt[3];
    sidle_dvec2 v[3][3];
    int facing = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        sidle_dvec2 *seen = v[axis];
        for (int i = 0; i < 3; ++i)
        {
            seen[i] = seen_along(corners[i], axis);
        }
        size[axis] = fabs(exact_orient2d_rough(seen[0].x, seen[0].y, seen[1].x, seen[1].y, seen[2].x,
                                               seen[2].y, &doubt[axis]));
        facing = size[axis] > size[facing] ? axis : facing;
    }
    double least = size[facing] - doubt[facing];
    int next = (facing + 1) % 3, last = (facing + 2) % 3;
    if (least > size[next] + doubt[next] && least > size[last] + doubt[last])
    {
        return facing;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        const sidle_dvec2 *seen = v[axis];
        size[axis] = fabs(exact_orient2d(seen[0].x, seen[0].y, seen[1].x, seen[1].y, seen[2].x, seen[2].y));
    }
    facing = size[1] > size[0] ? 1 : 0;
    facing = size[2] > size[facing] ? 2 : facing;
    return size[facing] > 0 ? facing : -1;
}

sidle_location sidle_point_in_triangle_along_axis(sidle_position point, const sidle_dtriangle *triangle)
{
    if (!all_finite(point, triangle->corners, 3))
    {
        return SIDLE_OUTSIDE;
    }
    int facing = facing_axis(triangle->corners);
    if (facing < 0)
    {
        return locate_on_edges(point, triangle->corners, 3);
    }
    sidle_dvec2 corners[3];
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = seen_along(triangle->corners[i], facing);
    }
    return sidle_point_in_convex_polygon(seen_along(point, facing), corners, 3);
}
