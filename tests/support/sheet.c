#include "support/sheet.h"

#include <math.h>
#include <stdlib.h>

Sheet *sheet_at(double phase)
{
    Sheet *sheet = calloc(1, sizeof *sheet);
    for (uint32_t i = 0; i < SHEET_VERTICES; ++i)
    {
        double x = i % (SHEET_SIDE + 1) - SHEET_SIDE / 2.,
               z = (double)(i / (SHEET_SIDE + 1)) - SHEET_SIDE / 2.;
        sheet->vertices[i][0] = (float)(x + .2 * sin(phase + z));
        sheet->vertices[i][1] = (float)(sin(.5 * x + phase) * cos(.4 * z));
        sheet->vertices[i][2] = (float)z;
    }
    for (uint32_t i = 0; i < SHEET_TRIANGLES; ++i)
    {
        uint32_t at = i / 2 / SHEET_SIDE * (SHEET_SIDE + 1) + i / 2 % SHEET_SIDE, *of = sheet->indices[i];
        of[0] = i % 2 ? at + SHEET_SIDE + 2 : at;
        of[1] = i % 2 ? at + 1 : at + SHEET_SIDE + 1;
        of[2] = i % 2 ? at + SHEET_SIDE + 1 : at + 1;
        sheet->surfaces[i] = (uint16_t)(i % 5);
    }
    return sheet;
}

void sheet_cut(Sheet *sheet, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        sheet->indices[i][0] = SIDLE_NO_TRIANGLE;
    }
}

sidle_mesh_desc sheet_desc(const Sheet *sheet)
{
    static const sidle_position zero;
    return (sidle_mesh_desc){.size = sizeof(sidle_mesh_desc),
                             .vertices_f = &sheet->vertices[0][0],
                             .vertex_count = SHEET_VERTICES,
                             .triangle_count = SHEET_TRIANGLES,
                             .indices = &sheet->indices[0][0],
                             .surfaces = sheet->surfaces,
                             .origin = &zero};
}

sidle_mesh *sheet_baked(const Sheet *sheet)
{
    sidle_mesh *mesh;
    sidle_mesh_desc desc = sheet_desc(sheet);
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    return mesh;
}

sidle_mesh *sheet_refitted(const sidle_mesh *from, const Sheet *sheet, const sidle_jobs *jobs)
{
    sidle_mesh *mesh;
    sidle_mesh_desc desc = sheet_desc(sheet);
    demand(sidle_mesh_refit(from, &desc, jobs, NULL, &mesh), "sidle_mesh_refit");
    return mesh;
}

sidle_snapshot *sheet_snapshot(sidle_world *world)
{
    sidle_snapshot *snapshot;
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    return snapshot;
}

sidle_world *sheet_world(sidle_mesh *mesh, sidle_instance *instance)
{
    sidle_world *world;
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh, .key = 7};
    demand(sidle_world_create(NULL, NULL, &world), "sidle_world_create");
    demand(sidle_world_add(world, &desc, instance), "sidle_world_add");
    sidle_mesh_release(mesh);
    return world;
}

sidle_snapshot *sheet_replaced(sidle_world *world, sidle_instance instance, sidle_mesh *mesh,
                               sidle_snapshot *before)
{
    demand(sidle_world_replace(world, instance, mesh), "sidle_world_replace");
    sidle_mesh_release(mesh);
    sidle_snapshot_release(before);
    return sheet_snapshot(world);
}
