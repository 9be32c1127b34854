/* The two stages before the sweep: the walk of the tree, and the packing of triangles into ellipsoid space.
 */
#include "bench.h"
#include "surroundings.h"

#include <stdlib.h>

typedef struct Crowd
{
    const BenchScene *scene;
    const Kernels *kernels;
    Surroundings *list;
    uint32_t count;
    uint32_t *leaves; /* of all agents, one after another */
    uint32_t *found;  /* of one */
    Packed packed;    /* used for one agent after another, as in a tick */
} Crowd;

static void end(void *state)
{
    Crowd *crowd = state;
    packed_destroy(&crowd->packed);
    free(crowd->list);
    free(crowd->leaves);
    free(crowd->found);
    free(crowd);
}

static uint32_t gather(const Crowd *crowd, const Surroundings *around, uint32_t *leaves)
{
    return crowd->kernels->collect(crowd->scene->mesh->nodes, 0, &around->box, leaves, BENCH_CAPACITY);
}

static bool find_leaves(Crowd *crowd)
{
    size_t total = 0, used = 0;
    for (uint32_t i = 0; i < crowd->count; ++i)
    {
        Surroundings *around = &crowd->list[i];
        surroundings_of(crowd->scene, i, around);
        around->leaf_count = gather(crowd, around, crowd->found);
        if (around->leaf_count > BENCH_CAPACITY)
        {
            return false;
        }
        total += around->leaf_count;
    }
    crowd->leaves = malloc((total + BENCH_CAPACITY) * sizeof *crowd->leaves);
    for (uint32_t i = 0; crowd->leaves && i < crowd->count; ++i)
    {
        crowd->list[i].leaves = crowd->leaves + used;
        used += gather(crowd, &crowd->list[i], crowd->list[i].leaves);
    }
    return crowd->leaves != NULL;
}

static void *begin(const Bench *bench)
{
    const BenchScene *scene = bench_scene(bench->level);
    Crowd *crowd = scene ? calloc(1, sizeof *crowd) : NULL;
    if (!crowd)
    {
        return NULL;
    }
    crowd->scene = scene;
    crowd->kernels = sidle_kernels_select(bench->lanes);
    crowd->count = scene->agents.count;
    crowd->list = calloc(crowd->count, sizeof *crowd->list);
    crowd->found = malloc(BENCH_CAPACITY * sizeof *crowd->found);
    if (!crowd->kernels || !crowd->list || !crowd->found || !find_leaves(crowd) ||
        !packed_create(&crowd->packed, crowd->kernels, BENCH_CAPACITY))
    {
        end(crowd);
        return NULL;
    }
    return crowd;
}

static uint64_t run_gather(void *state)
{
    Crowd *crowd = state;
    for (uint32_t i = 0; i < crowd->count; ++i)
    {
        gather(crowd, &crowd->list[i], crowd->found);
    }
    return crowd->count;
}

static uint64_t run_pack(void *state)
{
    Crowd *crowd = state;
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < crowd->count; ++i)
    {
        packed_fill(&crowd->packed, crowd->kernels, crowd->scene->mesh, &crowd->list[i]);
        triangles += crowd->packed.batch.count;
    }
    return triangles;
}

#define GATHER(title, source, lane_count)                                                                    \
    {                                                                                                        \
        .name = "gather/" title "/" #lane_count, .items = "walks", .level = source, .lanes = lane_count,     \
        .begin = begin, .run = run_gather, .end = end                                                        \
    }
#define PACK(title, source, lane_count)                                                                      \
    {                                                                                                        \
        .name = "pack/" title "/" #lane_count, .items = "triangles", .level = source, .lanes = lane_count,   \
        .begin = begin, .run = run_pack, .end = end                                                          \
    }
#define STAGES(title, source)                                                                                \
    GATHER(title, source, 1), GATHER(title, source, 4), GATHER(title, source, 8), PACK(title, source, 1),    \
        PACK(title, source, 4), PACK(title, source, 8)

const Bench bench_narrow[] = {
    STAGES("city", "gen:city"), STAGES("terrain", "gen:terrain:256"), STAGES("dungeon", "gen:dungeon"), {0}};
