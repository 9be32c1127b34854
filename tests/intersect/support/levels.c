#include "intersect/support/levels.h"
#include "intersect/support/number.h"

#include <stdlib.h>
#include <string.h>

/* ---- drawings ---- */

static Vector drawn_place(Random *random, bool lattice)
{
    double at[3];
    for (int k = 0; k < 3; ++k)
    {
        at[k] = lattice ? (double)random_below(random, 4) - 1 : random_between(random, -1, 1);
    }
    return vector(at[0], at[1], at[2]);
}

/* A corner of b onto a: into its plane, onto an edge, onto a corner. */
static Vector drawn_onto(Random *random, const Vector a[3])
{
    double s = random_unit(random), t = random_unit(random);
    Vector one = vector_sub(a[1], a[0]), other = vector_sub(a[2], a[0]);
    switch (random_below(random, 4))
    {
    case 0:
        return a[random_below(random, 3)];
    case 1:
        return vector_along(a[0], .5, one);
    case 2:
        return vector_along(a[1], s, vector_sub(a[2], a[1]));
    default:
        return vector_along(vector_along(a[0], s, one), t * (1 - s), other);
    }
}

static double shaken(Random *random, double number)
{
    int steps = (int)random_below(random, 5) - 2;
    for (int i = 0; number != 0 && i < abs(steps); ++i)
    {
        number = nextafter(number, steps > 0 ? 99 : -99);
    }
    return number;
}

static void make_needle(Random *random, Vector corners[3])
{
    Vector displacement = vector_sub(corners[1], corners[0]), off = random_direction(random);
    double width = random_scale(random, 1e-17, 1e-3);
    corners[2] = vector_along(vector_along(corners[0], random_unit(random), displacement), width, off);
}

TrianglePair triangles_drawn(Random *random)
{
    TrianglePair pair;
    double numbers[18];
    bool lattice = random_chance(random, .45);
    for (int i = 0; i < 3; ++i)
    {
        pair.a[i] = drawn_place(random, lattice);
        pair.b[i] = drawn_place(random, lattice);
    }
    if (!lattice && random_chance(random, .3))
    {
        make_needle(random, pair.a);
        make_needle(random, pair.b);
    }
    for (int i = 0; i < 3 && random_chance(random, .6); ++i)
    {
        pair.b[i] = drawn_onto(random, pair.a);
    }
    if (random_chance(random, .1))
    {
        double scale = random_scale(random, 1e-12, 1);
        for (int i = 0; i < 3; ++i)
        {
            pair.b[i] = vector_along(pair.a[0], scale, vector_sub(pair.b[i], pair.a[0]));
        }
    }
    memcpy(numbers, &pair, sizeof numbers);
    bool shake = random_chance(random, .3), far = random_chance(random, .1);
    for (int i = 0; i < 18; ++i)
    {
        numbers[i] = shake ? shaken(random, numbers[i]) : numbers[i];
        numbers[i] = far ? numbers[i] + 1e5 : numbers[i];
    }
    memcpy(&pair, numbers, sizeof numbers);
    return pair;
}

/* ---- by brute force ---- */

static Number turn3(Vector a, Vector b, Vector c, Vector d)
{
    NumberVector origin = number_vector(a);
    NumberVector p = number_vector_sub(number_vector(b), origin);
    NumberVector q = number_vector_sub(number_vector(c), origin);
    NumberVector r = number_vector_sub(number_vector(d), origin);
    return number_dot(number_cross(p, q), r);
}

static bool has_area(const Vector t[3])
{
    NumberVector p = number_vector_sub(number_vector(t[1]), number_vector(t[0]));
    NumberVector q = number_vector_sub(number_vector(t[2]), number_vector(t[0]));
    return number_sign(number_length(number_cross(p, q))) > 0;
}

static NumberVector normal_of(const Vector t[3])
{
    NumberVector p = number_vector_sub(number_vector(t[1]), number_vector(t[0]));
    NumberVector q = number_vector_sub(number_vector(t[2]), number_vector(t[0]));
    return number_cross(p, q);
}

/* Closed: whether a point of the triangle's plane, in long numbers, is inside. */
static bool is_inside(NumberVector point, const Vector t[3])
{
    NumberVector normal = normal_of(t);
    for (int i = 0; i < 3; ++i)
    {
        NumberVector corner = number_vector(t[i]);
        NumberVector edge = number_vector_sub(number_vector(t[(i + 1) % 3]), corner);
        NumberVector displacement = number_vector_sub(point, corner);
        if (number_sign(number_dot(number_cross(edge, displacement), normal)) < 0)
        {
            return false;
        }
    }
    return true;
}

typedef struct Points
{
    NumberVector at[24];
    int count;
} Points;

static void note_if_inside(Points *points, NumberVector point, const Vector t[3])
{
    if (is_inside(point, t))
    {
        points->at[points->count++] = point;
    }
}

/* Whether a point p + t (q - p) with the exact t = from / (from - to) is inside is asked without rounding:
 * multiplied by the denominator nothing but sums and products remain, of at most 10 doubles, which 2,200 bits
 * hold for what is drawn here. The point itself is rounded at 2,200 bits. */
static bool is_inside_between(Vector p, Vector q, Number from, Number to, const Vector t[3])
{
    NumberVector normal = normal_of(t), start = number_vector(p);
    NumberVector displacement = number_vector_sub(number_vector(q), start);
    Number whole = number_sub(from, to);
    int side = number_sign(whole);
    for (int i = 0; i < 3; ++i)
    {
        NumberVector corner = number_vector(t[i]);
        NumberVector edge = number_vector_sub(number_vector(t[(i + 1) % 3]), corner);
        NumberVector offset = number_vector_add(number_vector_scale(number_vector_sub(start, corner), whole),
                                                number_vector_scale(displacement, from));
        if (number_sign(number_dot(number_cross(edge, offset), normal)) * side < 0)
        {
            return false;
        }
    }
    return true;
}

