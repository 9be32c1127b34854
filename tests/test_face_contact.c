/* The contact of a face from its plane alone, against the contact of the whole triangle. The formulas take the normal from other
 * edges, so about half of the contacts have equal bits and the rest differ by rounding. */
#include "support/capsule_checker.h"
#include "support/face_checker.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>

/* With the corners of float lanes. */
static Query query_of_face(Random *random, bool has_core, double *core)
{
    Vector half = {0, 0, 0};
    Query query = has_core ? capsule_query(random, true, &half) : query_drawn(random);
    *core = half.y;
    return query_in_float(&query);
}

static void check_queries(uint64_t seed, bool has_core)
{
    const Kernels *widths[WIDTH_COUNT];
    uint32_t width_count = widths_here(widths), count = query_count(200000), tally[FACE_WRONG + 1] = {0};
    Random random = random_seeded(seed);
    for (uint32_t i = 0; i < count; ++i)
    {
        double core;
        Query query = query_of_face(&random, has_core, &core);
        FaceVerdict verdict = face_check(&query, widths[i % width_count], core);
        ++tally[verdict];
        if (verdict == FACE_WRONG && tally[verdict] <= 8)
        {
            printf("WRONG, core %a:", core);
            query_print(&query, 0);
        }
    }
    printf("%u contacts of equal bits, %u within rounding, %u past the end, %u at a rim\n", tally[FACE_EXACT],
           tally[FACE_ALIKE], tally[FACE_BEYOND], tally[FACE_AT_RIM]);
    uint32_t same = tally[FACE_EXACT] + tally[FACE_ALIKE];
    cr_expect_eq(tally[FACE_WRONG], 0, "%u contacts differ", tally[FACE_WRONG]);
    cr_expect_gt(same, count / 200, "%u contacts", same);
    cr_expect_gt(tally[FACE_EXACT], same / 3, "%u of %u have equal bits", tally[FACE_EXACT], same);
    cr_expect_lt(tally[FACE_BEYOND], same / 10, "%u are past the end", tally[FACE_BEYOND]);
}

Test(face_contact, is_that_of_the_triangle)
{
    check_queries(420, false);
}

Test(face_contact, of_a_capsule_is_that_of_the_triangle)
{
    check_queries(421, true);
}
