#include "intersect/support/ray_drawn.h"

Vector drawn_vector(Random *random, int kind)
{
    double x, y, z;
    switch (kind)
    {
    case 0:
        x = (double)random_below(random, 7) - 3, y = (double)random_below(random, 7) - 3;
        z = (double)random_below(random, 7) - 3;
        return vector(x, y, z);
    case 1: /* far apart in size */
        x = random_scale(random, 1e-12, 1e12);
        return vector_scale(random_direction(random), x);
    case 2: /* far off */
        return vector_add(vector(1e6, -3e6, 2e6), random_direction(random));
    default:
        return random_in_box(random, vector(-1, -1, -1), vector(1, 1, 1));
    }
}
