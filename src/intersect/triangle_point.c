/* Points against convex polygons and triangles in space. B. Kenwright, "Workshop Series: Collision
 * Detection", section 3.2 (planes through the edges); K. Fauerby, "Improved Collision Detection and
 * Response", 2003, appendix C; C. Ericson, "Real-Time Collision Detection", 2005, sections 5.1.5 (closest
 * point) and 5.4.2.
 *
 * Departures: the plane's normal is the polygon's own, so either winding will do, also outside of the xy
 * plane. Neither it nor a distance along it is ever made unit before something is decided: an edge's side is
 * the sign of the determinant of normal, edge and the vector to the point: a polygon's normal in
 * double-double, a triangle's without any rounding, since every error of the normal shows from far off. No
 * Gram determinant, which on a needle is all rounding. Closest points ask for the side of each edge instead
 * of for barycentric coordinates. */
#include "sidle/intersect/polygon.h"

#include "base/exact.h"
#include "intersect/long_sum.h"

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

static ExactVec3 between(sidle_position from, sidle_position to)
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
        ExactVec3 a = between(corners[0], corners[i]), b = between(corners[0], corners[i + 1]);
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
        ExactVec3 edge = between(a, b), to_point = between(a, point);
        double side = exact_det3_sign(&normal, &edge, &to_point);
        if (side < 0)
        {
            return SIDLE_OUTSIDE;
        }
        on_edge = on_edge || side == 0;
    }
    return on_edge ? SIDLE_BOUNDARY : SIDLE_INSIDE;
}

/* ---- triangles: no rounding at all ---- */

/* a x b in parts, at most 16 of each number. */
static void cross_parts(ExactSum out[3], const ExactVec3 *a, const ExactVec3 *b)
{
    const Exact of_a[5] = {a->x, a->y, a->z, a->x, a->y}, of_b[5] = {b->x, b->y, b->z, b->x, b->y};
    for (int axis = 0; axis < 3; ++axis)
    {
        exact_begin(&out[axis]);
        exact_add_terms(&out[axis], 1, of_a[axis + 1], of_b[axis + 2]);
        exact_add_terms(&out[axis], -1, of_a[axis + 2], of_b[axis + 1]);
    }
}

typedef struct TrianglePlane
{
    ExactVec3 e, f;     /* from the first corner to the others */
    Vec3 normal, doubt; /* e x f, plain, and what each number of it may err by */
    bool listed;        /* parts are known */
    ExactSum parts[3];  /* e x f */
} TrianglePlane;

static Vec3 cross_size(Vec3 a, Vec3 b)
{
    return vec3(fabs(a.y * b.z) + fabs(a.z * b.y), fabs(a.z * b.x) + fabs(a.x * b.z),
                fabs(a.x * b.y) + fabs(a.y * b.x));
}

static void plane_begin(TrianglePlane *plane, const sidle_position *corners)
{
    plane->e = between(corners[0], corners[1]);
    plane->f = between(corners[0], corners[2]);
    Vec3 e = exact_vec3_high(&plane->e), f = exact_vec3_high(&plane->f);
    plane->normal = vec3_cross(e, f);
    plane->doubt = vec3_scale(cross_size(e, f), EXACT_FILTER_2);
    plane->listed = false;
}

static void plane_list(TrianglePlane *plane)
{
    if (!plane->listed)
    {
        cross_parts(plane->parts, &plane->e, &plane->f);
        plane->listed = true;
    }
}

static bool has_area(TrianglePlane *plane)
{
    Vec3 n = vec3_abs(plane->normal), doubt = plane->doubt;
    if (n.x > doubt.x || n.y > doubt.y || n.z > doubt.z)
    {
        return true;
    }
    plane_list(plane);
    return plane->parts[0].count > 0 || plane->parts[1].count > 0 || plane->parts[2].count > 0;
}

