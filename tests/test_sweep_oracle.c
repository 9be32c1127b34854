/* The sweep kernel of every width against the oracles: what an accepted path comes close to, what a hit
 * touches, what a miss missed. SIDLE_QUERIES says how many. */
#include "support/law.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

typedef struct Judge
{
    Law kept;    /* depth below the radius on accepted paths */
    Law touched; /* distance above the radius at hits */
    uint64_t hits, misses, begun_inside, grazes;
    double early; /* what the growth of a face beyond its edges and corners may do to a hit */
    uint32_t wrong;
} Judge;

/* Half the square of four times FACE_GROWTH, which float does not see: the corner of two grown edges lies
 * farther out than each of them. */
static Judge judge_with(double roundoff)
{
    double early = 0.5 * 0.0;
    return (Judge){.kept = {.roundoff = roundoff},
                   .touched = {.roundoff = roundoff},
                   .early = roundoff < 1e-10 ? early : 0.0};
}

/* The first few are told in full, the rest are counted. */
static void complain(Judge *judge, const Query *query, uint32_t triangle, const char *what, double figure)
{
    if (judge->wrong++ < 8)
    {
        printf("WRONG: %s by %.6g:", what, figure);
        query_print(query, triangle);
    }
}

/* What the way may gain in depth as a mere graze: GRAZE_SLOPE on the way from the first contact to the
 * deepest place, SLACK_OF_SKIN in all. */
static double graze(const Query *query, uint32_t triangle, OracleApproach nearest, double floor)
{
    const Vector *v = query->triangles[triangle];
    OracleTouch touch = oracle_touch(v, query->origin, query->direction, nearest.time, floor);
    return fmin(query->skin * SLACK_OF_SKIN, GRAZE_SLOPE * (nearest.time - touch.time));
}

/* The feature that answers for a triangle: where a cap is low, its face is met though an edge is as near. */
static OracleFeature answering(const Query *query, uint32_t triangle, OracleFeature nearest)
{
    Vec3 corners[3];
    for (int corner = 0; corner < 3; ++corner)
    {
        corners[corner] = vec3_of_vector(query->triangles[triangle][corner]);
    }
    SweepQuery asked = query_for_kernels(query);
    KernelContact contact;
    bool is_face = contact_of_sweep(corners, &asked, &contact) && contact.feature == SIDLE_FEATURE_FACE;
    return is_face ? ORACLE_FACE : nearest;
}

/* On the way [0, t] no triangle comes closer than the radius or, if the ball begins inside, than it was. */
static void judge_way(Judge *judge, const Query *query, uint32_t triangle, double t)
{
    const Vector *v = query->triangles[triangle];
    double begin = oracle_closest(v, query->origin).distance, radius = query_radius(query);
    if (begin - t >= radius)
    {
        return;
    }
    OracleApproach nearest = oracle_approach(v, query->origin, query->direction, t);
    Vector place = vector_along(query->origin, nearest.time, query->direction);
    OracleFeature feature = answering(query, triangle, oracle_closest(v, place).feature);
    double size = query_size(query, triangle), floor = fmin(begin, radius);
    double thin = query_thin_height(query, triangle, judge->kept.roundoff);
    double depth =
        floor - nearest.distance - thin * thin / 8.0; /* between its edges the ball sinks a little */
    if (depth > 0.0)
    {
        double left_out = graze(query, triangle, nearest, floor);
        judge->grazes += depth > law_bound(&judge->kept, feature, v, size) && depth <= left_out;
        depth -= left_out;
    }
    if (!law_keeps(&judge->kept, feature, v, size, depth))
    {
        complain(judge, query, triangle, "an accepted path is too deep", depth);
    }
}

/* At the hit the winner is touched, unless the ball began inside it. */
static void judge_hit(Judge *judge, const Query *query, SweepAnswer answer)
{
    const Vector *v = query->triangles[answer.candidate];
    double radius = query_radius(query);
    if (answer.t == 0.0 && oracle_closest(v, query->origin).distance < radius)
    {
        judge->begun_inside += 1;
        return;
    }
    OracleClosest at = oracle_closest(v, vector_along(query->origin, answer.t, query->direction));
    double size = query_size(query, answer.candidate), excess = at.distance - radius;
    OracleFeature feature = answering(query, answer.candidate, at.feature);
    excess -= feature == ORACLE_FACE ? judge->early : 0.0;
    if (!law_keeps(&judge->touched, feature, v, size, excess))
    {
        complain(judge, query, answer.candidate, "a hit touches nothing", excess);
    }
}

static void judge_answer(Judge *judge, const Query *query, const Filled *filled, SweepAnswer answer)
{
    bool is_hit = answer.candidate != NO_HIT;
    judge->hits += is_hit;
    judge->misses += !is_hit;
    for (uint32_t lane = 0; lane < query->count; ++lane)
    {
        if (!filled->candidates[lane].exact)
        {
            judge_way(judge, query, filled->candidates[lane].triangle, is_hit ? answer.t : query->length);
        }
    }
    if (is_hit)
    {
        judge_hit(judge, query, answer);
    }
}

