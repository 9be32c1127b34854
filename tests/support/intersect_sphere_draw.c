#include "support/intersect_sphere_draw.h"

#include <math.h>
#include <string.h>

sidle_moving_sphere draw_moving(Random *random, Style style)
{
    sidle_moving_sphere sphere = {draw_place(random, style), draw_place(random, style),
                                  draw_length(random, style)};
    if (random_chance(random, 0.1))
    {
        sphere.to = sphere.from;
    }
    return sphere;
}

double places_size(const sidle_moving_sphere *sphere)
{
    return largest_of(&sphere->from.x, 7);
}

double way_length(const sidle_moving_sphere *sphere)
{
    double x = sphere->to.x - sphere->from.x, y = sphere->to.y - sphere->from.y,
           z = sphere->to.z - sphere->from.z;
    return sqrt(x * x + y * y + z * z);
}

double plane_size(const sidle_plane *plane, sidle_position p)
{
    return 3 * largest_of(&p.x, 3) + fabs(plane->offset);
}

Real distance_of(const sidle_plane *plane, sidle_position p)
{
    return real_sub(real3_dot(real3(plane->normal), real3(p)), real(plane->offset));
}

bool write_passage(bool hit, const sidle_passage *passage, double *out)
{
    if (hit)
    {
        out[0] = passage->first;
        out[1] = passage->last;
        out[2] = (double)passage->motion;
        memcpy(out + 3, &passage->normal, 3 * sizeof *out);
        memcpy(out + 6, passage->points, 6 * sizeof *out);
        memcpy(out + 12, passage->centers_a, 6 * sizeof *out);
        memcpy(out + 18, passage->centers_b, 6 * sizeof *out);
    }
    return hit;
}
