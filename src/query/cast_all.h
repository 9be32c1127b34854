/* Lists of hits in order. */
#ifndef QUERY_CAST_ALL_H
#define QUERY_CAST_ALL_H

#include "query/cast.h"
#include "query/place.h"

/* The first hits in order, and the number of all. */
typedef struct HitList
{
    sidle_cast_hit *list;
    uint32_t capacity, count, kept;
    /* The closest hit, which comes first: rounding can order the times of two hits otherwise. SIDLE_CAST_MISS: by t alone. */
    sidle_cast_hit first;
} HitList;

/* Counts a hit, and keeps it if it is one of the first. */
void sidle_hit_list_take(HitList *hits, const sidle_cast_hit *hit);

/* All triangles that a shape touches on its path. UNSUPPORTED. */
sidle_status sidle_sweep_all(const Around *around, const sidle_cast *cast, HitList *hits);

#endif
