#include "support/random.h"

#include <float.h>

/* splitmix64 (Steele, Lea and Flood 2014): passes the usual batteries, one word of state, any seed will do.
 */
uint64_t random_bits(Random *random)
{
    random->state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = random->state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

Random random_seeded(uint64_t seed)
{
    Random random = {seed};
    random_bits(&random);
    return random;
}

uint32_t random_below(Random *random, uint32_t limit)
{
    return (uint32_t)(((random_bits(random) >> 32) * limit) >> 32);
}

double random_unit(Random *random)
{
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

bool random_chance(Random *random, double probability)
{
    return random_unit(random) < probability;
}

double random_between(Random *random, double low, double high)
{
    return low + (high - low) * random_unit(random);
}

double random_scale(Random *random, double low, double high)
{
    return low * exp(log(high / low) * random_unit(random));
}

/* One draw a statement: compilers are free in the order of arguments, and scenes must not depend on it. */
Vector random_in_box(Random *random, Vector low, Vector high)
{
    double x = random_between(random, low.x, high.x);
    double y = random_between(random, low.y, high.y);
    double z = random_between(random, low.z, high.z);
    return vector(x, y, z);
}

Vector random_direction(Random *random)
{
    for (;;)
    {
        Vector inside = random_in_box(random, vector(-1, -1, -1), vector(1, 1, 1));
        double length = vector_length(inside);
        if (length <= 1.0 && length > 0.01)
        {
            return vector_scale(inside, 1.0 / length);
        }
    }
}

Rotation random_rotation(Random *random)
{
    Vector x = random_direction(random);
    Vector y = random_direction(random);
    while (fabs(vector_dot(x, y)) > 0.9)
    {
        y = random_direction(random);
    }
    Vector z = vector_unit(vector_cross(x, y));
    return (Rotation){{x, vector_cross(z, x), z}};
}

Rotation rotation_about_y(double angle)
{
    double c = cos(angle), s = sin(angle);
    return (Rotation){{vector(c, 0.0, s), vector(0.0, 1.0, 0.0), vector(-s, 0.0, c)}};
}

static float stepped(float value, int steps)
{
    for (; steps > 0; --steps)
    {
        value = nextafterf(value, FLT_MAX);
    }
    for (; steps < 0; ++steps)
    {
        value = nextafterf(value, -FLT_MAX);
    }
    return value;
}

float random_critical(Random *random, double skin)
{
    double value = 0.0;
    switch (random_below(random, 6))
    {
    case 0:
        value = 1.0;
        break;
    case 1:
        value = 1.0 + 0.5 * skin;
        break;
    case 2:
        value = 1.0 + skin;
        break;
    case 3:
        value = 0.0;
        break;
    case 4:
        value = ldexp(1.0, (int)random_below(random, 13) - 6);
        break;
    default:
        value = 0.25 * ((double)random_below(random, 33) - 16.0);
        break;
    }
    float exact = (float)(random_chance(random, 0.5) ? value : -value);
    return exact == 0.0f ? exact : stepped(exact, (int)random_below(random, 7) - 3);
}

void random_snap(Random *random, Vector *vertices, int count, double skin, double probability)
{
    for (int index = 0; index < count; ++index)
    {
        double *coordinates[3] = {&vertices[index].x, &vertices[index].y, &vertices[index].z};
        int other = (int)random_below(random, (uint32_t)count);
        const double shared[3] = {vertices[other].x, vertices[other].y, vertices[other].z};
        for (int axis = 0; axis < 3; ++axis)
        {
            if (random_chance(random, probability))
            {
                *coordinates[axis] =
                    random_chance(random, 0.5) ? (double)random_critical(random, skin) : shared[axis];
            }
        }
        vertices[index] = vector_as_float(vertices[index]);
    }
}
