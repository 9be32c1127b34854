/* The error law of docs/numerics.md: an answer errs by at most K u S, where u is the roundoff of the lanes, S
 * the size of the lane, and K at most 6 for edges and vertices and max(6, 1/kappa) for faces. Keeps the worst
 * K. */
#ifndef TESTS_SUPPORT_LAW_H
#define TESTS_SUPPORT_LAW_H

#include "support/oracle.h"

#include <stdint.h>

typedef struct Law
{
    double roundoff;
    double worst[3];       /* K by feature */
    double worst_share[3]; /* K by what the law allows */
    uint64_t count[3];
} Law;

/* What the law allows here, as a distance. */
double law_bound(const Law *law, OracleFeature feature, const Vector vertices[3], double size);

/* Notes an error (what is not above 0 is none); false: it breaks the law. */
bool law_keeps(Law *law, OracleFeature feature, const Vector vertices[3], double size, double error);

/* Takes over what another has seen. */
void law_add(Law *law, const Law *other);

/* One line on stdout: the worst K of each feature. */
void law_print(const Law *law, const char *what);

#endif
