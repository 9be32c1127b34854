/* The scenes whose instructions cmake/instructions.sh counts: instructions LEVEL.
 *
 * callgrind collects inside counted_tick, counted_steering and counted_casts, and writes one dump after each call of scene_ends.
 * The program prints "LEVEL SCENE ITEMS" for each dump, in the same order. */
#include "crowd/patch.h"
#include "sidle/sidle.h"
#include "tools/agents.h"
#include "tools/level.h"
#include "tools/wander.h"

#include <stdio.h>
#include <stdlib.h>

#define HZ            60
#define AGENTS        200
#define SETTLED_TICKS 20 /* the agents land within the first few */
#define COUNTED_TICKS 30
#define CROWDED       1.0 /* agents a square metre, of those that collide */
#define ON_GROUND     .6  /* metres: no roofs */
#define CASTS         2000
#define LANES         8 /* AVX2 under SIDLE_AVX512=0 */
#define DENSE_LANES   4 /* SSE2: valgrind 3.19 lacks vmovq between registers, which AVX2 code has */
#define BALL          .35f
#define SHORT         1.0f /* seconds of walking: 1.5 to 4 m */
#define LONG          10.0f

typedef struct Scene
{
    Level level;
    CheckGrid *grid;
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_snapshot *snapshot;
    Agents agents;
    uint32_t seeds[AGENTS]; /* of their paths */
    sidle_move moves[AGENTS];
    sidle_result results[AGENTS];
    sidle_cast casts[CASTS];
    sidle_cast_hit hits[CASTS];
    uint32_t tick_flags;
    bool stand; /* instead of wandering */
    bool steer; /* before each tick */
} Scene;

static Scene scene; /* too large for a stack */

/* Callgrind finds these four by name. */
sidle_status counted_tick(sidle_crowd *crowd, const sidle_tick_desc *tick);
sidle_status counted_steering(sidle_crowd *crowd, const sidle_steer_desc *desc);
sidle_status counted_casts(const sidle_cast_batch_desc *batch);
void scene_ends(const char *name, unsigned items);

__attribute__((noinline)) sidle_status counted_tick(sidle_crowd *crowd, const sidle_tick_desc *tick)
{
    sidle_status status = sidle_crowd_tick(crowd, tick);
    __asm__ volatile(""); /* no tail call: callgrind would see no end of this function */
    return status;
}

__attribute__((noinline)) sidle_status counted_steering(sidle_crowd *crowd, const sidle_steer_desc *desc)
{
    sidle_status status = sidle_steer(crowd, desc);
    __asm__ volatile("");
    return status;
}

__attribute__((noinline)) sidle_status counted_casts(const sidle_cast_batch_desc *batch)
{
    sidle_status status = sidle_cast_batch(batch);
    __asm__ volatile("");
    return status;
}

__attribute__((noinline)) void scene_ends(const char *name, unsigned items)
{
    printf("%s %s %u\n", scene.level.name, name, items);
    __asm__ volatile("");
}

static bool open_level(const char *name)
{
    char message[512];
    sidle_instance instance;
    if (!level_load(name, &(LevelOptions){0}, &scene.level, message, sizeof message))
    {
        fprintf(stderr, "%s\n", message);
        return false;
    }
    sidle_mesh_desc soup = {.size = sizeof soup,
                            .vertices_d = scene.level.vertices,
                            .vertex_count = scene.level.vertex_count,
                            .indices = scene.level.indices,
                            .triangle_count = scene.level.triangle_count,
                            .surfaces = scene.level.surfaces};
    sidle_instance_desc placed = {.size = sizeof placed};
    if (sidle_mesh_create(&soup, NULL, NULL, &placed.mesh))
    {
        return false;
    }
    scene.mesh = placed.mesh;
    return !sidle_world_create(NULL, NULL, &scene.world) &&
           !sidle_world_add(scene.world, &placed, &instance) && !sidle_world_commit(scene.world, NULL) &&
           !sidle_world_snapshot(scene.world, &scene.snapshot) && (scene.grid = check_create(&scene.level));
}

static void close_level(void)
{
    check_destroy(scene.grid);
    sidle_snapshot_release(scene.snapshot);
    sidle_world_destroy(scene.world);
    sidle_mesh_release(scene.mesh);
    level_free(&scene.level);
}

static bool run_ticks(sidle_crowd *crowd, uint32_t first, uint32_t end,
                      sidle_status (*run)(sidle_crowd *, const sidle_tick_desc *))
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene.snapshot,
                            .dt = 1.0f / HZ,
                            .moves = scene.moves,
                            .count = AGENTS,
                            .results = scene.results,
                            .flags = scene.tick_flags};
    sidle_steer_desc steering = {.size = sizeof steering,
                                 .snapshot = scene.snapshot,
                                 .dt = tick.dt,
                                 .moves = scene.moves,
                                 .move_stride = sizeof *scene.moves,
                                 .count = AGENTS,
                                 .displacements = &scene.moves->displacement,
                                 .displacement_stride = sizeof *scene.moves};
    bool is_good = true;
    for (uint32_t now = first; is_good && now < end; ++now)
    {
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            scene.moves[i].displacement =
                scene.stand ? (sidle_vec3){0, 0, 0} : wander(scene.seeds[i], now, HZ);
        }
        is_good = (!scene.steer || !counted_steering(crowd, &steering)) && !run(crowd, &tick);
        for (uint32_t i = 0; is_good && i < AGENTS; ++i)
        {
            scene.moves[i].body = scene.results[i].body;
        }
    }
    return is_good;
}

