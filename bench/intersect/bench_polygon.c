/* Points in polygons and triangles, an edge or a call at a time: what is next to an edge, or on it, costs more
 * than what is clearly to one side. */
#include "bench.h"

#include "sidle/intersect/polygon.h"

#include <math.h>
#include <stdlib.h>

#define CORNERS 64
#define POINTS  1024

typedef struct Shapes
{
    sidle_dvec2 corners[CORNERS], points[POINTS];
    sidle_position corners3[CORNERS], points3[POINTS];
    sidle_dtriangle triangles[POINTS];
    uint32_t end;
    sidle_polygon polygon;
} Shapes;

static uint32_t seed = 1;

static double next_random(void)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) * 0x1p-24;
}

/* A star, or its hull's like; `ties`: points on a lattice and on the edges. */
static void *begin_with(bool convex, bool ties)
{
    Shapes *shapes = calloc(1, sizeof *shapes);
    for (uint32_t i = 0; shapes && i < CORNERS; ++i)
    {
        double angle = 6.283185307179586 * i / CORNERS, radius = convex || i % 2 ? 8 : 4;
        shapes->corners[i] = (sidle_dvec2){radius * cos(angle), radius * sin(angle)};
        shapes->corners3[i] = (sidle_position){shapes->corners[i].x, shapes->corners[i].y, 1};
    }
    for (uint32_t i = 0; shapes && i < POINTS; ++i)
    {
        sidle_dvec2 a = shapes->corners[i % CORNERS], b = shapes->corners[(i + 1) % CORNERS];
        double share = next_random(), x = 16 * next_random() - 8, y = 16 * next_random() - 8;
        shapes->points[i] = ties ? (sidle_dvec2){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)}
                                 : (sidle_dvec2){convex ? x / 2 : x, convex ? y / 2 : y};
        shapes->points3[i] = (sidle_position){shapes->points[i].x, shapes->points[i].y, x};
        for (int k = 0; k < 3; ++k)
        {
            shapes->triangles[i].corners[k] =
                (sidle_position){8 * next_random(), 8 * next_random(), 8 * next_random()};
        }
        if (ties)
        {
            shapes->points3[i] = shapes->triangles[i].corners[i % 3];
        }
    }
    if (shapes)
    {
        shapes->end = CORNERS;
        shapes->polygon = (sidle_polygon){shapes->corners, &shapes->end, 1};
    }
    return shapes;
}

static void *begin_convex(const Bench *bench)
{
    (void)bench;
    return begin_with(true, false);
}

static void *begin_star(const Bench *bench)
{
    (void)bench;
    return begin_with(false, false);
}

static void *begin_ties(const Bench *bench)
{
    (void)bench;
    return begin_with(true, true);
}

static volatile uint32_t sink;

static uint64_t run_convex(void *state)
{
    const Shapes *shapes = state;
    for (uint32_t i = 0; i < POINTS; ++i)
    {
        sink = sidle_point_in_convex_polygon(shapes->points[i], shapes->corners, CORNERS);
    }
    return (uint64_t)POINTS * CORNERS;
}

static uint64_t run_convex3(void *state)
{
    const Shapes *shapes = state;
    for (uint32_t i = 0; i < POINTS; ++i)
    {
        sink = sidle_point_in_convex_polygon3(shapes->points3[i], shapes->corners3, CORNERS);
    }
    return (uint64_t)POINTS * CORNERS;
}

static uint64_t run_crossings(void *state)
{
    const Shapes *shapes = state;
    for (uint32_t i = 0; i < POINTS; ++i)
    {
        sink = sidle_point_in_polygon(shapes->points[i], &shapes->polygon);
    }
    return (uint64_t)POINTS * CORNERS;
}

static uint64_t run_triangles(void *state)
{
    const Shapes *shapes = state;
    for (uint32_t i = 0; i < POINTS; ++i)
    {
        sink = sidle_point_in_polygon_by_triangles(shapes->points[i], &shapes->polygon);
    }
    return (uint64_t)POINTS * CORNERS;
}

static uint64_t run_area(void *state)
{
    const Shapes *shapes = state;
    for (uint32_t i = 0; i < POINTS; ++i)
    {
        sink = sidle_polygon_area(&shapes->polygon) > 0;
    }
    return (uint64_t)POINTS * CORNERS;
}

static uint64_t run_upright(void *state)
{
    const Shapes *shapes = state;
    for (uint32_t i = 0; i < POINTS; ++i)
    {
        sink = sidle_point_in_triangle(shapes->points3[i], &shapes->triangles[i]);
    }
    return POINTS;
}

static uint64_t run_along_axis(void *state)
{
    const Shapes *shapes = state;
    for (uint32_t i = 0; i < POINTS; ++i)
    {
        sink = sidle_point_in_triangle_along_axis(shapes->points3[i], &shapes->triangles[i]);
    }
    return POINTS;
}

static uint64_t run_closest(void *state)
{
    const Shapes *shapes = state;
    sidle_triangle_point out;
    for (uint32_t i = 0; i < POINTS; ++i)
    {
        sink = sidle_closest_on_triangle(shapes->points3[i], &shapes->triangles[i], &out);
    }
    return POINTS;
}

#define POLYGON(title, items_of, begin_it, run_it)                                                           \
    {                                                                                                        \
        .name = "intersect/polygon/" title, .items = items_of, .lanes = 1, .begin = begin_it, .run = run_it, \
        .end = free                                                                                          \
    }

const Bench bench_intersect_polygon[] = {POLYGON("convex", "edges", begin_convex, run_convex),
                                         POLYGON("convex/on_edges", "edges", begin_ties, run_convex),
                                         POLYGON("convex3", "edges", begin_convex, run_convex3),
                                         POLYGON("crossings", "edges", begin_star, run_crossings),
                                         POLYGON("crossings/on_edges", "edges", begin_ties, run_crossings),
                                         POLYGON("triangles", "edges", begin_star, run_triangles),
                                         POLYGON("triangles/on_edges", "edges", begin_ties, run_triangles),
                                         POLYGON("area", "edges", begin_star, run_area),
                                         POLYGON("in_triangle", "calls", begin_star, run_upright),
                                         POLYGON("in_triangle/at_corners", "calls", begin_ties, run_upright),
                                         POLYGON("along_axis", "calls", begin_star, run_along_axis),
                                         POLYGON("closest", "calls", begin_star, run_closest),
                                         POLYGON("closest/at_corners", "calls", begin_ties, run_closest),
                                         {0}};
