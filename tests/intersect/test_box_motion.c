/* Moving boxes against long numbers, and what they promise. SIDLE_QUERIES says how many. */
#include "intersect/support/number.h"
#include "sidle/intersect/box.h"
#include "support/queries.h"
#include "support/random.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#define UNIT       0x1p-53
#define TIME_BOUND 8 /* u of a time: 2^-50 */

typedef struct Mover
{
    sidle_box box;
    sidle_dvec3 displacement;
} Mover;

typedef struct Movers
{
    Mover a, b;
} Movers;

enum
{
    NUMBERS = sizeof(Movers) / sizeof(double)
};

static bool ask(const Movers *movers, sidle_box_motion *out)
{
    return sidle_moving_boxes(&movers->a.box, movers->a.displacement, &movers->b.box, movers->b.displacement,
                              out);
}

static double drawn(Random *random, bool lattice, double size)
{
    return lattice ? (double)random_below(random, (uint32_t)size + 1) - size / 2
                   : random_between(random, -size / 2, size / 2);
}

static Mover drawn_mover(Random *random, bool lattice)
{
    double at[9];
    for (int k = 0; k < 3; ++k)
    {
        at[k] = drawn(random, lattice, 6);
        at[3 + k] = at[k] + fabs(drawn(random, lattice, 6));
        at[6 + k] = random_chance(random, .2) ? 0 : drawn(random, lattice, 12);
    }
    Mover mover;
    memcpy(&mover, at, sizeof mover);
    return mover;
}

static Movers drawn_movers(Random *random)
{
    bool lattice = random_chance(random, .4);
    Movers movers = {.a = drawn_mover(random, lattice)};
    movers.b = drawn_mover(random, lattice); /* one draw to a statement: compilers differ in their order */
    double numbers[NUMBERS];
    if (random_chance(random, .3)) /* a time, or a corner, that is met but for a last bit */
    {
        movers.b.box.min.x = movers.a.box.max.x + random_unit(random);
        movers.b.box.max.x = movers.b.box.min.x + 1;
        movers.b.box.min.y = movers.a.box.max.y + 2 * (movers.b.box.min.x - movers.a.box.max.x);
        movers.b.box.max.y = movers.b.box.min.y + 1;
        movers.b.displacement = movers.a.displacement;
        movers.b.displacement.x -= random_between(random, 0, 2);
        movers.b.displacement.y += 2 * (movers.b.displacement.x - movers.a.displacement.x);
    }
    memcpy(numbers, &movers, sizeof numbers);
    for (int i = 0; i < NUMBERS && random_chance(random, .3); ++i)
    {
        numbers[i] = numbers[i] == 0 ? 0 : nextafter(numbers[i], random_chance(random, .5) ? 99 : -99);
    }
    for (int i = 0; i < NUMBERS; ++i)
    {
        int lower = i % 9 >= 3 && i % 9 < 6 ? i - 3 : i; /* not empty */
        numbers[i] = numbers[i] < numbers[lower] ? numbers[lower] : numbers[i];
    }
    memcpy(&movers, numbers, sizeof numbers);
    return movers;
}

typedef struct Times
{
    Number first, last; /* last < first: never */
} Times;

static Number number_difference(double a, double b)
{
    return number_sub(number_of(a), number_of(b));
}

static Times precise_times(const Movers *movers)
{
    double of_a[9], of_b[9];
    memcpy(of_a, &movers->a, sizeof of_a);
    memcpy(of_b, &movers->b, sizeof of_b);
    number_begin();
    Times times = {number_of(0), number_of(1)};
    for (int k = 0; k < 3; ++k)
    {
        Number displacement = number_difference(of_b[6 + k], of_a[6 + k]);
        Number above = number_difference(of_b[k], of_a[3 + k]),
               below = number_difference(of_a[k], of_b[3 + k]);
        if (number_sign(displacement) == 0)
        {
            bool apart = number_sign(above) > 0 || number_sign(below) > 0;
            times.last = apart ? number_of(-1) : times.last;
            continue;
        }
        Number one = number_div(number_sub(number_of(0), above), displacement),
               other = number_div(below, displacement);
        times.first = number_max(times.first, number_min(one, other));
        times.last = number_min(times.last, number_max(one, other));
    }
    return times;
}

Test(intersect_box_motion_oracle, times_are_right_to_eight_units_and_grazing_hits)
{
    Random random = random_seeded(800);
    uint32_t count = query_count(50000), wrong = 0, hits = 0, grazes = 0;
    double worst = 0;
    for (uint32_t i = 0; number_available() && i < count; ++i)
    {
        Movers movers = drawn_movers(&random);
        sidle_box_motion motion;
        bool hit = ask(&movers, &motion);
        Times times = precise_times(&movers);
        double first = number_double(times.first), spare = number_double(number_sub(times.last, times.first));
        hits += hit;
        grazes += fabs(spare) < 16 * UNIT * first;
        wrong += hit ? spare < -2 * TIME_BOUND * UNIT * first : spare >= 0;
        if (hit && spare >= 0)
        {
            double last = number_double(times.last);
            double off = worse(number_error(times.first, motion.first) / fmax(first, 0x1p-900),
                               number_error(times.last, motion.last) / fmax(last, 0x1p-900));
            worst = worse(worst, off / UNIT);
            wrong += !(off <= TIME_BOUND * UNIT);
        }
        wrong += hit && !(motion.first >= 0 && motion.last <= 1 && motion.first <= motion.last);
    }
    printf("moving boxes: %u hits of %u, %u grazes; times within %.3g u\n", hits, count, grazes, worst);
    cr_expect_eq(wrong, 0, "%u wrong", wrong);
    cr_expect(!number_available() || (hits > count / 6 && hits < count * 4 / 5 && grazes > count / 1000));
}

