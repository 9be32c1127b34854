/* Finds triangles near a box for the baseline, with the simplest grid over the ground plane. Never timed. */
#ifndef SIDLE_BENCH_NEAR_H
#define SIDLE_BENCH_NEAR_H

#include "support/fauerby.h"
#include "tools/level.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct NearGrid NearGrid;

/* Returns NULL if memory is short. */
NearGrid *near_create(const Level *level);
void near_destroy(NearGrid *grid);

/* Every triangle of the level in the baseline's form. */
const FauerbyTriangle *near_triangles(const NearGrid *grid);

/* Writes the indices of all triangles whose boxes overlap the box, at most `capacity`. Returns how many
 * there are. */
uint32_t near_collect(NearGrid *grid, FauerbyVector low, FauerbyVector high, uint32_t *indices,
                      uint32_t capacity);

#endif
