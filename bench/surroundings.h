/* The input of the stages inside a tick, agent by agent: the box to gather with, the leaves found, the
 * packed triangles and the sweeps of one tick of walking. */
#ifndef SIDLE_BENCH_SURROUNDINGS_H
#define SIDLE_BENCH_SURROUNDINGS_H

#include "kernels/kernels.h"
#include "mesh/mesh.h"
#include "scene.h"
#include "support/fauerby.h"

#define BENCH_CAPACITY 4096 /* leaves or triangles near one agent */
#define BENCH_SKIN     .02

typedef struct Surroundings
{
    PackTransform transform;
    PackRules rules;
    Bounds box;      /* stored space */
    Bounds reach;    /* ellipsoid space */
    SweepQuery walk; /* the wish */
    SweepQuery drop; /* the snap to the ground */
    uint32_t *leaves;
    uint32_t leaf_count;
} Surroundings;

/* Fills everything but the leaves. */
void surroundings_of(const BenchScene *scene, uint32_t agent, Surroundings *out);

/* Returns a sweep like those of the crowd, from the agent's centre along `path` (ellipsoid space). */
SweepQuery bench_sweep(Vec3 path);

/* A batch with memory of its own. */
typedef struct Packed
{
    Batch batch;
    Candidate *candidates;
    uint32_t *exact_of;
    float *rows;
} Packed;

/* Allocates `capacity` triangles. Returns false if memory is short. */
bool packed_create(Packed *packed, const Kernels *kernels, uint32_t capacity);
void packed_destroy(Packed *packed);

/* Packs the triangles of the leaves. */
void packed_fill(Packed *packed, const Kernels *kernels, const sidle_mesh *mesh, const Surroundings *around);

/* Returns lane i in the baseline's form. */
FauerbyTriangle packed_triangle(const Packed *packed, const Kernels *kernels, uint32_t i);

#endif
