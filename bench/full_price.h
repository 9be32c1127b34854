/* Batches in which every triangle pays the full price of a sweep, since none is left out early: what the
 * kernels are measured on, and what their operations are counted on. */
#ifndef SIDLE_BENCH_FULL_PRICE_H
#define SIDLE_BENCH_FULL_PRICE_H

#include "surroundings.h"

#define FULL_BATCHES   16
#define FULL_TRIANGLES 64   /* of a batch */
#define FULL_RADIUS    100. /* of the closest point: nothing is farther away */

/* The next batch and the two sweeps to ask it, there and back. `seed`: 1 for the first batch. False: no
 * memory. */
bool full_price_next(Packed *packed, SweepQuery sweeps[2], const Kernels *kernels, uint32_t *seed);

#endif
