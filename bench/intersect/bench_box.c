/* Boxes and levels, by drawn pairs of which some hit and some do not: one item is one call. */
#include "bench.h"

#include "sidle/intersect.h"

#include <stdlib.h>
#include <string.h>

#define PAIRS 4096 /* in the second-level cache; too many for a branch predictor to learn */

typedef struct Pairs
{
    uint64_t state;
    sidle_box boxes[2][PAIRS];
    sidle_oriented_box oriented[2][PAIRS];
    sidle_dtriangle triangles[2][PAIRS];
    sidle_sphere spheres[PAIRS];
    sidle_dvec3 displacements[PAIRS];
    double grid[2][3 * 256]; /* vertices of two sheets, 15 by 15 cells */
    uint32_t indices[2 * 3 * 225];
} Pairs;

static double drawn(Pairs *pairs)
{
    pairs->state = pairs->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(pairs->state >> 11) * 0x1p-53;
}

static sidle_position drawn_place(Pairs *pairs, double size)
{
    double x = drawn(pairs) * size, y = drawn(pairs) * size;
    return (sidle_position){x, y, drawn(pairs) * size};
}

/* Two reflections in drawn planes: a rotation. */
static void turn(Pairs *pairs, sidle_dvec3 axes[3])
{
    double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int times = 0; times < 2; ++times)
    {
        double v[3] = {drawn(pairs) - .5, drawn(pairs) - .5, drawn(pairs) + .125};
        double s = 2 / (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int row = 0; row < 3; ++row)
        {
            double along = s * (m[row][0] * v[0] + m[row][1] * v[1] + m[row][2] * v[2]);
            for (int k = 0; k < 3; ++k)
            {
                m[row][k] -= along * v[k];
            }
        }
    }
    memcpy(axes, m, sizeof m);
}

static void draw_sheets(Pairs *pairs)
{
    uint32_t *index = pairs->indices;
    for (uint32_t i = 0; i < 256; ++i)
    {
        double x = i % 16, z = (double)(i / 16);
        for (int sheet = 0; sheet < 2; ++sheet)
        {
            double place[3] = {x + .25 * sheet, drawn(pairs), z + .25 * sheet};
            memcpy(pairs->grid[sheet] + 3 * (size_t)i, place, sizeof place);
        }
        if (i % 16 < 15 && i / 16 < 15)
        {
            uint32_t quad[6] = {i, i + 16, i + 1, i + 1, i + 16, i + 17};
            memcpy(index, quad, sizeof quad);
            index += 6;
        }
    }
}

static void *begin(const Bench *bench)
{
    Pairs *pairs = calloc(1, sizeof *pairs);
    (void)bench;
    for (int i = 0; pairs && i < PAIRS; ++i)
    {
        for (int side = 0; side < 2; ++side)
        {
            sidle_position low = drawn_place(pairs, 2), size = drawn_place(pairs, 1.5);
            pairs->boxes[side][i] = (sidle_box){low, {low.x + size.x, low.y + size.y, low.z + size.z}};
            pairs->oriented[side][i] = (sidle_oriented_box){.center = low, .half = drawn_place(pairs, .8)};
            turn(pairs, pairs->oriented[side][i].axes);
            for (int k = 0; k < 3; ++k)
            {
                pairs->triangles[side][i].corners[k] = drawn_place(pairs, 2);
            }
        }
        pairs->spheres[i] = (sidle_sphere){drawn_place(pairs, 3), drawn(pairs)};
        pairs->displacements[i] = drawn_place(pairs, 3);
    }
    if (pairs)
    {
        draw_sheets(pairs);
    }
    return pairs;
}

static uint64_t keep; /* what came out, so that it is computed */

#define RUN(name, call)                                                                                      \
    static uint64_t name(void *state)                                                                        \
    {                                                                                                        \
        const Pairs *pairs = state;                                                                          \
        sidle_touch touch = {.depth = 0};                                                                    \
        uint64_t hits = 0;                                                                                   \
        for (int i = 0; i < PAIRS; ++i)                                                                      \
        {                                                                                                    \
            hits += call;                                                                                    \
        }                                                                                                    \
        keep += hits + touch.point_count;                                                                    \
        return PAIRS;                                                                                        \
    }

