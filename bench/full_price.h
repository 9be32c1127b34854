/* Batches in which every triangle pays the full price of a sweep: none is left out early, by the kernels or
 * by the published form, which leaves out what faces away. What both are measured on, and the kernels'
 * operations counted. */
#ifndef SIDLE_BENCH_FULL_PRICE_H
#define SIDLE_BENCH_FULL_PRICE_H

#include "surroundings.h"

#define FULL_BATCHES   16
#define FULL_TRIANGLES 64   /* of a batch */
#define FULL_SWEEPS    32   /* of a batch, no two the same: a processor learns where the same ones branch */
#define FULL_RADIUS    100. /* of the closest point: nothing is farther away */

/* The next batch and the sweeps to ask it, beside each other. `seed`: 1 for the first batch. False: no
 * memory. */
bool full_price_next(Packed *packed, SweepQuery sweeps[FULL_SWEEPS], const Kernels *kernels, uint32_t *seed);

#endif
