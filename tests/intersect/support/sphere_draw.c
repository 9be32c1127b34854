#include "intersect/support/sphere_draw.h"

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

double path_length(const sidle_moving_sphere *sphere)
{
    return vector_length(offset_between(sphere->from, sphere->to));
}

double plane_size(const sidle_plane *plane, sidle_position p)
{
    return 3 * largest_of(&p.x, 3) + fabs(plane->offset);
}

Vector offset_between(sidle_position from, sidle_position to)
{
    return vector(to.x - from.x, to.y - from.y, to.z - from.z);
}

double touching_radius(Random *random, double distance, double other)
{
    return fmax(nudged(random, distance - other), 0);
}

sidle_sphere at_start(const sidle_moving_sphere *sphere)
{
    return (sidle_sphere){sphere->from, sphere->radius};
}

sidle_sphere at_end(const sidle_moving_sphere *sphere)
{
    return (sidle_sphere){sphere->to, sphere->radius};
}

sidle_moving_sphere at_rest(const sidle_sphere *sphere)
{
    return (sidle_moving_sphere){sphere->center, sphere->center, sphere->radius};
}

Number depth_of(sidle_sphere a, sidle_sphere b)
{
    return number_sub(number_sum(a.radius, b.radius), number_length(number_offset(a.center, b.center)));
}

static bool same_place(sidle_position a, sidle_position b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool is_in_order(const sidle_passage *passage)
{
    return passage->first <= passage->last && passage->first >= 0 && passage->last <= 1;
}

bool same_times_and_points(const sidle_passage *one, const sidle_passage *other)
{
    return one->first == other->first && one->last == other->last &&
           same_place(one->points[0], other->points[0]) && same_place(one->points[1], other->points[1]);
}

bool ends_agree(bool begins, bool ends, bool hit, const sidle_passage *passage)
{
    if (!hit)
    {
        return !begins && !ends;
    }
    return (!begins || passage->first == 0) && (!ends || passage->last == 1);
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
