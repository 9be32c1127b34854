#include "archive.h"
#include "commands.h"
#include "console.h"
#include "options.h"
#include "scene.h"

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

static bool write_blob(const char *path, const Scene *scene, char *message)
{
    size_t byte_count;
    double begin = clock_seconds();
    if (!blob_file_write(path, scene->mesh, &byte_count, message, MESSAGE_SIZE))
    {
        return false;
    }
    printf("\nwrote %s, %s bytes in %.1f ms\n", path, grouped(byte_count), 1e3 * (clock_seconds() - begin));
    return true;
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
    if (options.output && !file_name_ends(options.output, BLOB_ENDING))
    {
        return usage_error("--output takes a name that ends in " BLOB_ENDING ", not '%s'", options.output);
    }
    if (options.output && !blob_file_can_write(options.output, message, MESSAGE_SIZE))
    {
        return failure("%s", message);
    }
    if (!scene_open(&options, &scene))
    {
        return EXIT_FAILED;
    }
    print_cost(&scene);
    bool good = !options.output || write_blob(options.output, &scene, message);
    scene_close(&scene);
    return good ? EXIT_DONE : failure("%s", message);
}
