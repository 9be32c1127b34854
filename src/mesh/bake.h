/* The state of a bake and its phases. bake.c is the work around them. */
#ifndef MESH_BAKE_H
#define MESH_BAKE_H

#include "bvh/build.h"
#include "mesh/leaves.h"
#include "mesh/mesh.h"
#include "mesh/source.h"

#define VERTICES_PER_TASK  65536
#define TRIANGLES_PER_TASK 16384
#define BRANCH_TASKS       (BVH_MAX_BRANCHES + 1) /* the last one: the nodes above all branches */

enum BakePhase
{
    MEASURE,        /* checks and bounds of the vertices */
    PLACE,          /* the origin */
    BOX,            /* checks and boxes of the triangles */
    SPLIT,          /* the top of the tree, by a sample */
    COUNT,          /* the triangles of each subtree */
    PLAN,           /* their places */
    MOVE,           /* to those places */
    BUILD,          /* the subtrees */
    WIDEN,          /* the top of the eight-wide tree */
    MEASURE_BRANCH, /* the nodes and leaves of each branch below it */
    RESERVE,        /* memory for them */
    WRITE,          /* the nodes */
    PACK,           /* the packets of the leaves, in memory of the binary tree */
    LAY_OUT,        /* their places */
    COPY,           /* to those places */
    BAKE_PHASE_COUNT
};

typedef struct ShapeCounts
{
    uint32_t degenerate, slivers;
} ShapeCounts;

#define NOTHING_BAD UINT32_MAX

/* The result of a task of MEASURE or BOX. */
typedef struct TaskReport
{
    Vec3 low, high;
    uint32_t bad_index; /* the vertex or triangle that is refused; NOTHING_BAD */
    ShapeCounts shapes;
} TaskReport;

typedef struct Bake
{
    Source source;
    sidle_allocator allocator;
    sidle_mesh *mesh;
    BvhNode *nodes; /* of the mesh, writable */
    uint8_t *packets;
    BvhBuild tree;
    TaskReport *reports;
    uint32_t report_count, vertex_tasks, triangle_tasks;
    BvhLeaf *leaves;
    uint32_t *leaf_units; /* the size of each packet, then its offset */
    sidle_status status;

    /* A byte for each task that has begun, with those of a phase from first_task[phase] on, and the number that has
     * ended. */
    uint8_t *begun;
    uint32_t first_task[BAKE_PHASE_COUNT + 1], ended;
} Bake;

/* Refuses coordinates that are not finite or beyond SIDLE_MAX_COORDINATE; `name`: of the place in the sentence. */
sidle_status sidle_bake_check_place(Vec3 v, uint64_t index, const char *name, sidle_error *error);

/* The lines of a desc but for its vertices and indices, and what its zeros mean. */
sidle_status sidle_bake_check_desc(const sidle_mesh_desc *desc);
Source sidle_bake_source(const sidle_mesh_desc *desc);

/* A triangle names vertices that exist; a vertex is a place. */
sidle_status sidle_bake_check_triangle(const Source *source, uint32_t triangle);
sidle_status sidle_bake_check_vertex(const Source *source, uint32_t vertex);

/* Counts degenerate triangles and slivers. */
void sidle_count_shape(const StoredTriangle *triangle, ShapeCounts *counts);

/* Runs one task of one phase. A failure is written to bake->status, by phases of one task only. */
void sidle_bake_run_phase(Bake *bake, enum BakePhase phase, uint32_t task);

#endif