static void conclude(const Judge *judge, const char *what)
{
    printf("%s: %llu hits, %llu misses, %llu begun inside, %llu grazes\n", what,
           (unsigned long long)judge->hits, (unsigned long long)judge->misses,
           (unsigned long long)judge->begun_inside, (unsigned long long)judge->grazes);
    law_print(&judge->kept, "  kept on the way");
    law_print(&judge->touched, "  touched at the hit");
    cr_expect_eq(judge->wrong, 0, "%u answers break the law", judge->wrong);
    uint64_t all = judge->hits + judge->misses;
    cr_expect(judge->hits > all / 5 && judge->misses > all / 20, "too one-sided to show anything");
    cr_expect(judge->begun_inside > all / 200 && judge->grazes > 0, "too tame to show anything");
}

Test(sweep_oracle, float_lanes_keep_the_error_law)
{
    Random random = random_seeded(101);
    Judge judge = judge_with(0x1p-24);
    uint32_t count = query_count(100000);
    for (uint32_t i = 0; i < count; ++i)
    {
        Query drawn = query_drawn(&random), query = query_in_float(&drawn);
        Filled filled;
        filled_set(&filled, &kernels_4, &query, NULL);
        judge_answer(&judge, &query, &filled, filled_sweep(&filled, &query));
    }
    conclude(&judge, "float lanes");
}

Test(sweep_oracle, double_lanes_keep_the_error_law_whatever_the_size)
{
    Random random = random_seeded(102);
    Judge judge = judge_with(0x1p-53);
    uint32_t count = query_count(100000);
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        Filled filled;
        filled_set(&filled, &kernels_1d, &query, NULL);
        judge_answer(&judge, &query, &filled, filled_sweep(&filled, &query));
    }
    conclude(&judge, "double lanes");
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
    const uint32_t wider[2] = {4, 8};
    Random random = random_seeded(103);
    uint32_t count = query_count(100000), wrong = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        Filled one, wide;
        filled_set(&one, &kernels_1, &query, NULL);
        SweepAnswer answer = filled_sweep(&one, &query);
        for (int width = 0; width < 2; ++width)
        {
            const Kernels *kernels = kernels_select(wider[width]);
            if (kernels != NULL) /* not every processor has eight */
            {
                filled_set(&wide, kernels, &query, NULL);
                wrong += !same_lanes(&one, &wide);
                wrong += !same_answer(answer, filled_sweep(&wide, &query));
            }
        }
    }
    cr_expect_eq(wrong, 0, "%u differences", wrong);
}

Test(sweep_oracle, the_order_of_the_candidates_changes_no_bit)
{
    const Kernels *const widths[3] = {&kernels_1, &kernels_4, &kernels_1d};
    Random random = random_seeded(104);
    uint32_t count = query_count(100000), wrong = 0, ties = 0;
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
        filled_set(&plain, widths[i % 3], &query, NULL);
        filled_set(&shuffled, widths[i % 3], &query, order);
        SweepAnswer answer = filled_sweep(&plain, &query);
        wrong += !same_answer(answer, filled_sweep(&shuffled, &query));
        ties += answer.t == 0.0 && query.count > 1;
    }
    cr_expect_eq(wrong, 0, "%u differences", wrong);
    cr_expect(ties > count / 50, "hardly any ties");
}

/* One more triangle with a corner that is no number: nobody meets it and nobody else's answer changes. */
Test(sweep_oracle, a_corner_that_is_no_number_is_never_met)
{
    const Kernels *const widths[3] = {&kernels_1, &kernels_4, &kernels_1d};
    Random random = random_seeded(105);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 30000; ++i)
    {
        Query query = query_drawn(&random);
        query.count -= query.count == QUERY_TRIANGLES;
        Filled plain, with;
        filled_set(&plain, widths[i % 3], &query, NULL);
        Query odd = query;
        memcpy(odd.triangles[odd.count], odd.triangles[0], sizeof odd.triangles[0]);
        Vector *corner = &odd.triangles[odd.count][random_below(&random, 3)];
        double *coordinates[3] = {&corner->x, &corner->y, &corner->z};
        *coordinates[random_below(&random, 3)] = (double)NAN;
        odd.count += 1;
        filled_set(&with, widths[i % 3], &odd, NULL);
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
        filled_set(&filled, &kernels_4, &query, NULL);
        leaving += !filled.candidates[0].exact;
        held += filled_sweep(&filled, &query).t == 0.0;
    }
    cr_expect(leaving > 1000, "only %u leave", leaving);
    cr_expect_eq(held, 0, "%u of %u are held", held, leaving);
}
