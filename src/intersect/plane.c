/* Planes: from a point and a normal, from three points, and what is asked of them. After K. Fauerby,
 * "Improved Collision Detection and Response", 2003, appendix B.
 *
 * Departs from it: the normal of three points comes from a cross product of twice the precision, and where
 * even that could be rounding (the points all but on a line) from an exact one, so "no area" is a fact and
 * not a guess by an epsilon; distances are rounded once, at the end. Exact sums: J. Shewchuk, "Adaptive
 * Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997, section 2.4. */
#include "sidle/intersect/plane.h"

#include "intersect/direction.h"
#include "intersect/plane_distance.h"

/* ---- the cross product of two edges ---- */

/* The cross product errs by at most 20 u^2 of the products that it is the difference of. Above this part of
 * them, 2^13 u, it is right to 20 u^2 / (2^13 u) < u / 400. */
static const double trusted_part = 0x1p-40;

#define TERMS 12 /* six products of two doubles, each exact as a sum of two */

/* Adds a double to a sum of doubles that do not overlap, smallest first, exactly. */
static void add_to(double terms[TERMS], int count, double added)
{
    for (int i = 0; i < count; ++i)
    {
        Twofold sum = exact_sum(added, terms[i]);
        terms[i] = sum.low;
        added = sum.high;
    }
    terms[count] = added;
}

/* Twice the area of the triangle (ax, ay) (bx, by) (cx, cy): its sign exact, itself to 2 u. */
static double exact_area(double ax, double ay, double bx, double by, double cx, double cy)
{
    const Twofold products[TERMS / 2] = {exact_product(ax, by),  exact_product(bx, cy),
                                         exact_product(cx, ay),  exact_product(-ay, bx),
                                         exact_product(-by, cx), exact_product(-cy, ax)};
    double terms[TERMS], area = 0;
    for (int i = 0; i < TERMS / 2; ++i)
    {
        add_to(terms, 2 * i, products[i].low);
        add_to(terms, 2 * i + 1, products[i].high);
    }
    for (int i = 0; i < TERMS; ++i)
    {
        area += terms[i];
    }
    return area;
}

static Vec3 exact_area_vector(Vec3 a, Vec3 b, Vec3 c)
{
    return vec3(exact_area(a.y, a.z, b.y, b.z, c.y, c.z), exact_area(a.z, a.x, b.z, b.x, c.z, c.x),
                exact_area(a.x, a.y, b.x, b.y, c.x, c.y));
}

/* (b - a) x (c - a), to 3 u of its length; zero only if it is. */
static Vec3 area_vector(Vec3 a, Vec3 b, Vec3 c)
{
    Twofold3 first = twofold3_difference(b, a), second = twofold3_difference(c, a);
    Vec3 area = twofold3_high(twofold3_cross(first, second));
    Vec3 f = vec3_abs(twofold3_high(first)), s = vec3_abs(twofold3_high(second));
    Vec3 products = vec3(f.y * s.z + f.z * s.y, f.z * s.x + f.x * s.z, f.x * s.y + f.y * s.x);
    bool trusted = vec3_max_component(vec3_abs(area)) > trusted_part * vec3_max_component(products);
    return trusted ? area : exact_area_vector(a, b, c);
}

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
        *out = (sidle_plane){{unit.x, unit.y, unit.z}, exact_dot(unit, point).high};
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
    Vec3 area = area_vector(p, q, r);
    return plane_through(p, turned ? vec3_scale(area, -1) : area, out);
}

/* ---- questions ---- */

double sidle_plane_distance(const sidle_plane *plane, sidle_position point)
{
    return plane_distance(plane, vec3_from_position(point)).high;
}

bool sidle_plane_is_front_facing(const sidle_plane *plane, sidle_dvec3 direction)
{
    Vec3 way = vec3_from_position(direction);
    return !vec3_is_zero(way) && exact_dot(vec3_from_position(plane->normal), way).high <= 0;
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
    return position_from(vec3_add_scaled(v, normal, -exact_dot(normal, v).high));
}
