/* What one call of the tests with planes and spheres costs. Each row asks the same thousand questions, some
 * hits and some misses, all in the cache. */
#include "bench.h"

#include "sidle/intersect.h"

#include <stdlib.h>

#define QUESTIONS 1000
#define ROUNDS    20

typedef struct Asking
{
    sidle_position places[QUESTIONS + 4];
    sidle_plane planes[QUESTIONS];
    sidle_sphere spheres[QUESTIONS + 1];
    sidle_moving_sphere moving[QUESTIONS + 1];
    sidle_dquat turns[QUESTIONS + 1];
    sidle_ellipsoid_space spaces[QUESTIONS];
    double times[QUESTIONS];
    uint64_t hits; /* so that nothing is optimised away */
    double sum;
} Asking;

/* Even between both; a generator of 64 bits, its upper 32. */
static double drawn(uint64_t *state, double low, double high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 32) * 0x1p-32;
}

static sidle_position place_drawn(uint64_t *state)
{
    double x = drawn(state, -3, 3), y = drawn(state, -3, 3);
    return (sidle_position){x, y, drawn(state, -3, 3)};
}

static void *begin(const Bench *bench)
{
    uint64_t state = 801;
    Asking *asking = calloc(1, sizeof *asking);
    (void)bench;
    for (int i = 0; asking && i < QUESTIONS + 4; ++i)
    {
        asking->places[i] = place_drawn(&state);
    }
    for (int i = 0; asking && i < QUESTIONS + 1; ++i)
    {
        asking->spheres[i] = (sidle_sphere){asking->places[i], drawn(&state, 0.2, 2)};
        asking->moving[i] =
            (sidle_moving_sphere){asking->places[i], place_drawn(&state), drawn(&state, 0.2, 2)};
        sidle_position p = place_drawn(&state);
        asking->turns[i] = (sidle_dquat){p.x, p.y, p.z, drawn(&state, -3, 3)};
    }
    for (int i = 0; asking && i < QUESTIONS; ++i)
    {
        asking->times[i] = drawn(&state, 0, 1);
        sidle_plane_from_point_normal(place_drawn(&state), place_drawn(&state), &asking->planes[i]);
        sidle_ellipsoid_space_from(asking->places[i], (sidle_dvec3){0.4, 0.9, asking->times[i] + 0.1},
                                   &asking->turns[i], &asking->spaces[i]);
    }
    return asking;
}

static void ask_plane_from_points(Asking *a, int i)
{
    sidle_plane plane = {{0, 0, 0}, 0};
    a->hits += sidle_plane_from_points(a->places[i], a->places[i + 1], a->places[i + 2], &plane);
    a->sum += plane.offset;
}

static void ask_plane_from_point_normal(Asking *a, int i)
{
    sidle_plane plane = {{0, 0, 0}, 0};
    a->hits += sidle_plane_from_point_normal(a->places[i], a->places[i + 1], &plane);
    a->sum += plane.offset;
}

static void ask_plane_distance(Asking *a, int i)
{
    a->sum += sidle_plane_distance(&a->planes[i], a->places[i]);
}

static void ask_plane_is_front_facing(Asking *a, int i)
{
    a->hits += sidle_plane_is_front_facing(&a->planes[i], a->places[i]);
}

static void ask_plane_closest_point(Asking *a, int i)
{
    a->sum += sidle_plane_closest_point(&a->planes[i], a->places[i]).x;
}

static void ask_ellipsoid_normal(Asking *a, int i)
{
    sidle_dvec3 normal = {0, 0, 0};
    a->hits += sidle_ellipsoid_normal(a->spaces[i].radii, a->places[i], &normal);
    a->sum += normal.x;
}

static void ask_ellipsoid_space_from(Asking *a, int i)
{
    sidle_ellipsoid_space space = {.radii = {0, 0, 0}};
    a->hits += sidle_ellipsoid_space_from(a->places[i], a->spaces[i].radii, &a->turns[i], &space);
    a->sum += space.axes[1].x;
}

