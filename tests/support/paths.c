#include "support/paths.h"

#include <math.h>

void draw_paths(Random *random, sidle_vec3 paths[PATH_COUNT])
{
    uint32_t kind = random_below(random, 4);
    for (uint32_t i = 0; i < PATH_COUNT; ++i)
    {
        Vector path = vector_scale(random_direction(random), kind == 0 ? .07 : random_scale(random, 1e-3, 4));
        path.y = kind == 2 ? 0 : path.y;
        path.x = kind == 3 ? fabs(path.x) : path.x;
        paths[i] = (sidle_vec3){(float)path.x, (float)path.y, (float)path.z};
    }
    paths[3] = (sidle_vec3){0, 0, 0};
    paths[7].x = random_chance(random, .2) ? (float)NAN : paths[7].x;
    paths[9].y = random_chance(random, .1) ? 1e30f : paths[9].y;
}

sidle_what_if_desc what_if_desc(const sidle_tick_desc *times, const sidle_move *move, const sidle_vec3 *paths,
                                uint32_t count, sidle_what_if *results)
{
    return (sidle_what_if_desc){.size = sizeof(sidle_what_if_desc),
                                .snapshot = times->snapshot,
                                .dt = times->dt,
                                .motion_begin = times->motion_begin,
                                .motion_end = times->motion_end,
                                .move = move,
                                .displacements = paths,
                                .count = count,
                                .results = results};
}