/* What rounding took: a b - rounded, which a double holds. */
static double number_error_of_product(double a, double b, double product)
{
    number_begin();
    return number_double(number_sub(number_mul(number_of(a), number_of(b)), number_of(product)));
}

/* x meets at the very time when y parts, a time of 53 bits; the gaps are exact products, which no double
 * holds: kept as differences of two. */
Test(intersect_box_motion_oracle, corners_that_graze_touch_whatever_the_bits_of_the_time)
{
    Random random = random_seeded(804);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        double time = random_unit(&random), speed[2], high[2], low[2];
        for (int k = 0; k < 2; ++k)
        {
            speed[k] = 1 + random_below(&random, 1000);
            high[k] = speed[k] * time;
            low[k] = number_available() ? number_error_of_product(speed[k], time, high[k]) : 0;
        }
        Movers movers = {.a = {{{-9, -low[1], 0}, {-low[0], 99, 1}}, {0, 0, 0}},
                         .b = {{{high[0], -9, 0}, {high[0] + 1, high[1], 1}}, {-speed[0], -speed[1], 0}}};
        wrong += !ask(&movers, NULL);
    }
    cr_expect_eq(wrong, 0, "%u missed", wrong);
}

/* What the normal names meets at `first`: its gap is closed then. */
Test(intersect_box_motion_oracle, the_normal_is_of_faces_that_touch_at_first)
{
    Random random = random_seeded(801);
    uint32_t count = query_count(50000), wrong = 0, hits = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Movers movers = drawn_movers(&random);
        sidle_box_motion motion;
        if (!ask(&movers, &motion) || motion.overlaps_first)
        {
            continue;
        }
        double of_a[9], of_b[9], normal[3];
        memcpy(of_a, &movers.a, sizeof of_a);
        memcpy(of_b, &movers.b, sizeof of_b);
        memcpy(normal, &motion.normal, sizeof normal);
        int axis = normal[0] != 0 ? 0 : normal[1] != 0 ? 1 : 2;
        double displacement = of_b[6 + axis] - of_a[6 + axis];
        double gap = normal[axis] > 0 ? of_b[axis] - of_a[3 + axis] : of_a[axis] - of_b[3 + axis];
        double left = gap + normal[axis] * displacement * motion.first;
        ++hits;
        wrong += fabs(normal[axis]) != 1 || fabs(left) > 32 * UNIT * (fabs(gap) + fabs(displacement));
        wrong += motion.approaches != (normal[axis] * displacement < 0);
    }
    cr_expect_eq(wrong, 0, "%u wrong of %u", wrong, hits);
    cr_expect(hits > count / 10);
}

Test(intersect_box_motion_oracle, swapped_and_scaled_the_times_keep_their_bits)
{
    Random random = random_seeded(802);
    uint32_t count = query_count(50000), wrong = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Movers movers = drawn_movers(&random), turned = {movers.b, movers.a};
        sidle_box_motion one, other, far;
        double numbers[NUMBERS];
        memset(&one, 0, sizeof one);
        memset(&other, 0, sizeof other);
        bool hit = ask(&movers, &one), equal = memcmp(&movers.a, &movers.b, sizeof movers.a) == 0;
        wrong += hit != ask(&turned, &other);
        if (hit && !equal)
        {
            other.normal = (sidle_dvec3){-other.normal.x, -other.normal.y, -other.normal.z};
            wrong += memcmp(&one.first, &other.first, 5 * sizeof(double)) != 0 ||
                     one.overlaps_first != other.overlaps_first || one.approaches != other.approaches;
        }
        int exponent = (int)random_below(&random, 201) - 100;
        memcpy(numbers, &movers, sizeof numbers);
        for (int k = 0; k < NUMBERS; ++k)
        {
            numbers[k] = ldexp(numbers[k], exponent);
        }
        memcpy(&movers, numbers, sizeof numbers);
        wrong += hit != ask(&movers, &far);
        wrong += hit && memcmp(&one.first, &far.first, 5 * sizeof(double)) != 0;
    }
    cr_expect_eq(wrong, 0, "%u wrong", wrong);
}

Test(intersect_box_motion_oracle, nan_is_never_a_hit_and_infinity_makes_none)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    Random random = random_seeded(803);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 2000; ++i)
    {
        Movers movers = drawn_movers(&random);
        for (int k = 0; k < 3 * NUMBERS; ++k)
        {
            double numbers[NUMBERS];
            Movers broken;
            sidle_box_motion motion;
            memcpy(numbers, &movers, sizeof numbers);
            numbers[k / 3] = bad[k % 3];
            memcpy(&broken, numbers, sizeof broken);
            wrong += ask(&broken, &motion);
        }
    }
    cr_expect_eq(wrong, 0, "%u hits", wrong);
}
