#include "intersect/support/line_drawn.h"

static Vector in_cube(Random *random)
{
    return random_in_box(random, vector(-1, -1, -1), vector(1, 1, 1));
}

/* `length` away from a point, drawn before the direction: arguments have no order. */
static Vector away_from(Random *random, Vector from, double length)
{
    return vector_along(from, length, random_direction(random));
}

/* A point near another: within a cube of that size, drawn first. */
static Vector near_to(Random *random, Vector from, double size)
{
    return vector_along(from, size, in_cube(random));
}

static Vector on_lattice(Random *random)
{
    double x = (double)random_below(random, 5) - 2, y = (double)random_below(random, 5) - 2;
    return vector(x, y, random_chance(random, .5) ? 0 : (double)random_below(random, 5) - 2);
}

/* Two segments of nearly one direction, side by side or crossing at that angle. */
static void nearly_parallel(Random *random, Vector at[4])
{
    double length = random_scale(random, .1, 10);
    Vector along = away_from(random, vector(0, 0, 0), length);
    double angle = random_chance(random, .1) ? 0 : random_scale(random, 1e-17, .1);
    double width = random_chance(random, .3) ? 0 : random_scale(random, 1e-17, 1);
    Vector off = away_from(random, vector(0, 0, 0), angle);
    Vector gap = away_from(random, vector(0, 0, 0), width);
    double from = random_between(random, -1, 1), factor = random_between(random, -2, 2);
    at[0] = in_cube(random);
    at[1] = vector_add(at[0], along);
    at[2] = vector_add(vector_along(at[0], from, along), gap);
    at[3] = vector_add(vector_along(at[2], factor, along), off);
}

static void of_all_sizes(Random *random, Vector at[4])
{
    double sizes[4];
    for (int i = 0; i < 4; ++i)
    {
        sizes[i] = random_scale(random, 1e-10, 1e10);
    }
    at[0] = near_to(random, vector(0, 0, 0), sizes[0]);
    at[1] = near_to(random, at[0], sizes[1]);
    Vector end = at[random_below(random, 2)];
    at[2] = near_to(random, end, sizes[2]);
    at[3] = near_to(random, at[2], sizes[3]);
}

static void far_away(Random *random, Vector at[4])
{
    Vector place = vector_scale(in_cube(random), 1e6);
    double size = random_scale(random, 1e-9, 1);
    for (int i = 0; i < 4; ++i)
    {
        at[i] = vector_along(place, size, in_cube(random));
    }
}

void drawn_pair(Random *random, int kind, double out[12])
{
    Vector at[4];
    for (int i = 0; i < 4; ++i)
    {
        at[i] = kind == DRAWN_LATTICE ? on_lattice(random) : in_cube(random);
    }
    Vector whole = vector_sub(at[1], at[0]);
    int end;
    switch (kind)
    {
    case DRAWN_PARALLEL:
        nearly_parallel(random, at);
        break;
    case DRAWN_SIZES:
        of_all_sizes(random, at);
        break;
    case DRAWN_FAR:
        far_away(random, at);
        break;
    case DRAWN_TOUCHING:
        end = 2 + (int)random_below(random, 2);
        at[end] = vector_along(at[0], random_unit(random), whole);
        break;
    case DRAWN_ONE_LINE:
        at[2] = vector_along(at[0], random_between(random, -2, 2), whole);
        at[3] = random_chance(random, .2) ? at[random_below(random, 3)]
                                          : vector_along(at[0], random_between(random, -2, 2), whole);
        break;
    default:
        break;
    }
    for (int i = 0; i < 4; ++i)
    {
        out[3 * i] = at[i].x;
        out[3 * i + 1] = at[i].y;
        out[3 * i + 2] = at[i].z;
    }
}
