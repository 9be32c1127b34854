#include "crowd_checks.h"

#include "fuzz.h"
#include "support/oracle_core.h"
#include "tools/crowd_leak.h"

#include <stdio.h>

/* Radii: by how much floats may move a shape into a triangle, K u S as in check_penetrates: S is the size of the room over the least
 * radius, at most 110. It stops half a skin, .01, before it touches. */
#define DEEPEST 4e-5

/* The same for a shape that has begun in an overlap, out of which it is pushed while it moves. */
#define DEEPEST_AGAIN 1e-3

/* Radii: of a centre that begins no farther from a triangle, float cannot know the side. */
#define ON_A_TRIANGLE 1e-3

CheckGrid *leak_grid(const Soup *soup, Level *level)
{
    *level = (Level){.vertices = NULL};
    for (size_t i = 0; i < soup->count; ++i)
    {
        uint32_t corners[3];
        bool good = true;
        for (int k = 0; k < 3; ++k)
        {
            Vector v = soup->triangles[i].v[k];
            good = good && level_add_vertex(level, v.x, v.y, v.z, &corners[k]);
        }
        fuzz_demand(good && level_add_triangle(level, corners[0], corners[1], corners[2], 0), "no memory");
    }
    CheckGrid *grid = check_create(level);
    fuzz_demand(grid != NULL, "no memory");
    return grid;
}

/* Where the shape is the unit ball around its core, and its centre the origin. */
static Vector in_radii(const CrowdBody *shape, Vector place)
{
    Vector away = vector_sub(place, shape->center);
    return vector(vector_dot(away, shape->axes[0]) / shape->radii.x,
                  vector_dot(away, shape->axes[1]) / shape->radii.y,
                  vector_dot(away, shape->axes[2]) / shape->radii.z);
}

/* Radii from the centre, or from the core of a capsule, to the nearest triangle; `enough` if it is farther. */
static double clearance(const Soup *soup, const CrowdBody *shape, double enough)
{
    double half = shape->half_height / shape->radii.y, nearest = enough;
    for (size_t i = 0; i < soup->count; ++i)
    {
        const Vector *v = soup->triangles[i].v;
        const Vector corners[3] = {in_radii(shape, v[0]), in_radii(shape, v[1]), in_radii(shape, v[2])};
        double distance = oracle_closest(corners, vector(0, 0, 0)).distance;
        if (half > 0 && distance - half < nearest)
        {
            distance = oracle_core(corners, vector(0, half, 0), vector(0, 0, 0)).distance;
        }
        nearest = fmin(nearest, distance);
    }
    return nearest;
}

static void check_agent(const TickCheck *check, uint32_t agent)
{
    const sidle_move *move = &check->tick->moves[agent];
    const sidle_body *end = &check->tick->results[agent].body;
    CrowdBody before = checked_shape(check, move, &move->body), after = checked_shape(check, move, end);
    double least = clearance(check->soup, &after, 1);
    double first = least < 1 ? clearance(check->soup, &before, 1) : 1;
    double most = first < 1 ? DEEPEST_AGAIN : DEEPEST;
    if (first - least > most)
    {
        checked_print(check, agent);
        fuzz_demand_at_most(first - least, most, "deeper in a triangle than before");
    }
    const sidle_shape *shape = &check->profiles[move->profile].shape;
    double step = (double)(shape->radii.y + shape->half_height) / 2; /* the default */
    LeakCheck leak = {check->grid, check->crowd, check->tick, step};
    if (check_crosses(check->grid, move->body.center, end->center) &&
        clearance(check->soup, &before, 1) > ON_A_TRIANGLE && leak_is_real(&leak, agent, end->center))
    {
        checked_print(check, agent);
        fuzz_demand(false, "a centre passes through a triangle");
    }
}

void leak_check(const TickCheck *check)
{
    for (uint32_t i = 0; i < check->tick->count; ++i)
    {
        check_agent(check, i);
    }
}
