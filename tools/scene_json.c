#include "scene_json.h"

const char *scene_checked(const Scene *scene)
{
    return scene->blob.is_trusted ? "trusted" : "validated";
}

/* A blob records neither how many vertices its source had nor how long the bake took: both are null. */
static void source_json(const Scene *scene, Json *json)
{
    if (scene->is_blob)
    {
        json_null(json, "vertices");
        json_null(json, "bake_ms");
    }
    else
    {
        json_count(json, "vertices", scene->level.vertex_count);
        json_rounded(json, "bake_ms", scene->bake_ms);
    }
}

static void blob_json(const Scene *scene, Json *json)
{
    json_object_begin(json, "blob");
    json_count(json, "version", SIDLE_BLOB_VERSION);
    json_count(json, "bytes", scene->blob.byte_count);
    json_text(json, "checked", scene_checked(scene));
    json_rounded(json, "open_ms", scene->blob.open_ms);
    json_object_end(json);
}

void scene_json(const Scene *scene, Json *json)
{
    const sidle_mesh_info *info = &scene->info;
    const double min[3] = {info->min.x, info->min.y, info->min.z};
    const double max[3] = {info->max.x, info->max.y, info->max.z};
    json_text(json, "level", scene->level.name);
    json_count(json, "triangles", info->triangle_count);
    source_json(scene, json);
    json_count(json, "degenerate", info->degenerate_count);
    json_count(json, "slivers", info->sliver_count);
    json_numbers(json, "min", min, 3);
    json_numbers(json, "max", max, 3);
    json_count(json, "bytes", info->bytes);
    json_rounded(json, "bytes_per_triangle", (double)info->bytes / info->triangle_count);
    json_count(json, "threads", scene->threads);
    json_count(json, "nodes", info->node_count);
    json_count(json, "leaves", info->leaf_count);
    json_rounded(json, "sah_cost", info->sah_cost);
    json_text(json, "report", scene->level.report);
    if (scene->is_blob)
    {
        blob_json(scene, json);
    }
}
