/* A box beside a triangle, by separating axes: S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996: the faces of the box, that of the
 * triangle, and the cross products of their edges. Two polytopes overlap if no such axis separates them, and the shortest displacement
 * that parts them is along one of them, since these are the faces of their Minkowski difference. */
#include "query/box.h"

#include "sidle/crowd.h"

#include <math.h>

/* Nearer, as a share of the box, the axis is more exact than the points: they err by 2^-53 of their size, which turns a direction over
 * this distance by 1e-10. */
#define NO_DISTANCE 1e-6

static const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* ---- whether they overlap ---- */

static bool is_over_box(const Vec3 v[3], Vec3 axis, double reach)
{
    double a = vec3_dot(axis, v[0]), b = vec3_dot(axis, v[1]), c = vec3_dot(axis, v[2]);
    return larger(larger(a, b), c) < -reach || lesser(lesser(a, b), c) > reach;
}

bool sidle_box_overlaps_triangle(const Vec3 v[3])
{
    Vec3 edges[3] = {vec3_sub(v[1], v[0]), vec3_sub(v[2], v[1]), vec3_sub(v[0], v[2])};
    Vec3 normal = vec3_cross(edges[0], edges[1]), size = vec3_abs(normal);
    bool apart = is_over_box(v, normal, size.x + size.y + size.z);
    for (int i = 0; i < 3 && !apart; ++i)
    {
        apart = is_over_box(v, unit[i], 1);
        for (int j = 0; j < 3 && !apart; ++j)
        {
            Vec3 across = vec3_cross(unit[i], edges[j]);
            size = vec3_abs(across);
            apart = is_over_box(v, across, size.x + size.y + size.z); /* mutant: box_without_edges */
        }
    }
    return !apart;
}

/* ---- along which axis they are farthest apart ---- */

typedef struct Parting
{
    double gap; /* below 0: they overlap */
    Vec3 normal;
} Parting;

/* `least`: squared length below which the axis has no direction, as FLAT_SINE. */
static void try_axis(const Vec3 v[3], Vec3 half, Vec3 axis, double least, Parting *best)
{
    double size2 = vec3_length2(axis);
    if (size2 <= least)
    {
        return;
    }
    Vec3 n = vec3_scale(axis, 1 / sqrt(size2));
    double a = vec3_dot(n, v[0]), b = vec3_dot(n, v[1]), c = vec3_dot(n, v[2]);
    double reach = vec3_dot(vec3_abs(n), half), above = -larger(larger(a, b), c) - reach,
           below = lesser(lesser(a, b), c) - reach, gap = larger(above, below);
    if (gap > best->gap) /* mutant: box_depth_of_faces */
    {
        *best = (Parting){gap, above >= below ? n : vec3_scale(n, -1)};
    }
}

static Parting parting_of(const Vec3 v[3], Vec3 half)
{
    Parting best = {-INFINITY, unit[1]};
    Vec3 edges[3] = {vec3_sub(v[1], v[0]), vec3_sub(v[2], v[1]), vec3_sub(v[0], v[2])};
    double long2 = larger(vec3_length2(edges[0]), larger(vec3_length2(edges[1]), vec3_length2(edges[2]))),
           least = long2 * FLAT_SINE * FLAT_SINE;
    try_axis(v, half, vec3_cross(edges[0], edges[1]), long2 * least, &best);
    for (int i = 0; i < 3; ++i)
    {
        try_axis(v, half, unit[i], 0, &best);
        for (int j = 0; j < 3; ++j)
        {
            try_axis(v, half, vec3_cross(unit[i], edges[j]), least, &best);
        }
    }
    return best;
}

/* ---- the closest points ---- */

typedef struct Touch
{
    double distance2;
    Vec3 on_box, on_triangle;
    uint16_t feature;
} Touch;

