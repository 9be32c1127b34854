/* Triggers: two sorted lists of overlaps, side by side. */
#include "sidle/place.h"

#include <stdbool.h>

/* Negative: a comes first; 0: they are the same. */
static int order(const sidle_overlap *a, const sidle_overlap *b, bool by_triangle)
{
    if (a->instance_key != b->instance_key)
    {
        return a->instance_key < b->instance_key ? -1 : 1;
    }
    if (by_triangle && a->triangle != b->triangle)
    {
        return a->triangle < b->triangle ? -1 : 1;
    }
    return 0;
}

/* Past the overlaps that count as the same as that at `i`. */
static uint32_t skip(const sidle_overlap *list, uint32_t count, uint32_t i, bool by_triangle)
{
    uint32_t next = i + 1;
    while (next < count && order(&list[i], &list[next], by_triangle) == 0)
    {
        ++next;
    }
    return next;
}

uint32_t sidle_overlaps_diff(const sidle_overlap *before, uint32_t before_count, const sidle_overlap *now,
                             uint32_t now_count, uint32_t by_triangle, sidle_overlap_event *out)
{
    uint32_t count = 0, i = 0, j = 0;
    while (i < before_count || j < now_count)
    {
        int first = i == before_count ? 1
                    : j == now_count  ? -1
                                      : order(&before[i], &now[j], by_triangle != 0);
        out[count].overlap = first < 0 ? before[i] : now[j];
        out[count++].kind = first < 0   ? SIDLE_OVERLAP_LEFT
                            : first > 0 ? SIDLE_OVERLAP_ENTERED
                                        : SIDLE_OVERLAP_STAYED;
        i = first <= 0 ? skip(before, before_count, i, by_triangle != 0) : i;
        j = first >= 0 ? skip(now, now_count, j, by_triangle != 0) : j;
    }
    return count;
}
