/* Checks what a sweep answers against the oracles: what an accepted path comes close to, what a hit touches,
 * what a miss missed. Keeps the worst of each; an answer that breaks the law is printed at once, shrunk to a
 * single triangle. */
#ifndef TESTS_SUPPORT_SWEEP_CHECKER_H
#define TESTS_SUPPORT_SWEEP_CHECKER_H

#include "support/law.h"
#include "support/queries.h"

typedef struct SweepChecker
{
    Law kept;    /* depth below the radius on accepted paths */
    Law touched; /* distance above the radius at hits */
    uint64_t hits, misses, begun_inside, grazes;
    uint64_t precise; /* how often O4 was asked, since the answer was too near to the radius for double */
    uint32_t wrong;
    bool quiet; /* counts and says nothing */
} SweepChecker;

SweepChecker sweep_checker_of(double roundoff); /* of the lanes */

/* `filled` holds the query's triangles or others of the same corners. */
void sweep_check(SweepChecker *checker, const Query *query, const Filled *filled, SweepAnswer answer);

/* Takes over what another has seen. */
void sweep_checker_add(SweepChecker *checker, const SweepChecker *other);

/* Two or three lines on stdout. */
void sweep_checker_print(const SweepChecker *checker, const char *what);

#endif
