#include "casts_draw.h"

#include "tools/random.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_GAP 1.5e-3 /* between the ball and the nearest triangle at the start [m] */
#define TWO_PI    6.283185307179586

typedef struct Range
{
    double low, high; /* [m] */
} Range;

/* Short casts are those of characters near the ground and walls, long ones those of projectiles and cameras. */
static const struct
{
    Range radius, gap, length;
} kinds[] = {[CAST_SHORT_BALLS] = {{.3, .6}, {.002, .1}, {.02, .3}},
             [CAST_LONG_BALLS] = {{.05, .5}, {.05, 3}, {5, 50}},
             [CAST_RAYS] = {{0, 0}, {.05, 3}, {5, 50}}};

typedef struct Point
{
    double x, y, z;
} Point;

typedef struct Draw
{
    const Level *level;
    const CheckGrid *grid;
    double *areas; /* twice the area of the triangles up to this one */
    Random random;
} Draw;

static double in_range(Random *random, Range range)
{
    return random_between(random, range.low, range.high);
}

static Point scaled(Point a, double factor)
{
    return (Point){a.x * factor, a.y * factor, a.z * factor};
}

static Point plus(Point a, Point b)
{
    return (Point){a.x + b.x, a.y + b.y, a.z + b.z};
}

static double length_of(Point a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static Point cross(Point a, Point b)
{
    return (Point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Point corner(const Level *level, uint32_t triangle, uint32_t index)
{
    const double *v = &level->vertices[3 * (size_t)level->indices[3 * (size_t)triangle + index]];
    return (Point){v[0], v[1], v[2]};
}

static void edges_of(const Level *level, uint32_t triangle, Point edges[2])
{
    Point back = scaled(corner(level, triangle, 0), -1);
    edges[0] = plus(corner(level, triangle, 1), back);
    edges[1] = plus(corner(level, triangle, 2), back);
}

static void sum_areas(Draw *draw)
{
    double sum = 0;
    for (uint32_t i = 0; i < draw->level->triangle_count; ++i)
    {
        Point edges[2];
        edges_of(draw->level, i, edges);
        sum += length_of(cross(edges[0], edges[1]));
        draw->areas[i] = sum;
    }
}

/* Every square metre of the level is equally probable. */
static uint32_t draw_triangle(Draw *draw)
{
    uint32_t low = 0, high = draw->level->triangle_count - 1;
    double area = random_between(&draw->random, 0, draw->areas[high]);
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (draw->areas[middle] <= area)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

/* A point `distance` in front of a triangle. */
static Point draw_start(Draw *draw, double distance)
{
    Point edges[2];
    uint32_t triangle = draw_triangle(draw);
    edges_of(draw->level, triangle, edges);
    double u = random_between(&draw->random, 0, 1);
    double v = random_between(&draw->random, 0, 1);
    if (u + v > 1)
    {
        u = 1 - u;
        v = 1 - v;
    }
    Point normal = cross(edges[0], edges[1]);
    Point start = plus(corner(draw->level, triangle, 0), plus(scaled(edges[0], u), scaled(edges[1], v)));
    return plus(start, scaled(normal, distance / length_of(normal)));
}

static Point draw_any_direction(Random *random)
{
    double y = random_between(random, -1, 1);
    double angle = random_between(random, 0, TWO_PI);
    return (Point){sqrt(1 - y * y) * cos(angle), y, sqrt(1 - y * y) * sin(angle)};
}

/* Half of the short casts, and 70 % of the others, are roughly horizontal. The others have any direction. */
static Point draw_direction(Random *random, CastKind kind)
{
    bool is_short = kind == CAST_SHORT_BALLS;
    if (random_between(random, 0, 1) > (is_short ? .5 : .7))
    {
        return draw_any_direction(random);
    }
    double angle = random_between(random, 0, TWO_PI);
    double rise = random_between(random, is_short ? -.5 : -.35, is_short ? .05 : .35);
    return scaled((Point){cos(angle), rise, sin(angle)}, 1 / sqrt(1 + rise * rise));
}

/* Returns false if a triangle is too close, or if the first one above faces up: the point is inside something. */
static bool is_free(const Draw *draw, const PeerCast *cast)
{
    sidle_position origin = {(double)cast->origin[0], (double)cast->origin[1], (double)cast->origin[2]};
    double least = (double)cast->radius + LEAST_GAP;
    CheckHit above = check_above(draw->grid, origin);
    return (!above.hit || above.faces_down) && check_clearance(draw->grid, origin, 2 * least) >= least;
}

static PeerCast draw_cast(Draw *draw, CastKind kind)
{
    PeerCast cast;
    do
    {
        double radius = in_range(&draw->random, kinds[kind].radius);
        double gap = in_range(&draw->random, kinds[kind].gap);
        double length = in_range(&draw->random, kinds[kind].length);
        Point start = draw_start(draw, radius + gap);
        Point path = scaled(draw_direction(&draw->random, kind), length);
        cast = (PeerCast){{(float)start.x, (float)start.y, (float)start.z},
                          {(float)path.x, (float)path.y, (float)path.z},
                          (float)radius};
    }
    while (!is_free(draw, &cast));
    return cast;
}

static sidle_cast request_of(const PeerCast *cast)
{
    const float *path = cast->displacement;
    return (sidle_cast){.origin = {(double)cast->origin[0], (double)cast->origin[1], (double)cast->origin[2]},
                        .displacement = {path[0], path[1], path[2]},
                        .shape.radii = {cast->radius, cast->radius, cast->radius}};
}

bool casts_draw(const Level *level, const CheckGrid *grid, CastKind kind, uint32_t count, CastSet *set)
{
    Draw draw = {.level = level, .grid = grid, .random = {hash_mix((uint32_t)kind + 1)}};
    draw.areas = malloc(level->triangle_count * sizeof *draw.areas);
    *set = (CastSet){.count = count};
    set->casts = malloc(count * sizeof *set->casts);
    set->requests = malloc(count * sizeof *set->requests);
    set->any_requests = malloc(count * sizeof *set->any_requests);
    bool good = draw.areas && set->casts && set->requests && set->any_requests;
    if (good)
    {
        sum_areas(&draw);
    }
    for (uint32_t i = 0; i < count && good; ++i)
    {
        set->casts[i] = draw_cast(&draw, kind);
        set->requests[i] = set->any_requests[i] = request_of(&set->casts[i]);
        set->any_requests[i].flags = SIDLE_CAST_ANY;
    }
    free(draw.areas);
    return good;
}

void casts_free_set(CastSet *set)
{
    free(set->casts);
    free(set->requests);
    free(set->any_requests);
    *set = (CastSet){0};
}