/* On which side of the upright plane through an edge a point is: normal . (edge x to_point), of which only the
 * sign counts. Plain, the normal errs by its doubt, the cross product by EXACT_FILTER_2 of its terms' sizes, and
 * the products and their sum by less than 4 u. */
static double side_of_edge(TrianglePlane *plane, const ExactVec3 *edge, const ExactVec3 *to_point)
{
    Vec3 a = exact_vec3_high(edge), b = exact_vec3_high(to_point), size = cross_size(a, b);
    Vec3 normal_size = vec3_scale(plane->doubt, 1 / EXACT_FILTER_2);
    double value = vec3_dot(plane->normal, vec3_cross(a, b));
    if (fabs(value) > 3 * EXACT_FILTER_2 * vec3_dot(normal_size, size))
    {
        return value;
    }
    ExactSum across[3];
    LongSum sum = {{0}, 0};
    cross_parts(across, edge, to_point);
    plane_list(plane);
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < plane->parts[axis].count * across[axis].count; ++i)
        {
            int own = i / across[axis].count, other = i % across[axis].count;
            sidle_long_sum_add_product(&sum, plane->parts[axis].parts[own], across[axis].parts[other]);
        }
    }
    return sidle_long_sum_value(&sum);
}

sidle_location sidle_point_in_triangle(sidle_position point, const sidle_dtriangle *triangle)
{
    const sidle_position *corners = triangle->corners;
    TrianglePlane plane;
    bool on_edge = false;
    if (!all_finite(point, corners, 3))
    {
        return SIDLE_OUTSIDE;
    }
    plane_begin(&plane, corners);
    if (!has_area(&plane))
    {
        return locate_on_edges(point, corners, 3);
    }
    for (int i = 0; i < 3; ++i)
    {
        sidle_position a = corners[i], b = corners[(i + 1) % 3];
        ExactVec3 edge = between(a, b), to_point = between(a, point);
        bool at_end = is_same(point, a) || is_same(point, b); /* seen without a sum */
        double side = at_end ? 0 : side_of_edge(&plane, &edge, &to_point);
        if (side < 0)
        {
            return SIDLE_OUTSIDE;
        }
        on_edge = on_edge || side == 0;
    }
    return on_edge ? SIDLE_BOUNDARY : SIDLE_INSIDE;
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

static double component(Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void add_size(ExactSum *sum, const ExactSum *number, double sign)
{
    double turn = number->count > 0 && number->parts[number->count - 1] < 0 ? -sign : sign;
    for (int i = 0; i < number->count; ++i)
    {
        exact_add(sum, turn * number->parts[i]);
    }
}

/* Whether a plane faces one axis more than another. Values after a filter for signs would not do: they may be
 * nothing but rounding beyond that. */
static bool faces_more(TrianglePlane *plane, int axis, int than)
{
    double one = fabs(component(plane->normal, axis)), other = fabs(component(plane->normal, than));
    if (fabs(one - other) > component(plane->doubt, axis) + component(plane->doubt, than))
    {
        return one > other;
    }
    ExactSum more;
    exact_begin(&more);
    plane_list(plane);
    add_size(&more, &plane->parts[axis], 1);
    add_size(&more, &plane->parts[than], -1);
    return exact_value(&more) > 0;
}

sidle_location sidle_point_in_triangle_along_axis(sidle_position point, const sidle_dtriangle *triangle)
{
    TrianglePlane plane;
    if (!all_finite(point, triangle->corners, 3))
    {
        return SIDLE_OUTSIDE;
    }
    plane_begin(&plane, triangle->corners);
    if (!has_area(&plane))
    {
        return locate_on_edges(point, triangle->corners, 3);
    }
    int facing = faces_more(&plane, 1, 0) ? 1 : 0;
    facing = faces_more(&plane, 2, facing) ? 2 : facing;
    sidle_dvec2 corners[3];
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = seen_along(triangle->corners[i], facing);
    }
    return sidle_point_in_convex_polygon(seen_along(point, facing), corners, 3);
}