RUN(run_point, sidle_box_point(&pairs->boxes[0][i], pairs->boxes[1][i].min))
RUN(run_oriented_point, sidle_oriented_box_point(&pairs->oriented[0][i], pairs->boxes[1][i].min))
RUN(run_boxes, sidle_box_box(&pairs->boxes[0][i], &pairs->boxes[1][i], &touch))
RUN(run_oriented, sidle_oriented_box_oriented_box(&pairs->oriented[0][i], &pairs->oriented[1][i], &touch))
RUN(run_oriented_verdict,
    sidle_oriented_box_oriented_box(&pairs->oriented[0][i], &pairs->oriented[1][i], NULL))
RUN(run_triangle, sidle_box_triangle(&pairs->boxes[0][i], &pairs->triangles[1][i], &touch))
RUN(run_triangle_verdict, sidle_box_triangle(&pairs->boxes[0][i], &pairs->triangles[1][i], NULL))
RUN(run_oriented_triangle,
    sidle_oriented_box_triangle(&pairs->oriented[0][i], &pairs->triangles[1][i], &touch))
RUN(run_sphere, sidle_box_sphere(&pairs->boxes[0][i], &pairs->spheres[i], &touch))
RUN(run_oriented_sphere, sidle_oriented_box_sphere(&pairs->oriented[0][i], &pairs->spheres[i], &touch))

static uint64_t run_moving(void *state)
{
    const Pairs *pairs = state;
    sidle_box_motion motion = {.first = 0};
    for (int i = 0; i < PAIRS; ++i)
    {
        keep += sidle_moving_boxes(&pairs->boxes[0][i], pairs->displacements[i], &pairs->boxes[1][i],
                                   pairs->displacements[PAIRS - 1 - i], &motion);
    }
    return PAIRS;
}

static uint64_t run_triangles(void *state)
{
    const Pairs *pairs = state;
    sidle_crossing crossing = {.kind = 0};
    for (int i = 0; i < PAIRS; ++i)
    {
        keep += sidle_triangle_triangle(&pairs->triangles[0][i], &pairs->triangles[1][i], &crossing);
    }
    return PAIRS;
}

/* An item is a pair of triangles: 450 by 450 of them. */
static uint64_t run_surfaces(void *state)
{
    const Pairs *pairs = state;
    static sidle_crossing crossings[4096];
    uint32_t count = 0;
    sidle_surface sheets[2];
    for (int i = 0; i < 2; ++i)
    {
        sheets[i] = (sidle_surface){.vertices_d = pairs->grid[i],
                                    .vertex_count = 256,
                                    .triangle_count = 450,
                                    .indices = pairs->indices};
    }
    keep += sidle_surfaces_cross(&sheets[0], &sheets[1], crossings, 4096, &count);
    return 450 * 450;
}

#define ROW(title, function)                                                                                 \
    {                                                                                                        \
        .name = "intersect/" title, .items = "calls", .begin = begin, .run = function, .end = free           \
    }

const Bench bench_intersect_box[] = {ROW("box/point", run_point),
                                     ROW("oriented_box/point", run_oriented_point),
                                     ROW("box/box", run_boxes),
                                     ROW("oriented_box/oriented_box", run_oriented),
                                     ROW("oriented_box/oriented_box/verdict", run_oriented_verdict),
                                     ROW("box/triangle", run_triangle),
                                     ROW("box/triangle/verdict", run_triangle_verdict),
                                     ROW("oriented_box/triangle", run_oriented_triangle),
                                     ROW("box/sphere", run_sphere),
                                     ROW("oriented_box/sphere", run_oriented_sphere),
                                     ROW("moving_boxes", run_moving),
                                     ROW("triangle/triangle", run_triangles),
                                     ROW("surfaces", run_surfaces),
                                     {0}};
