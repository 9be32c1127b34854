/* The state of a bake and its phases; bake.c is the work around them. */
#ifndef MESH_BAKE_H
#define MESH_BAKE_H

#include "bvh/build.h"
#include "mesh/mesh.h"
#include "mesh/source.h"

#define VERTICES_PER_TASK  65536
#define TRIANGLES_PER_TASK 16384
#define LEAF_TASKS         64

enum BakePhase
{
    MEASURE, /* vertices: are they numbers, what do they span */
    PLACE,   /* the origin */
    BOX,     /* triangles: do their indices exist, what do they span */
    SPLIT,   /* the top of the tree */
    BUILD,   /* its subtrees */
    WIDEN,   /* eight-wide nodes */
    SIZE,    /* of the packets */
    LAY_OUT, /* their places */
    PACK,    /* and their contents */
    BAKE_PHASE_COUNT
};

typedef struct TaskReport /* what a task of MEASURE, BOX or SIZE found */
{
    Vec3 low, high;
    uint64_t bad_index; /* where status reports one */
    sidle_status status;
    uint32_t degenerate_count, sliver_count;
    uint64_t units;
} TaskReport;

typedef struct Bake
{
    Source source;
    sidle_allocator allocator;
    sidle_mesh *mesh;
    BvhNode *nodes; /* of the mesh, while they are written */
    uint8_t *packets;
    BvhBuild tree;
    TaskReport *reports;
    uint32_t report_count, vertex_tasks, triangle_tasks;
    BvhLeaf *leaves;
    uint32_t *leaf_units; /* offset inside its task's part */
    sidle_status status;

    /* Which tasks have begun, a byte each, those of a phase from first_task[phase] on; and how many have ended. */
    uint8_t *begun;
    uint32_t first_task[BAKE_PHASE_COUNT + 1], ended;
} Bake;

/* Refuses coordinates that are not finite or beyond SIDLE_MAX_COORDINATE; `name`: of the place in the sentence. */
sidle_status bake_check_place(Vec3 v, uint64_t index, const char *name, sidle_error *error);

/* Runs one task of one phase. What goes wrong is left in bake->status, which phases of one task alone write. */
void bake_run_phase(Bake *bake, enum BakePhase phase, uint32_t task);

#endif
