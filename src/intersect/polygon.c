/* Points in polygons of the plane. B. Kenwright, "Workshop Series: Collision Detection", sections 3.1, 4 and
 * 6.
 *
 * Departures: no control corner defines the inner side, since any choice of it may lie on the edge's own
 * line: a convex polygon has a point if the cross products do not disagree. Crossings are decided by the side
 * of the edge that the point is on, exactly, not by a point of intersection against a ray of a certain
 * length; an edge is half-open. Ring and ray then need no epsilon. */
#include "sidle/intersect/polygon.h"

#include "base/exact.h"

static double side_of(sidle_dvec2 a, sidle_dvec2 b, sidle_dvec2 p)
{
    return exact_orient2d_sign(a.x, a.y, b.x, b.y, p.x, p.y);
}

static bool is_finite2(sidle_dvec2 p)
{
    return isfinite(p.x) && isfinite(p.y);
}

static bool in_range(double x, double a, double b)
{
    return (a <= x && x <= b) || (b <= x && x <= a);
}

/* Whether the point, which is on their line, is between two others. */
static bool is_between(sidle_dvec2 p, sidle_dvec2 a, sidle_dvec2 b)
{
    return in_range(p.x, a.x, b.x) && in_range(p.y, a.y, b.y);
}

/* ---- convex ---- */

/* Collinear corners; so is the point, unless they are all one. */
static sidle_location locate_on_line(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count)
{
    sidle_dvec2 low = corners[0], high = corners[0];
    for (uint32_t i = 1; i < count; ++i)
    {
        low = (sidle_dvec2){lesser(corners[i].x, low.x), lesser(corners[i].y, low.y)};
        high = (sidle_dvec2){larger(corners[i].x, high.x), larger(corners[i].y, high.y)};
    }
    return is_between(point, low, high) ? SIDLE_BOUNDARY : SIDLE_OUTSIDE;
}

/* Twice the area is the sum of the cross products, whatever the point. So outside of one with an area they
 * cannot all have the wrong sign. */
sidle_location sidle_point_in_convex_polygon(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count)
{
    bool left = false, right = false, on_line = false;
    if (count == 0 || !is_finite2(point))
    {
        return SIDLE_OUTSIDE;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_dvec2 a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
        if (!is_finite2(a))
        {
            return SIDLE_OUTSIDE;
        }
        if (a.x == b.x && a.y == b.y)
        {
            continue; /* on no line */
        }
        double side = side_of(a, b, point);
        left = left || side > 0;
        right = right || side < 0;
        on_line = on_line || side == 0;
        if (left && right)
        {
            return SIDLE_OUTSIDE;
        }
    }
    if (!left && !right)
    {
        return locate_on_line(point, corners, count);
    }
    return on_line ? SIDLE_BOUNDARY : SIDLE_INSIDE;
}

/* ---- with holes ---- */

/* Of what a point is in. */
typedef struct Count
{
    bool odd, boundary, finite;
} Count;

static sidle_location location_of(const Count *count)
{
    return !count->finite    ? SIDLE_OUTSIDE
           : count->boundary ? SIDLE_BOUNDARY
           : count->odd      ? SIDLE_INSIDE
                             : SIDLE_OUTSIDE;
}

/* An edge on one side of the point by its coordinates alone needs no cross product. */
static void count_crossing(Count *count, sidle_dvec2 a, sidle_dvec2 b, sidle_dvec2 p)
{
    bool a_above = a.y > p.y, b_above = b.y > p.y;
    count->finite = count->finite && is_finite2(a);
    if ((a_above && b_above) || (a.y < p.y && b.y < p.y) || (a.x < p.x && b.x < p.x))
    {
        return;
    }
    if (a.x > p.x && b.x > p.x)
    {
        count->odd ^= a_above != b_above;
        return;
    }
    double side = side_of(a, b, p);
    count->boundary = count->boundary || (side == 0 && is_between(p, a, b));
    count->odd ^= a_above != b_above && (side > 0) == b_above;
}

sidle_location sidle_point_in_polygon(sidle_dvec2 point, const sidle_polygon *polygon)
{
    Count count = {.finite = is_finite2(point)};
    uint32_t first = 0;
    for (uint32_t ring = 0; ring < polygon->ring_count; ++ring)
    {
        uint32_t end = polygon->ring_ends[ring];
        for (uint32_t i = first; i < end; ++i)
        {
            count_crossing(&count, polygon->points[i], polygon->points[i + 1 < end ? i + 1 : first], point);
        }
        first = end > first ? end : first;
    }
    return location_of(&count);
}

/* ---- by triangles ---- */

/* A triangle apex, a, b that holds the point has a and b on either side of the line from the apex through it,
 * and a b behind it. What lies on that line counts as right of it, for both triangles that share the side: as
 * if the line passed a little to the left. */
static void count_triangle(Count *count, sidle_dvec2 a, sidle_dvec2 b, bool a_left, bool b_left,
                           sidle_dvec2 p)
{
    bool near = is_between(p, a, b);
    if (!near && a_left == b_left)
    {
        return;
    }
    double side = side_of(a, b, p);
    count->boundary = count->boundary || (near && side == 0);
    count->odd ^= a_left != b_left && (b_left ? side > 0 : side < 0);
}

sidle_location sidle_point_in_polygon_by_triangles(sidle_dvec2 point, const sidle_polygon *polygon)
{
    Count count = {.finite = is_finite2(point)};
    sidle_dvec2 apex = {0, 0};
    uint32_t first = 0;
    for (uint32_t ring = 0; ring < polygon->ring_count; ++ring)
    {
        uint32_t end = polygon->ring_ends[ring];
        if (end <= first)
        {
            continue;
        }
        apex = first == 0 ? polygon->points[0] : apex;
        sidle_dvec2 a = polygon->points[end - 1];
        bool a_left = side_of(apex, point, a) > 0;
        for (uint32_t i = first; i < end; ++i)
        {
            sidle_dvec2 b = polygon->points[i];
            bool b_left = side_of(apex, point, b) > 0;
            count.finite = count.finite && is_finite2(b);
            count_triangle(&count, a, b, a_left, b_left, point);
            a = b;
            a_left = b_left;
        }
        first = end;
    }
    return location_of(&count);
}
