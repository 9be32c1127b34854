/* What streaming costs, on one core, as lines of "what, figure, bar":
 *
 *     streaming_cost [pieces a tick]
 *
 * 10,000 agents walk over a terrain. Before each tick that many pieces are attached far away and as many are detached, 100 without a
 * number. The pieces are baked beforehand, as another thread would. Times are of the processor, and medians. */
#include "sidle/sidle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define AGENTS 10000
#define CELLS  256 /* of the terrain, along a side; a metre each */
#define TICKS  200
#define KEPT   10000 /* pieces that are attached at the same time */

static void demand(sidle_status status)
{
    if (status != SIDLE_OK)
    {
        fprintf(stderr, "streaming_cost: %s\n", sidle_status_text(status));
        exit(1);
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static sidle_mesh *terrain(uint32_t cells, double steep)
{
    uint32_t side = cells + 1, triangles = 0;
    float *vertices = malloc(sizeof *vertices * 3 * side * side);
    uint32_t *indices = malloc(sizeof *indices * 6 * cells * cells);
    sidle_mesh *mesh;
    if (!vertices || !indices)
    {
        demand(SIDLE_ERROR_MEMORY);
    }
    for (uint32_t i = 0; i < side * side; ++i)
    {
        double x = i % side - cells / 2., z = i / side - cells / 2.;
        vertices[3 * i] = (float)x;
        vertices[3 * i + 1] = (float)(steep * (sin(x / 7) + cos(z / 5)));
        vertices[3 * i + 2] = (float)z;
    }
    for (uint32_t i = 0; i < cells * cells; ++i)
    {
        uint32_t a = i / cells * side + i % cells, *to = &indices[3 * triangles];
        const uint32_t quad[6] = {a, a + side, a + 1, a + 1, a + side, a + side + 1};
        for (int k = 0; k < 6; ++k)
        {
            to[k] = quad[k];
        }
        triangles += 2;
    }
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = vertices,
                            .vertex_count = side * side,
                            .indices = indices,
                            .triangle_count = triangles};
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh));
    free(vertices);
    free(indices);
    return mesh;
}

typedef struct Bench
{
    sidle_world *world;
    sidle_mesh *piece;
    sidle_instance kept[KEPT];
    uint32_t next; /* piece */
    sidle_crowd *crowd;
    sidle_move moves[AGENTS];
    sidle_result results[AGENTS];
} Bench;

static void stream(Bench *bench, uint32_t pieces)
{
    for (uint32_t i = 0; i < pieces; ++i, ++bench->next)
    {
        uint32_t at = bench->next % KEPT;
        if (bench->next >= KEPT)
        {
            demand(sidle_world_remove(bench->world, bench->kept[at]));
        }
        sidle_instance_desc desc = {.size = sizeof desc, .mesh = bench->piece, .key = 1000 + bench->next};
        desc.pose.position = (sidle_position){1000 + 20. * (at % 100), 0, 20. * (at / 100)};
        demand(sidle_world_add(bench->world, &desc, &bench->kept[at]));
    }
}

static double tick(Bench *bench)
{
    sidle_snapshot *snapshot;
    demand(sidle_world_snapshot(bench->world, &snapshot));
    sidle_tick_desc desc = {.size = sizeof desc,
                            .snapshot = snapshot,
                            .dt = 1 / 60.f,
                            .moves = bench->moves,
                            .results = bench->results,
                            .count = AGENTS};
    double begin = now();
    demand(sidle_crowd_tick(bench->crowd, &desc));
    double time = now() - begin;
    sidle_snapshot_release(snapshot);
    for (int i = 0; i < AGENTS; ++i)
    {
        bench->moves[i].body = bench->results[i].body;
    }
    return time;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Medians of a commit and of a tick. */
static void measure(Bench *bench, uint32_t pieces, double *commit_ms, double *tick_ms)
{
    double commits[TICKS], ticks[TICKS];
    for (int i = 0; i < TICKS; ++i)
    {
        stream(bench, pieces);
        double begin = now();
        demand(sidle_world_commit(bench->world, NULL));
        commits[i] = now() - begin;
        ticks[i] = tick(bench);
    }
    qsort(commits, TICKS, sizeof *commits, by_size);
    qsort(ticks, TICKS, sizeof *ticks, by_size);
    *commit_ms = commits[TICKS / 2];
    *tick_ms = ticks[TICKS / 2];
}

int main(int argc, char **argv)
{
    static Bench bench;
    uint32_t pieces = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .9f, .4f}};
    sidle_crowd_desc crowd = {.size = sizeof crowd, .profiles = &profile, .profile_count = 1};
    sidle_instance_desc ground = {.size = sizeof ground, .mesh = terrain(CELLS, 1), .key = 1};
    sidle_instance id;
    demand(sidle_world_create(NULL, NULL, &bench.world));
    demand(sidle_world_add(bench.world, &ground, &id));
    demand(sidle_crowd_create(&crowd, NULL, &bench.crowd));
    bench.piece = terrain(16, .3);
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        bench.moves[i] = (sidle_move){.id = i, .body.center = {i % 100 - 50., 3.5, i / 100 - 50.}};
        bench.moves[i].displacement = (sidle_vec3){.02f * (float)cos(i), 0, .02f * (float)sin(i)};
    }
    stream(&bench, KEPT);
    double commit_ms, still_ms, streamed_ms;
    measure(&bench, 0, &commit_ms, &still_ms);
    printf("a tick of %d agents                 , %8.3f ms\n", AGENTS, still_ms);
    measure(&bench, pieces, &commit_ms, &streamed_ms);
    printf("a commit of %u pieces in and out of %d, %8.3f ms\n", pieces, KEPT, commit_ms);
    printf("a tick after it                        , %8.3f ms\n", streamed_ms);
    double ratio = streamed_ms / still_ms;
    printf("ratio of the ticks                     , %8.3f, at most 2: %s\n", ratio,
           ratio <= 2 ? "good" : "MISSED");
    sidle_crowd_destroy(bench.crowd);
    sidle_world_destroy(bench.world);
    sidle_mesh_release(ground.mesh);
    sidle_mesh_release(bench.piece);
    return 0;
}
