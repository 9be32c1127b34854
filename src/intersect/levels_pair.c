/* Two triangles: P. Guigue, O. Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation
 * Predicates", 2003, sections 3 and 4. Each triangle that reaches both sides of the other's plane has one
 * corner alone on its side; the two edges from there cut an interval from the line of both planes. The ends
 * of two intervals are ordered by the sign of the determinant of the two edges they are on. Departures:
 *
 * - The order is read off the sides, not from permuted corners, so that each end keeps the name of its edge.
 * - Signs are exact, and so are the heights from which points are computed, to 2 u of themselves: a point is
 *   right to a few u of the edge's length, also on needles and between planes that are all but parallel.
 * - In one plane: a corner in the other triangle, or two edges that cross, exactly, and a point to show. */
#include "intersect/levels_pair.h"
#include "base/exact.h"

#include <string.h>

/* Of the interval that a triangle cuts: each on an edge that leaves the lone corner. */
typedef struct Ends
{
    const Vec3 *corners;
    int lone, to[2];     /* corners: the edges run from lone to to[0], to[1], in the order along the line */
    double heights[3];   /* of the corners above the other's plane; their signs are right */
    double side;         /* of the lone corner: 1 or -1 */
    const Vec3 *against; /* the other triangle */
} Ends;

static int sign_of(double a)
{
    return (a > 0) - (a < 0);
}

/* The signs of a triangle's corners against another's plane; false if all are on one side. */
static bool find_heights(Ends *ends, const Vec3 corners[3], const Vec3 against[3])
{
    int above = 0, below = 0;
    ends->corners = corners;
    ends->against = against;
    for (int i = 0; i < 3; ++i)
    {
        ends->heights[i] = exact_orient3d_sign(against[0], against[1], against[2], corners[i]);
        above += ends->heights[i] > 0;
        below += ends->heights[i] < 0;
    }
    return above < 3 && below < 3;
}

static bool is_in_plane(const Ends *ends)
{
    return ends->heights[0] == 0 && ends->heights[1] == 0 && ends->heights[2] == 0;
}

/* The corner that is alone on its side; on the plane itself if the others are on one side of it. */
static void find_lone(Ends *ends)
{
    for (int i = 0; i < 3; ++i)
    {
        int own = sign_of(ends->heights[i]), next = sign_of(ends->heights[(i + 1) % 3]),
            last = sign_of(ends->heights[(i + 2) % 3]);
        bool alone = own != 0 ? next != own && last != own : next == last && next != 0;
        if (alone)
        {
            ends->lone = i;
            ends->side = own != 0 ? own : -next;
            return;
        }
    }
}

/* Which of the two edges comes first along the line of both planes, `forward` being the direction in which
 * edges are compared (order_of). */
static void order_ends(Ends *ends, bool forward)
{
    ends->to[0] = (ends->lone + (forward ? 1 : 2)) % 3;
    ends->to[1] = (ends->lone + (forward ? 2 : 1)) % 3;
}

/* Whether end `i` of a comes after end `j` of b: 1, before: -1, or is the same point: 0. Where the lone
 * corner of a is above b's plane, z = 0, and the one of b beyond a's, y = 0, their determinant has the sign
 * of the difference along x. */
static int order_of(const Ends *a, int i, const Ends *b, int j)
{
    return sign_of(exact_orient3d_sign(a->corners[a->lone], a->corners[a->to[i]], b->corners[b->lone],
                                       b->corners[b->to[j]]));
}

static int edge_between(int from, int to)
{
    return (from + 1) % 3 == to ? from : to;
}

/* Where an edge, given by its ends' heights, which have different signs or are 0, is at height 0. */
static Vec3 place_between(Vec3 from, Vec3 to, double height_from, double height_to)
{
    double t = height_from / (height_from - height_to);
    if (height_from == 0 || height_to == 0)
    {
        return height_from == 0 ? from : to;
    }
    return vec3_add_scaled(from, vec3_sub(to, from), t);
}

