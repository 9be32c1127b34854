/* Triangles into a mesh, on one thread. */
#include "bench.h"
#include "scene.h"

static void *begin(const Bench *bench)
{
    return (void *)bench_scene(bench->level);
}

static uint64_t run(void *state)
{
    const BenchScene *scene = state;
    sidle_mesh_desc soup = bench_mesh_desc(&scene->level);
    sidle_mesh *mesh;
    if (sidle_mesh_create(&soup, NULL, NULL, &mesh))
    {
        return 0;
    }
    sidle_mesh_release(mesh);
    return soup.triangle_count;
}

static void end(void *state)
{
    (void)state; /* the scene is kept for the next run */
}

#define BAKE(title, source)                                                                                  \
    {                                                                                                        \
        .name = "bake/" title, .items = "triangles", .level = source, .begin = begin, .run = run, .end = end \
    }

const Bench bench_bake[] = {
    BAKE("city", "gen:city"), BAKE("terrain", "gen:terrain:256"), BAKE("dungeon", "gen:dungeon"), {0}};
