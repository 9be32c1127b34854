/* What the benchmarks run on: a level, baked and placed, and agents that wander over it. */
#ifndef SIDLE_BENCH_SCENE_H
#define SIDLE_BENCH_SCENE_H

#include "sidle/sidle.h"
#include "tools/agents.h"
#include "tools/check.h"
#include "tools/level.h"

#define BENCH_AGENT_COUNT 4000
#define BENCH_HZ          60

typedef struct BenchScene
{
    Level level;
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_snapshot *snapshot;
    Agents agents;
    sidle_body *bodies; /* of the agents after they have landed */
    uint32_t tick;      /* the next one */
} BenchScene;

/* Returns NULL, after a message on standard error, on failure. The scene of the last call is kept, because
 * Google Benchmark calls a benchmark several times to find its number of runs. It is valid until a call for
 * another level. */
const BenchScene *bench_scene(const char *level);

/* Returns the mesh desc of the level. Every array is borrowed. */
sidle_mesh_desc bench_mesh_desc(const Level *level);

/* Returns the displacement of an agent in a tick. */
sidle_vec3 bench_wish(const BenchScene *scene, uint32_t agent, uint32_t tick);

#endif
