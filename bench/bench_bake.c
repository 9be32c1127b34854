/* Triangles into a mesh, on one thread: by a bake, and by a refit of a mesh. */
#include "bench.h"
#include "scene.h"

static void *begin(const Bench *bench)
{
    return (void *)bench_scene(bench->level);
}

/* Releases the mesh; returns how many triangles were worked on. */
static uint64_t triangles_of(sidle_status status, sidle_mesh *mesh, const sidle_mesh_desc *desc)
{
    if (status != SIDLE_OK)
    {
        return 0;
    }
    sidle_mesh_release(mesh);
    return desc->triangle_count;
}

static uint64_t bake(void *state)
{
    const BenchScene *scene = state;
    sidle_mesh_desc soup = bench_mesh_desc(&scene->level);
    sidle_mesh *mesh;
    sidle_status status = sidle_mesh_create(&soup, NULL, NULL, &mesh);
    return triangles_of(status, mesh, &soup);
}

static uint64_t refit(void *state)
{
    const BenchScene *scene = state;
    sidle_mesh_desc soup = bench_mesh_desc(&scene->level);
    sidle_mesh *mesh;
    sidle_status status = sidle_mesh_refit(scene->mesh, &soup, NULL, NULL, &mesh);
    return triangles_of(status, mesh, &soup);
}

static void end(void *state)
{
    (void)state; /* the scene is kept for the next run */
}

#define BAKE(title, source)                                                                                  \
    {.name = "bake/" title, .items = "triangles", .level = source, .begin = begin, .run = bake, .end = end}, \
    {                                                                                                        \
        .name = "refit/" title, .items = "triangles", .level = source, .begin = begin, .run = refit,         \
        .end = end                                                                                           \
    }

const Bench bench_bake[] = {BAKE("city", "gen:city"),
                            BAKE("terrain", "gen:terrain:256"),
                            BAKE("large", "gen:terrain:1024"),
                            BAKE("dungeon", "gen:dungeon"),
                            {0}};
