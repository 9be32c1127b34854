/* Two triangles against long numbers, and what their test promises. SIDLE_QUERIES says how many pairs. */
#include "intersect/support/levels.h"
#include "intersect/support/number.h"
#include "support/precise.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#define UNIT  0x1p-53
#define BOUND 16 /* u of both sizes and the point's own coordinates: 2^-49 */

static sidle_dtriangle as_triangle(const Vector corners[3])
{
    sidle_dtriangle triangle;
    memcpy(&triangle, corners, sizeof triangle);
    return triangle;
}

static bool ask(const TrianglePair *pair, sidle_crossing *out)
{
    sidle_dtriangle a = as_triangle(pair->a), b = as_triangle(pair->b);
    return sidle_triangle_triangle(&a, &b, out);
}

static Vector place_of(const sidle_crossing_end *end)
{
    return vector(end->point.x, end->point.y, end->point.z);
}

static double size_of(const Vector t[3])
{
    return fmax(vector_distance(t[0], t[1]), fmax(vector_distance(t[1], t[2]), vector_distance(t[2], t[0])));
}

static double sum(Vector v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

typedef struct Worst
{
    double on_both, on_edge, from_end;
    uint32_t hits, points, flats, wrong;
} Worst;

static void judge_end(Worst *worst, const TrianglePair *pair, const sidle_crossing_end *end)
{
    Vector place = place_of(end);
    const Vector *owner = end->owner ? pair->b : pair->a;
    double unit = UNIT * (size_of(pair->a) + size_of(pair->b) + sum(place));
    double on_a = precise_excess(pair->a, place, 0), on_b = precise_excess(pair->b, place, 0);
    double on_edge = precise_from_edge(place, owner[end->edge], owner[(end->edge + 1) % 3]);
    worst->wrong += end->owner > 1 || end->edge > 2;
    worst->on_both = worse(worst->on_both, worse(on_a, on_b) / unit);
    worst->on_edge = worse(worst->on_edge, on_edge / unit);
    worst->wrong += !(worse(on_edge, worse(on_a, on_b)) <= BOUND * unit);
}

static void judge(Worst *worst, const TrianglePair *pair)
{
    sidle_crossing crossing;
    bool hit = ask(pair, &crossing);
    PreciseCrossing truth = precise_crossing(pair);
    worst->wrong += hit != truth.crosses;
    if (!hit || !truth.crosses)
    {
        return;
    }
    ++worst->hits;
    worst->flats += truth.coplanar;
    worst->points += truth.one_point;
    for (int i = 0; i < 2; ++i)
    {
        judge_end(worst, pair, &crossing.ends[i]);
    }
    uint32_t kind = truth.coplanar    ? SIDLE_CROSSING_COPLANAR
                    : truth.one_point ? SIDLE_CROSSING_POINT
                                      : SIDLE_CROSSING_SEGMENT;
    worst->wrong += crossing.kind != kind;
    if (!truth.coplanar)
    {
        Vector begin = place_of(&crossing.ends[0]), end = place_of(&crossing.ends[1]);
        double unit = UNIT * (size_of(pair->a) + size_of(pair->b) + sum(begin));
        double same = worse(vector_distance(begin, truth.ends[0]), vector_distance(end, truth.ends[1]));
        double turned = worse(vector_distance(begin, truth.ends[1]), vector_distance(end, truth.ends[0]));
        worst->from_end = worse(worst->from_end, fmin(same, turned) / unit);
        worst->wrong += !(fmin(same, turned) <= BOUND * unit);
    }
}

Test(intersect_levels_oracle, verdicts_are_exact_and_points_lie_on_both_triangles)
{
    Worst worst = {0};
    Random random = random_seeded(900);
    uint32_t count = query_count(10000);
    for (uint32_t i = 0; number_available() && i < count; ++i)
    {
        TrianglePair pair = triangles_drawn(&random);
        uint32_t wrong = worst.wrong;
        judge(&worst, &pair);
        if (worst.wrong != wrong && wrong < 3)
        {
            for (int k = 0; k < 18; ++k)
            {
                fprintf(stderr, "%a%s", ((const double *)&pair)[k], k % 3 == 2 ? "\n" : " ");
            }
        }
    }
    printf("two triangles: %u cross of %u, %u in a point, %u in one plane; off both %.3g u, off the edge "
           "%.3g u, "
           "from the true ends %.3g u\n",
           worst.hits, count, worst.points, worst.flats, worst.on_both, worst.on_edge, worst.from_end);
    cr_expect_eq(worst.wrong, 0, "%u wrong", worst.wrong);
    cr_expect(!number_available() || (worst.hits > count / 5 && worst.hits < count - count / 5));
    cr_expect(!number_available() || (worst.points > count / 50 && worst.flats > count / 100));
}

Test(intersect_levels_oracle, swapped_and_scaled_the_points_keep_their_bits)
{
    Random random = random_seeded(901);
    uint32_t count = query_count(20000), wrong = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        TrianglePair pair = triangles_drawn(&random), turned, far;
        sidle_crossing one, other, scaled;
        double numbers[18];
        int exponent = (int)random_below(&random, 201) - 100;
        memcpy(turned.a, pair.b, sizeof turned.a);
        memcpy(turned.b, pair.a, sizeof turned.b);
        memcpy(numbers, &pair, sizeof numbers);
        for (int k = 0; k < 18; ++k)
        {
            numbers[k] = ldexp(numbers[k], exponent);
        }
        memcpy(&far, numbers, sizeof far);
        bool hit = ask(&pair, &one);
        wrong += hit != ask(&turned, &other) || hit != ask(&far, &scaled);
        bool equal = memcmp(pair.a, pair.b, sizeof pair.a) == 0;
        for (int k = 0; hit && k < 2; ++k)
        {
            Vector place = vector_scale(place_of(&one.ends[k]), ldexp(1, exponent));
            sidle_crossing_end owned = other.ends[k];
            owned.owner = equal ? owned.owner : 1 - owned.owner;
            wrong += memcmp(&one.ends[k], &owned, sizeof owned) != 0 || one.kind != other.kind;
            wrong += !vector_same_bits(place, place_of(&scaled.ends[k])) || one.kind != scaled.kind;
        }
    }
    cr_expect_eq(wrong, 0, "%u wrong", wrong);
}

Test(intersect_levels_oracle, what_is_not_finite_crosses_nothing)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    Random random = random_seeded(902);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 2000; ++i)
    {
        TrianglePair pair = triangles_drawn(&random);
        for (int k = 0; k < 18 * 3; ++k)
        {
            TrianglePair broken;
            double numbers[18];
            sidle_crossing out;
            memcpy(numbers, &pair, sizeof numbers);
            numbers[k / 3] = bad[k % 3];
            memcpy(&broken, numbers, sizeof broken);
            wrong += ask(&broken, &out);
        }
    }
    cr_expect_eq(wrong, 0, "%u", wrong);
}
