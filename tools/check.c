#include "check_grid.h"

#define UNIT_ROUNDOFF 0x1p-24 /* of float, u in NUMERICS */
#define ERROR_FACTOR  6.0     /* K in NUMERICS 2.6 */

/* Share of a path at either end where a triangle is touched and not crossed. */
#define TOUCH 1e-9

static bool visit_cell(const CheckGrid *grid, size_t cell, const Box *box, CornersTest *test, void *context)
{
    for (uint32_t i = grid->first[cell]; i < grid->first[cell + 1]; i++)
    {
        Corners t = corners_of(grid->level, grid->triangles[i]);
        Box corners = corners_box(&t);
        if (boxes_overlap(&corners, box) && test(&t, context))
        {
            return true;
        }
    }
    return false;
}

bool grid_visit(const CheckGrid *grid, const Box *box, CornersTest *test, void *context)
{
    CellRange range = grid_cells_of(grid, box, 0);
    for (uint32_t z = range.low[2]; z <= range.high[2]; z++)
    {
        for (uint32_t x = range.low[0]; x <= range.high[0]; x++)
        {
            for (uint32_t y = range.low[1]; y <= range.high[1]; y++)
            {
                if (visit_cell(grid, grid_cell_index(grid, x, y, z), box, test, context))
                {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Squared distance from the origin to the segment a-b; a point if both are the same. */
static double segment_distance_squared(Vector a, Vector b)
{
    Vector edge = minus(b, a);
    double length_squared = dot(edge, edge);
    double t = length_squared > 0 ? least(greatest(-dot(a, edge) / length_squared, 0), 1) : 0;
    Vector nearest = {a.x + t * edge.x, a.y + t * edge.y, a.z + t * edge.z};
    return dot(nearest, nearest);
}

/* The three segments also serve triangles without area. The face counts only where the origin projects
 * inside it: the sign at each edge decides that without a division. */
double triangle_distance_squared(const Corners *t)
{
    Vector ab = minus(t->b, t->a), bc = minus(t->c, t->b), ca = minus(t->a, t->c);
    Vector normal = cross(ab, minus(t->c, t->a));
    double nearest = least(segment_distance_squared(t->a, t->b),
                           least(segment_distance_squared(t->b, t->c), segment_distance_squared(t->c, t->a)));
    double normal_squared = dot(normal, normal);
    bool inside = dot(normal, cross(t->a, ab)) >= 0 && dot(normal, cross(t->b, bc)) >= 0 &&
                  dot(normal, cross(t->c, ca)) >= 0;
    if (inside && normal_squared > 0)
    {
        double height = dot(normal, t->a);
        nearest = least(nearest, height * height / normal_squared);
    }
    return nearest;
}

typedef struct BallQuestion
{
    Vector center, inverse_radii;
    /* Half of a capsule's core, along y in ellipsoid space; 0: none. */
    double core;
    /* Closer than distance - error_factor S is too close. */
    double distance, error_factor;
} BallQuestion;

static Vector to_ellipsoid_space(const BallQuestion *q, Vector v)
{
    Vector d = minus(v, q->center);
    return (Vector){d.x * q->inverse_radii.x, d.y * q->inverse_radii.y, d.z * q->inverse_radii.z};
}

static Corners moved_by(const Corners *t, double y)
{
    return (Corners){
        {t->a.x, t->a.y + y, t->a.z}, {t->b.x, t->b.y + y, t->b.z}, {t->c.x, t->c.y + y, t->c.z}};
}

/* Distance from a core around the origin. The distance from a point that moves along a line is convex, so
 * each round drops a third of the range. */
double core_distance_squared(const Corners *t, double core)
{
    double low = -core, high = core;
    for (int i = 0; i < 80 && core > 0; i++)
    {
        double third = (high - low) / 3;
        Corners nearer = moved_by(t, -low - third), farther = moved_by(t, -high + third);
        bool falls = triangle_distance_squared(&farther) < triangle_distance_squared(&nearer);
        *(falls ? &low : &high) += falls ? third : -third;
    }
    Corners there = moved_by(t, -(low + high) / 2);
    return triangle_distance_squared(&there);
}

static bool is_too_close(const Corners *t, void *context)
{
    const BallQuestion *q = context;
    Corners e = {to_ellipsoid_space(q, t->a), to_ellipsoid_space(q, t->b), to_ellipsoid_space(q, t->c)};
    double farthest_squared = greatest(greatest(dot(e.a, e.a), dot(e.b, e.b)), greatest(dot(e.c, e.c), 1));
    double allowed = q->distance - q->error_factor * (sqrt(farthest_squared) + q->core);
    return allowed > 0 && core_distance_squared(&e, q->core) < allowed * allowed;
}

static bool something_is_too_close(const CheckGrid *grid, Vector center, sidle_shape shape, double distance,
                                   double error_factor)
{
    Vector r = {(double)shape.radii.x, (double)shape.radii.y, (double)shape.radii.z};
    double half = (double)shape.half_height;
    BallQuestion question = {center, {1 / r.x, 1 / r.y, 1 / r.z}, half / r.y, distance, error_factor};
    Box box = box_around(center, (Vector){r.x * distance, r.y * distance + half, r.z * distance});
    return grid_visit(grid, &box, is_too_close, &question);
}

bool check_is_free(const CheckGrid *grid, sidle_position center, sidle_shape shape, double distance)
{
    return !something_is_too_close(grid, center, shape, distance, 0);
}

bool check_penetrates(const CheckGrid *grid, sidle_position center, sidle_shape shape)
{
    return something_is_too_close(grid, center, shape, 1, ERROR_FACTOR * UNIT_ROUNDOFF);
}

typedef struct NearestQuestion
{
    Vector center;
    double nearest_squared;
} NearestQuestion;

static bool keep_nearest(const Corners *t, void *context)
{
    NearestQuestion *q = context;
    Corners moved = {minus(t->a, q->center), minus(t->b, q->center), minus(t->c, q->center)};
    q->nearest_squared = least(q->nearest_squared, triangle_distance_squared(&moved));
    return false;
}

double check_distance(sidle_position a, sidle_position b)
{
    Vector d = minus(b, a);
    return sqrt(dot(d, d));
}

double check_clearance(const CheckGrid *grid, sidle_position center, double limit)
{
    NearestQuestion question = {center, limit * limit};
    Box box = box_around(center, (Vector){limit, limit, limit});
    grid_visit(grid, &box, keep_nearest, &question);
    return sqrt(question.nearest_squared);
}

/* Returns true if both ends of a line a + t d see the triangle's edges turn in the same direction. The sign
 * for an edge is exactly the opposite in the adjacent triangle, so no line slips between the two. */
static bool line_passes_inside(Vector a, Vector d, const Corners *t)
{
    Vector p = minus(t->a, a), q = minus(t->b, a), r = minus(t->c, a);
    double u = dot(d, cross(p, q)), v = dot(d, cross(q, r)), w = dot(d, cross(r, p));
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

typedef struct Chord
{
    Vector from, to;
} Chord;

static bool is_crossed(const Corners *t, void *context)
{
    const Chord *chord = context;
    Vector normal = cross(minus(t->b, t->a), minus(t->c, t->a));
    double before = dot(normal, minus(chord->from, t->a));
    double after = dot(normal, minus(chord->to, t->a));
    if (!((before > 0 && after < 0) || (before < 0 && after > 0)))
    {
        return false;
    }
    double share = before / (before - after);
    return share > TOUCH && share < 1 - TOUCH &&
           line_passes_inside(chord->from, minus(chord->to, chord->from), t);
}

bool check_crosses(const CheckGrid *grid, sidle_position from, sidle_position to)
{
    Chord chord = {from, to};
    Box box = box_of(from, to);
    return grid_visit(grid, &box, is_crossed, &chord);
}

typedef struct UpwardLook
{
    Vector from;
    CheckHit nearest;
} UpwardLook;

static bool look_up_at(const Corners *t, void *context)
{
    UpwardLook *look = context;
    Vector normal = cross(minus(t->b, t->a), minus(t->c, t->a));
    bool is_upright = normal.y >= 0 && normal.y <= 0;
    if (!is_upright && line_passes_inside(look->from, (Vector){0, 1, 0}, t))
    {
        double rise = dot(normal, minus(t->a, look->from)) / normal.y;
        if (rise > 0 && (!look->nearest.hit || look->from.y + rise < look->nearest.height))
        {
            look->nearest = (CheckHit){true, normal.y < 0, look->from.y + rise};
        }
    }
    return false;
}

CheckHit check_above(const CheckGrid *grid, sidle_position point)
{
    UpwardLook look = {point, {false, false, 0}};
    Box column = {point, {point.x, grid->origin.y + grid->size[1] * grid->cell, point.z}};
    grid_visit(grid, &column, look_up_at, &look);
    return look.nearest;
}
