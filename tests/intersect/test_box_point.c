/* Points and boxes against long numbers. SIDLE_QUERIES says how many. */
#include "intersect/support/box.h"
#include "intersect/support/number.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <stdio.h>

#define UNIT        0x1p-53
#define POINT_BOUND 32 /* u of the size of both, and of the box's place */

typedef struct Asked
{
    Body box;
    Body point; /* a sphere of radius 0 */
} Asked;

static bool ask_inside(const Asked *asked)
{
    const Body *box = &asked->box;
    sidle_position point = asked->point.sphere.center;
    return box->form == BODY_BOX ? sidle_box_point(&box->box, point)
                                 : sidle_oriented_box_point(&box->oriented, point);
}

static bool ask_closest(const Asked *asked, sidle_position *out)
{
    const Body *box = &asked->box;
    sidle_position point = asked->point.sphere.center;
    return box->form == BODY_BOX ? sidle_box_closest(&box->box, point, out)
                                 : sidle_oriented_box_closest(&box->oriented, point, out);
}

static Asked drawn(Random *random)
{
    Asked asked;
    bodies_drawn(random, &box_tests[4 + random_below(random, 2)], &asked.box, &asked.point);
    if (random_chance(random, .3)) /* onto the surface, but for what rounding takes */
    {
        ask_closest(&asked, &asked.point.sphere.center);
    }
    asked.point.sphere.radius = 0;
    return asked;
}

typedef struct Worst
{
    double gap, distance, outside;
    uint32_t inside, wrong;
} Worst;

static void judge(Worst *worst, const Asked *asked)
{
    sidle_position closest = {0, 0, 0};
    const double *at = asked->point.numbers;
    bool exact = asked->box.form == BODY_BOX, inside = ask_inside(asked);
    double depth = precise_least_depth(&asked->box, &asked->point);
    double unit = UNIT * (bodies_size(&asked->box, &asked->point) + fabs(at[0]) + fabs(at[1]) + fabs(at[2]));
    worst->inside += inside;
    worst->wrong += exact ? inside != (depth >= 0) : !inside && depth >= 0;
    worst->wrong += inside && !(depth >= -112 * unit); /* as in the tests of pairs */
    worst->gap = inside && unit > 0 ? worse(worst->gap, -depth / unit) : worst->gap;
    worst->wrong += !ask_closest(asked, &closest);
    Vector found = vector(closest.x, closest.y, closest.z);
    double distance = vector_distance(found, vector(at[0], at[1], at[2]));
    double off = fabs(distance - fmax(-depth, 0)), outside = fmax(precise_outside(&asked->box, found), 0);
    worst->wrong += !(off <= POINT_BOUND * unit && outside <= POINT_BOUND * unit);
    worst->distance = unit > 0 ? worse(worst->distance, off / unit) : worst->distance;
    worst->outside = unit > 0 ? worse(worst->outside, outside / unit) : worst->outside;
}

Test(intersect_box_point, inside_and_closest_keep_their_bounds)
{
    Worst worst = {0};
    Random random = random_seeded(850);
    uint32_t count = query_count(10000);
    for (uint32_t i = 0; number_available() && i < count; ++i)
    {
        Asked asked = drawn(&random);
        judge(&worst, &asked);
    }
    printf("points: %u inside of %u; gap %.3g u, distance %.3g u, closest off the box %.3g u\n", worst.inside,
           count, worst.gap, worst.distance, worst.outside);
    cr_expect_eq(worst.wrong, 0, "%u wrong", worst.wrong);
    cr_expect(!number_available() || (worst.inside > count / 5 && worst.inside < count * 4 / 5));
}

Test(intersect_box_point, a_power_of_two_changes_no_verdict_and_scales_the_closest_point)
{
    Random random = random_seeded(851);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        Asked asked = drawn(&random), far = asked;
        sidle_position one, other;
        int exponent = (int)random_below(&random, 201) - 100;
        far.box = body_scaled(&asked.box, exponent);
        far.point = body_scaled(&asked.point, exponent);
        wrong += ask_inside(&asked) != ask_inside(&far);
        wrong += !ask_closest(&asked, &one) || !ask_closest(&far, &other);
        wrong += ldexp(one.x, exponent) != other.x || ldexp(one.y, exponent) != other.y ||
                 ldexp(one.z, exponent) != other.z;
    }
    cr_expect_eq(wrong, 0, "%u wrong", wrong);
}

Test(intersect_box_point, what_is_not_finite_is_nowhere)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    Random random = random_seeded(852);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 2000; ++i)
    {
        Asked asked = drawn(&random);
        int count = body_number_count(asked.box.form);
        for (int k = 0; k < 3 * (count + 3); ++k)
        {
            Asked broken = asked;
            sidle_position out = {7, 7, 7};
            *(k / 3 < count ? &broken.box.numbers[k / 3] : &broken.point.numbers[k / 3 - count]) = bad[k % 3];
            wrong += ask_inside(&broken) || ask_closest(&broken, &out) || out.x != 7;
        }
    }
    cr_expect_eq(wrong, 0, "%u wrong", wrong);
}
