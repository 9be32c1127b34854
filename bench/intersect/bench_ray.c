/* What a ray or a pair of lines costs: hits and misses as they come, in data that lies in the first cache. */
#include "bench.h"

#include "sidle/intersect/line.h"
#include "sidle/intersect/ray.h"

#include <math.h>
#include <stdlib.h>

#define PAIRS  1024
#define ROUNDS 64

typedef struct Pairs
{
    uint32_t which;
    sidle_ray rays[PAIRS];
    sidle_segment segments[PAIRS], others[PAIRS];
    sidle_segment2 flat[PAIRS], flat_others[PAIRS];
    sidle_plane planes[PAIRS];
    sidle_dtriangle triangles[PAIRS];
    sidle_sphere spheres[PAIRS];
    sidle_capsule capsules[PAIRS];
    sidle_box boxes[PAIRS];
    sidle_oriented_box oriented[PAIRS];
    double hits; /* kept, so that nothing is optimised away */
} Pairs;

enum
{
    PLANE,
    TRIANGLE,
    TRIANGLE_HIT,  /* each is hit, anywhere */
    TRIANGLE_EDGE, /* each is hit at an edge, exactly: the slowest path to a verdict */
    SPHERE,
    CAPSULE,
    BOX,
    ORIENTED_BOX,
    LINE2,
    SEGMENT2,
    LINE3,
    SEGMENT3,
    SEGMENT3_FLAT /* in one plane, on a lattice */
};

static uint64_t state_of_random = 1;

static double drawn(double low, double high)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(state_of_random >> 11) * 0x1p-53;
}

static sidle_position drawn_place(double size)
{
    double x = drawn(-size, size), y = drawn(-size, size), z = drawn(-size, size);
    return (sidle_position){x, y, z};
}

static bool ask_shape(const Pairs *pairs, int i, sidle_ray_hit *hit)
{
    const sidle_ray *ray = &pairs->rays[i];
    switch (pairs->which)
    {
    case PLANE:
        return sidle_ray_plane(ray, &pairs->planes[i], hit);
    case TRIANGLE:
    case TRIANGLE_HIT:
    case TRIANGLE_EDGE:
        return sidle_ray_triangle(ray, &pairs->triangles[i], 0, hit);
    case SPHERE:
        return sidle_ray_sphere(ray, &pairs->spheres[i], hit);
    case CAPSULE:
        return sidle_ray_capsule(ray, &pairs->capsules[i], hit);
    case BOX:
        return sidle_ray_box(ray, &pairs->boxes[i], hit);
    default:
        return sidle_ray_oriented_box(ray, &pairs->oriented[i], hit);
    }
}

static bool ask_lines(const Pairs *pairs, int i, double *found)
{
    sidle_meeting2 meeting = {.s = {0, 0}};
    sidle_nearest nearest;
    sidle_line_case answer;
    switch (pairs->which)
    {
    case LINE2:
        answer = sidle_line2_line2(&pairs->flat[i], &pairs->flat_others[i], &meeting);
        *found = meeting.s[0];
        return answer == SIDLE_LINES_CROSSING;
    case SEGMENT2:
        answer = sidle_segment2_segment2(&pairs->flat[i], &pairs->flat_others[i], &meeting);
        *found = meeting.s[0];
        return answer == SIDLE_LINES_CROSSING;
    case LINE3:
        answer = sidle_line_line(&pairs->rays[i], &pairs->rays[(i + 1) % PAIRS], &nearest);
        break;
    default:
        answer = sidle_segment_segment(&pairs->segments[i], &pairs->others[i], &nearest);
    }
    *found = nearest.distance_squared;
    return answer == SIDLE_LINES_SKEW;
}

static uint64_t run(void *state)
{
    Pairs *pairs = state;
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (int i = 0; i < PAIRS; ++i)
        {
            sidle_ray_hit hit = {.t = 0};
            double found = 0;
            bool is_hit = pairs->which < LINE2 ? ask_shape(pairs, i, &hit) : ask_lines(pairs, i, &found);
            pairs->hits += is_hit + hit.t + found;
        }
    }
    return (uint64_t)ROUNDS * PAIRS;
}

