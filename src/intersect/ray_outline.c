#include "intersect/ray_outline.h"

/* All seen along one axis, as x and y. */
typedef struct Flat
{
    double corners[3][2], origin[2], target[2]; /* target of a segment */
    double direction[2];                        /* rounded */
    bool is_segment;
} Flat;

/* What has been met so far. */
typedef struct Span
{
    double first, last;
    bool starts, ends; /* something at t >= 0; something at t <= the end, both exactly */
    sidle_feature feature;
} Span;

static void drop_axis(Vec3 from, int axis, double to[2])
{
    const double numbers[3] = {from.x, from.y, from.z};
    to[0] = numbers[(axis + 1) % 3];
    to[1] = numbers[(axis + 2) % 3];
}

static Flat flat_of(const Path *path, const sidle_dtriangle *triangle, Vec3 normal)
{
    Vec3 size = vec3_abs(normal);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    Flat flat = {.is_segment = path->is_segment};
    for (int i = 0; i < 3; ++i)
    {
        drop_axis(vec3_from_position(triangle->corners[i]), axis, flat.corners[i]);
    }
    drop_axis(path->origin, axis, flat.origin);
    drop_axis(path->target, axis, flat.target);
    drop_axis(path->direction, axis, flat.direction);
    return flat;
}

static double side_of(const double a[2], const double b[2], const double c[2])
{
    return exact_orient2d(a[0], a[1], b[0], b[1], c[0], c[1]);
}

/* The side of the path's line that corner i is on. */
static double corner_side(const Flat *flat, int i)
{
    const double *corner = flat->corners[i];
    if (flat->is_segment)
    {
        return side_of(flat->origin, flat->target, corner);
    }
    return exact_det2(exact_of(flat->direction[0]), exact_of(flat->direction[1]),
                      exact_difference(corner[0], flat->origin[0]),
                      exact_difference(corner[1], flat->origin[1]));
}

static void note(Span *span, double t, bool starts, bool ends, uint16_t kind, int index)
{
    if (!(span->first <= t))
    {
        span->first = t;
        span->feature = (sidle_feature){kind, (uint16_t)index};
    }
    span->last = larger(span->last, t);
    span->starts = span->starts || starts;
    span->ends = span->ends || ends;
}

/* A corner on the line: along the axis that the path is longest in. */
static void note_corner(const Flat *flat, int i, Span *span)
{
    int axis = fabs(flat->direction[0]) >= fabs(flat->direction[1]) ? 0 : 1;
    double at = flat->corners[i][axis], direction = flat->direction[axis];
    double left = direction > 0 ? flat->target[axis] - at : at - flat->target[axis];
    double t = (at - flat->origin[axis]) / direction;
    note(span, t, t >= 0, !flat->is_segment || left >= 0, SIDLE_FEATURE_VERTEX, i);
}

/* An edge whose ends are on different sides of the line. */
static void note_edge(const Flat *flat, int i, double begin_side, double end_side, Span *span)
{
    const double *begin = flat->corners[i], *end = flat->corners[(i + 1) % 3];
    double from_origin = side_of(begin, end, flat->origin), fall = end_side - begin_side;
    bool starts = from_origin == 0 || (from_origin > 0) == (fall > 0), ends = true;
    double t = from_origin / fall;
    if (flat->is_segment)
    {
        double from_target = side_of(begin, end, flat->target);
        ends = from_target == 0 || (from_target > 0) == (fall < 0);
        t = starts && ends && from_origin != 0 ? from_origin / (from_origin - from_target) : t;
    }
    note(span, t + 0, starts, ends, SIDLE_FEATURE_EDGE, i);
}

/* Weights of the corners at a point that is in the triangle but for rounding. */
static void weigh(const Flat *flat, const double point[2], double weights[3])
{
    double turn = side_of(flat->corners[0], flat->corners[1], flat->corners[2]), sum = 0;
    for (int i = 0; i < 3; ++i)
    {
        double part = side_of(flat->corners[(i + 1) % 3], flat->corners[(i + 2) % 3], point) / turn;
        weights[i] = part > 0 ? part : 0;
        sum += weights[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        weights[i] = sum > 0 ? weights[i] / sum : 0;
    }
}

/* A segment of no length: within the triangle, edges included. */
static bool point_meets(const Flat *flat, sidle_ray_hit *hit)
{
    bool positive = false, negative = false;
    for (int i = 0; i < 3; ++i)
    {
        double side = side_of(flat->corners[i], flat->corners[(i + 1) % 3], flat->origin);
        positive = positive || side > 0;
        negative = negative || side < 0;
    }
    hit->t_exit = 1;
    weigh(flat, flat->origin, hit->barycentric);
    return !(positive && negative);
}

bool sidle_outline_meet(const Path *path, const sidle_dtriangle *triangle, Vec3 normal, sidle_ray_hit *hit)
{
    Flat flat = flat_of(path, triangle, normal);
    if (vec3_is_zero(path->direction))
    {
        double height = exact_orient3d_sign(vec3_from_position(triangle->corners[0]),
                                            vec3_from_position(triangle->corners[1]),
                                            vec3_from_position(triangle->corners[2]), path->origin);
        return height == 0 && point_meets(&flat, hit);
    }
    Span span = {.first = INFINITY, .last = -INFINITY};
    double sides[3] = {corner_side(&flat, 0), corner_side(&flat, 1), corner_side(&flat, 2)};
    for (int i = 0; i < 3; ++i)
    {
        double begin = sides[i], end = sides[(i + 1) % 3];
        if (begin == 0)
        {
            note_corner(&flat, i, &span);
        }
        if ((begin > 0 && end < 0) || (begin < 0 && end > 0))
        {
            note_edge(&flat, i, begin, end, &span);
        }
    }
    if (!span.starts || !span.ends)
    {
        return false;
    }
    hit->t = larger(span.first, 0);
    hit->t_exit = larger(lesser(span.last, path->end), hit->t);
    hit->feature = span.first >= 0 ? span.feature : (sidle_feature){SIDLE_FEATURE_FACE, 0};
    double point[2] = {flat.origin[0] + hit->t * flat.direction[0],
                       flat.origin[1] + hit->t * flat.direction[1]};
    weigh(&flat, point, hit->barycentric);
    return true;
}
