#include "commands.h"
#include "console.h"
#include "defects.h"
#include "options.h"
#include "scene.h"
#include "scene_json.h"

#include <stdio.h>

static void defects_json(const Defects *defects, Json *json)
{
    json_object_begin(json, "defects");
    for (int kind = 0; kind < DEFECT_KINDS; ++kind)
    {
        const Defect *defect = &defects->of[kind];
        json_object_begin(json, defect_name((DefectKind)kind));
        json_count(json, "count", defect->count);
        if (defect->count > 0)
        {
            json_count(json, "first_triangle", defect->first);
        }
        json_object_end(json);
    }
    json_object_end(json);
}

static void print_json(const Scene *scene, const Defects *defects, const double *scale)
{
    Json json;
    json_begin(&json, stdout);
    scene_json(scene, &json);
    if (scale)
    {
        json_numbers(&json, "instance_scale", scale, 3);
    }
    defects_json(defects, &json);
    json_end(&json);
}

static void print_defects(const Defects *defects)
{
    bool any = false;
    for (int kind = 0; kind < DEFECT_KINDS; ++kind)
    {
        const Defect *defect = &defects->of[kind];
        if (defect->count > 0)
        {
            bool is_least = kind == DEFECT_T_JUNCTION && defects->is_partial;
            printf("%-11s %s%s %s, the first at triangle %u\n", any ? "" : "defects",
                   is_least ? "at least " : "", grouped(defect->count), defect_name((DefectKind)kind),
                   defect->first);
            any = true;
        }
    }
    if (!any)
    {
        printf("defects     none\n");
    }
}

static void print_origin(const Scene *scene)
{
    const BlobReport *blob = &scene->blob;
    if (scene->is_blob)
    {
        printf("blob        format version %d, %s bytes, %s\n", SIDLE_BLOB_VERSION, grouped(blob->byte_count),
               scene_checked(scene));
        printf("open        %.3f ms%s\n", blob->open_ms, blob->is_mapped ? "" : ", read into memory");
        return;
    }
    printf("vertices    %s\n", grouped(scene->level.vertex_count));
    printf("bake        %.1f ms on %u thread%s\n", scene->bake_ms, scene->threads,
           scene->threads == 1 ? "" : "s");
}

static void print_table(const Scene *scene, const Defects *defects, const double *scale)
{
    const sidle_mesh_info *info = &scene->info;
    printf("level       %s\n", scene->level.name);
    printf("triangles   %s, %s of them degenerate, %s slivers\n", grouped(info->triangle_count),
           grouped(info->degenerate_count), grouped(info->sliver_count));
    print_origin(scene);
    printf("from        %.9g %.9g %.9g\n", info->min.x, info->min.y, info->min.z);
    printf("to          %.9g %.9g %.9g\n", info->max.x, info->max.y, info->max.z);
    printf("size        %s bytes, %.1f a triangle\n", grouped(info->bytes),
           (double)info->bytes / info->triangle_count);
    printf("tree        %s nodes, %s leaves, SAH cost %.2f\n", grouped(info->node_count),
           grouped(info->leaf_count), info->sah_cost);
    if (scale)
    {
        printf("scale       %g %g %g of an instance, which has these defects\n", scale[0], scale[1],
               scale[2]);
    }
    print_defects(defects);
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
    Defects defects;
    const double *scale = options.scales_instance ? options.instance_scale : NULL;
    bool found = defects_find(scene.mesh, scene.info.triangle_count, scale, &defects);
    if (!found)
    {
        fprintf(stderr, "sidle info: not enough memory to look for defects\n");
    }
    else if (options.json)
    {
        print_json(&scene, &defects, scale);
    }
    else
    {
        print_table(&scene, &defects, scale);
    }
    scene_close(&scene);
    return found ? EXIT_DONE : EXIT_FAILED;
}
