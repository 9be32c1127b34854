/* Queries of capsules, and what their answers are checked for: what an accepted path comes close to, what a hit
 * touches, what a capsule that begins inside does. The core lies along the y axis. */
#ifndef TESTS_SUPPORT_CAPSULE_CHECKER_H
#define TESTS_SUPPORT_CAPSULE_CHECKER_H

#include "narrow/candidates.h"
#include "support/law.h"
#include "support/queries.h"

typedef struct CapsuleChecker
{
    const Kernels *kernels;
    bool raw;   /* checks the times of the lanes, otherwise the answers of narrow/ */
    bool quiet; /* counts and says nothing */
    Law kept, touched;
    uint64_t hits, misses, begun_inside, left_to_double;
    uint32_t wrong;
} CapsuleChecker;

/* Rows: x, y and z after the turn that makes `axis` the y axis. Exact where it is an axis already. */
void draw_turn(Vector axis, Vector row[3]);
Query query_turned(const Query *query, const Vector row[3]);

/* A query's path is that of a ball that comes close; the centre of the capsule is anywhere along its core. */
Query capsule_query(Random *random, bool in_float, Vector *core);

/* S: of the triangle's corners, at both ends of the core. */
double capsule_size(const Query *query, uint32_t triangle, Vector core);
double height_over_longest(const Vector v[3]);

CapsuleChecker capsule_checker_of(const Kernels *kernels, bool raw);

/* The answer of lanes of this width, as narrow/ gives it or, raw, as the lanes themselves do. False: float does not
 * serve a triangle of the query. */
bool capsule_answer(const Kernels *kernels, const Query *query, Vector core, bool raw, bool *is_hit,
                    Hit *hit);

void capsule_check(CapsuleChecker *checker, const Query *query, Vector core);
void capsule_checker_print(const CapsuleChecker *checker, const char *what);

#endif
