/* References to meshes, and their description. */
#include "mesh/mesh.h"

#include "base/memory.h"
#include "mesh/field.h"

#include <string.h>

void sidle_mesh_retain(sidle_mesh *mesh)
{
    reference_retain(&mesh->reference);
}

void sidle_mesh_release(sidle_mesh *mesh)
{
    if (!mesh || !reference_release(&mesh->reference))
    {
        return;
    }
    sidle_allocator allocator = mesh->allocator;
    if (!mesh->blob)
    {
        sidle_memory_free(&allocator, (void *)mesh->nodes, mesh->node_count, sizeof *mesh->nodes);
        sidle_memory_free(&allocator, (void *)mesh->packets, (size_t)mesh->packet_bytes, 1);
        sidle_field_free(mesh->field, &allocator);
    }
    else if (mesh->on_release)
    {
        mesh->on_release(mesh->user, mesh->blob, mesh->blob_size);
    }
    sidle_mesh_release(mesh->form);
    sidle_memory_free(&allocator, mesh, 1, sizeof *mesh);
}

sidle_status sidle_mesh_get_info(const sidle_mesh *mesh, sidle_mesh_info *info)
{
    if (!mesh || !info || info->size < sizeof info->size)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    Vec3 o = mesh->origin, low = vec3_add(o, bounds_low(&mesh->bounds)),
         high = vec3_add(o, bounds_high(&mesh->bounds));
    sidle_mesh_info full = {
        .size = info->size,
        .triangle_count = mesh->triangle_count,
        .node_count = mesh->node_count,
        .leaf_count = mesh->leaf_count,
        .degenerate_count = mesh->degenerate_count,
        .bytes = sizeof *mesh + mesh->node_count * sizeof *mesh->nodes + mesh->packet_bytes +
                 sidle_field_bytes(mesh->field),
        .sah_cost = mesh->sah_cost,
        .min = {low.x, low.y, low.z},
        .max = {high.x, high.y, high.z},
        .origin = {o.x, o.y, o.z},
        .sliver_count = mesh->sliver_count,
    };
    memcpy(info, &full, info->size < sizeof full ? info->size : sizeof full);
    return SIDLE_OK;
}