static sidle_crossing_end end_of(const Ends *ends, int i, uint32_t owner)
{
    int lone = ends->lone, to = ends->to[i];
    const Vec3 *plane = ends->against;
    double height_lone = ends->heights[lone], height_to = ends->heights[to];
    if (height_lone != 0 && height_to != 0) /* so far only their signs are right */
    {
        height_lone = exact_orient3d(plane[0], plane[1], plane[2], ends->corners[lone]);
        height_to = exact_orient3d(plane[0], plane[1], plane[2], ends->corners[to]);
    }
    Vec3 place = place_between(ends->corners[lone], ends->corners[to], height_lone, height_to);
    return (sidle_crossing_end){{place.x, place.y, place.z}, owner, (uint32_t)edge_between(lone, to)};
}

/* Whether an interval is no longer than a point: both ends in the lone corner. */
static bool is_point(const Ends *ends)
{
    return ends->heights[ends->lone] == 0;
}

static bool intervals_cross(const Ends *a, const Ends *b, sidle_crossing *out)
{
    int first_to_last = order_of(a, 0, b, 1), last_to_first = order_of(a, 1, b, 0);
    if (first_to_last > 0 || last_to_first < 0)
    {
        return false;
    }
    if (!out)
    {
        return true;
    }
    bool begins_in_a = order_of(a, 0, b, 0) >= 0, ends_in_a = order_of(a, 1, b, 1) <= 0;
    bool one_point = begins_in_a == ends_in_a ? is_point(begins_in_a ? a : b)
                                              : (begins_in_a ? first_to_last : last_to_first) == 0;
    out->kind = one_point ? SIDLE_CROSSING_POINT : SIDLE_CROSSING_SEGMENT;
    out->ends[0] = begins_in_a ? end_of(a, 0, 0) : end_of(b, 0, 1);
    out->ends[1] = one_point ? out->ends[0] : ends_in_a ? end_of(a, 1, 0) : end_of(b, 1, 1);
    return true;
}

/* ---- In one plane ---- */

/* Both, seen along an axis of space that the plane does not contain. */
typedef struct Flat
{
    double x[2][3], y[2][3];
} Flat;

static double area(const Vec3 *corners, int axis)
{
    double x[3], y[3];
    for (int i = 0; i < 3; ++i)
    {
        x[i] = axis == 0 ? corners[i].y : corners[i].x;
        y[i] = axis == 2 ? corners[i].y : corners[i].z;
    }
    return exact_orient2d(x[0], y[0], x[1], y[1], x[2], y[2]);
}

/* The axis along which a triangle looks largest; -1 if it has no area. */
static int widest_axis(const Vec3 *corners)
{
    int widest = -1;
    double most = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double size = fabs(area(corners, axis));
        widest = size > most ? axis : widest;
        most = larger(size, most);
    }
    return widest;
}

static double turn(const Flat *flat, int one, int i, int j, int other, int k)
{
    return exact_orient2d(flat->x[one][i], flat->y[one][i], flat->x[one][j], flat->y[one][j],
                          flat->x[other][k], flat->y[other][k]);
}

static bool has_inside(const Flat *flat, int one, int other, int corner)
{
    bool left = true, right = true;
    for (int i = 0; i < 3; ++i)
    {
        double side = turn(flat, one, i, (i + 1) % 3, other, corner);
        left = left && side >= 0; /* mutant: one_sided_sheet */
        right = right && side <= 0;
    }
    return left || right;
}

static bool edges_cross(const Flat *flat, int i, int j)
{
    int next_i = (i + 1) % 3, next_j = (j + 1) % 3;
    return sign_of(turn(flat, 0, i, next_i, 1, j)) * sign_of(turn(flat, 0, i, next_i, 1, next_j)) < 0 &&
           sign_of(turn(flat, 1, j, next_j, 0, i)) * sign_of(turn(flat, 1, j, next_j, 0, next_i)) < 0;
}

