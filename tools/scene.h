/* What every command begins with: a level, the threads to work with, and the mesh baked from it; or a mesh
 * that was baked before. */
#ifndef SIDLE_TOOLS_SCENE_H
#define SIDLE_TOOLS_SCENE_H

#include "blob_file.h"
#include "level.h"
#include "options.h"
#include "sidle/jobs.h"
#include "sidle/mesh.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Scene
{
    Level level;            /* of a blob: no more than the name, until scene_need_triangles */
    sidle_pool *pool;       /* NULL with one thread */
    const sidle_jobs *jobs; /* NULL with one thread */
    uint32_t threads;
    sidle_mesh *mesh;
    sidle_mesh_info info;
    double bake_ms;
    bool is_blob;
    BlobReport blob; /* if it is one */
} Scene;

/* On failure one sentence is printed and nothing is left to be freed. */
bool scene_open(const Options *options, Scene *scene);
void scene_close(Scene *scene);

/* For whoever looks at the level itself: takes it out of a blob's mesh, every corner a vertex of its own. */
bool scene_need_triangles(Scene *scene, char *message, int message_size);

/* Runs `work` over [0, count) on the jobs, or on this thread if they are NULL. */
void run_parallel(const sidle_jobs *jobs, const char *name, uint32_t count, uint32_t grain,
                  sidle_range_fn *work, void *context);

/* "1,234,567"; the text lies in one of a few buffers that take turns. */
const char *grouped(uint64_t number);

#endif
