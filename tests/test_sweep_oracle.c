/* The sweep kernel of every width against the oracles: what an accepted path comes close to, what a hit
 * touches, what a miss missed. SIDLE_QUERIES says how many. */
#include "support/parts.h"
#include "support/sweep_checker.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

static void conclude(const SweepChecker *checker, const char *what)
{
    sweep_checker_print(checker, what);
    cr_expect_eq(checker->wrong, 0, "%u answers break the law", checker->wrong);
    uint64_t all = checker->hits + checker->misses;
    cr_expect(checker->hits > all / 5 && checker->misses > all / 20, "too one-sided to show anything");
    cr_expect(checker->begun_inside > all / 200 && checker->grazes > 0, "too tame to show anything");
}

typedef struct Trials
{
    bool exact; /* double lanes, else float ones of every width by turns */
    uint32_t count;
    SweepChecker checkers[PARTS];
} Trials;

static void check_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    Trials *trials = context;
    const Kernels *widths[BUILD_COUNT] = {&sidle_kernels_1d};
    uint32_t width_count = trials->exact ? 1 : builds_here(widths);
    (void)worker;
    for (uint32_t part = begin; part < end; ++part)
    {
        Random random = random_seeded(part + (trials->exact ? 100 : 200));
        for (uint32_t i = part; i < trials->count; i += PARTS)
        {
            Query drawn = query_drawn(&random), query = trials->exact ? drawn : query_in_float(&drawn);
            Filled filled;
            filled_set(&filled, widths[i / PARTS % width_count], &query, NULL);
            sweep_check(&trials->checkers[part], &query, &filled, filled_sweep(&filled, &query));
        }
    }
}

static void check_on_all_processors(bool exact, const char *what)
{
    static Trials trials;
    SweepChecker all = sweep_checker_of(exact ? 0x1p-53 : 0x1p-24);
    trials = (Trials){.exact = exact, .count = query_count(100000)};
    for (uint32_t part = 0; part < PARTS; ++part)
    {
        trials.checkers[part] = all;
    }
    on_all_processors("queries", check_parts, &trials);
    for (uint32_t part = 0; part < PARTS; ++part)
    {
        sweep_checker_add(&all, &trials.checkers[part]);
    }
    conclude(&all, what);
}

Test(sweep_oracle, float_lanes_keep_the_error_law)
{
    check_on_all_processors(false, "float lanes");
}

Test(sweep_oracle, double_lanes_keep_the_error_law_whatever_the_size)
{
    check_on_all_processors(true, "double lanes");
}

static bool same_answer(SweepAnswer a, SweepAnswer b)
{
    return memcmp(&a.t, &b.t, sizeof a.t) == 0 && a.candidate == b.candidate;
}

static bool same_lanes(const Filled *one, const Filled *other)
{
    bool same = one->exact_count == other->exact_count;
    for (uint32_t lane = 0; lane < one->batch.count; ++lane)
    {
        same = same && one->candidates[lane].exact == other->candidates[lane].exact;
        for (uint32_t field = 0; field < FIELD_ANSWER; ++field)
        {
            double a = batch_read(&one->batch, one->kernels, lane, field);
            double b = batch_read(&other->batch, other->kernels, lane, field);
            same = same && (memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b));
        }
    }
    return same;
}

Test(sweep_oracle, every_width_packs_and_answers_the_same_bits)
{
    const Kernels *widths[BUILD_COUNT];
    Random random = random_seeded(103);
    uint32_t count = query_count(100000), width_count = builds_here(widths), wrong = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        Filled one, wide;
        filled_set(&one, &sidle_kernels_1, &query, NULL);
        SweepAnswer answer = filled_sweep(&one, &query);
        for (uint32_t width = 1; width < width_count; ++width)
        {
            filled_set(&wide, widths[width], &query, NULL);
            wrong += !same_lanes(&one, &wide);
            wrong += !same_answer(answer, filled_sweep(&wide, &query));
        }
    }
    cr_expect_eq(wrong, 0, "%u differences", wrong);
}

Test(sweep_oracle, the_order_of_the_candidates_changes_no_bit)
{
    const Kernels *widths[BUILD_COUNT + 1];
    Random random = random_seeded(104);
    uint32_t count = query_count(100000), width_count = builds_here(widths), wrong = 0, ties = 0;
    widths[width_count++] = &sidle_kernels_1d;
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        uint32_t order[QUERY_TRIANGLES];
        for (uint32_t lane = 0; lane < query.count; ++lane)
        {
            uint32_t other = random_below(&random, lane + 1);
            order[lane] = order[other];
            order[other] = lane;
        }
        Filled plain, shuffled;
        filled_set(&plain, widths[i % width_count], &query, NULL);
        filled_set(&shuffled, widths[i % width_count], &query, order);
        SweepAnswer answer = filled_sweep(&plain, &query);
        wrong += !same_answer(answer, filled_sweep(&shuffled, &query));
        ties += answer.t == 0.0 && query.count > 1;
    }
    cr_expect_eq(wrong, 0, "%u differences", wrong);
    cr_expect(ties > count / 50, "hardly any ties");
}

/* One more triangle with a corner that is NaN: no query hits it and no other answer changes. */
Test(sweep_oracle, a_nan_corner_is_never_hit)
{
    const Kernels *widths[BUILD_COUNT + 1];
    Random random = random_seeded(105);
    uint32_t width_count = builds_here(widths), wrong = 0;
    widths[width_count++] = &sidle_kernels_1d;
    for (uint32_t i = 0; i < 30000; ++i)
    {
        Query query = query_drawn(&random);
        query.count -= query.count == QUERY_TRIANGLES;
        Filled plain, with;
        filled_set(&plain, widths[i % width_count], &query, NULL);
        Query odd = query;
        memcpy(odd.triangles[odd.count], odd.triangles[0], sizeof odd.triangles[0]);
        Vector *corner = &odd.triangles[odd.count][random_below(&random, 3)];
        double *coordinates[3] = {&corner->x, &corner->y, &corner->z};
        *coordinates[random_below(&random, 3)] = (double)NAN;
        odd.count += 1;
        filled_set(&with, widths[i % width_count], &odd, NULL);
        wrong += !same_answer(filled_sweep(&plain, &query), filled_sweep(&with, &odd));
    }
    cr_expect_eq(wrong, 0, "%u differences", wrong);
}

/* Away from where it is nearest, wherever that is: nothing holds the ball back. */
Test(sweep_oracle, a_ball_that_begins_inside_a_triangle_leaves_it_freely)
{
    Random random = random_seeded(106);
    uint32_t leaving = 0, held = 0;
    for (uint32_t i = 0; i < 100000; ++i)
    {
        Query drawn = query_drawn(&random), query = query_in_float(&drawn);
        query.count = 1;
        OracleClosest begin = oracle_closest(query.triangles[0], query.origin);
        Vector away = vector_unit(vector_sub(query.origin, begin.point));
        if (begin.distance >= query_radius(&query) || vector_dot(away, query.direction) < 1e-2)
        {
            continue;
        }
        Filled filled;
        filled_set(&filled, &sidle_kernels_4, &query, NULL);
        leaving += !filled.candidates[0].exact;
        held += filled_sweep(&filled, &query).candidate != NO_HIT;
    }
    cr_expect(leaving > 1000, "only %u leave", leaving);
    cr_expect_eq(held, 0, "%u of %u are held", held, leaving);
}
