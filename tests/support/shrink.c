#include "support/shrink.h"

#include <string.h>

/* To so many leading bits; 0 bits: 0. */
static double with_bits(double value, int bits)
{
    int exponent;
    double mantissa = frexp(value, &exponent);
    return bits == 0 ? 0.0 : ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}

/* Fewer bits for one number, as long as the query fails. */
static void shorten(Query *query, double *number, ShrinkFails *fails, const void *context)
{
    const int trials[] = {0, 1, 2, 4, 8, 12, 16, 20, 24, 32, 40};
    const double before = *number;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; ++i)
    {
        *number = with_bits(before, trials[i]);
        if (fails(query, context))
        {
            return;
        }
    }
    *number = before;
}

/* The direction stays what it is: it must stay unit. */
bool shrink_query(Query *query, uint32_t triangle, ShrinkFails *fails, const void *context)
{
    Query alone = *query;
    alone.count = 1;
    memmove(alone.triangles[0], query->triangles[triangle], sizeof alone.triangles[0]);
    if (!fails(&alone, context))
    {
        return false;
    }
    for (int corner = 0; corner < 3; ++corner)
    {
        shorten(&alone, &alone.triangles[0][corner].x, fails, context);
        shorten(&alone, &alone.triangles[0][corner].y, fails, context);
        shorten(&alone, &alone.triangles[0][corner].z, fails, context);
    }
    shorten(&alone, &alone.origin.x, fails, context);
    shorten(&alone, &alone.origin.y, fails, context);
    shorten(&alone, &alone.origin.z, fails, context);
    shorten(&alone, &alone.length, fails, context);
    *query = alone;
    return true;
}
