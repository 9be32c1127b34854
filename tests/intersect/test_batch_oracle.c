/* One shape against many, judged in double: docs/intersect/batch.md. SIDLE_QUERIES says how many pairs. */
#include "intersect/support/batch.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

#define UNIT 0x1p-24

typedef struct Tally
{
    uint32_t pairs, hits, wrong, unclear;
    double worst_margin; /* of a verdict that differs, in u S */
    double worst;        /* error of a number, in its units */
} Tally;

/* Times are of float, and as exact as double gets them: u of the time, and some of what the slope makes of
 * rounding in double. */
static void judge_ray(const Ask *ask, const Many *many, const Answers *answers, uint32_t i, Tally *tally)
{
    sidle_dtriangle triangle = many_triangle(many, i);
    RayTruth truth = ray_truth(ask->origin, ask->direction, &triangle);
    double limit = ask->number > 0 ? (double)ask->number : INFINITY;
    double length = sqrt((double)(ask->direction.x * ask->direction.x + ask->direction.y * ask->direction.y +
                                  ask->direction.z * ask->direction.z));
    double tolerance = 16 * 0x1p-53 * truth.slope * truth.size / length + 2 * UNIT * fabs(truth.time);
    bool hit = truth.hit && truth.time >= 0 && truth.time <= limit;
    ++tally->pairs;
    tally->hits += is_hit(answers, i);
    if (hit != is_hit(answers, i))
    {
        bool late = fabs(truth.time) <= tolerance || fabs(truth.time - limit) <= tolerance;
        double margin = truth.margin / (UNIT * truth.size);
        tally->wrong += !late && margin > 8;
        tally->unclear += 1;
        tally->worst_margin = late ? tally->worst_margin : worse(tally->worst_margin, margin);
    }
    else if (hit && truth.margin > 8 * UNIT * truth.size) /* else within the outline, wherever that is met */
    {
        double error = fabs((double)answers->numbers[i] - truth.time);
        tally->wrong += !(error <= tolerance);
        tally->worst = worse(tally->worst, error / tolerance);
    }
    cr_expect(is_hit(answers, i) == (answers->numbers[i] < INFINITY));
}

Test(batch_oracle, rays_agree_with_double)
{
    Random random = random_seeded(526);
    Tally tally = {0};
    for (uint32_t i = 0; tally.pairs < query_count(200000); ++i)
    {
        Many many = many_create(64);
        many_draw_triangles(&random, false, &many);
        Ask ask = draw_ray(&random);
        ask.origin = i % 4 ? ask.origin : (sidle_vec3){0, 0, 0};
        aim(&random, &many, &ask);
        Answers answers = ask_ray(&many, &ask);
        double least = INFINITY;
        for (uint32_t k = 0; k < many.count; ++k)
        {
            judge_ray(&ask, &many, &answers, k, &tally);
            least = fmin(least, (double)answers.numbers[k]);
        }
        cr_expect_eq((double)answers.nearest.value, least);
        cr_expect(answers.nearest.index == SIDLE_BATCH_NONE
                      ? least == INFINITY
                      : (double)answers.numbers[answers.nearest.index] == least);
        answers_destroy(&answers);
        many_destroy(&many);
    }
    printf("rays: %u pairs, %u hits, %u verdicts differ, at %.2f u S from the outline at most; worst time "
           "%.2f of "
           "2 u t + 16 u(double) S slope\n",
           tally.pairs, tally.hits, tally.unclear, tally.worst_margin, tally.worst);
    cr_expect_eq(tally.wrong, 0);
    cr_expect_gt(tally.hits, tally.pairs / 50);
}

