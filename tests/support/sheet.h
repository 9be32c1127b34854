/* A sheet of squares that waves, as a mesh that is baked or refitted, and worlds of one instance. */
#ifndef TESTS_SUPPORT_SHEET_H
#define TESTS_SUPPORT_SHEET_H

#include "support/scene.h"

#define SHEET_SIDE      24 /* squares */
#define SHEET_VERTICES  ((SHEET_SIDE + 1) * (SHEET_SIDE + 1))
#define SHEET_TRIANGLES (2 * SHEET_SIDE * SHEET_SIDE)

/* A sheet of squares around the origin, which waves. */
typedef struct Sheet
{
    float vertices[SHEET_VERTICES][3];
    uint32_t indices[SHEET_TRIANGLES][3];
    uint16_t surfaces[SHEET_TRIANGLES];
} Sheet;

Sheet *sheet_at(double phase); /* freed by the caller */

/* A hole: the triangles from one to another are absent. */
void sheet_cut(Sheet *sheet, uint32_t first, uint32_t end);

sidle_mesh_desc sheet_desc(const Sheet *sheet);
sidle_mesh *sheet_baked(const Sheet *sheet);
sidle_mesh *sheet_refitted(const sidle_mesh *from, const Sheet *sheet, const sidle_jobs *jobs);

/* Takes the mesh, as an instance of key 7. */
sidle_world *sheet_world(sidle_mesh *mesh, sidle_instance *instance);

/* Commits. */
sidle_snapshot *sheet_snapshot(sidle_world *world);

/* Takes the mesh for the instance, commits, and releases the snapshot before. */
sidle_snapshot *sheet_replaced(sidle_world *world, sidle_instance instance, sidle_mesh *mesh,
                               sidle_snapshot *before);

#endif
