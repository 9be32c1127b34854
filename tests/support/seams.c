#include "support/seams.h"

#include "support/oracle.h"

/* Around the seam: the surface's up is +y, its middle the origin. */
typedef struct Patch
{
    Vector triangles[QUERY_TRIANGLES][3];
    uint32_t count;
    Vector aim; /* on the seam */
} Patch;

static void add(Patch *patch, Vector a, Vector b, Vector c)
{
    Vector *v = patch->triangles[patch->count++];
    v[0] = a;
    v[1] = b;
    v[2] = c;
}

/* Degrees by which a side falls away; half of them lie in the plane or next to it. */
static double draw_fall(Random *random)
{
    return random_chance(random, 0.3)   ? 0.0
           : random_chance(random, 0.3) ? random_scale(random, 1e-6, 1.0)
                                        : random_between(random, -60.0, 60.0);
}

/* A corner so far to the side (+1 or -1) of the edge along z. */
static Vector draw_side(Random *random, double side, double size)
{
    double fall = radians(draw_fall(random)), away = size * random_between(random, 0.7, 1.5);
    return vector(side * away * cos(fall), -away * sin(fall), size * random_between(random, -1.0, 1.0));
}

static void draw_edge(Random *random, Patch *patch, double size)
{
    Vector a = vector(0, 0, -size), b = vector(0, 0, size);
    add(patch, a, b, draw_side(random, 1.0, size));
    add(patch, b, a, draw_side(random, -1.0, size));
    patch->aim = vector(0, 0, size * random_between(random, -0.5, 0.5));
}

static void draw_t_junction(Random *random, Patch *patch, double size)
{
    Vector a = vector(0, 0, -size), b = vector(0, 0, size), side = draw_side(random, -1.0, size);
    Vector joint = vector(0, 0, size * random_between(random, -0.6, 0.6));
    add(patch, a, b, draw_side(random, 1.0, size));
    add(patch, b, joint, side);
    add(patch, joint, a, side);
    patch->aim = joint;
}

/* A closed ring around the middle; sectors of any angle, at times very narrow ones. */
static void draw_ring(Random *random, Patch *patch, double size, uint32_t count)
{
    double shares[QUERY_TRIANGLES], sum = 0.0, turn = 0.0, depth = size * random_between(random, -0.7, 0.7);
    depth = random_chance(random, 0.3) ? 0.0 : depth;
    for (uint32_t index = 0; index < count; ++index)
    {
        bool narrow = index >= 3 && random_chance(random, 0.2);
        shares[index] = narrow ? random_scale(random, 1e-4, 0.1) : random_between(random, 0.8, 1.2);
        sum += shares[index];
    }
    Vector first = vector(size, -depth, 0), before = first;
    for (uint32_t index = 0; index < count; ++index)
    {
        turn += 6.283185307179586 * shares[index] / sum;
        Vector next = index + 1 == count ? first : vector(size * cos(turn), -depth, size * sin(turn));
        add(patch, vector(0, 0, 0), next, before);
        before = next;
    }
    Vector spoke = patch->triangles[random_below(random, count)][1];
    double along = random_chance(random, 0.3) ? 0.0 : random_scale(random, 1e-6, 0.3);
    patch->aim = count > 6 ? vector_scale(spoke, along) : vector(0, 0, 0);
}

static Patch draw_patch(Random *random, Seam seam, double size)
{
    Patch patch = {.count = 0};
    switch (seam)
    {
    case SEAM_EDGE:
        draw_edge(random, &patch, size);
        break;
    case SEAM_VERTEX:
        draw_ring(random, &patch, size, 3 + random_below(random, 4));
        break;
    case SEAM_FAN:
        draw_ring(random, &patch, size, 7 + random_below(random, 6));
        break;
    case SEAM_T_JUNCTION:
        draw_t_junction(random, &patch, size);
        break;
    }
    return patch;
}

/* Down through the aim, or a hair beside it. */
static void draw_path(Random *random, const Patch *patch, Query *query, Vector *start)
{
    const double skins[3] = {0.02, 0.005, 0.1};
    double turn = random_between(random, 0.0, 6.3), steepness = random_scale(random, 0.05, 1.0);
    double flat = sqrt(1.0 - steepness * steepness);
    query->skin = skins[random_below(random, 3)];
    query->direction = vector(flat * cos(turn), -steepness, flat * sin(turn));
    query->direction = random_chance(random, 0.2) ? vector(0, -1, 0) : query->direction;
    double before = random_scale(random, 1.1, 30.0) / steepness;
    double hair = random_chance(random, 0.5) ? 0.0 : random_scale(random, 1e-9, 1e-3);
    Vector aim = vector_along(patch->aim, hair, random_direction(random));
    *start = vector_along(aim, -before, query->direction);
    query->length = before + random_between(random, 0.01, 3.0);
}

Query seam_drawn(Random *random, Seam seam)
{
    for (;;)
    {
        Query query = {.origin = vector(0, 0, 0)};
        Vector start;
        bool is_small = random_chance(random, 0.8); /* else many of its triangles need double lanes */
        Patch patch = draw_patch(random, seam, random_scale(random, 0.5, is_small ? 100.0 : 1e5));
        Rotation pose = random_rotation(random);
        bool is_upright = random_chance(random, 0.2), is_clear = true;
        draw_path(random, &patch, &query, &start);
        query.count = patch.count;
        for (uint32_t index = 0; index < 3 * patch.count; ++index)
        {
            Vector place = vector_sub(patch.triangles[index / 3][index % 3], start);
            place = is_upright ? place : vector_rotated(&pose, place);
            query.triangles[index / 3][index % 3] = vector_as_float(place);
        }
        query.direction = is_upright ? query.direction : vector_unit(vector_rotated(&pose, query.direction));
        for (uint32_t index = 0; index < query.count && is_clear; ++index)
        {
            is_clear = oracle_closest(query.triangles[index], query.origin).distance > query_radius(&query);
        }
        if (is_clear)
        {
            return query;
        }
    }
}

/* Distance is convex on the path: where it still falls at the end, the end is nearest. */
double seam_depth(const Query *query, double t)
{
    double depth = -(double)INFINITY, radius = query_radius(query);
    Vector end = vector_along(query->origin, t, query->direction);
    Vector before = vector_along(query->origin, 0.999 * t, query->direction);
    for (uint32_t index = 0; index < query->count; ++index)
    {
        const Vector *v = query->triangles[index];
        double least = oracle_closest(v, end).distance;
        if (least > oracle_closest(v, before).distance)
        {
            least = oracle_approach(v, query->origin, query->direction, t).distance;
        }
        depth = fmax(depth, radius - least);
    }
    return depth;
}
