/* Balls shot at seams: SIDLE_SHOTS of them at each kind, and none may get through. */
#include "support/seams.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

typedef struct Tally
{
    uint64_t leaks, differences;
    double worst, worst_in_ulps; /* depth below the swept radius, in radii; in u S */
} Tally;

static double largest_size(const Query *query)
{
    double size = 0.0;
    for (uint32_t index = 0; index < query->count; ++index)
    {
        size = fmax(size, query_size(query, index));
    }
    return size;
}

/* Everything that an answer may skip, grazes, low triangles and rounding, comes to an eighth of the skin
 * at most; half of the skin and the ball itself would touch. */
static void check_sweep(Tally *tally, const Query *query, SweepAnswer answer)
{
    bool stopped = answer.candidate != NO_HIT && answer.t <= query->length;
    double depth = seam_depth(query, stopped ? answer.t : query->length);
    tally->worst = worse(tally->worst, depth);
    tally->worst_in_ulps = worse(tally->worst_in_ulps, depth / (0x1p-24 * largest_size(query)));
    if ((!stopped || depth > query->skin * SLACK_OF_SKIN) && tally->leaks++ < 4)
    {
        printf("LEAK: %s, %.3g deep, %u triangles:\n", stopped ? "stopped late" : "not stopped", depth,
               query->count);
        for (uint32_t index = 0; index < query->count; ++index)
        {
            query_print(query, index);
        }
    }
}

static void shoot(Seam seam, uint64_t seed, const char *name)
{
    const Kernels *widths[BUILD_COUNT];
    Random random = random_seeded(seed);
    Tally tally = {0};
    uint32_t count = shot_count(20000), width_count = builds_here(widths);
    for (uint32_t shot = 0; shot < count; ++shot)
    {
        Query query = seam_drawn(&random, seam);
        SweepAnswer answer = query_answer(&query, widths[0]);
        check_sweep(&tally, &query, answer);
        for (uint32_t width = 1; width < width_count; ++width)
        {
            SweepAnswer other = query_answer(&query, widths[width]);
            tally.differences += memcmp(&other.t, &answer.t, sizeof other.t) != 0;
            tally.differences += other.candidate != answer.candidate;
        }
    }
    printf("%s: %u shots at %u widths, %llu leaks, worst depth %.3g radii, %.3g u S\n", name, count,
           width_count, (unsigned long long)tally.leaks, tally.worst, tally.worst_in_ulps);
    fflush(stdout);
    cr_expect_eq(tally.leaks, 0, "%s: %llu leaks", name, (unsigned long long)tally.leaks);
    cr_expect_eq(tally.differences, 0, "%s: widths differ", name);
    cr_expect(tally.worst > 0.0, "too tame to show anything");
}

Test(leaks, no_ball_gets_through_a_shared_edge)
{
    shoot(SEAM_EDGE, 501, "shared edges");
}

Test(leaks, no_ball_gets_through_a_shared_vertex)
{
    shoot(SEAM_VERTEX, 502, "shared vertices");
}

Test(leaks, no_ball_gets_through_a_fan)
{
    shoot(SEAM_FAN, 503, "fans");
}

Test(leaks, no_ball_gets_through_a_t_junction)
{
    shoot(SEAM_T_JUNCTION, 504, "T-junctions");
}
