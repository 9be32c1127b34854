/* What the stages inside a tick work on, agent by agent: the boxes to gather with, the leaves found, the
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
    SweepQuery way;  /* the wish ... */
    SweepQuery drop; /* ... and the snap to the ground */
    uint32_t *leaves;
    uint32_t leaf_count;
} Surroundings;

/* Fills everything but the leaves. */
void surroundings_of(const BenchScene *scene, uint32_t agent, Surroundings *out);

/* A sweep as the crowd asks for it, from the agent's centre along `way` (ellipsoid space). */
SweepQuery bench_sweep(Vec3 way);

typedef struct Packed /* a batch with memory of its own */
{
    Batch batch;
    Candidate *candidates;
    uint32_t *exact_of;
    float *rows;
} Packed;

/* Room for `capacity` triangles. False: no memory. */
bool packed_create(Packed *packed, const Kernels *kernels, uint32_t capacity);
void packed_destroy(Packed *packed);

/* Packs the triangles of the leaves. */
void packed_fill(Packed *packed, const Kernels *kernels, const sidle_mesh *mesh, const Surroundings *around);

/* Lane i as the baseline takes it. */
FauerbyTriangle packed_triangle(const Packed *packed, const Kernels *kernels, uint32_t i);

#endif
