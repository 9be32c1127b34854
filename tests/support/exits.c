#include "support/exits.h"

#include "support/random.h"

#include <math.h>

/* Directions that are even on the sphere, and steps from the best of them. */
double shortest_exit(gap_along_fn *gap_along, const Vec3 corners[3], Extents extents)
{
    Random random = random_seeded(62);
    double best = -INFINITY;
    Vec3 at = vec3(0, 0, 1);
    for (int i = 0; i < 400; ++i)
    {
        double step = i < 200 ? 1e9 : pow(.95, i - 200);
        Vector d = random_direction(&random);
        Vec3 n = vec3_normalize(vec3_add_scaled(at, vec3(d.x, d.y, d.z), step));
        double gap = gap_along(corners, extents, n);
        at = gap > best ? n : at;
        best = larger(gap, best);
    }
    return -best;
}

double pair_size(const Vec3 corners[3], Extents extents)
{
    double size = larger(vec3_max_component(extents.half), extents.half.y + extents.core);
    for (int i = 0; i < 3; ++i)
    {
        size = larger(size, vec3_max_component(vec3_abs(corners[i])));
    }
    return size;
}
