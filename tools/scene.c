#include "scene.h"

#include "archive.h"
#include "console.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One thread needs no pool. A library without a pool works on one thread unless more are asked for; then
 * this fails with a message. */
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

/* `scale`: of --scale; 0: not given. */
static bool bake(Scene *scene, double scale)
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
        char scaled[48] = "";
        if (scale > 0)
            snprintf(scaled, sizeof scaled, " (the level is scaled by %g)", scale);
        failure("%s: %s%s", level->name, error.text[0] ? error.text : sidle_status_text(status), scaled);
        return false;
    }
    return true;
}

static bool open_blob(const Options *options, Scene *scene, char *message, int message_size)
{
    const char *path = options->level;
    if (options->level_options.scale > 0 || options->level_options.up)
    {
        return explain(message, message_size,
                       "%s: a baked mesh is in metres with Y up; bake it anew to change that", path);
    }
    scene->is_blob = true;
    snprintf(scene->level.name, sizeof scene->level.name, "%s", path);
    return blob_file_open(path, options->trusts_blob, &scene->mesh, &scene->blob, message, message_size);
}

static bool load(const Options *options, Scene *scene)
{
    char message[MESSAGE_SIZE];
    bool good =
        file_name_ends(options->level, BLOB_ENDING)
            ? open_blob(options, scene, message, MESSAGE_SIZE)
            : level_load(options->level, &options->level_options, &scene->level, message, MESSAGE_SIZE);
    if (!good)
    {
        failure("%s", message);
    }
    return good;
}

/* After the level is loaded. */
static bool finish(const Options *options, Scene *scene)
{
    if (start_threads(options->threads, scene) && (scene->mesh || bake(scene, options->level_options.scale)))
    {
        scene->info.size = sizeof scene->info;
        sidle_mesh_get_info(scene->mesh, &scene->info);
        if (scene->info.triangle_count > 0)
        {
            return true;
        }
        failure("%s holds no triangles", scene->level.name);
    }
    return false;
}

bool scene_open(const Options *options, Scene *scene)
{
    memset(scene, 0, sizeof *scene);
    if (load(options, scene) && finish(options, scene))
    {
        return true;
    }
    scene_close(scene);
    return false;
}

bool scene_open_level(const Options *options, const Level *level, Scene *scene)
{
    *scene = (Scene){.level = *level};
    if (finish(options, scene))
    {
        return true;
    }
    scene_close(scene);
    return false;
}

static bool add_triangle(Level *level, const sidle_triangle *triangle)
{
    uint32_t index[3];
    for (int corner = 0; corner < 3; corner++)
    {
        sidle_position v = triangle->vertices[corner];
        if (!level_add_vertex(level, v.x, v.y, v.z, &index[corner]))
        {
            return false;
        }
    }
    return level_add_triangle(level, index[0], index[1], index[2], triangle->surface);
}

bool scene_need_triangles(Scene *scene, char *message, int message_size)
{
    uint32_t count = scene->info.triangle_count;
    if (scene->level.triangle_count == count)
    {
        return true;
    }
    sidle_triangle *triangles = malloc(count * sizeof *triangles);
    bool good = triangles && sidle_mesh_get_triangles(scene->mesh, 0, count, triangles) == SIDLE_OK;
    for (uint32_t i = 0; i < count && good; i++)
    {
        good = add_triangle(&scene->level, &triangles[i]);
    }
    free(triangles);
    return good ||
           explain(message, message_size, "%s: not enough memory for its triangles", scene->level.name);
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
