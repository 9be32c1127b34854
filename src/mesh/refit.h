/* A refit: what its phases share. */
#ifndef MESH_REFIT_H
#define MESH_REFIT_H

#include "mesh/bake.h"

#define REFIT_NODES_PER_TASK 256 /* some 10,000 triangles */

/* The nodes of one task. */
typedef struct RefitPart
{
    uint32_t first_leaf, first_triangle; /* of the form */
    uint32_t leaf_count, units;          /* with triangles; the size of their packets, and then */
    uint32_t first_unit;                 /* their place */
    ShapeCounts counts;
    uint32_t absent_count;
    uint32_t bad_triangle; /* the lowest; NOTHING_BAD */
} RefitPart;

typedef struct Refit
{
    const sidle_mesh *form;
    Source source;
    sidle_mesh *mesh;
    BvhNode *nodes; /* of the mesh, writable */
    uint8_t *packets, *scratch;
    uint32_t *leaf_units; /* by leaf of the form: the place of its packet, from the task's first one */
    RefitPart *parts;
    uint32_t part_count;
    sidle_status status;
} Refit;

/* Packets of a task, one after the other. Few of the reserved bytes are touched. */
uint8_t *sidle_refit_scratch(const Refit *refit, const RefitPart *part);

/* Writes the packets of a task and the boxes of its leaves. The inner children of its nodes have no box yet, and a leaf in which no
 * triangle is present is unused. */
void sidle_refit_pack(Refit *refit, uint32_t task);

#endif