/* Where the plane is all but parallel to the ray it could be met anywhere. */
Test(batch_oracle, times_of_nearly_edge_on_triangles_stay_within_the_triangle)
{
    Random random = random_seeded(532);
    uint32_t hits = 0;
    for (int i = 0; i < 20000; ++i)
    {
        Many many = many_create(1);
        Ask ask = {.origin = vec_near(&random, 2, false), .direction = vec_near(&random, 2, false)};
        double first = INFINITY, last = -INFINITY;
        for (uint32_t k = 0; k < 3; ++k)
        {
            double at = random_between(&random, 1, 9), off = random_scale(&random, 1e-9, 1e-6);
            Vector beside = vector_scale(random_direction(&random), off);
            *many_number(&many, 0, 3 * k) =
                (float)((double)(ask.origin.x + (float)at * ask.direction.x) + beside.x);
            *many_number(&many, 0, 3 * k + 1) =
                (float)((double)(ask.origin.y + (float)at * ask.direction.y) + beside.y);
            *many_number(&many, 0, 3 * k + 2) =
                (float)((double)(ask.origin.z + (float)at * ask.direction.z) + beside.z);
            first = fmin(first, at);
            last = fmax(last, at);
        }
        Answers answers = ask_ray(&many, &ask);
        hits += is_hit(&answers, 0);
        double time = (double)answers.numbers[0];
        cr_expect(!is_hit(&answers, 0) || (time >= first - 1e-4 && time <= last + 1e-4), "%g %g %g", first,
                  time, last);
        answers_destroy(&answers);
        many_destroy(&many);
    }
    cr_expect_gt(hits, 500);
}

Test(batch_oracle, spheres_agree_with_double)
{
    Random random = random_seeded(527);
    Tally tally = {0};
    for (; tally.pairs < query_count(200000);)
    {
        Many many = many_create(64);
        many_draw_triangles(&random, false, &many);
        Ask ask = draw_sphere(&random);
        if (random_chance(&random, .5)) /* almost touching one of them, or exactly */
        {
            Answers first = ask_sphere(&many, &ask);
            ask.number = first.numbers[random_below(&random, 64)];
            for (uint32_t steps = random_below(&random, 4); steps > 0; --steps)
            {
                ask.number = nextafterf(ask.number, random_chance(&random, .5) ? 0 : INFINITY);
            }
            answers_destroy(&first);
        }
        Answers answers = ask_sphere(&many, &ask);
        for (uint32_t k = 0; k < many.count; ++k)
        {
            sidle_dtriangle triangle = many_triangle(&many, k);
            sidle_position center = {(double)ask.origin.x, (double)ask.origin.y, (double)ask.origin.z};
            sidle_triangle_point closest = {.distance = INFINITY};
            sidle_closest_on_triangle(center, &triangle, &closest);
            bool hit = closest.distance <= (double)ask.number;
            double error = fabs((double)answers.numbers[k] - closest.distance);
            tally.wrong += hit != is_hit(&answers, k);
            tally.worst =
                error > 0 ? worse(tally.worst, error / UNIT / reach_of(center, &triangle)) : tally.worst;
            tally.hits += hit;
            ++tally.pairs;
        }
        answers_destroy(&answers);
        many_destroy(&many);
    }
    printf("spheres: %u pairs, %u hits, %u verdicts differ; worst distance %.2f u S\n", tally.pairs,
           tally.hits, tally.wrong, tally.worst);
    cr_expect_eq(tally.wrong, 0);
    cr_expect(tally.worst <= 64);
    cr_expect_gt(tally.hits, tally.pairs / 10);
}

Test(batch_oracle, boxes_agree_with_six_compares)
{
    Random random = random_seeded(528);
    Tally tally = {0};
    for (; tally.pairs < query_count(200000);)
    {
        Many many = many_create(64);
        many_draw_boxes(&random, true, &many);
        Ask ask = draw_box(&random);
        Answers answers = ask_box(&many, &ask);
        for (uint32_t k = 0; k < many.count; ++k)
        {
            const float low[3] = {ask.origin.x, ask.origin.y, ask.origin.z};
            const float high[3] = {ask.direction.x, ask.direction.y, ask.direction.z};
            bool hit = true;
            for (uint32_t axis = 0; axis < 3; ++axis)
            {
                float min = *many_number(&many, k, axis), max = *many_number(&many, k, 3 + axis);
                hit = hit && min <= max && low[axis] <= max && min <= high[axis];
            }
            tally.wrong += hit != is_hit(&answers, k);
            tally.hits += hit;
            ++tally.pairs;
        }
        answers_destroy(&answers);
        many_destroy(&many);
    }
    printf("boxes: %u pairs, %u hits, %u wrong\n", tally.pairs, tally.hits, tally.wrong);
    cr_expect_eq(tally.wrong, 0);
    cr_expect_gt(tally.hits, tally.pairs / 20);
}
