/* The scenes of worst_move: triangles, boxes and height fields that no level would hold, shapes of every kind and requests up to the
 * limits. */
#ifndef SIDLE_BENCH_WORST_SCENE_H
#define SIDLE_BENCH_WORST_SCENE_H

#include "sidle/sidle.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Random
{
    uint64_t state;
} Random;

typedef struct Scene
{
    uint64_t seed;
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    sidle_profile profile;
    float extent, dt;
    uint32_t triangles, instances, moving;
    bool collide; /* the agents, with one another */
    char kind[48];
} Scene;

/* Returns false if the scene cannot be made. scene_close is due in any case. */
bool scene_open(uint64_t seed, uint32_t lanes, Random *random, Scene *scene);
void scene_close(Scene *scene);

/* The next agent, with its first request. */
sidle_move scene_draw_move(Random *random, const Scene *scene, uint64_t id);

#endif
