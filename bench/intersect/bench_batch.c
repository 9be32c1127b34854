/* One shape against 4,096, which lie in the second cache: a pair at a time. "few": most are not met, as in an
 * editor; "many": half of them are. */
#include "bench.h"

#include "sidle/intersect/batch.h"
#include "sidle/intersect/polygon.h"

#include <stdlib.h>

#define COUNT 4096

typedef struct Crowd
{
    float numbers[9][COUNT];
    float answers[COUNT];
    uint32_t hits[COUNT / 32];
    uint32_t lanes;
    float size; /* of the shapes, where their places are within 1 */
} Crowd;

static uint32_t seed = 1;

static float next_random(void)
{
    seed = seed * 1664525 + 1013904223;
    return (float)(seed >> 8) * 0x1p-24f * 2 - 1;
}

static void *begin_with(const Bench *bench, float size)
{
    Crowd *crowd = calloc(1, sizeof *crowd);
    for (uint32_t i = 0; crowd && i < COUNT; ++i)
    {
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            float at = next_random();
            for (uint32_t corner = 0; corner < 3; ++corner)
            {
                crowd->numbers[3 * corner + axis][i] = at + size * next_random();
            }
        }
    }
    if (crowd)
    {
        crowd->lanes = bench->lanes;
        crowd->size = size;
    }
    return crowd;
}

static void *begin_few(const Bench *bench)
{
    return begin_with(bench, .05f);
}

static void *begin_many(const Bench *bench)
{
    return begin_with(bench, 3);
}

static void *begin_boxes(const Bench *bench)
{
    Crowd *crowd = begin_with(bench, 0);
    for (uint32_t i = 0; crowd && i < 3 * COUNT; ++i)
    {
        crowd->numbers[3 + i / COUNT][i % COUNT] += .25f;
    }
    return crowd;
}

static sidle_triangle_arrays triangles_of(Crowd *crowd)
{
    sidle_triangle_arrays arrays = {.count = COUNT};
    for (int i = 0; i < 9; ++i)
    {
        arrays.corners[i / 3][i % 3] = crowd->numbers[i];
    }
    return arrays;
}

static uint64_t run_rays(void *state)
{
    Crowd *crowd = state;
    const sidle_ray_triangles_desc desc = {.size = sizeof desc,
                                           .triangles = triangles_of(crowd),
                                           .origin = {.1f, .2f, -2},
                                           .direction = {.05f, -.03f, 1},
                                           .lanes = crowd->lanes,
                                           .hits = crowd->hits,
                                           .times = crowd->answers};
    return sidle_batch_ray_triangles(&desc, NULL) ? 0 : COUNT;
}

static uint64_t run_spheres(void *state)
{
    Crowd *crowd = state;
    const sidle_sphere_triangles_desc desc = {.size = sizeof desc,
                                              .triangles = triangles_of(crowd),
                                              .center = {.1f, .2f, .1f},
                                              .radius = .3f,
                                              .lanes = crowd->lanes,
                                              .hits = crowd->hits,
                                              .distances = crowd->answers};
    return sidle_batch_sphere_triangles(&desc, NULL) ? 0 : COUNT;
}

static uint64_t run_boxes(void *state)
{
    Crowd *crowd = state;
    sidle_box_boxes_desc desc = {.size = sizeof desc,
                                 .boxes = {.count = COUNT},
                                 .min = {-.5f, -.5f, -.5f},
                                 .max = {.5f, .5f, .5f},
                                 .lanes = crowd->lanes,
                                 .hits = crowd->hits};
    for (int axis = 0; axis < 3; ++axis)
    {
        desc.boxes.min[axis] = crowd->numbers[axis];
        desc.boxes.max[axis] = crowd->numbers[3 + axis];
    }
    return sidle_batch_box_boxes(&desc, NULL) ? 0 : COUNT;
}

#define PAIRS(title, begin_it, run_it, lane_count)                                                           \
    {                                                                                                        \
        .name = "intersect/batch/" title "/" #lane_count, .items = "pairs", .lanes = lane_count,             \
        .begin = begin_it, .run = run_it, .end = free                                                        \
    }
#define WIDTHS(title, begin_it, run_it)                                                                      \
    PAIRS(title, begin_it, run_it, 1), PAIRS(title, begin_it, run_it, 4), PAIRS(title, begin_it, run_it, 8), \
        PAIRS(title, begin_it, run_it, 16)

const Bench bench_intersect_batch[] = {
    WIDTHS("ray/few", begin_few, run_rays),       WIDTHS("ray/many", begin_many, run_rays),
    WIDTHS("sphere/few", begin_few, run_spheres), WIDTHS("sphere/many", begin_many, run_spheres),
    WIDTHS("box", begin_boxes, run_boxes),        {0}};
