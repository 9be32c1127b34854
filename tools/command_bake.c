#include "archive.h"
#include "commands.h"
#include "console.h"
#include "draft.h"
#include "options.h"
#include "scene.h"
#include "scene_json.h"

#include <stdio.h>

static void print_cost(const Scene *scene)
{
    const sidle_mesh_info *info = &scene->info;
    double ms = scene->is_blob ? scene->blob.open_ms : scene->bake_ms;
    printf("   triangles    nodes   leaves        bytes  bytes/triangle    %s ms  triangles/s  SAH cost\n",
           scene->is_blob ? "open" : "bake");
    printf("%12s %8s %8s %12s %15.1f %10.1f %12s %9.2f\n", grouped(info->triangle_count),
           grouped(info->node_count), grouped(info->leaf_count), grouped(info->bytes),
           (double)info->bytes / info->triangle_count, ms,
           grouped((uint64_t)(ms > 0 ? 1e3 * info->triangle_count / ms : 0)), info->sah_cost);
}

typedef struct Written
{
    const char *path; /* NULL: no file was asked for */
    size_t byte_count;
    double ms;
} Written;

static void print_json(const Scene *scene, const Written *written)
{
    Json json;
    json_begin(&json, stdout);
    scene_json(scene, &json);
    if (written->path)
    {
        json_object_begin(&json, "output");
        json_text(&json, "path", written->path);
        json_count(&json, "bytes", written->byte_count);
        json_rounded(&json, "write_ms", written->ms);
        json_object_end(&json);
    }
    json_end(&json);
}

static void print_table(const Scene *scene, const Written *written)
{
    print_cost(scene);
    if (written->path)
    {
        printf("\nwrote %s, %s bytes in %.1f ms\n", written->path, grouped(written->byte_count), written->ms);
    }
}

static bool write_output(const Scene *scene, Written *written, char *message, int message_size)
{
    double begin = clock_seconds();
    bool good = !written->path ||
                blob_file_write(written->path, scene->mesh, &written->byte_count, message, message_size);
    written->ms = 1e3 * (clock_seconds() - begin);
    return good;
}

static bool output_is_possible(const char *path, char *message, int message_size)
{
    return !path || draft_is_possible(path, message, message_size);
}

int command_bake(int argc, char **argv)
{
    Options options;
    Scene scene;
    int exit_code;
    char message[MESSAGE_SIZE];
    if (!options_parse(COMMAND_BAKE, argc, argv, &options, &exit_code))
    {
        return exit_code;
    }
    Written written = {.path = options.output};
    if (written.path && !file_name_ends(written.path, BLOB_ENDING))
    {
        return usage_error("--output takes a name that ends in " BLOB_ENDING ", not '%s'", written.path);
    }
    if (!output_is_possible(written.path, message, MESSAGE_SIZE))
    {
        return failure("%s", message);
    }
    if (!scene_open(&options, &scene))
    {
        return EXIT_FAILED;
    }
    bool good = write_output(&scene, &written, message, MESSAGE_SIZE);
    if (good)
    {
        (options.json ? print_json : print_table)(&scene, &written);
    }
    scene_close(&scene);
    return good ? EXIT_DONE : failure("%s", message);
}
