#include "commands.h"
#include "console.h"
#include "options.h"
#include "scene.h"

#include <stdio.h>

int command_bake(int argc, char **argv)
{
    Options options;
    Scene scene;
    int exit_code;
    if (!options_parse(COMMAND_BAKE, argc, argv, &options, &exit_code))
    {
        return exit_code;
    }
    if (options.output)
    {
        return usage_error("%s: writing blobs is not supported by this version", options.output);
    }
    if (!scene_open(&options, &scene))
    {
        return EXIT_FAILED;
    }
    const sidle_mesh_info *info = &scene.info;
    double seconds = scene.bake_ms / 1e3;
    puts("   triangles    nodes   leaves        bytes  bytes/triangle    bake ms  triangles/s  SAH cost");
    printf("%12s %8s %8s %12s %15.1f %10.1f %12s %9.2f\n", grouped(info->triangle_count),
           grouped(info->node_count), grouped(info->leaf_count), grouped(info->bytes),
           (double)info->bytes / info->triangle_count, scene.bake_ms,
           grouped((uint64_t)(seconds > 0 ? info->triangle_count / seconds : 0)), info->sah_cost);
    scene_close(&scene);
    return EXIT_DONE;
}
