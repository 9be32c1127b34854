#include "cast_check.h"

#include "check_grid.h"
#include "console.h"

#define UNIT_ROUNDOFF 0x1p-24 /* u */
#define ERROR_FACTOR  6.0     /* K for edges and corners */
#define SLACK         2.5e-3  /* beyond it lanes are double */
#define EXACT         1e-8    /* contacts are computed in double */

/* K of a corner in a ray's frame, for each of two coordinates: float rounds it when the frame rotates it. */
#define RAY_FACTOR 16.0

/* A triangle whose height over its longest edge is this low may count as having edges and no face. A ball
 * sinks between the edges by the square of the height over 8. */
#define THIN       .0142
#define THIN_DEPTH 2.5e-5

/* [Units] cells. The path is checked in pieces of this length, so that each piece has few triangles near. */
#define PIECE      4.0
#define MAX_PIECES 100000.0

/* A cast seen from its shape: a ball of radius 1 around zero, or around the core of a capsule. A ray keeps the world's
 * unit. */
typedef struct View
{
    const CheckGrid *grid;
    const sidle_cast *cast;
    const sidle_cast_hit *hit;
    Vector origin, radii;
    Vector displacement; /* in the world */
    Vector direction;    /* unit */
    double length;       /* of the displacement */
    double core;         /* half of a capsule's, along y */
    bool is_ray;

    double begin, end; /* of the piece under test */

    /* The least distance of any triangle at the start, and the part of it that rounding explains. */
    double least, least_allowed;
    char *message;
    int message_size;
} View;

static Vector scaled(Vector a, double s)
{
    return (Vector){a.x * s, a.y * s, a.z * s};
}

static double length_of(Vector a)
{
    return sqrt(dot(a, a));
}

static Vector into(const View *view, Vector world)
{
    Vector d = minus(world, view->origin);
    return (Vector){d.x / view->radii.x, d.y / view->radii.y, d.z / view->radii.z};
}

static Corners corners_into(const View *view, const Corners *t)
{
    return (Corners){into(view, t->a), into(view, t->b), into(view, t->c)};
}

/* Query files have no rotations, so the view has none. */
static View view_of(const CheckGrid *grid, const sidle_cast *cast, const sidle_cast_hit *hit)
{
    sidle_vec3 r = cast->shape.radii, d = cast->displacement;
    View view = {.grid = grid, .cast = cast, .hit = hit, .origin = cast->origin, .least = INFINITY};
    view.is_ray = r.x <= 0;
    view.radii = view.is_ray ? (Vector){1, 1, 1} : (Vector){(double)r.x, (double)r.y, (double)r.z};
    view.core = (double)cast->shape.half_height / view.radii.y;
    view.displacement = (Vector){(double)d.x, (double)d.y, (double)d.z};
    Vector path = {(double)d.x / view.radii.x, (double)d.y / view.radii.y, (double)d.z / view.radii.z};
    view.length = length_of(path);
    view.direction = view.length > 0 ? scaled(path, 1 / view.length) : path;
    return view;
}

static Vector half_of(const View *view)
{
    return (Vector){view->radii.x, view->radii.y * (1 + view->core), view->radii.z};
}

/* ---- The error law. ---- */

static double size_of(const View *view, const Corners *t)
{
    return greatest(greatest(length_of(t->a), length_of(t->b)), greatest(length_of(t->c), view->length)) +
           view->core;
}

typedef struct Form
{
    /* The height over the longest edge; |N| / |A||B| of the other two edges. */
    double height, kappa;
} Form;

static Form form_of(const Corners *t)
{
    double e[3] = {length_of(minus(t->b, t->a)), length_of(minus(t->c, t->b)), length_of(minus(t->a, t->c))};
    double longest = greatest(e[0], greatest(e[1], e[2])), product = e[0] * e[1] * e[2];
    double normal = length_of(cross(minus(t->b, t->a), minus(t->c, t->a)));
    return (Form){longest > 0 ? normal / longest : 0, product > 0 ? normal * longest / product : 0};
}

/* Rounding of double, and of the place in the world. */
static double exactness(const View *view, const Corners *t)
{
    double radius = least(view->radii.x, least(view->radii.y, view->radii.z));
    return EXACT + 1e-14 * size_of(view, t) + 1e-15 * length_of(view->origin) / radius;
}

static void take_form(const Corners *t, double *factor, bool *is_thin)
{
    Form form = form_of(t);
    *is_thin = *is_thin || form.height <= THIN;
    *factor = form.height <= THIN ? *factor : greatest(*factor, 1 / form.kappa);
}

/* A capsule has half the error that its ball has against the sides that an edge sweeps over. */
static void take_side(Vector a, Vector b, double core, double *factor, bool *is_thin)
{
    Vector low = a.y < b.y ? a : b, high = a.y < b.y ? b : a;
    Corners side = {
        {low.x, low.y + core, low.z}, {high.x, high.y - core, high.z}, {low.x, low.y - core, low.z}};
    take_form(&side, factor, is_thin);
}

