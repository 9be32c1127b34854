/* Queries that climb: drawn ones, changed by a little wherever that makes the answer worse. Drawing finds what
 * is common, climbing what is worst. The bound is what the rule for float leaves, 16 u S, and 1/kappa more for
 * faces (float_serves in kernels/setup.inl); where it came to is printed. SIDLE_QUERIES says how many are
 * asked. */
#include "kernels/constants.h"
#include "support/parts.h"
#include "support/precise.h"
#include "support/sweep_checker.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#define PATIENCE 300 /* changes in vain, then another query is drawn */

typedef struct Climb
{
    bool exact; /* double lanes, else one triangle at a time in float, which all widths agree with */
    uint32_t count;
    double worst[PARTS][3]; /* by feature: K; of faces that times 16 / (16 + 1/kappa) */
} Climb;

/* How much of the 16 an answer takes. */
static double badness(const Climb *climb, const Query *query, double worst[3])
{
    Filled filled;
    SweepChecker checker = sweep_checker_of(climb->exact ? 0x1p-53 : 0x1p-24);
    checker.quiet = true;
    filled_set(&filled, climb->exact ? &sidle_kernels_1d : &sidle_kernels_1, query, NULL);
    SweepAnswer answer = filled_sweep(&filled, query);
    sweep_check(&checker, query, &filled, answer);
    double end = query->length * (1 + FLOAT_ROUNDOFF); /* lanes have it as a float */
    if (answer.candidate != NO_HIT && !(answer.t >= 0 && answer.t <= end))
    {
        return worst[ORACLE_FACE] = INFINITY;
    }
    double room[3] = {FLOAT_ERROR_FACTOR, FLOAT_ERROR_FACTOR, FLOAT_ERROR_FACTOR}, most = 0;
    room[ORACLE_FACE] += 1.0 / oracle_roundness(query->triangles[0]);
    for (int feature = 0; feature < 3; ++feature)
    {
        double k = fmax(checker.kept.worst[feature], checker.touched.worst[feature]);
        double share = k / room[feature] * FLOAT_ERROR_FACTOR;
        worst[feature] = worse(worst[feature], share);
        most = fmax(most, share);
    }
    return most;
}

static Query drawn(const Climb *climb, Random *random)
{
    Query query = query_drawn(random);
    uint32_t chosen = random_below(random, query.count);
    memmove(query.triangles[0], query.triangles[chosen], sizeof query.triangles[0]);
    query.count = 1;
    return climb->exact ? query : query_in_float(&query);
}

static double nudge(Random *random, double size)
{
    return size * random_between(random, -1.0, 1.0) * random_scale(random, 0x1p-40, 1.0);
}

/* A corner, the path or both, by anything from a rounding to the whole of them. */
static Query changed(const Climb *climb, const Query *query, Random *random)
{
    Query out = *query;
    double size = query_size(query, 0);
    double *numbers[16] = {&out.origin.x,    &out.origin.y,    &out.origin.z, &out.direction.x,
                           &out.direction.y, &out.direction.z, &out.length};
    for (int corner = 0; corner < 3; ++corner)
    {
        numbers[7 + 3 * corner] = &out.triangles[0][corner].x;
        numbers[8 + 3 * corner] = &out.triangles[0][corner].y;
        numbers[9 + 3 * corner] = &out.triangles[0][corner].z;
    }
    uint32_t changes = 1 + random_below(random, 3);
    for (uint32_t i = 0; i < changes; ++i)
    {
        uint32_t chosen = random_below(random, 16);
        *numbers[chosen] += nudge(random, chosen < 3 || chosen > 5 ? size : 1.0);
    }
    out.direction = vector_unit(out.direction);
    out.length = fabs(out.length);
    return climb->exact ? out : query_in_float(&out);
}

static void climb_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    Climb *climb = context;
    (void)worker;
    for (uint32_t part = begin; part < end; ++part)
    {
        Random random = random_seeded(part + (climb->exact ? 300 : 400));
        Query best = drawn(climb, &random);
        double height = 0;
        uint32_t in_vain = 0;
        for (uint32_t i = part; i < climb->count; i += PARTS)
        {
            bool is_new = in_vain == PATIENCE;
            Query query = is_new ? drawn(climb, &random) : changed(climb, &best, &random);
            double reached = badness(climb, &query, climb->worst[part]);
            bool is_better = is_new || reached > height;
            in_vain = is_better ? 0 : in_vain + 1;
            best = is_better ? query : best;
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
    climb = (Climb){.exact = exact, .count = query_count(100000)};
    on_all_processors("climbs", climb_parts, &climb);
    double worst[3] = {0};
    for (uint32_t part = 0; part < PARTS; ++part)
    {
        for (int feature = 0; feature < 3; ++feature)
        {
            worst[feature] = worse(worst[feature], climb.worst[part][feature]);
        }
    }
    printf("%s climbed to: faces %.3g, edges %.3g, vertices %.3g of 16\n", what, worst[ORACLE_FACE],
           worst[ORACLE_EDGE], worst[ORACLE_VERTEX]);
    for (int feature = 0; feature < 3; ++feature)
    {
        cr_expect(worst[feature] <= FLOAT_ERROR_FACTOR, "%d: %g", feature, worst[feature]);
        cr_expect(worst[feature] > 1.0, "too tame to show anything");
    }
}

Test(sweep_climb, the_worst_of_float_lanes_stays_below_sixteen)
{
    climb_on_all_processors(false, "float lanes");
}

Test(sweep_climb, the_worst_of_double_lanes_stays_below_sixteen)
{
    climb_on_all_processors(true, "double lanes");
}
