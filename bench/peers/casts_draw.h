/* Draws random casts in the free space of a level. */
#ifndef SIDLE_BENCH_PEERS_CASTS_DRAW_H
#define SIDLE_BENCH_PEERS_CASTS_DRAW_H

#include "casts.h"

#include "tools/check.h"
#include "tools/level.h"

/* Returns false if memory ends. The order is random, so neighbours in the set are far apart. Nothing overlaps the
 * start of a cast. */
bool casts_draw(const Level *level, const CheckGrid *grid, CastKind kind, uint32_t count, CastSet *set);
void casts_free_set(CastSet *set);

#endif