/* Returns the largest K of all features that the shape may hit. `is_thin` is set if one is too thin to have
 * a face. */
static double worst_factor(const View *view, const Corners *t, bool *is_thin)
{
    double factor = ERROR_FACTOR;
    *is_thin = false;
    take_form(t, &factor, is_thin);
    if (view->core > 0)
    {
        take_side(t->a, t->b, view->core, &factor, is_thin);
        take_side(t->b, t->c, view->core, &factor, is_thin);
        take_side(t->c, t->a, view->core, &factor, is_thin);
    }
    return factor;
}

static bool has_thin_part(const View *view, const Corners *t)
{
    bool is_thin;
    worst_factor(view, t, &is_thin);
    return is_thin;
}

static double allowed_depth(const View *view, const Corners *t)
{
    bool is_thin;
    double factor = worst_factor(view, t, &is_thin);
    return least(factor * UNIT_ROUNDOFF * size_of(view, t), SLACK) + (is_thin ? THIN_DEPTH : 0) +
           exactness(view, t);
}

/* ---- Distances. ---- */

static double distance_from(const Corners *t, Vector p)
{
    Corners moved = {minus(t->a, p), minus(t->b, p), minus(t->c, p)};
    return sqrt(triangle_distance_squared(&moved));
}

/* From the shape's centre or core. */
static double distance_of(const View *view, const Corners *t, Vector center)
{
    Corners moved = {minus(t->a, center), minus(t->b, center), minus(t->c, center)};
    return sqrt(core_distance_squared(&moved, view->core));
}

static double distance_at(const View *view, const Corners *t, double at)
{
    return distance_of(view, t, scaled(view->direction, at));
}

/* Returns true if the centre comes closer to the triangle than `radius` between begin and end. A ball at
 * distance d may advance by d. Where that becomes slow, golden section finds the least distance: the
 * distance to a convex thing is convex along a line. */
static bool comes_closer(const View *view, const Corners *t, double begin, double end, double radius)
{
    for (int step = 0; step < 32; step++)
    {
        double gap = distance_at(view, t, begin) - radius;
        if (gap < 0 || begin >= end)
        {
            return gap < 0;
        }
        begin = least(begin + gap, end);
    }
    const double golden = .6180339887498949;
    double low = begin, high = end, left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = distance_at(view, t, left), at_right = distance_at(view, t, right);
    for (int step = 0; step < 80 && at_left >= radius && at_right >= radius; step++)
    {
        bool goes_left = at_left <= at_right;
        *(goes_left ? &high : &low) = goes_left ? right : left;
        left = high - golden * (high - low);
        right = low + golden * (high - low);
        at_left = distance_at(view, t, left);
        at_right = distance_at(view, t, right);
    }
    return least(at_left, least(at_right, distance_at(view, t, end))) < radius;
}

/* ---- Balls. ---- */

static bool is_too_deep(const Corners *world, void *context)
{
    View *view = context;
    Corners t = corners_into(view, world);
    double radius = 1 - allowed_depth(view, &t);
    if (!comes_closer(view, &t, view->begin, view->end, radius))
    {
        return false;
    }
    explain(view->message, view->message_size,
            "comes closer than %.9g to a triangle around (%.6g, %.6g, %.6g)", radius, world->a.x, world->a.y,
            world->a.z);
    return true;
}

static bool note_distance(const Corners *world, void *context)
{
    View *view = context;
    Corners t = corners_into(view, world);
    double distance = distance_of(view, &t, (Vector){0, 0, 0});
    if (distance < view->least)
    {
        view->least = distance;
        view->least_allowed = exactness(view, &t) + (form_of(&t).height <= THIN ? THIN / 2 : 0);
    }
    return false;
}

/* ---- Rays. ---- */

/* The ray passes inside all three edges by more than the error of its corners, and away from both of its
 * ends. */
static bool is_surely_pierced(const Corners *world, void *context)
{
    View *view = context;
    Corners t = corners_into(view, world);
    Vector n = cross(minus(t.b, t.a), minus(t.c, t.a)), d = view->direction;
    const Vector v[3] = {t.a, t.b, t.c};
    double steep = dot(n, d), side = steep > 0 ? 1 : -1, size = size_of(view, &t);
    for (int i = 0; i < 3; i++)
    {
        Vector aside = cross(d, minus(v[(i + 1) % 3], v[i]));
        if (!(-side * dot(aside, v[i]) > RAY_FACTOR * UNIT_ROUNDOFF * size * length_of(aside)))
        {
            return false;
        }
    }
    double at = dot(n, t.a) / steep;
    double digits = 1e-13 * (size + length_of(view->origin)) * length_of(n) / fabs(steep);
    double end = view->hit->hit == SIDLE_CAST_HIT ? view->hit->t * view->length : view->length;
    if (at > digits && at < end - digits)
    {
        explain(view->message, view->message_size, "passes a triangle at %.9g of %.9g", at / view->length,
                view->hit->t);
        return true;
    }
    return false;
}

/* ---- The path. ---- */

