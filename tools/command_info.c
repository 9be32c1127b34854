#include "commands.h"
#include "console.h"
#include "json.h"
#include "options.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>

static double bytes_per_triangle(const Scene *scene)
{
    return (double)scene->info.bytes / scene->info.triangle_count;
}

static const char *checked(const Scene *scene)
{
    return scene->blob.is_trusted ? "trusted" : "validated";
}

static void print_json_blob(Json *json, const Scene *scene)
{
    json_object_begin(json, "blob");
    json_count(json, "version", SIDLE_BLOB_VERSION);
    json_count(json, "bytes", scene->blob.byte_count);
    json_text(json, "checked", checked(scene));
    json_number(json, "open_ms", scene->blob.open_ms);
    json_object_end(json);
}

/* Of a blob nobody knows any more how many vertices there were and how long the bake took: null. */
static void print_json(const Scene *scene)
{
    const sidle_mesh_info *info = &scene->info;
    const double min[3] = {info->min.x, info->min.y, info->min.z};
    const double max[3] = {info->max.x, info->max.y, info->max.z};
    Json json;
    json_begin(&json, stdout);
    json_text(&json, "level", scene->level.name);
    json_count(&json, "triangles", info->triangle_count);
    json_number(&json, "vertices", scene->is_blob ? (double)NAN : scene->level.vertex_count);
    json_count(&json, "degenerate", info->degenerate_count);
    json_count(&json, "slivers", info->sliver_count);
    json_numbers(&json, "min", min, 3);
    json_numbers(&json, "max", max, 3);
    json_count(&json, "bytes", info->bytes);
    json_number(&json, "bytes_per_triangle", bytes_per_triangle(scene));
    json_number(&json, "bake_ms", scene->is_blob ? (double)NAN : scene->bake_ms);
    json_count(&json, "threads", scene->threads);
    json_count(&json, "nodes", info->node_count);
    json_count(&json, "leaves", info->leaf_count);
    json_number(&json, "sah_cost", info->sah_cost);
    json_text(&json, "report", scene->level.report);
    if (scene->is_blob)
    {
        print_json_blob(&json, scene);
    }
    json_end(&json);
}

static void print_origin(const Scene *scene)
{
    const BlobReport *blob = &scene->blob;
    if (scene->is_blob)
    {
        printf("blob        format version %d, %s bytes, %s\n", SIDLE_BLOB_VERSION, grouped(blob->byte_count),
               checked(scene));
        printf("open        %.3f ms%s\n", blob->open_ms, blob->is_mapped ? "" : ", read into memory");
        return;
    }
    printf("vertices    %s\n", grouped(scene->level.vertex_count));
    printf("bake        %.1f ms on %u thread%s\n", scene->bake_ms, scene->threads,
           scene->threads == 1 ? "" : "s");
}

static void print_table(const Scene *scene)
{
    const sidle_mesh_info *info = &scene->info;
    printf("level       %s\n", scene->level.name);
    printf("triangles   %s, %s of them degenerate, %s slivers\n", grouped(info->triangle_count),
           grouped(info->degenerate_count), grouped(info->sliver_count));
    print_origin(scene);
    printf("from        %.9g %.9g %.9g\n", info->min.x, info->min.y, info->min.z);
    printf("to          %.9g %.9g %.9g\n", info->max.x, info->max.y, info->max.z);
    printf("size        %s bytes, %.1f a triangle\n", grouped(info->bytes), bytes_per_triangle(scene));
    printf("tree        %s nodes, %s leaves, SAH cost %.2f\n", grouped(info->node_count),
           grouped(info->leaf_count), info->sah_cost);
    if (scene->level.report[0])
    {
        printf("report      %s\n", scene->level.report);
    }
}

int command_info(int argc, char **argv)
{
    Options options;
    Scene scene;
    int exit_code;
    if (!options_parse(COMMAND_INFO, argc, argv, &options, &exit_code))
    {
        return exit_code;
    }
    if (!scene_open(&options, &scene))
    {
        return EXIT_FAILED;
    }
    if (options.json)
    {
        print_json(&scene);
    }
    else
    {
        print_table(&scene);
    }
    scene_close(&scene);
    return EXIT_DONE;
}
