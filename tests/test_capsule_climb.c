/* Capsule queries that climb, as in test_sweep_climb.c: the worst that a search finds stays below what the rule for
 * float leaves, 16 u S, and 1/kappa more for faces. SIDLE_QUERIES says how many are asked. */
#include "kernels/constants.h"
#include "support/capsule_checker.h"
#include "support/oracle.h"
#include "support/parts.h"
#include "support/precise.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#define PATIENCE 300 /* changes in vain, then another query is drawn */

typedef struct Capsule
{
    Query query;
    Vector core;
} Capsule;

typedef struct Climb
{
    bool exact; /* double lanes, else one triangle at a time in float, which all widths agree with */
    uint32_t count;
    double worst[PARTS]; /* K times 16 / (16 + 1/kappa) */
} Climb;

static double badness(const Climb *climb, const Capsule *capsule)
{
    CapsuleChecker checker = capsule_checker_of(climb->exact ? &sidle_kernels_1d : &sidle_kernels_1, true);
    checker.quiet = true;
    capsule_check(&checker, &capsule->query, capsule->core);
    double room = FLOAT_ERROR_FACTOR + 1.0 / oracle_roundness(capsule->query.triangles[0]);
    return fmax(checker.kept.worst[ORACLE_FACE], checker.touched.worst[ORACLE_FACE]) / room *
           FLOAT_ERROR_FACTOR;
}

static Capsule drawn(const Climb *climb, Random *random)
{
    Capsule capsule;
    capsule.query = capsule_query(random, !climb->exact, &capsule.core);
    Query *query = &capsule.query;
    uint32_t chosen = random_below(random, query->count);
    memmove(query->triangles[0], query->triangles[chosen], sizeof query->triangles[0]);
    query->count = 1;
    return capsule;
}

static double nudge(Random *random, double size)
{
    return size * random_between(random, -1.0, 1.0) * random_scale(random, 0x1p-40, 1.0);
}

/* A corner, the core, the path or all, by anything from a rounding to the whole of them. */
static Capsule changed(const Climb *climb, const Capsule *capsule, Random *random)
{
    Capsule out = *capsule;
    Query *query = &out.query;
    double size = capsule_size(query, 0, out.core);
    double *numbers[17] = {&query->origin.x,    &query->origin.y,    &query->origin.z, &query->direction.x,
                           &query->direction.y, &query->direction.z, &query->length,   &out.core.y};
    for (int corner = 0; corner < 3; ++corner)
    {
        numbers[8 + 3 * corner] = &query->triangles[0][corner].x;
        numbers[9 + 3 * corner] = &query->triangles[0][corner].y;
        numbers[10 + 3 * corner] = &query->triangles[0][corner].z;
    }
    uint32_t changes = 1 + random_below(random, 3);
    for (uint32_t i = 0; i < changes; ++i)
    {
        uint32_t chosen = random_below(random, 17);
        *numbers[chosen] += nudge(random, chosen < 3 || chosen > 5 ? size : 1.0);
    }
    query->direction = vector_unit(query->direction);
    query->length = fabs(query->length);
    out.core.y = fabs((double)(float)out.core.y);
    out.query = climb->exact ? *query : query_in_float(query);
    return out;
}

static void climb_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    Climb *climb = context;
    (void)worker;
    for (uint32_t part = begin; part < end; ++part)
    {
        Random random = random_seeded(part + (climb->exact ? 500 : 600));
        Capsule best = drawn(climb, &random);
        double height = 0;
        uint32_t in_vain = 0;
        for (uint32_t i = part; i < climb->count; i += PARTS)
        {
            bool is_new = in_vain == PATIENCE;
            Capsule capsule = is_new ? drawn(climb, &random) : changed(climb, &best, &random);
            double reached = badness(climb, &capsule);
            bool is_better = is_new || reached > height;
            climb->worst[part] = fmax(climb->worst[part], reached);
            in_vain = is_better ? 0 : in_vain + 1;
            best = is_better ? capsule : best;
            height = is_better ? reached : height;
        }
    }
}

static void climb_on_all_processors(bool exact, const char *what)
{
    static Climb climb;
    if (exact && !precise_available()) /* it would climb to the errors of the oracles in double */
    {
        printf("%s: skipped without MPFR\n", what);
        return;
    }
    climb = (Climb){.exact = exact, .count = query_count(30000)};
    on_all_processors("climbs", climb_parts, &climb);
    double worst = 0;
    for (uint32_t part = 0; part < PARTS; ++part)
    {
        worst = fmax(worst, climb.worst[part]);
    }
    printf("%s climbed to %.3g of 16\n", what, worst);
    cr_expect(worst <= FLOAT_ERROR_FACTOR, "%g", worst);
    cr_expect(worst > 1.0, "too tame to show anything");
}

Test(capsule_climb, the_worst_of_float_lanes_stays_below_sixteen)
{
    climb_on_all_processors(false, "float lanes");
}

Test(capsule_climb, the_worst_of_double_lanes_stays_below_sixteen)
{
    climb_on_all_processors(true, "double lanes");
}