/* Calls the test for the triangles near the path up to `end`, piece by piece. */
static bool visit_along(View *view, double end, CornersTest *test)
{
    double world_length = length_of(view->displacement), share = view->length > 0 ? end / view->length : 0;
    double pieces = least(floor(share * world_length / (PIECE * view->grid->cell)) + 1, MAX_PIECES);
    double room = view->is_ray ? 1e-6 * view->grid->cell : 1;
    Vector half = view->is_ray ? (Vector){room, room, room} : half_of(view);
    for (double i = 0; i < pieces; i++)
    {
        double from = share * i / pieces, to = share * (i + 1) / pieces;
        view->begin = from * view->length;
        view->end = to * view->length;
        Vector a = {view->origin.x + from * view->displacement.x,
                    view->origin.y + from * view->displacement.y,
                    view->origin.z + from * view->displacement.z};
        Vector b = {view->origin.x + to * view->displacement.x, view->origin.y + to * view->displacement.y,
                    view->origin.z + to * view->displacement.z};
        Box box = box_join(box_around(a, half), box_around(b, half));
        if (grid_visit(view->grid, &box, test, view))
        {
            return true;
        }
    }
    return false;
}

/* ---- The contact. ---- */

static bool is_a_contact(View *view, const Corners *t, double at)
{
    const sidle_cast_hit *hit = view->hit;
    Vector point = into(view, (Vector){hit->point.x, hit->point.y, hit->point.z}),
           center = scaled(view->direction, at);
    bool overlaps = hit->hit == SIDLE_CAST_OVERLAP, is_thin = has_thin_part(view, t);
    double near = exactness(view, t), distance = distance_of(view, t, center), off = distance_from(t, point);
    if (view->is_ray)
    {
        near = RAY_FACTOR * UNIT_ROUNDOFF * size_of(view, t) + 1e-13 * length_of(view->origin);
        return (off <= near && length_of(minus(point, center)) <= near) ||
               explain(view->message, view->message_size, "the contact is %.9g off its triangle", off);
    }
    double wrong = overlaps ? distance - 1 : fabs(distance - 1) - (distance < 1 && is_thin ? THIN_DEPTH : 0);
    if (wrong > near)
    {
        return explain(view->message, view->message_size, "its triangle is %.9g away", distance);
    }
    Corners spot = {point, point, point};
    double away = distance_of(view, &spot, center), reach = fabs(away - (overlaps ? distance : 1));
    return (off <= near && reach <= near + (overlaps && is_thin ? THIN / 2 : 0)) ||
           explain(view->message, view->message_size,
                   "the contact is %.9g off its triangle, %.9g from the centre", off, away);
}

static bool begins_right(View *view, const Corners *named)
{
    Box box = box_around(view->origin, half_of(view));
    grid_visit(view->grid, &box, note_distance, view);
    if (view->hit->hit == SIDLE_CAST_OVERLAP)
    {
        double distance = distance_of(view, named, (Vector){0, 0, 0});
        return distance <= view->least + view->least_allowed ||
               explain(view->message, view->message_size, "begins only %.9g away from another triangle",
                       view->least);
    }
    return view->least >= 1 - EXACT - least(view->least_allowed, EXACT + THIN_DEPTH) ||
           explain(view->message, view->message_size, "begins in an overlap, %.9g away from a triangle",
                   view->least);
}

bool cast_is_right(const CheckGrid *grid, const sidle_cast *cast, const sidle_cast_hit *hit, char *message,
                   int message_size)
{
    View view = view_of(grid, cast, hit);
    Corners named = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    bool hits = hit->hit == SIDLE_CAST_HIT || hit->hit == SIDLE_CAST_OVERLAP;
    view.message = message;
    view.message_size = message_size;
    if (hit->hit > SIDLE_CAST_OVERLAP || (hits && hit->triangle >= grid->level->triangle_count))
    {
        return explain(message, message_size, "no such answer: hit %u, triangle %u", hit->hit, hit->triangle);
    }
    if (hits)
    {
        Corners world = corners_of(grid->level, hit->triangle);
        named = corners_into(&view, &world);
    }
    double end = hit->hit == SIDLE_CAST_MISS ? view.length : hit->t * view.length;
    if (hits && !is_a_contact(&view, &named, end))
    {
        return false;
    }
    if (view.is_ray)
    {
        return hit->hit != SIDLE_CAST_OVERLAP && !visit_along(&view, end, is_surely_pierced);
    }
    return begins_right(&view, &named) &&
           (hit->hit == SIDLE_CAST_OVERLAP || !visit_along(&view, end, is_too_deep));
}

void cast_check_store(Level *level, sidle_position origin)
{
    const double o[3] = {origin.x, origin.y, origin.z};
    for (size_t i = 0; i < 3 * (size_t)level->vertex_count; i++)
    {
        /* As vector_as_float in the tests: volatile forces the rounding to float. */
        volatile float stored = (float)(level->vertices[i] - o[i % 3]);
        level->vertices[i] = o[i % 3] + (double)stored;
    }
}
