/* What every command begins with: a level, threads, and a mesh that was baked from the level or opened from
 * a file. */
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
    /* Of a blob: only the name, until scene_need_triangles. */
    Level level;
    sidle_pool *pool;       /* NULL with one thread */
    const sidle_jobs *jobs; /* NULL with one thread */
    uint32_t threads;
    sidle_mesh *mesh;
    sidle_mesh_info info;
    double bake_ms;
    bool is_blob;
    BlobReport blob; /* if it is one */
} Scene;

/* On failure prints a message and leaves nothing to free. */
bool scene_open(const Options *options, Scene *scene);
/* Of a level that is loaded. The scene owns it from now on, also after a failure. */
bool scene_open_level(const Options *options, const Level *level, Scene *scene);
void scene_close(Scene *scene);

/* Fills the level of a blob with the mesh's triangles, each corner a vertex of its own, for callers that
 * read the level. */
bool scene_need_triangles(Scene *scene, char *message, int message_size);

/* Runs `work` over [0, count) on the jobs, or on this thread if they are NULL. */
void run_parallel(const sidle_jobs *jobs, const char *name, uint32_t count, uint32_t grain,
                  sidle_range_fn *work, void *context);

/* Returns "1,234,567" in one of eight buffers that take turns. */
const char *grouped(uint64_t number);

#endif
