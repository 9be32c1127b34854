#include "casts.h"

#include "console.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

/* [Units] metres, for levels where people walk. */
#define LEAST_RADIUS .05
#define RADIUS_STEPS 4 /* doublings: .05 to .8 */
#define LEAST_LENGTH .02
#define LENGTH_STEPS 12 /* .02 to 82 */

typedef struct Point
{
    double x, y, z;
} Point;

static Point along(Point a, double t, Point b)
{
    return (Point){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

static Point towards(Point a, Point b)
{
    return (Point){b.x - a.x, b.y - a.y, b.z - a.z};
}

static Point unit(Point a)
{
    double length = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return (Point){a.x / length, a.y / length, a.z / length};
}

static double random_size(Random *random, double least, int steps)
{
    double size = least;
    for (int i = random_below(random, steps); i > 0; i--)
    {
        size *= 2;
    }
    return size * random_between(random, 1, 2);
}

static Point random_direction(Random *random)
{
    Point a;
    double length2;
    do
    {
        a.x = random_between(random, -1, 1);
        a.y = random_between(random, -1, 1);
        a.z = random_between(random, -1, 1);
        length2 = a.x * a.x + a.y * a.y + a.z * a.z;
    }
    while (length2 < .01 || length2 > 1);
    return unit(a);
}

static Point random_across(Random *random, Point direction)
{
    Point other;
    double dot;
    do
    {
        other = random_direction(random);
        dot = other.x * direction.x + other.y * direction.y + other.z * direction.z;
    }
    while (dot * dot > .99);
    return unit(along(other, -dot, direction));
}

static Point corner(const Level *level, uint32_t triangle, int index)
{
    const double *v = &level->vertices[3 * (size_t)level->indices[3 * (size_t)triangle + (uint32_t)index]];
    return (Point){v[0], v[1], v[2]};
}

/* A third of the targets lie inside a triangle, a third on an edge, a third at a corner. */
static Point random_target(Random *random, const Level *level)
{
    uint32_t triangle = (uint32_t)random_below(random, (int)level->triangle_count);
    int first = random_below(random, 3), kind = random_below(random, 3);
    Point a = corner(level, triangle, first), b = corner(level, triangle, (first + 1) % 3);
    Point c = corner(level, triangle, (first + 2) % 3);
    double s = kind < 2 ? random_between(random, 0, 1) : 0,
           t = kind < 1 ? random_between(random, 0, 1 - s) : 0;
    return along(along(a, s, towards(a, b)), t, towards(a, c));
}

static sidle_cast random_cast(Random *random, const Level *level)
{
    sidle_cast cast = {.collides_with = 0};
    Point target = random_target(random, level), direction = random_direction(random);
    Point across = random_across(random, direction);
    double radius = 0, length = random_size(random, LEAST_LENGTH, LENGTH_STEPS), aside = 0;
    int kind = random_below(random, 4);
    if (kind > 0)
    {
        radius = random_size(random, LEAST_RADIUS, RADIUS_STEPS);
        aside = radius * random_between(random, 0, 1.5);
        cast.shape.half_height = kind == 3 ? (float)(radius * random_between(random, .02, 4)) : 0;
        double y = kind == 1 ? 1 : random_between(random, .5, 2),
               z = kind == 1 ? 1 : random_between(random, .5, 2);
        cast.shape.radii = (sidle_vec3){(float)radius, (float)(radius * y), (float)(radius * z)};
    }
    /* The target lies beside the path, sometimes behind its end. Mostly it is so far away that nothing
     * overlaps the start. */
    double before = length * random_between(random, -.1, 1.2);
    before = random_below(random, 4) > 0 && before < 2.2 * radius ? 2.2 * radius : before;
    Point origin = along(along(target, aside, across), -before, direction);
    cast.origin = (sidle_position){origin.x, origin.y, origin.z};
    cast.displacement = (sidle_vec3){(float)(length * direction.x), (float)(length * direction.y),
                                     (float)(length * direction.z)};
    return cast;
}

bool casts_random(const Level *level, uint32_t count, uint32_t seed, Casts *casts, char *message,
                  int message_size)
{
    Random random = {hash_mix(seed)};
    casts->list = calloc(count, sizeof *casts->list);
    casts->hits = calloc(count, sizeof *casts->hits);
    if (!casts->list || !casts->hits)
    {
        return explain(message, message_size, "Not enough memory for %u casts", count);
    }
    casts->count = casts->capacity = count;
    for (uint32_t i = 0; i < count; i++)
    {
        casts->list[i] = random_cast(&random, level);
    }
    return true;
}
