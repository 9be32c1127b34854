/* The two hot kernels, the swept ball and the closest point, on the packed triangles of a few agents. Those
 * are in the first cache, as in a tick, where pack has just written them. In "full", no triangle is
 * rejected early; in the levels, the triangles are those near agents. */
#include "bench.h"
#include "full_price.h"

#include <stdlib.h>

#define AGENTS 64
/* For each spot, so that reading the clock and other caches do not count. */
#define ROUNDS         32
#define PUBLISHED_RUNS 13 /* over all spots, for the time of the published form */

/* A batch and the sweeps through it. */
typedef struct Spot
{
    Packed packed;
    SweepQuery sweeps[FULL_SWEEPS];
    uint32_t sweep_count;
    FauerbyTriangle *triangles;
} Spot;

typedef struct Spots
{
    const Kernels *kernels;
    Spot list[AGENTS];
    uint32_t count;
    double radius; /* of the closest point */
} Spots;

static void end(void *state)
{
    Spots *spots = state;
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        packed_destroy(&spots->list[i].packed);
        free(spots->list[i].triangles);
    }
    free(spots);
}

static bool copy_triangles(Spot *spot, const Kernels *kernels)
{
    const Batch *batch = &spot->packed.batch;
    spot->triangles = calloc(batch->count + 1u, sizeof *spot->triangles);
    for (uint32_t i = 0; spot->triangles && i < batch->count; ++i)
    {
        spot->triangles[i] = packed_triangle(&spot->packed, kernels, i);
    }
    return spot->triangles != NULL;
}

/* ---- Spots in a level. ---- */

static bool add_spot(Spots *spots, const BenchScene *scene, uint32_t agent)
{
    uint32_t leaves[BENCH_CAPACITY];
    Surroundings around;
    surroundings_of(scene, agent, &around);
    around.leaves = leaves;
    around.leaf_count = spots->kernels->collect(scene->mesh->nodes, 0, &around.box, leaves, BENCH_CAPACITY);
    Spot *spot = &spots->list[spots->count++];
    spot->sweeps[0] = around.walk;
    spot->sweeps[1] = around.drop;
    spot->sweep_count = 2;
    if (around.leaf_count > BENCH_CAPACITY ||
        !packed_create(&spot->packed, spots->kernels, around.leaf_count * PACKET_TRIANGLES + 1))
    {
        return false;
    }
    packed_fill(&spot->packed, spots->kernels, scene->mesh, &around);
    return copy_triangles(spot, spots->kernels);
}

static bool find_spots(Spots *spots, const char *level)
{
    const BenchScene *scene = bench_scene(level);
    spots->radius = 1 + .75 * BENCH_SKIN; /* as at the beginning of each move */
    for (uint32_t i = 0; scene && i < AGENTS; ++i)
    {
        if (!add_spot(spots, scene, scene->agents.count / AGENTS * i))
        {
            return false;
        }
    }
    return scene != NULL;
}

/* ---- Spots without early rejection. ---- */

static bool make_spots(Spots *spots)
{
    uint32_t seed = 1;
    spots->radius = FULL_RADIUS;
    for (spots->count = 0; spots->count < FULL_BATCHES; ++spots->count)
    {
        Spot *spot = &spots->list[spots->count];
        spot->sweep_count = FULL_SWEEPS;
        if (!full_price_next(&spot->packed, spot->sweeps, spots->kernels, &seed) ||
            !copy_triangles(spot, spots->kernels))
        {
            return false;
        }
    }
    return true;
}

/* ---- The kernels. ---- */

static void *begin(const Bench *bench)
{
    Spots *spots = calloc(1, sizeof *spots);
    if (!spots)
    {
        return NULL;
    }
    spots->kernels = sidle_kernels_select(bench->lanes);
    if (!spots->kernels || !(bench->level ? find_spots(spots, bench->level) : make_spots(spots)))
    {
        end(spots);
        return NULL;
    }
    return spots;
}

static const SweepQuery *sweep_of(const Spot *spot, uint32_t round)
{
    return &spot->sweeps[round % spot->sweep_count];
}

static uint64_t run_sweep(void *state)
{
    const Spots *spots = state;
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < spots->count; ++i)
    {
        const Packed *packed = &spots->list[i].packed;
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            const SweepQuery *sweep = sweep_of(&spots->list[i], round);
            spots->kernels->sweep(&packed->batch, sweep, packed->candidates, NULL);
            triangles += packed->batch.count;
        }
    }
    return triangles;
}

static uint64_t run_closest(void *state)
{
    const Spots *spots = state;
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < spots->count; ++i)
    {
        const Batch *batch = &spots->list[i].packed.batch;
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            spots->kernels->closest(batch, vec3(0, 0, 0), spots->radius);
            triangles += batch->count;
        }
    }
    return triangles;
}

/* Keeps the compiler from dropping sweeps whose results are unused. */
static volatile double sink;

static uint64_t run_published(const Spots *spots)
{
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < spots->count; ++i)
    {
        const Spot *spot = &spots->list[i];
        uint32_t count = spot->packed.batch.count;
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            const SweepQuery *sweep = sweep_of(spot, round);
            Vec3 path = vec3_scale(sweep->direction, sweep->length), from = sweep->origin;
            FauerbyVector velocity = {(float)path.x, (float)path.y, (float)path.z};
            FauerbyVector base = {(float)from.x, (float)from.y, (float)from.z};
            sink = fauerby_sweep(spot->triangles, count, base, velocity).distance;
            triangles += count;
        }
    }
    return triangles;
}

static double published_sweep(void *state)
{
    uint64_t triangles = 0;
    double begun = bench_seconds();
    for (uint32_t run = 0; run < PUBLISHED_RUNS; ++run)
    {
        triangles += run_published(state);
    }
    return (bench_seconds() - begun) / (double)triangles;
}

#define SWEEP(title, source, lane_count)                                                                     \
    {                                                                                                        \
        .name = "sweep/" title "/" #lane_count, .items = "triangles", .level = source, .lanes = lane_count,  \
        .begin = begin, .run = run_sweep, .baselines = {{"x_fauerby", published_sweep}}, .end = end          \
    }
#define CLOSEST(title, source, lane_count)                                                                   \
    {                                                                                                        \
        .name = "closest/" title "/" #lane_count, .items = "triangles", .level = source,                     \
        .lanes = lane_count, .begin = begin, .run = run_closest, .end = end                                  \
    }
#define WIDTHS(kernel, title, source)                                                                        \
    kernel(title, source, 1), kernel(title, source, 4), kernel(title, source, 8), kernel(title, source, 16)
#define EVERYWHERE(kernel)                                                                                   \
    WIDTHS(kernel, "full", NULL), WIDTHS(kernel, "city", "gen:city"),                                        \
        WIDTHS(kernel, "terrain", "gen:terrain:256"), WIDTHS(kernel, "dungeon", "gen:dungeon")

const Bench bench_kernels[] = {EVERYWHERE(SWEEP), EVERYWHERE(CLOSEST), {0}};
