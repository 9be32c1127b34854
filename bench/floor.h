/* What bounds the kernels: the operations that they ask for, and how fast this processor does such operations
 * where none waits for another. A width is one source, floor.inl, built with the flags of its kernels. */
#ifndef SIDLE_BENCH_FLOOR_H
#define SIDLE_BENCH_FLOOR_H

#include "kernels/kernels.h"

enum Operation /* of lanes */
{
    ADD, /* and subtract */
    MULTIPLY,
    DIVIDE,
    ROOT,
    COMPARE,
    CHOOSE, /* min, max, select */
    SIGN,   /* abs, negate */
    MASK,   /* and, or, without, to bits */
    LOAD,
    STORE,
    OPERATIONS
};

enum Stream /* of operations that do not wait for each other */
{
    STREAM_DIVIDE,
    STREAM_ROOT,       /* each with an addition beside it */
    STREAM_ARITHMETIC, /* pairs of a multiplication and an addition */
    STREAM_MIXED,      /* all kinds in the proportion in which the sweep asks for them */
    STREAMS
};

#define STEP_CHAINS   13 /* divisions, roots, pairs in a step */
#define MIXED_STEPS   6  /* of STREAM_MIXED are a block of the sweep */
#define STREAM_VALUES 16 /* for each lane */

typedef struct FloorWidth
{
    const char *name;
    uint32_t lanes;
    const Kernels *kernels;                                  /* of the library */
    uint64_t *counts;                                        /* of each Operation since they were cleared */
    const Kernels *counted;                                  /* kernels that count what they do */
    void (*streams[STREAMS])(uint64_t steps, float *values); /* values: STREAM_VALUES of each lane, near 1 */
} FloorWidth;

extern const FloorWidth floor_4;
#ifdef KERNELS_HAVE_8
extern const FloorWidth floor_8, floor_8m, floor_16;
#endif

#endif
