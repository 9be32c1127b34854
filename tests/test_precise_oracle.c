/* The oracles in double against the one at 1,024 bits: how far their own verdicts can be trusted. */
#include "support/precise.h"
#include "support/shrink.h"
#include "support/sweep_checker.h"

#include <criterion/criterion.h>

#include <stdio.h>

static const double ulp = 0x1p-53;

typedef struct Errors
{
    double worst, worst_share; /* in 2^-53 S; of what is allowed */
    uint64_t asked;
    uint32_t wrong;
} Errors;

static void note(Errors *errors, const Query *query, uint32_t triangle, double error)
{
    double unit = ulp * query_size(query, triangle), factor = fabs(error) / unit;
    double allowed = oracle_error(query->triangles[triangle], query_size(query, triangle)) / unit;
    errors->asked += 1;
    errors->worst = worse(errors->worst, factor);
    errors->worst_share = worse(errors->worst_share, factor / allowed);
    if (!(factor <= allowed) && errors->wrong++ < 8)
    {
        printf("WRONG: by %.3g where %.3g is allowed:", factor, allowed);
        query_print(query, triangle);
    }
}

static void conclude(const Errors *errors, const char *what)
{
    printf("%s: off by %.3g of 2^-53 S at most, %.2g of what is allowed (%llu asked)\n", what, errors->worst,
           errors->worst_share, (unsigned long long)errors->asked);
    fflush(stdout);
    cr_expect_eq(errors->wrong, 0, "%u of %llu are off by more", errors->wrong,
                 (unsigned long long)errors->asked);
    cr_expect(errors->worst > 0.01, "nothing was rounded?");
}

/* How far an oracle in double is from the truth about one triangle. */
typedef double ErrorOf(const Query *query, const Vector triangle[3]);

static void measure(uint64_t seed, ErrorOf *error_of, const char *what)
{
    Random random = random_seeded(seed);
    Errors errors = {0};
    uint32_t count = precise_available() ? query_count(20000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        for (uint32_t triangle = 0; triangle < query.count; ++triangle)
        {
            note(&errors, &query, triangle, error_of(&query, query.triangles[triangle]));
        }
    }
    if (count > 0)
    {
        conclude(&errors, what);
    }
}

static double error_of_distance(const Query *query, const Vector v[3])
{
    return precise_excess(v, query->origin, oracle_closest(v, query->origin).distance);
}

static double error_of_approach(const Query *query, const Vector v[3])
{
    double distance = oracle_approach(v, query->origin, query->direction, query->length).distance;
    return precise_approach(v, query->origin, query->direction, query->length, distance);
}

Test(precise_oracle, distances_in_double_are_right_to_a_few_ulps_of_the_size)
{
    measure(401, error_of_distance, "O1");
}

Test(precise_oracle, least_distances_on_paths_in_double_are_right_to_a_few_ulps_of_the_size)
{
    measure(402, error_of_approach, "O3");
}

/* Figures that need no oracle: whole numbers, and a difference far below an ulp of the distance. */
Test(precise_oracle, known_distances_are_exact)
{
    const Vector v[3] = {{0, 0, 0}, {8, 0, 0}, {0, 0, 8}};
    if (!precise_available())
    {
        return;
    }
    cr_expect(precise_excess(v, vector(1, 3, 1), 3.0) == 0.0, "over the face");
    cr_expect(precise_excess(v, vector(-3, 4, 1), 4.0) == 1.0, "beside an edge");
    cr_expect(precise_excess(v, vector(-2, 3, -6), 7.0) == 0.0, "beyond a corner");
    cr_expect(precise_excess(v, vector(0x1p-40 - 3, 4, 1), 5.0) < 0.0, "a hair nearer than 5");
    Vector down = vector(0, -1, 0), along = vector(1, 0, 0);
    cr_expect(precise_approach(v, vector(1, 3, 1), down, 2.0, 1.0) == 0.0, "down to the face");
    cr_expect(precise_approach(v, vector(1, 3, 1), down, 5.0, 0.0) == 0.0, "through the face");
    cr_expect(precise_approach(v, vector(-9, 2, -4), along, 30.0, 0.0) == sqrt(20.0), "past a corner");
    cr_expect(precise_approach(v, vector(-9, 2, 4), along, 30.0, 2.0) == 0.0, "over two edges");
    cr_expect(precise_depth(v, vector(1, 0.5, 1), down, 0.25, 1.0) == 0.25, "deeper than it began");
    cr_expect(precise_depth(v, vector(1, 3, 1), down, 2.5, 1.0) == 0.5, "deeper than the radius");
    cr_expect(precise_excess_at(v, vector(1, 3, 1), down, 2.0 - 0x1p-60, 1.0) == 0.0, "time is what it is");
    cr_expect(precise_excess_at(v, vector(1, 3, 1), down, 0x1p-60, 3.0) == -0x1p-60, "no place is rounded");
}

/* ---- what makes failures readable ---- */

static bool has_a_high_corner(const Query *query, const void *context)
{
    const double *height = context;
    for (uint32_t triangle = 0; triangle < query->count; ++triangle)
    {
        if (query->triangles[triangle][1].y > *height)
        {
            return true;
        }
    }
    return false;
}

Test(precise_oracle, a_failing_query_shrinks_to_one_triangle_with_few_digits)
{
    const double height = 5.3, above = 6.0;
    Random random = random_seeded(403);
    Query query = {.count = 5, .direction = vector(1, 0, 0), .length = 3.3, .skin = 0.02};
    for (int corner = 0; corner < 15; ++corner)
    {
        query.triangles[corner / 3][corner % 3] = random_in_box(&random, vector(-1, -1, -1), vector(1, 1, 1));
    }
    query.triangles[3][1].y = 5.77777;
    Query before = query;
    cr_expect_not(shrink_query(&query, 2, has_a_high_corner, &height), "another triangle fails");
    cr_expect(query.count == 5 && query.triangles[2][0].x == before.triangles[2][0].x);
    cr_expect(shrink_query(&query, 3, has_a_high_corner, &height));
    cr_expect(query.count == 1 && query.triangles[0][1].y == above, "to %g", query.triangles[0][1].y);
    cr_expect(query.triangles[0][0].x == 0.0 && query.triangles[0][2].z == 0.0 && query.length == 0.0);
}

/* A checker that accepts this answer would accept any. */
Test(precise_oracle, a_wrong_answer_is_reported)
{
    Query query = {.count = 1, .direction = vector(0, -1, 0), .length = 5.0, .skin = 0.02};
    const Vector v[3] = {{-4, -3, -4}, {-4, -3, 8}, {8, -3, -4}};
    for (int corner = 0; corner < 3; ++corner)
    {
        query.triangles[0][corner] = v[corner];
    }
    Filled filled;
    filled_set(&filled, &sidle_kernels_4, &query, NULL);
    const double touch = 2.0 - 0.01, times[4] = {touch, touch + 1e-5, touch - 1e-5, (double)INFINITY};
    for (int index = 0; index < 4; ++index)
    {
        SweepChecker checker = sweep_checker_of(0x1p-24);
        checker.quiet = true;
        sweep_check(&checker, &query, &filled,
                    (SweepAnswer){.t = times[index], .candidate = index < 3 ? 0 : NO_HIT});
        cr_expect_eq(checker.wrong > 0, index > 0, "answer %d", index);
    }
}
