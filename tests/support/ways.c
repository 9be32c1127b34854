#include "support/ways.h"

#include <math.h>

void draw_ways(Random *random, sidle_vec3 ways[WAYS])
{
    uint32_t kind = random_below(random, 4);
    for (uint32_t i = 0; i < WAYS; ++i)
    {
        Vector way = vector_scale(random_direction(random), kind == 0 ? .07 : random_scale(random, 1e-3, 4));
        way.y = kind == 2 ? 0 : way.y;
        way.x = kind == 3 ? fabs(way.x) : way.x;
        ways[i] = (sidle_vec3){(float)way.x, (float)way.y, (float)way.z};
    }
    ways[3] = (sidle_vec3){0, 0, 0};
    ways[7].x = random_chance(random, .2) ? (float)NAN : ways[7].x;
    ways[9].y = random_chance(random, .1) ? 1e30f : ways[9].y;
}

sidle_what_if_desc what_if_desc(const sidle_tick_desc *times, const sidle_move *move, const sidle_vec3 *ways,
                                uint32_t count, sidle_what_if *results)
{
    return (sidle_what_if_desc){.size = sizeof(sidle_what_if_desc),
                                .snapshot = times->snapshot,
                                .dt = times->dt,
                                .motion_begin = times->motion_begin,
                                .motion_end = times->motion_end,
                                .move = move,
                                .displacements = ways,
                                .count = count,
                                .results = results};
}
