/* Faults of a mesh that its author may want to know of. Vertices are one if they are equal as they are stored. */
#ifndef SIDLE_TOOLS_DEFECTS_H
#define SIDLE_TOOLS_DEFECTS_H

#include "sidle/mesh.h"

#include <stdbool.h>

typedef enum DefectKind
{
    DEFECT_DEGENERATE, /* a triangle without an area */
    DEFECT_SLIVER,     /* a triangle whose largest angle is nearly 180 degrees, as the bake counts them */
    DEFECT_DUPLICATE,  /* a triangle of the same corners as an earlier one, in any order */
    DEFECT_OPEN_EDGE,  /* an edge of one triangle */
    DEFECT_T_JUNCTION, /* an open edge with the end of another on it, but not at its ends: a crack can be between them */
    DEFECT_SHARED_EDGE, /* an edge of more than two triangles */
    DEFECT_FLIPPED,     /* an edge of two triangles that face opposite sides */
    DEFECT_KINDS
} DefectKind;

typedef struct Defect
{
    uint64_t count;
    uint32_t first; /* the lowest triangle with it; UINT32_MAX: none */
} Defect;

typedef struct Defects
{
    Defect of[DEFECT_KINDS];
    bool is_partial; /* too many open edges to look at all T-junctions */
} Defects;

/* "open edges" */
const char *defect_name(DefectKind kind);

/* `scale`: of an instance, whose triangles are degenerate if float loses their area. NULL: as the mesh stores them, degenerate without
 * an area. Returns false without memory. */
bool defects_find(const sidle_mesh *mesh, uint32_t triangle_count, const double scale[3], Defects *out);

#endif
