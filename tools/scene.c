#include "scene.h"

#include "console.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One thread means no pool at all. Without being asked for a number, a library built without its pool works
 * on one thread; asked for several, it is a failure that tells so. */
static bool start_threads(uint32_t wanted, Scene *scene)
{
    scene->threads = 1;
    if (wanted == 1)
    {
        return true;
    }
    sidle_pool_desc desc = {.size = sizeof desc, .worker_count = wanted};
    sidle_status status = sidle_pool_create(&desc, NULL, &scene->pool);
    if (status == SIDLE_ERROR_UNSUPPORTED && wanted == 0)
    {
        return true;
    }
    if (status != SIDLE_OK)
    {
        failure("Cannot start the threads: %s", sidle_status_text(status));
        return false;
    }
    scene->jobs = sidle_pool_jobs(scene->pool);
    scene->threads = scene->jobs->worker_count;
    if (scene->threads == 1)
    {
        sidle_pool_destroy(scene->pool);
        scene->pool = NULL;
        scene->jobs = NULL;
    }
    return true;
}

static bool bake(Scene *scene)
{
    const Level *level = &scene->level;
    sidle_error error = {.text = ""};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = level->vertices,
                            .vertex_count = level->vertex_count,
                            .triangle_count = level->triangle_count,
                            .indices = level->indices,
                            .surfaces = level->surfaces,
                            .error = &error};
    double begin = clock_seconds();
    sidle_status status = sidle_mesh_create(&desc, scene->jobs, NULL, &scene->mesh);
    scene->bake_ms = 1e3 * (clock_seconds() - begin);
    if (status != SIDLE_OK)
    {
        failure("%s: %s", level->name, error.text[0] ? error.text : sidle_status_text(status));
        return false;
    }
    scene->info.size = sizeof scene->info;
    sidle_mesh_get_info(scene->mesh, &scene->info);
    return true;
}

bool scene_open(const Options *options, Scene *scene)
{
    char message[MESSAGE_SIZE];
    memset(scene, 0, sizeof *scene);
    if (!level_load(options->level, &options->level_options, &scene->level, message, MESSAGE_SIZE))
    {
        failure("%s", message);
        return false;
    }
    if (scene->level.triangle_count == 0)
    {
        failure("%s holds no triangles", options->level);
    }
    else if (start_threads(options->threads, scene) && bake(scene))
    {
        return true;
    }
    scene_close(scene);
    return false;
}

void scene_close(Scene *scene)
{
    sidle_mesh_release(scene->mesh);
    sidle_pool_destroy(scene->pool);
    level_free(&scene->level);
    memset(scene, 0, sizeof *scene);
}

void run_parallel(const sidle_jobs *jobs, const char *name, uint32_t count, uint32_t grain,
                  sidle_range_fn *work, void *context)
{
    if (jobs)
    {
        jobs->parallel_for(jobs->user, name, count, grain, work, context);
    }
    else if (count > 0)
    {
        work(context, 0, count, 0);
    }
}

const char *grouped(uint64_t number)
{
    static char buffers[8][32];
    static unsigned turn;
    char digits[24];
    char *out = buffers[turn++ % 8];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *end = out;
    for (int i = 0; i < length; i++)
    {
        if (i > 0 && (length - i) % 3 == 0)
        {
            *end++ = ',';
        }
        *end++ = digits[i];
    }
    *end = '\0';
    return out;
}
