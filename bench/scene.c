#include "scene.h"

#include "bench.h"
#include "kernels/kernels.h"
#include "tools/wander.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SETTLING_TICKS BENCH_HZ

static BenchScene kept;

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool bench_can_run(const Bench *bench)
{
    return sidle_kernels_select(bench->lanes) != NULL;
}

sidle_mesh_desc bench_mesh_desc(const Level *level)
{
    return (sidle_mesh_desc){.size = sizeof(sidle_mesh_desc),
                             .vertices_d = level->vertices,
                             .vertex_count = level->vertex_count,
                             .triangle_count = level->triangle_count,
                             .indices = level->indices,
                             .surfaces = level->surfaces};
}

sidle_vec3 bench_wish(const BenchScene *scene, uint32_t agent, uint32_t tick)
{
    return wander(scene->agents.list[agent].seed, tick, BENCH_HZ);
}

static void close_scene(BenchScene *scene)
{
    free(scene->bodies);
    agents_free(&scene->agents);
    sidle_snapshot_release(scene->snapshot);
    sidle_world_destroy(scene->world);
    sidle_mesh_release(scene->mesh);
    level_free(&scene->level);
    *scene = (BenchScene){0};
}

static bool place(BenchScene *scene)
{
    sidle_mesh_desc soup = bench_mesh_desc(&scene->level);
    sidle_instance_desc placed = {.size = sizeof placed};
    sidle_instance instance;
    if (sidle_mesh_create(&soup, NULL, NULL, &scene->mesh) || sidle_world_create(NULL, NULL, &scene->world))
    {
        return false;
    }
    placed.mesh = scene->mesh;
    return !sidle_world_add(scene->world, &placed, &instance) && !sidle_world_commit(scene->world, NULL) &&
           !sidle_world_snapshot(scene->world, &scene->snapshot);
}

static bool walk(BenchScene *scene, sidle_crowd *crowd, sidle_move *moves, sidle_result *results)
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = 1.0f / BENCH_HZ,
                            .moves = moves,
                            .count = scene->agents.count,
                            .results = results};
    for (; scene->tick < SETTLING_TICKS; ++scene->tick)
    {
        for (uint32_t i = 0; i < tick.count; ++i)
        {
            moves[i].displacement = bench_wish(scene, i, scene->tick);
        }
        if (sidle_crowd_tick(crowd, &tick))
        {
            return false;
        }
        for (uint32_t i = 0; i < tick.count; ++i)
        {
            scene->bodies[i] = moves[i].body = results[i].body;
        }
    }
    return true;
}

static bool settle(BenchScene *scene)
{
    sidle_profile profile = {.size = sizeof profile, .shape = scene->agents.shapes[0]};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd *crowd = NULL;
    sidle_move *moves = calloc(scene->agents.count, sizeof *moves);
    sidle_result *results = calloc(scene->agents.count, sizeof *results);
    scene->bodies = calloc(scene->agents.count, sizeof *scene->bodies);
    bool done = moves && results && scene->bodies && !sidle_crowd_create(&desc, NULL, &crowd);
    for (uint32_t i = 0; done && i < scene->agents.count; ++i)
    {
        moves[i] = (sidle_move){.id = i + 1, .body.center = scene->agents.list[i].start};
    }
    done = done && walk(scene, crowd, moves, results);
    sidle_crowd_destroy(crowd);
    free(moves);
    free(results);
    return done;
}

static bool open_scene(const char *level, BenchScene *scene, char *message, int message_size)
{
    if (!level_load(level, &(LevelOptions){0}, &scene->level, message, message_size))
    {
        return false;
    }
    snprintf(message, (size_t)message_size, "%s cannot be set up", level);
    CheckGrid *grid = check_create(&scene->level);
    SpawnDesc spawn = {.level = &scene->level, .grid = grid, .count = BENCH_AGENT_COUNT, .seed = 1};
    spawn.shape.radii = (sidle_vec3){.4f, .9f, .4f};
    bool spawned = grid && place(scene) && agents_spawn(&spawn, &scene->agents, message, message_size);
    check_destroy(grid);
    return spawned && settle(scene);
}

const BenchScene *bench_scene(const char *level)
{
    if (strcmp(kept.level.name, level) == 0)
    {
        return &kept;
    }
    close_scene(&kept);
    char message[512];
    if (!open_scene(level, &kept, message, sizeof message))
    {
        fprintf(stderr, "%s\n", message);
        close_scene(&kept);
        return NULL;
    }
    return &kept;
}
