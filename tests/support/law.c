#include "support/law.h"

#include <stdio.h>

static double allowed(OracleFeature feature, const Vector vertices[3])
{
    const double smallest = 6.0;
    return feature == ORACLE_FACE ? fmax(smallest, 1.0 / oracle_roundness(vertices)) : smallest;
}

double law_bound(const Law *law, OracleFeature feature, const Vector vertices[3], double size)
{
    return allowed(feature, vertices) * law->roundoff * size;
}

bool law_keeps(Law *law, OracleFeature feature, const Vector vertices[3], double size, double error)
{
    law->count[feature] += 1;
    if (error <= 0.0)
    {
        return true;
    }
    double factor = error / (law->roundoff * size), share = factor / allowed(feature, vertices);
    law->worst[feature] = worse(law->worst[feature], factor);
    law->worst_share[feature] = worse(law->worst_share[feature], share);
    return share <= 1.0;
}

void law_add(Law *law, const Law *other)
{
    for (int feature = 0; feature < 3; ++feature)
    {
        law->count[feature] += other->count[feature];
        law->worst[feature] = worse(law->worst[feature], other->worst[feature]);
        law->worst_share[feature] = worse(law->worst_share[feature], other->worst_share[feature]);
    }
}

void law_print(const Law *law, const char *what)
{
    static const char *const names[3] = {"faces", "edges", "vertices"};
    printf("%s: worst K", what);
    for (int feature = 0; feature < 3; ++feature)
    {
        printf("  %s %.3g, %.2g of what is allowed (%llu)", names[feature], law->worst[feature],
               law->worst_share[feature], (unsigned long long)law->count[feature]);
    }
    printf("\n");
    fflush(stdout);
}
