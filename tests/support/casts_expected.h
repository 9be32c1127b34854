/* Casts of one style in one scene, each held against the oracle: for tests in Criterion. */
#ifndef TESTS_SUPPORT_CASTS_EXPECTED_H
#define TESTS_SUPPORT_CASTS_EXPECTED_H

#include "support/casts.h"
#include "support/queries.h"

#include <criterion/criterion.h>

/* `count` casts, or as many as SIDLE_QUERIES says. Takes the scene. */
static inline void check_casts(const char *what, CastScene scene, const CastStyle *style, uint64_t seed,
                               uint32_t count)
{
    Random random = random_seeded(seed);
    CastTally tally = {0};
    count = query_count(count);
    for (uint32_t i = 0; i < count && tally.wrong < 5; ++i)
    {
        sidle_cast cast = cast_drawn(&random, &scene, style);
        sidle_cast_hit hit = cast_asked(&scene, &cast);
        cast_checked(&tally, &scene, &cast, &hit);
    }
    cast_tally_print(&tally, what);
    cr_expect_eq(tally.wrong, 0);
    cr_expect(tally.hits > count / 20 && tally.misses > count / 50);
    cast_scene_close(&scene);
}

#endif