static void fill(Pairs *pairs, int i)
{
    sidle_position a = drawn_place(1), b = drawn_place(1), c = drawn_place(1), o = drawn_place(4),
                   at = drawn_place(.7);
    double radius = drawn(.1, .6), angle = drawn(0, 6), x = cos(angle), y = sin(angle);
    pairs->rays[i] = (sidle_ray){o, {at.x - o.x, at.y - o.y, at.z - o.z}};
    pairs->segments[i] = (sidle_segment){o, at};
    pairs->others[i] = (sidle_segment){a, b};
    pairs->flat[i] = (sidle_segment2){{o.x, o.y}, {at.x, at.y}};
    pairs->flat_others[i] = (sidle_segment2){{a.x, a.y}, {b.x, b.y}};
    pairs->planes[i] = (sidle_plane){{x, y, 0}, radius};
    pairs->triangles[i] = (sidle_dtriangle){{a, b, c}};
    pairs->spheres[i] = (sidle_sphere){{0, 0, 0}, radius};
    pairs->capsules[i] = (sidle_capsule){a, b, radius * .5};
    pairs->boxes[i] = (sidle_box){{-radius, -.4, -.4}, {radius, .4, .4}};
    pairs->oriented[i] =
        (sidle_oriented_box){{0, 0, 0}, {radius, .4, .4}, {{x, y, 0}, {-y, x, 0}, {0, 0, 1}}};
}

static double whole(double size)
{
    return (double)(int)drawn(-size, size);
}

/* Whole numbers in one plane; the triangle's first edge is hit at its middle. */
static void fill_flat(Pairs *pairs, int i)
{
    double numbers[9];
    for (int k = 0; k < 9; ++k)
    {
        numbers[k] = 2 * whole(50);
    }
    sidle_position a = {numbers[0], numbers[1], 0}, b = {numbers[2], numbers[3], 0},
                   c = {numbers[4], numbers[5], 0};
    sidle_position d = {numbers[6], numbers[7], 0};
    sidle_ray down = {{(a.x + b.x) / 2 - numbers[8], (a.y + b.y) / 2, 100}, {numbers[8], 0, -100}};
    pairs->segments[i] = (sidle_segment){a, b};
    pairs->others[i] = (sidle_segment){c, d};
    pairs->triangles[i] = (sidle_dtriangle){{a, b, c}};
    pairs->rays[i] = down;
}

static void aim(Pairs *pairs, int i)
{
    const sidle_position *at = pairs->triangles[i].corners, *o = &pairs->rays[i].origin;
    double u = drawn(0, .5), v = drawn(0, .5), w = 1 - u - v;
    pairs->rays[i].direction = (sidle_dvec3){u * at[0].x + v * at[1].x + w * at[2].x - o->x,
                                             u * at[0].y + v * at[1].y + w * at[2].y - o->y,
                                             u * at[0].z + v * at[1].z + w * at[2].z - o->z};
}

static void *begin(const Bench *bench)
{
    Pairs *pairs = calloc(1, sizeof *pairs);
    for (int i = 0; pairs && i < PAIRS; ++i)
    {
        pairs->which = bench->mode;
        fill(pairs, i);
        if (pairs->which == TRIANGLE_EDGE || pairs->which == SEGMENT3_FLAT)
        {
            fill_flat(pairs, i);
        }
        else if (pairs->which == TRIANGLE_HIT)
        {
            aim(pairs, i);
        }
    }
    return pairs;
}

#define ROW(title, what)                                                                                     \
    {                                                                                                        \
        .name = "intersect/" title "/1", .items = "pairs", .lanes = 1, .mode = what, .begin = begin,         \
        .run = run, .end = free                                                                              \
    }

const Bench bench_intersect_ray[] = {ROW("ray_plane", PLANE),
                                     ROW("ray_triangle", TRIANGLE),
                                     ROW("ray_triangle_hit", TRIANGLE_HIT),
                                     ROW("ray_triangle_edge", TRIANGLE_EDGE),
                                     ROW("ray_sphere", SPHERE),
                                     ROW("ray_capsule", CAPSULE),
                                     ROW("ray_box", BOX),
                                     ROW("ray_oriented_box", ORIENTED_BOX),
                                     ROW("line2_line2", LINE2),
                                     ROW("segment2_segment2", SEGMENT2),
                                     ROW("line_line", LINE3),
                                     ROW("segment_segment", SEGMENT3),
                                     ROW("segment_segment_flat", SEGMENT3_FLAT),
                                     {0}};