static bool count_moves(const char *name, uint32_t mode, sidle_shape shape)
{
    char message[512] = "the crowd cannot be set up";
    SpawnDesc spawn = {.level = &scene.level, .grid = scene.grid, .shape = shape, .count = AGENTS, .seed = 1};
    sidle_profile profile = {.size = sizeof profile, .mode = mode, .shape = shape};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1, .lanes = LANES};
    sidle_crowd *crowd = NULL;
    if (!agents_spawn(&spawn, &scene.agents, message, sizeof message) ||
        sidle_crowd_create(&desc, NULL, &crowd))
    {
        fprintf(stderr, "%s: %s\n", scene.level.name, message);
        return false;
    }
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        scene.moves[i] = (sidle_move){.id = i + 1, .body.center = scene.agents.list[i].start};
        scene.seeds[i] = scene.agents.list[i].seed;
    }
    bool is_good = run_ticks(crowd, 0, SETTLED_TICKS, sidle_crowd_tick) &&
                   run_ticks(crowd, SETTLED_TICKS, SETTLED_TICKS + COUNTED_TICKS, counted_tick);
    sidle_crowd_destroy(crowd);
    agents_free(&scene.agents);
    scene_ends(name, AGENTS * COUNTED_TICKS);
    return is_good;
}

/* In a dense crowd. Of the collisions the ticks count, of steering its calls alone. */
static bool count_dense(void)
{
    const sidle_shape person = {.radii = {PATCH_RADIUS, PATCH_HEIGHT, PATCH_RADIUS}};
    sidle_profile profile = {.size = sizeof profile, .shape = person};
    sidle_crowd_desc desc = {
        .size = sizeof desc, .profiles = &profile, .profile_count = 1, .lanes = DENSE_LANES};
    Patch patch = {.level = scene.level, .grid = scene.grid, .mesh = scene.mesh};
    sidle_crowd *crowd = NULL;
    bool is_good = patch_fill(&patch, AGENTS, CROWDED, ON_GROUND) && !sidle_crowd_create(&desc, NULL, &crowd);
    for (uint32_t i = 0; is_good && i < AGENTS; ++i)
    {
        scene.moves[i] = (sidle_move){.id = i + 1, .body.center = patch.places[i]};
    }
    scene.tick_flags = SIDLE_TICK_AGENTS_COLLIDE;
    uint32_t last = SETTLED_TICKS + COUNTED_TICKS;
    is_good = is_good && run_ticks(crowd, 0, SETTLED_TICKS, sidle_crowd_tick) &&
              run_ticks(crowd, SETTLED_TICKS, last, counted_tick);
    scene_ends("collide", AGENTS * COUNTED_TICKS);
    scene.steer = true;
    is_good = is_good && run_ticks(crowd, last, last + COUNTED_TICKS, sidle_crowd_tick);
    scene_ends("steer", AGENTS * COUNTED_TICKS);
    scene.steer = false;
    scene.tick_flags = 0;
    sidle_crowd_destroy(crowd);
    free(patch.places);
    return is_good;
}

/* Casts from the places of the last crowd's agents, in the directions in which they walk. */
static bool count_casts(const char *name, float seconds, float radius)
{
    sidle_cast_batch_desc batch = {.size = sizeof batch,
                                   .snapshot = scene.snapshot,
                                   .lanes = LANES,
                                   .casts = scene.casts,
                                   .count = CASTS,
                                   .hits = scene.hits};
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        sidle_vec3 path = wander(hash_mix(i), 0, 1);
        scene.casts[i] = (sidle_cast){.origin = scene.moves[i % AGENTS].body.center,
                                      .displacement = {path.x * seconds, 0, path.z * seconds},
                                      .shape.radii = {radius, radius, radius}};
    }
    bool is_good = !counted_casts(&batch);
    scene_ends(name, CASTS);
    return is_good;
}

int main(int count, char **words)
{
    if (count != 2 || sidle_cast_lanes(LANES) != LANES)
    {
        fputs(count != 2 ? "usage: instructions LEVEL\n" : "this processor has no AVX2\n", stderr);
        return 2;
    }
    const sidle_shape ellipsoid = {.radii = {.4f, .9f, .4f}};
    const sidle_shape capsule = {.radii = {.4f, .4f, .4f}, .half_height = .5f};
    bool is_good = open_level(words[1]) && count_moves("slide", SIDLE_SLIDE, ellipsoid) &&
                   count_moves("capsule_walk", SIDLE_WALK, capsule) &&
                   count_moves("walk", SIDLE_WALK, ellipsoid) && count_casts("short_casts", SHORT, BALL) &&
                   count_casts("long_casts", LONG, BALL) && count_casts("rays", LONG, 0);
    scene.stand = true;
    is_good = is_good && count_moves("stand", SIDLE_WALK, ellipsoid);
    scene.stand = false;
    is_good = is_good && count_dense();
    close_level();
    if (!is_good)
    {
        fputs("the scenes did not run to their end\n", stderr);
    }
    return is_good ? 0 : 1;
}