static void note_edges(Points *points, const Vector one[3], const Vector other[3])
{
    for (int i = 0; i < 3; ++i)
    {
        Vector p = one[i], q = one[(i + 1) % 3];
        Number from = turn3(other[0], other[1], other[2], p), to = turn3(other[0], other[1], other[2], q);
        if (number_sign(from) == 0)
        {
            note_if_inside(points, number_vector(p), other);
        }
        if (number_sign(from) * number_sign(to) < 0 && is_inside_between(p, q, from, to, other))
        {
            NumberVector start = number_vector(p), displacement = number_vector_sub(number_vector(q), start);
            Number share = number_div(from, number_sub(from, to));
            points->at[points->count++] = number_vector_add(start, number_vector_scale(displacement, share));
        }
    }
}

static Vector rounded(NumberVector v)
{
    return vector(number_double(v.x), number_double(v.y), number_double(v.z));
}

/* Of triangles in one plane: no line along an edge has one on either side. */
static bool flats_meet(const Vector one[3], const Vector other[3])
{
    NumberVector normal = normal_of(one);
    int side = number_sign(number_dot(normal, normal));
    for (int i = 0; i < 3; ++i)
    {
        NumberVector corner = number_vector(one[i]);
        NumberVector edge = number_vector_sub(number_vector(one[(i + 1) % 3]), corner);
        int outside = 0;
        for (int k = 0; k < 3; ++k)
        {
            NumberVector displacement = number_vector_sub(number_vector(other[k]), corner);
            outside += number_sign(number_dot(number_cross(edge, displacement), normal)) * side < 0;
        }
        if (outside == 3)
        {
            return false;
        }
    }
    return true;
}

static void find_ends(PreciseCrossing *out, const Points *points)
{
    Number most = number_of(-1);
    for (int i = 0; i < points->count; ++i)
    {
        for (int j = i; j < points->count; ++j)
        {
            Number length = number_length(number_vector_sub(points->at[j], points->at[i]));
            if (number_sign(number_sub(length, most)) > 0)
            {
                most = length;
                out->ends[0] = rounded(points->at[i]);
                out->ends[1] = rounded(points->at[j]);
            }
        }
    }
    out->crosses = points->count > 0;
    out->one_point = points->count > 0 && number_double(most) < 0x1p-1000; /* roots and quotients round */
}

PreciseCrossing precise_crossing(const TrianglePair *pair)
{
    PreciseCrossing out = {.crosses = false};
    Points points = {.count = 0};
    number_begin();
    if (!has_area(pair->a) || !has_area(pair->b))
    {
        return out;
    }
    out.coplanar = true;
    for (int i = 0; i < 3; ++i)
    {
        out.coplanar =
            out.coplanar && number_sign(turn3(pair->a[0], pair->a[1], pair->a[2], pair->b[i])) == 0;
    }
    if (out.coplanar)
    {
        out.crosses = flats_meet(pair->a, pair->b) && flats_meet(pair->b, pair->a);
        return out;
    }
    note_edges(&points, pair->a, pair->b);
    note_edges(&points, pair->b, pair->a);
    find_ends(&out, &points);
    return out;
}

double precise_from_edge(Vector point, Vector from, Vector to)
{
    number_begin();
    NumberVector start = number_vector(from), displacement = number_vector_sub(number_vector(to), start);
    NumberVector away = number_vector_sub(number_vector(point), start);
    Number square = number_dot(displacement, displacement), share = number_of(0);
    if (number_sign(square) > 0)
    {
        share = number_clamp(number_div(number_dot(away, displacement), square), 0, 1);
    }
    return number_double(number_length(number_vector_sub(away, number_vector_scale(displacement, share))));
}

/* ---- as printed ---- */

static double at(Vector v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

bool printed_segment_crosses(Vector from, Vector to, const Vector t[3])
{
    Vector a = vector_sub(t[1], t[0]), b = vector_sub(t[2], t[0]), normal = vector_cross(a, b);
    double along = vector_dot(normal, vector_sub(to, from));
    if (along == 0)
    {
        return false;
    }
    double s = vector_dot(normal, vector_sub(t[0], from)) / along;
    Vector d = vector_sub(vector_along(from, s, vector_sub(to, from)), t[0]);
    int drop = fabs(normal.x) > fabs(normal.y) ? 0 : 1, x, y;
    drop = fabs(normal.z) > fabs(at(normal, drop)) ? 2 : drop;
    x = (drop + 1) % 3;
    y = (drop + 2) % 3;
    double whole = at(a, x) * at(b, y) - at(a, y) * at(b, x);
    double r = (at(d, x) * at(b, y) - at(d, y) * at(b, x)) / whole;
    double u = (at(a, x) * at(d, y) - at(a, y) * at(d, x)) / whole;
    return s >= 0 && s <= 1 && r >= 0 && u >= 0 && r + u < 1;
}

bool printed_box_crosses(Vector low, Vector high, const Vector triangle[3])
{
    for (int i = 0; i < 12; ++i)
    {
        int axis = i / 4, one = (axis + 1) % 3, other = (axis + 2) % 3;
        double from[3], to[3];
        from[axis] = at(low, axis);
        to[axis] = at(high, axis);
        from[one] = to[one] = at(i & 1 ? high : low, one);
        from[other] = to[other] = at(i & 2 ? high : low, other);
        if (printed_segment_crosses(vector(from[0], from[1], from[2]), vector(to[0], to[1], to[2]), triangle))
        {
            return true;
        }
    }
    return false;
}
