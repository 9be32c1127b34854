/* What commits of a large world cost on one core, as lines of "what, figure, bar":
 *
 *     commit_cost [instances]
 *
 * The least and the median time of several commits count. All instances are squares of 2 units on a jittered grid; moved
 * ones are spread over it, or other ones each time. Without a number there are 100,000, for which the bars hold. */
#include "sidle/sidle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS  31
#define PITCH 4.0 /* units between instances */

typedef struct Bench
{
    sidle_world *world;
    sidle_mesh *mesh;
    sidle_instance *ids;
    sidle_pose *poses;
    uint32_t count, next; /* next: the first one that moves in a commit with other ones each time */
} Bench;

static void demand(sidle_status status)
{
    if (status != SIDLE_OK)
    {
        fprintf(stderr, "commit_cost: %s\n", sidle_status_text(status));
        exit(1);
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint32_t hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static void open_world(Bench *bench)
{
    const float corners[] = {-1, 0, -1, -1, .5f, 1, 1, 0, 1, 1, .25f, -1};
    const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = corners,
                            .vertex_count = 4,
                            .indices = indices,
                            .triangle_count = 2};
    demand(sidle_mesh_create(&desc, NULL, NULL, &bench->mesh));
    demand(sidle_world_create(NULL, NULL, &bench->world));
    bench->ids = calloc(bench->count, sizeof *bench->ids);
    bench->poses = calloc(bench->count, sizeof *bench->poses);
    if (!bench->ids || !bench->poses)
    {
        demand(SIDLE_ERROR_MEMORY);
    }
    uint32_t side = 1;
    while ((uint64_t)side * side < bench->count)
    {
        ++side;
    }
    for (uint32_t i = 0; i < bench->count; ++i)
    {
        double jitter = hash(i) % 1000 * 1e-3;
        bench->poses[i] =
            (sidle_pose){.position = {PITCH * (i % side) + jitter, jitter, PITCH * (i / side) - jitter}};
        sidle_instance_desc instance = {
            .size = sizeof instance, .mesh = bench->mesh, .pose = bench->poses[i], .key = i + 1};
        demand(sidle_world_add(bench->world, &instance, &bench->ids[i]));
    }
}

enum Kind
{
    NOTHING,
    SAME,  /* the same ones move each time */
    OTHER, /* other ones each time */
    JUMP   /* other ones, each to a place far away */
};

static void move(Bench *bench, uint32_t i, enum Kind kind, uint32_t round)
{
    sidle_pose from = bench->poses[i], *to = &bench->poses[i];
    if (kind == JUMP)
    {
        to->position = bench->poses[hash(i + round) % bench->count].position;
        demand(sidle_world_teleport(bench->world, bench->ids[i], to));
        return;
    }
    to->position.y += .05;
    to->position.x += round % 2 ? .1 : -.1;
    demand(sidle_world_move(bench->world, bench->ids[i], &from, to));
}

static double commit(Bench *bench)
{
    sidle_snapshot *snapshot;
    double begin = now();
    demand(sidle_world_commit(bench->world, NULL));
    double seconds = now() - begin;
    demand(sidle_world_snapshot(bench->world, &snapshot));
    sidle_snapshot_release(snapshot);
    return seconds;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(Bench *bench, const char *what, uint32_t moved, enum Kind kind, double bar)
{
    double times[RUNS];
    commit(bench); /* what moved in the line before arrives */
    commit(bench);
    for (uint32_t round = 0; round < RUNS; ++round)
    {
        uint32_t step = moved ? bench->count / moved : 1;
        for (uint32_t k = 0; k < moved; ++k)
        {
            uint32_t spread = (k * step) % bench->count;
            move(bench, kind == SAME ? spread : (spread + hash(round)) % bench->count, kind, round);
        }
        times[round] = commit(bench);
    }
    qsort(times, RUNS, sizeof *times, by_size);
    double median = 1e3 * times[RUNS / 2];
    printf("%-34s, least %8.4f, median %8.4f, most %8.4f ms", what, 1e3 * times[0], median,
           1e3 * times[RUNS - 1]);
    printf(bar > 0 ? ", at most %g: %s\n" : "\n", bar, median <= bar ? "good" : "MISSED");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    Bench bench = {.count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000};
    if (bench.count < 10 || bench.count > SIDLE_MAX_INSTANCES)
    {
        fprintf(stderr, "usage: commit_cost [10 to %u instances]\n", SIDLE_MAX_INSTANCES);
        return 2;
    }
    open_world(&bench);
    printf("%-34s, %8.4f ms\n", "the first commit", 1e3 * commit(&bench));
    measure(&bench, "nothing changed", 0, NOTHING, .01);
    measure(&bench, "a thousandth moves", bench.count / 1000, SAME, .3);
    measure(&bench, "another thousandth moves", bench.count / 1000, OTHER, .3);
    measure(&bench, "a tenth moves", bench.count / 10, SAME, 4);
    measure(&bench, "another tenth moves", bench.count / 10, OTHER, 0);
    measure(&bench, "a thousandth jumps", bench.count / 1000, JUMP, 0);
    measure(&bench, "a tenth jumps", bench.count / 10, JUMP, 0);
    for (uint32_t i = 0; i < bench.count; ++i)
    {
        demand(sidle_world_remove(bench.world, bench.ids[i]));
    }
    sidle_world_destroy(bench.world);
    sidle_mesh_release(bench.mesh);
    free(bench.ids);
    free(bench.poses);
    return 0;
}
