/* Convex hulls of few points. The points are rounded to a grid of whole numbers, on which every sign is exact. So points on a
 * common plane make one face, whatever their order, and all corners of the hull are points of the input.
 *
 * A plane through three points is one of a face if no point lies beyond it. Of n points that asks n^3 / 6 planes, most of
 * which two points on either side refute at once. */
#include "mesh/hull.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define GRID_BITS 18 /* differences take 19 bits, a normal 39 and a distance 60 */

typedef struct Whole
{
    int64_t x, y, z;
} Whole;

typedef struct Hull
{
    Whole at[SIDLE_MAX_HULL_POINTS];
    uint32_t count;                         /* no two of them are in one place */
    uint32_t number[SIDLE_MAX_HULL_POINTS]; /* in the input */
    uint64_t faces[HULL_MOST_TRIANGLES];    /* the points of each, as bits */
    uint32_t face_count;
} Hull;

static Whole difference(Whole a, Whole b)
{
    return (Whole){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Whole cross(Whole a, Whole b)
{
    return (Whole){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int64_t dot(Whole a, Whole b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void add_place(Hull *hull, Whole place, uint32_t number)
{
    for (uint32_t i = 0; i < hull->count; ++i)
    {
        Whole d = difference(hull->at[i], place);
        if (d.x == 0 && d.y == 0 && d.z == 0)
        {
            return;
        }
    }
    hull->at[hull->count] = place;
    hull->number[hull->count++] = number;
}

static void round_points(const sidle_vec3 *points, uint32_t count, Hull *hull)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, most = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const double p[3] = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
        for (int axis = 0; axis < 3; ++axis)
        {
            low[axis] = p[axis] < low[axis] ? p[axis] : low[axis];
            high[axis] = p[axis] > high[axis] ? p[axis] : high[axis];
            most = high[axis] - low[axis] > most ? high[axis] - low[axis] : most;
        }
    }
    double scale = most > 0 ? (double)(1 << GRID_BITS) / most : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        add_place(hull,
                  (Whole){(int64_t)(((double)points[i].x - low[0]) * scale + .5),
                          (int64_t)(((double)points[i].y - low[1]) * scale + .5),
                          (int64_t)(((double)points[i].z - low[2]) * scale + .5)},
                  i);
    }
}

/* Returns true if no point lies beyond the plane. `normal` is turned outward, `on`: the points of the plane. */
static bool is_face(const Hull *hull, uint32_t through, Whole *normal, uint64_t *on)
{
    bool above = false, below = false;
    *on = 0;
    for (uint32_t i = 0; i < hull->count && !(above && below); ++i)
    {
        int64_t side = dot(*normal, difference(hull->at[i], hull->at[through]));
        above = above || side > 0;
        below = below || side < 0;
        *on |= (uint64_t)(side == 0) << i;
    }
    if (above)
    {
        *normal = (Whole){-normal->x, -normal->y, -normal->z};
    }
    return above != below; /* all on the plane: no volume */
}

/* Whether b lies to the right of the line from a to c, seen from outside, or on it but farther away. */
static bool is_outside(const Hull *hull, Whole normal, uint32_t a, uint32_t c, uint32_t b)
{
    Whole ac = difference(hull->at[c], hull->at[a]), ab = difference(hull->at[b], hull->at[a]);
    Whole turn = cross(ac, ab);
    /* On a plane all products of edges are parallel to the normal, so one coordinate has the sign. */
    int64_t side = normal.x != 0   ? (normal.x > 0 ? turn.x : -turn.x)
                   : normal.y != 0 ? (normal.y > 0 ? turn.y : -turn.y)
                                   : (normal.z > 0 ? turn.z : -turn.z);
    /* mutant: hull_stops_between */
    return side < 0 || (side == 0 && dot(ab, ab) > dot(ac, ac));
}

/* The lowest of the points by coordinates, which is a corner. */
static uint32_t first_corner(const Hull *hull, uint64_t on)
{
    uint32_t first = (uint32_t)__builtin_ctzll(on);
    for (; on; on &= on - 1)
    {
        uint32_t i = (uint32_t)__builtin_ctzll(on);
        Whole a = hull->at[i], b = hull->at[first];
        bool lower = a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
        first = lower ? i : first;
    }
    return first;
}

/* Goes around the corners of a face, counter-clockwise from outside: R. A. Jarvis, "On the Identification of the Convex Hull of a
 * Finite Set of Points in the Plane", 1973. Points between two corners are skipped, on both faces of an edge alike. */
static uint32_t triangulate(const Hull *hull, Whole normal, uint64_t on, uint32_t triangles[][3])
{
    uint32_t first = first_corner(hull, on), corner = first, corners = 0, count = 0;
    do
    {
        uint32_t next = corner;
        for (uint64_t rest = on; rest; rest &= rest - 1)
        {
            uint32_t i = (uint32_t)__builtin_ctzll(rest);
            if (i != corner && (next == corner || is_outside(hull, normal, corner, next, i)))
            {
                next = i;
            }
        }
        if (corners++ > 0 && next != first)
        {
            const uint32_t triangle[3] = {hull->number[first], hull->number[corner], hull->number[next]};
            memcpy(triangles[count++], triangle, sizeof triangle);
        }
        corner = next;
    }
    while (corner != first);
    return count;
}

static bool is_known(const Hull *hull, uint64_t on)
{
    bool known = false;
    for (uint32_t i = 0; i < hull->face_count; ++i)
    {
        known = known || hull->faces[i] == on;
    }
    return known;
}

uint32_t sidle_hull(const sidle_vec3 *points, uint32_t count, uint32_t triangles[HULL_MOST_TRIANGLES][3])
{
    Hull hull = {.count = 0};
    uint32_t written = 0;
    round_points(points, count, &hull);
    for (uint32_t i = 0; i < hull.count; ++i)
    {
        for (uint32_t j = i + 1; j < hull.count; ++j)
        {
            for (uint32_t k = j + 1; k < hull.count; ++k)
            {
                uint64_t on;
                Whole normal = cross(difference(hull.at[j], hull.at[i]), difference(hull.at[k], hull.at[i]));
                bool is_plane = normal.x != 0 || normal.y != 0 || normal.z != 0;
                if (is_plane && is_face(&hull, i, &normal, &on) && !is_known(&hull, on))
                {
                    hull.faces[hull.face_count++] = on;
                    written += triangulate(&hull, normal, on, triangles + written);
                }
            }
        }
    }
    return written;
}
