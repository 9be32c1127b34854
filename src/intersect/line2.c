/* Lines and segments in the plane. J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast
 * Robust Geometric Predicates", 1997: which side of a line a point is on, exactly. What is printed elsewhere
 * divides by a cross product unless that is below some fixed number (B. Kenwright, "Collision Detection"
 * workshop, section 5: 1e-6): crossing segments of a tenth of a millimetre are parallel then, and parallel
 * lines are not distinguished from collinear ones. Here the sign of each area decides, and parameters are
 * ratios of areas. */
#include "sidle/intersect/line.h"

#include "base/exact.h"
#include "intersect/finite.h"

static bool is_finite(const sidle_segment2 *p)
{
    return nothing_of(p->a.x) + nothing_of(p->a.y) + nothing_of(p->b.x) + nothing_of(p->b.y) == 0;
}

static bool same(sidle_dvec2 a, sidle_dvec2 b)
{
    return a.x == b.x && a.y == b.y;
}

/* By x, then by y: along any one line this is one of its directions. */
static bool comes_before(sidle_dvec2 a, sidle_dvec2 b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* Twice the signed area of the segment and a point: the side of its line, exactly. */
static double side(const sidle_segment2 *p, sidle_dvec2 point)
{
    return exact_orient2d(p->a.x, p->a.y, p->b.x, p->b.y, point.x, point.y);
}

/* (p.b - p.a) x (q.b - q.a). */
static double turn(const sidle_segment2 *p, const sidle_segment2 *q)
{
    return exact_det2(exact_difference(p->b.x, p->a.x), exact_difference(p->b.y, p->a.y),
                      exact_difference(q->b.x, q->a.x), exact_difference(q->b.y, q->a.y));
}

/* The point at s; an end in its own bits. */
static sidle_dvec2 at(const sidle_segment2 *p, double s)
{
    if (s == 1)
    {
        return p->b;
    }
    return (sidle_dvec2){p->a.x + s * (p->b.x - p->a.x), p->a.y + s * (p->b.y - p->a.y)};
}

/* Where a point of the segment's line lies along it. Along the longer side of the segment; within [0, 1] for
 * a point between the ends, since rounding keeps order. */
static double along(const sidle_segment2 *p, sidle_dvec2 point)
{
    double x = p->b.x - p->a.x, y = p->b.y - p->a.y;
    if (x == 0 && y == 0)
    {
        return 0;
    }
    return fabs(x) >= fabs(y) ? (point.x - p->a.x) / x : (point.y - p->a.y) / y;
}

static void write_point(sidle_meeting2 *out, double s, double t, sidle_dvec2 point)
{
    if (out)
    {
        *out = (sidle_meeting2){{s, s}, {t, t}, {point, point}};
    }
}

/* Midway between the points of both segments, unless one of them is an end of its segment. */
static void write_crossing(const sidle_segment2 *p, double s, const sidle_segment2 *q, double t,
                           sidle_meeting2 *out)
{
    sidle_dvec2 on_p = at(p, s), on_q = at(q, t);
    bool end_of_p = s == 0 || s == 1, end_of_q = t == 0 || t == 1;
    sidle_dvec2 middle = {.5 * (on_p.x + on_q.x), .5 * (on_p.y + on_q.y)};
    write_point(out, s, t, end_of_p == end_of_q ? middle : end_of_p ? on_p : on_q);
}

/* One of them is a point: whether it lies on the other's line. */
static sidle_line_case point_on_line(const sidle_segment2 *p, const sidle_segment2 *q, sidle_meeting2 *out)
{
    bool p_is_point = same(p->a, p->b), q_is_point = same(q->a, q->b);
    bool lies_on = p_is_point && q_is_point ? same(p->a, q->a)
                   : p_is_point             ? side(q, p->a) == 0
                                            : side(p, q->a) == 0;
    if (!lies_on)
    {
        return SIDLE_LINES_APART;
    }
    sidle_dvec2 point = p_is_point ? p->a : q->a;
    write_point(out, along(p, point), along(q, point), point);
    return SIDLE_LINES_POINT;
}

sidle_line_case sidle_line2_line2(const sidle_segment2 *p, const sidle_segment2 *q, sidle_meeting2 *out)
{
    if (!is_finite(p) || !is_finite(q))
    {
        return SIDLE_LINES_NONE;
    }
    if (same(p->a, p->b) || same(q->a, q->b))
    {
        return point_on_line(p, q, out);
    }
    double angle = turn(p, q);
    if (angle == 0)
    {
        return side(p, q->a) == 0 ? SIDLE_LINES_COLLINEAR : SIDLE_LINES_PARALLEL;
    }
    /* p.a + s (p.b - p.a) is on q's line where the areas cancel: side(q, p.a) + s angle' = 0. */
    write_crossing(p, 0 - side(q, p->a) / turn(q, p), q, 0 - side(p, q->a) / angle, out);
    return SIDLE_LINES_CROSSING;
}

/* Both on one line: from where the later begins to where the earlier ends. */
static bool share_stretch(const sidle_segment2 *p, const sidle_segment2 *q, sidle_meeting2 *out)
{
    bool p_forward = comes_before(p->a, p->b), q_forward = comes_before(q->a, q->b);
    sidle_dvec2 p_low = p_forward ? p->a : p->b, p_high = p_forward ? p->b : p->a;
    sidle_dvec2 q_low = q_forward ? q->a : q->b, q_high = q_forward ? q->b : q->a;
    sidle_dvec2 low = comes_before(p_low, q_low) ? q_low : p_low;
    sidle_dvec2 high = comes_before(q_high, p_high) ? q_high : p_high;
    if (comes_before(high, low))
    {
        return false;
    }
    if (out)
    {
        *out =
            (sidle_meeting2){{along(p, low), along(p, high)}, {along(q, low), along(q, high)}, {low, high}};
    }
    return true;
}

/* The line of q passes between the ends of p, or through one of them. */
static bool has_on_both_sides(double at_a, double at_b)
{
    return (at_a >= 0 && at_b <= 0) || (at_a <= 0 && at_b >= 0);
}

sidle_line_case sidle_segment2_segment2(const sidle_segment2 *p, const sidle_segment2 *q, sidle_meeting2 *out)
{
    if (!is_finite(p) || !is_finite(q))
    {
        return SIDLE_LINES_NONE;
    }
    double p_a = side(q, p->a), p_b = side(q, p->b), q_a = side(p, q->a), q_b = side(p, q->b);
    bool is_point = same(p->a, p->b) || same(q->a, q->b);
    if (p_a == 0 && p_b == 0 && q_a == 0 && q_b == 0)
    {
        return !share_stretch(p, q, out) ? SIDLE_LINES_APART
               : is_point                ? SIDLE_LINES_POINT
                                         : SIDLE_LINES_COLLINEAR;
    }
    if (is_point)
    {
        return SIDLE_LINES_APART;
    }
    if (has_on_both_sides(p_a, p_b) && has_on_both_sides(q_a, q_b))
    {
        /* Of two areas of different sign the difference does not cancel. */
        write_crossing(p, p_a / (p_a - p_b), q, q_a / (q_a - q_b), out);
        return SIDLE_LINES_CROSSING;
    }
    return turn(p, q) == 0 ? SIDLE_LINES_PARALLEL : SIDLE_LINES_APART;
}