static void keep_nearer(Touch *best, Vec3 on_box, Vec3 on_triangle, uint16_t feature)
{
    double distance2 = vec3_length2(vec3_sub(on_box, on_triangle));
    if (distance2 < best->distance2)
    {
        *best = (Touch){distance2, on_box, on_triangle, feature};
    }
}

static Vec3 clamped(Vec3 p, Vec3 half)
{
    return vec3_larger(vec3_lesser(p, half), vec3_scale(half, -1));
}

/* Half the derivative of the squared distance to the box along an edge. It grows, and is linear between the planes of the box. */
static double slope_at(Vec3 from, Vec3 edge, double t, Vec3 half)
{
    Vec3 p = vec3_add_scaled(from, edge, t);
    return vec3_dot(edge, vec3_sub(p, clamped(p, half)));
}

/* Narrows [first, last], at whose ends the slope has different signs, to the part where it is linear. */
static void split_at_planes(Vec3 from, Vec3 edge, Vec3 half, double *first, double *last)
{
    const double at[3] = {from.x, from.y, from.z}, by[3] = {edge.x, edge.y, edge.z},
                 to[3] = {half.x, half.y, half.z};
    for (int i = 0; i < 6; ++i)
    {
        int axis = i / 2;
        double t = ((i % 2 ? to[axis] : -to[axis]) - at[axis]) / by[axis]; /* not finite: parallel */
        if (t > *first && t < *last)
        {
            *(slope_at(from, edge, t, half) < 0 ? first : last) = t;
        }
    }
}

static void touch_edge(Vec3 from, Vec3 to, Vec3 half, Touch *best)
{
    Vec3 edge = vec3_sub(to, from);
    double first = 0, last = 1, t = 0;
    if (slope_at(from, edge, 0, half) < 0)
    {
        t = 1;
        if (slope_at(from, edge, 1, half) > 0)
        {
            split_at_planes(from, edge, half, &first, &last);
            double low = slope_at(from, edge, first, half), high = slope_at(from, edge, last, half);
            t = high > low ? first - (last - first) * low / (high - low) : first;
        }
    }
    Vec3 p = t < 1 ? vec3_add_scaled(from, edge, t) : to;
    keep_nearer(best, clamped(p, half), p, t > 0 && t < 1 ? SIDLE_FEATURE_EDGE : SIDLE_FEATURE_VERTEX);
}

/* The closest points of a box and a triangle that do not overlap: those of an edge of the triangle and the box, or of a corner of the
 * box and the triangle. */
static Touch touch_of(const Vec3 v[3], Vec3 half)
{
    Touch best = {.distance2 = INFINITY};
    for (int i = 0; i < 3; ++i)
    {
        touch_edge(v[i], v[(i + 1) % 3], half, &best);
    }
    for (int i = 0; i < 8; ++i)
    {
        Vec3 corner = vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        KernelContact contact = sidle_closest_of_point(v, corner);
        keep_nearer(&best, corner, contact.point, contact.feature);
    }
    return best;
}

KernelContact sidle_contact_of_box(const Vec3 corners[3], Vec3 half)
{
    Parting parting = parting_of(corners, half);
    double depth = lesser(parting.gap, 0);
    Vec3 v[3]; /* moved apart, so that they touch */
    for (int i = 0; i < 3; ++i)
    {
        v[i] = vec3_add_scaled(corners[i], parting.normal, depth);
    }
    Touch touch = touch_of(v, half);
    KernelContact contact = {depth, vec3_add_scaled(touch.on_triangle, parting.normal, -depth),
                             parting.normal, touch.feature};
    double distance = sqrt(touch.distance2);
    if (parting.gap > 0)
    {
        contact.t = distance;
        Vec3 away = vec3_sub(touch.on_box, touch.on_triangle);
        bool is_clear = distance > NO_DISTANCE * vec3_max_component(half);
        contact.normal = is_clear ? vec3_scale(away, 1 / distance) : parting.normal;
    }
    return contact;
}