static void tell_flat(sidle_crossing *out, Vec3 place, int owner, int edge)
{
    if (out)
    {
        out->kind = SIDLE_CROSSING_COPLANAR;
        out->ends[0] = (sidle_crossing_end){{place.x, place.y, place.z}, (uint32_t)owner, (uint32_t)edge};
        out->ends[1] = out->ends[0];
    }
}

static bool flats_cross(const Vec3 *const corners[2], int axis, sidle_crossing *out)
{
    Flat flat;
    for (int i = 0; i < 6; ++i)
    {
        Vec3 corner = corners[i / 3][i % 3];
        flat.x[i / 3][i % 3] = axis == 0 ? corner.y : corner.x;
        flat.y[i / 3][i % 3] = axis == 2 ? corner.y : corner.z;
    }
    for (int i = 0; i < 6; ++i)
    {
        if (has_inside(&flat, 1 - i / 3, i / 3, i % 3))
        {
            tell_flat(out, corners[i / 3][i % 3], i / 3, i % 3);
            return true;
        }
    }
    for (int i = 0; i < 9; ++i)
    {
        int edge = i / 3, other = i % 3, next = (edge + 1) % 3;
        if (edges_cross(&flat, edge, other))
        {
            double from = turn(&flat, 1, other, (other + 1) % 3, 0, edge);
            double to = turn(&flat, 1, other, (other + 1) % 3, 0, next);
            tell_flat(out, place_between(corners[0][edge], corners[0][next], from, to), 0, edge);
            return true;
        }
    }
    return false;
}

/* ---- Both ---- */

static bool ordered_cross(const Vec3 a[3], const Vec3 b[3], sidle_crossing *out)
{
    Ends of_a, of_b;
    if (!find_heights(&of_a, a, b) || !find_heights(&of_b, b, a))
    {
        return false;
    }
    if (is_in_plane(&of_a) || is_in_plane(&of_b))
    {
        const Vec3 *const corners[2] = {a, b};
        int axis = widest_axis(a);
        return is_in_plane(&of_a) && is_in_plane(&of_b) && axis >= 0 && widest_axis(b) >= 0 &&
               flats_cross(corners, axis, out);
    }
    find_lone(&of_a);
    find_lone(&of_b);
    order_ends(&of_a, of_b.side > 0);
    order_ends(&of_b, of_a.side < 0);
    return intervals_cross(&of_a, &of_b, out);
}

static bool is_later(const Vec3 a[3], const Vec3 b[3])
{
    double of_a[9], of_b[9];
    memcpy(of_a, a, sizeof of_a);
    memcpy(of_b, b, sizeof of_b);
    for (int i = 0; i < 9; ++i)
    {
        if (of_a[i] != of_b[i])
        {
            return of_a[i] > of_b[i];
        }
    }
    return false;
}

bool sidle_triangles_cross(const Vec3 a[3], const Vec3 b[3], sidle_crossing *out)
{
    bool turned = is_later(a, b); /* so that (a, b) and (b, a) compute the same */
    if (!ordered_cross(turned ? b : a, turned ? a : b, out))
    {
        return false;
    }
    for (int i = 0; out && turned && i < 2; ++i)
    {
        out->ends[i].owner = 1 - out->ends[i].owner;
    }
    return true;
}

bool sidle_triangle_triangle(const sidle_dtriangle *a, const sidle_dtriangle *b, sidle_crossing *out)
{
    Vec3 corners[2][3];
    sidle_crossing crossing = {.triangle_a = 0};
    for (int i = 0; i < 6; ++i)
    {
        corners[i / 3][i % 3] = vec3_from_position((i < 3 ? a : b)->corners[i % 3]);
        if (!vec3_is_finite(corners[i / 3][i % 3]))
        {
            return false;
        }
    }
    if (!sidle_triangles_cross(corners[0], corners[1], out ? &crossing : NULL))
    {
        return false;
    }
    if (out)
    {
        *out = crossing;
    }
    return true;
}
