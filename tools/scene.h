/* What every command begins with: a level, the threads to work with, and the mesh baked from it. */
#ifndef SIDLE_TOOLS_SCENE_H
#define SIDLE_TOOLS_SCENE_H

#include "level.h"
#include "options.h"
#include "sidle/jobs.h"
#include "sidle/mesh.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Scene
{
    Level level;
    sidle_pool *pool;       /* NULL with one thread */
    const sidle_jobs *jobs; /* NULL with one thread */
    uint32_t threads;
    sidle_mesh *mesh;
    sidle_mesh_info info;
    double bake_ms;
} Scene;

/* On failure one sentence is printed and nothing is left to be freed. */
bool scene_open(const Options *options, Scene *scene);
void scene_close(Scene *scene);

/* Runs `work` over [0, count) on the jobs, or on this thread if they are NULL. */
void run_parallel(const sidle_jobs *jobs, const char *name, uint32_t count, uint32_t grain,
                  sidle_range_fn *work, void *context);

/* "1,234,567"; the text lies in one of a few buffers that take turns. */
const char *grouped(uint64_t number);

#endif
