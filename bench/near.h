/* Triangles near a box, for the baseline: a grid over the ground plane, of the simplest kind. Never timed. */
#ifndef SIDLE_BENCH_NEAR_H
#define SIDLE_BENCH_NEAR_H

#include "support/fauerby.h"
#include "tools/level.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct NearGrid NearGrid;

/* NULL: no memory. */
NearGrid *near_create(const Level *level);
void near_destroy(NearGrid *grid);

/* Every triangle of the level, as the baseline takes them. */
const FauerbyTriangle *near_triangles(const NearGrid *grid);

/* Indices of all triangles whose boxes meet the box; at most `capacity` are written. Returns how many were.
 */
uint32_t near_collect(NearGrid *grid, FauerbyVector low, FauerbyVector high, uint32_t *indices,
                      uint32_t capacity);

#endif
