/* Checks what the closest-point kernels answer: the oracle and the error law, laid against a batch of one
 * width. */
#ifndef TESTS_SUPPORT_CLOSEST_CHECKER_H
#define TESTS_SUPPORT_CLOSEST_CHECKER_H

#include "support/law.h"
#include "support/queries.h"

typedef struct ClosestChecker
{
    Law law;
    uint64_t found, skipped;
    uint32_t wrong;
} ClosestChecker;

/* What the closest point may answer: the distance, or a little more inside a triangle too thin for a face. */
double closest_farthest(const Query *query, uint32_t triangle, double distance, double roundoff);
/* Asks with the path's start as the point. Returns the least of the lanes' answers. */
double closest_check(ClosestChecker *checker, const Query *query, const Filled *filled, double radius);

#endif
