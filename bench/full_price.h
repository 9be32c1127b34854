/* Batches in which no triangle is rejected early, neither by the kernels nor by the published form, which
 * culls back faces. The kernel benchmarks run on them, and the kernels' operations are counted on them. */
#ifndef SIDLE_BENCH_FULL_PRICE_H
#define SIDLE_BENCH_FULL_PRICE_H

#include "surroundings.h"

#define FULL_BATCHES   16
#define FULL_TRIANGLES 64 /* of a batch */
/* Of a batch. All differ, because a processor learns the branches of equal ones. */
#define FULL_SWEEPS 32
#define FULL_RADIUS 100. /* of the closest point: nothing is farther away */

/* Makes the next batch and its sweeps. `seed` is 1 for the first batch. Returns false if memory is short. */
bool full_price_next(Packed *packed, SweepQuery sweeps[FULL_SWEEPS], const Kernels *kernels, uint32_t *seed);

#endif
