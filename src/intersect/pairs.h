/* One shape against many, in float, as wide as the processor's lanes: a table of functions for each width. */
#ifndef INTERSECT_PAIRS_H
#define INTERSECT_PAIRS_H

#include "base/bounds.h"
#include "wide/choose.h"

#include <stddef.h>
#include <stdint.h>

/* Many triangles or boxes as their owner keeps them: one array for each number. Number i + 1 of an array is `stride`
 * bytes after number i. Triangles: V0.x V0.y V0.z V1.x ...; boxes: three of min, three of max. */
typedef struct Pairs
{
    const float *fields[9];
    size_t stride;
    uint32_t count;
} Pairs;

/* A ray along the z axis after shearing: x -= shear[0] z, y -= shear[1] z. `fields` have the same order of axes. */
typedef struct PairRay
{
    float origin[3], shear[2];
} PairRay;

typedef struct PairBall
{
    float center[3], radius;
} PairBall;

/* Each sets the bits of its hits in words of 32 that are 0 before. */
typedef struct PairKernels
{
    uint32_t lane_count;
    /* Triangles that the ray's whole line pierces. */
    void (*pierce)(const Pairs *pairs, const PairRay *ray, uint32_t *hits);
    /* Triangles that the ball overlaps, and all distances from its centre. Float cannot decide the doubts: those are no
     * hits, and their distances mean nothing. */
    void (*closest)(const Pairs *pairs, const PairBall *ball, uint32_t *hits, uint32_t *doubts,
                    float *distances);
    /* Boxes that overlap the box. */
    void (*overlap)(const Pairs *pairs, const Bounds *box, uint32_t *hits);
} PairKernels;

extern const PairKernels sidle_pair_kernels_1, sidle_pair_kernels_4;
#ifdef WIDE_HAS_8
extern const PairKernels sidle_pair_kernels_8, sidle_pair_kernels_8_avx512,
    sidle_pair_kernels_16; /* AVX2; AVX-512 with eight and sixteen lanes */
#endif

#endif