static void ask_ellipsoid_space_point_in(Asking *a, int i)
{
    a->sum += sidle_ellipsoid_space_point_in(&a->spaces[i], a->places[i + 1]).x;
}

static void ask_ellipsoid_space_plane_in(Asking *a, int i)
{
    sidle_plane plane = {{0, 0, 0}, 0};
    a->hits += sidle_ellipsoid_space_plane_in(&a->spaces[i], &a->planes[i], &plane);
    a->sum += plane.offset;
}

static void ask_lowest_root(Asking *a, int i)
{
    double root = 0;
    a->hits += sidle_lowest_root(a->places[i].x, a->places[i].y, a->places[i].z, 0, 1, &root);
    a->sum += root;
}

static void ask_sphere_sphere(Asking *a, int i)
{
    sidle_touch touch = {.depth = 0};
    a->hits += sidle_sphere_sphere(&a->spheres[i], &a->spheres[i + 1], &touch);
    a->sum += touch.depth;
}

static void ask_sphere_plane(Asking *a, int i)
{
    sidle_touch touch = {.depth = 0};
    a->hits += sidle_sphere_plane(&a->spheres[i], &a->planes[i], &touch);
    a->sum += touch.depth;
}

static void ask_sphere_plane_sweep(Asking *a, int i)
{
    sidle_passage passage = {.first = 0};
    a->hits += sidle_sphere_plane_sweep(&a->moving[i], &a->planes[i], &passage);
    a->sum += passage.first;
}

static void ask_sphere_sphere_sweep(Asking *a, int i)
{
    sidle_passage passage = {.first = 0};
    a->hits += sidle_sphere_sphere_sweep(&a->moving[i], &a->moving[i + 1], &passage);
    a->sum += passage.first;
}

static void ask_slerp(Asking *a, int i)
{
    sidle_dquat turn = {0, 0, 0, 0};
    a->hits += sidle_slerp(&a->turns[i], &a->turns[i + 1], a->times[i], &turn);
    a->sum += turn.w;
}

#define ROW(title)                                                                                           \
    static uint64_t run_##title(void *state)                                                                 \
    {                                                                                                        \
        Asking *asking = state;                                                                              \
        for (int round = 0; round < ROUNDS; ++round)                                                         \
        {                                                                                                    \
            for (int i = 0; i < QUESTIONS; ++i)                                                              \
            {                                                                                                \
                ask_##title(asking, i);                                                                      \
            }                                                                                                \
        }                                                                                                    \
        return asking->sum == asking->sum ? (uint64_t)ROUNDS * QUESTIONS : 0;                                \
    }

ROW(plane_from_points)
ROW(plane_from_point_normal)
ROW(plane_distance)
ROW(plane_is_front_facing)
ROW(plane_closest_point)
ROW(ellipsoid_normal)
ROW(ellipsoid_space_from)
ROW(ellipsoid_space_point_in)
ROW(ellipsoid_space_plane_in)
ROW(lowest_root)
ROW(sphere_sphere)
ROW(sphere_plane)
ROW(sphere_plane_sweep)
ROW(sphere_sphere_sweep)
ROW(slerp)

#define BENCH(title)                                                                                         \
    {                                                                                                        \
        .name = "intersect/" #title, .items = "calls", .lanes = 1, .begin = begin, .run = run_##title,       \
        .end = free                                                                                          \
    }

const Bench bench_intersect_plane[] = {BENCH(plane_from_points),
                                       BENCH(plane_from_point_normal),
                                       BENCH(plane_distance),
                                       BENCH(plane_is_front_facing),
                                       BENCH(plane_closest_point),
                                       BENCH(ellipsoid_normal),
                                       BENCH(ellipsoid_space_from),
                                       BENCH(ellipsoid_space_point_in),
                                       BENCH(ellipsoid_space_plane_in),
                                       BENCH(lowest_root),
                                       BENCH(sphere_sphere),
                                       BENCH(sphere_plane),
                                       BENCH(sphere_plane_sweep),
                                       BENCH(sphere_sphere_sweep),
                                       BENCH(slerp),
                                       {0}};
