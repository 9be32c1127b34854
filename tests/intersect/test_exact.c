/* Signs and values of determinants against MPFR and against whole numbers. SIDLE_QUERIES says how many. */
#include "base/exact.h"

#include "intersect/support/number.h"
#include "support/queries.h"
#include "support/random.h"

#include <criterion/criterion.h>

#include <stdio.h>

static Vector plain(Vec3 a)
{
    return vector(a.x, a.y, a.z);
}

/* A number of a kind that predicates stumble over; all points of one draw share the kind. */
static double drawn_number(Random *random, int kind)
{
    double sign = random_chance(random, .5) ? -1 : 1;
    switch (kind)
    {
    case 0: /* a lattice: zeros and ties */
        return (double)random_below(random, 7) - 3;
    case 1: /* all sizes that the range allows */
        return random_chance(random, .1) ? 0 : sign * random_scale(random, 1e-60, 1e60);
    case 2: /* a few last bits around 1 */
        return 1 + random_below(random, 8) * 0x1p-52;
    case 3: /* far from the origin */
        return 0x1p30 + random_below(random, 64) * 0x1p-22;
    default:
        return random_between(random, -1, 1);
    }
}

static Vec3 drawn_point(Random *random, int kind)
{
    double x = drawn_number(random, kind), y = drawn_number(random, kind), z = drawn_number(random, kind);
    return vec3(x, y, z);
}

/* On the plane or line of the others but for rounding, scaled by what also rounds. */
static Vec3 nearly_between(Random *random, const Vec3 *points, int count)
{
    Vec3 point = points[0];
    for (int i = 1; i < count; ++i)
    {
        point = vec3_add_scaled(point, vec3_sub(points[i], points[0]), random_between(random, -1, 2));
    }
    return point;
}

static Number true_orient2d(Vec3 a, Vec3 b, Vec3 c)
{
    NumberVector o = number_vector(plain(c));
    NumberVector p = number_vector_sub(number_vector(plain(a)), o);
    NumberVector q = number_vector_sub(number_vector(plain(b)), o);
    return number_sub(number_mul(p.x, q.y), number_mul(p.y, q.x));
}

static Number true_orient3d(const Vec3 at[4])
{
    NumberVector o = number_vector(plain(at[3])), edges[3];
    for (int i = 0; i < 3; ++i)
    {
        edges[i] = number_vector_sub(number_vector(plain(at[i])), o);
    }
    return number_dot(edges[0], number_cross(edges[1], edges[2]));
}

static int sign_of(double a)
{
    return (a > 0) - (a < 0);
}

/* How far a value is off, in u of itself; a value for 0, and 0 for a value, is as far as can be. */
static double units_off(double found, Number exact)
{
    double size = fabs(number_double(exact));
    return size > 0 ? number_error(exact, found) / size / EXACT_UNIT : found == 0 ? 0 : INFINITY;
}

Test(intersect_exact, determinants_have_the_right_sign_and_two_units_of_value)
{
    Random random = random_seeded(1);
    double worst2 = 0, worst3 = 0;
    uint32_t wrong = 0, zeros = 0, count = number_available() ? query_count(20000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        int kind = (int)random_below(&random, 5);
        Vec3 at[4];
        for (int k = 0; k < 4; ++k)
        {
            at[k] = drawn_point(&random, kind);
        }
        if (random_chance(&random, .4))
        {
            at[2] = nearly_between(&random, at, 2);
        }
        if (random_chance(&random, .4))
        {
            at[3] = nearly_between(&random, at, 3);
        }
        number_begin();
        Number two = true_orient2d(at[0], at[1], at[2]), three = true_orient3d(at);
        double found2 = exact_orient2d(at[0].x, at[0].y, at[1].x, at[1].y, at[2].x, at[2].y);
        double sign2 = exact_orient2d_sign(at[0].x, at[0].y, at[1].x, at[1].y, at[2].x, at[2].y);
        double found3 = exact_orient3d(at[0], at[1], at[2], at[3]);
        double sign3 = exact_orient3d_sign(at[0], at[1], at[2], at[3]);
        wrong += sign_of(sign2) != number_sign(two) || sign_of(sign3) != number_sign(three);
        zeros += number_sign(three) == 0;
        worst2 = worse(worst2, units_off(found2, two));
        worst3 = worse(worst3, units_off(found3, three));
    }
    printf("exact: %u draws, %u flat, %u wrong signs, values off by at most %.3f and %.3f u\n", count, zeros,
           wrong, worst2, worst3);
    cr_expect_eq(wrong, 0);
    cr_expect(worst2 <= 2 && worst3 <= 2);
}

Test(intersect_exact, sums_of_products_are_right_where_plain_sums_cancel)
{
    const double a[] = {0x1p100, 1, -0x1p100, 0x1p-100}, b[] = {1, 1, 1, 1};
    cr_expect_eq(exact_dot(a, b, 4), 1 + 0x1p-100);
    cr_expect_eq(exact_dot(a, b, 3), 1);
    const double c[] = {0x1p100, 0x1p-100, -0x1p100};
    cr_expect_eq(exact_dot(c, b, 3), 0x1p-100);
    Random random = random_seeded(2);
    double worst = 0;
    for (uint32_t i = 0; number_available() && i < query_count(20000); ++i)
    {
        double left[8], right[8];
        number_begin();
        Number sum = number_of(0);
        int kind = (int)random_below(&random, 5), count = 1 + (int)random_below(&random, 4);
        for (int k = 0; k < 2 * count; ++k) /* the second half nearly undoes the first */
        {
            double by = drawn_number(&random, kind);
            left[k] = k < count ? drawn_number(&random, kind) : -left[k - count];
            right[k] = k < count ? by : right[k - count] * (1 + random_below(&random, 3) * 0x1p-52);
            sum = number_add(sum, number_mul(number_of(left[k]), number_of(right[k])));
        }
        worst = worse(worst, units_off(exact_dot(left, right, 2 * count), sum));
    }
    printf("exact: sums of products off by at most %.3f u\n", worst);
    cr_expect(worst <= 2);
}

Test(intersect_exact, whole_numbers_agree_with_whole_numbers)
{
    Random random = random_seeded(3);
    for (int i = 0; i < 20000; ++i)
    {
        int64_t c[3][3];
        Vec3 at[4] = {{0}};
        for (int k = 0; k < 3; ++k)
        {
            int64_t span = i % 2 ? 5 : 2000001; /* 2^21 cubed times 6 is within 2^63 */
            c[k][0] = (int64_t)random_below(&random, (uint32_t)span) - span / 2;
            c[k][1] = (int64_t)random_below(&random, (uint32_t)span) - span / 2;
            c[k][2] = i % 3 ? (int64_t)random_below(&random, (uint32_t)span) - span / 2 : c[k][0] + c[k][1];
            at[k] = vec3((double)c[k][0], (double)c[k][1], (double)c[k][2]);
        }
        int64_t truth = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) +
                        c[0][1] * (c[1][2] * c[2][0] - c[1][0] * c[2][2]) +
                        c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
        double sign = exact_orient3d_sign(at[0], at[1], at[2], at[3]);
        cr_assert_eq(sign_of(sign), (truth > 0) - (truth < 0));
        cr_assert_eq(exact_orient3d(at[0], at[1], at[2], at[3]), (double)truth);
    }
}

Test(intersect_exact, turning_the_points_round_turns_the_sign)
{
    Random random = random_seeded(4);
    for (int i = 0; i < 20000; ++i)
    {
        int kind = (int)random_below(&random, 5);
        Vec3 at[4];
        for (int k = 0; k < 4; ++k)
        {
            at[k] = drawn_point(&random, kind);
        }
        at[3] = i % 2 ? at[3] : nearly_between(&random, at, 3);
        int sign = sign_of(exact_orient3d_sign(at[0], at[1], at[2], at[3]));
        cr_assert_eq(sign_of(exact_orient3d_sign(at[1], at[0], at[2], at[3])), -sign);
        cr_assert_eq(sign_of(exact_orient3d_sign(at[1], at[2], at[0], at[3])), sign);
        cr_assert_eq(sign_of(exact_orient3d_sign(at[3], at[1], at[2], at[0])), -sign);
    }
}

Test(intersect_exact, the_ends_of_the_range_do_not_overflow)
{
    /* One last bit of 1e-60 beside 1e60 decides. */
    double tiny = 0x1p-199, big = 0x1p199, next = nextafter(tiny, 1);
    cr_expect_eq(exact_orient2d(big, tiny, -big, -tiny, 0, 0), 0);
    cr_expect_lt(exact_orient2d_sign(big, next, -big, -tiny, 0, 0) *
                     exact_orient2d_sign(big, tiny, -big, -next, 0, 0),
                 0);
    double flat =
        exact_orient3d(vec3(big, tiny, tiny), vec3(-big, -tiny, -tiny), vec3(tiny, big, 1), vec3(0, 0, 0));
    cr_expect_eq(flat, 0);
    double up =
        exact_orient3d(vec3(big, tiny, tiny), vec3(-big, -tiny, -next), vec3(tiny, big, 1), vec3(0, 0, 0));
    cr_expect(up != 0 && isfinite(up));
}

/* The plain form, on points of one line but for last bits: what the exact one is for. */
Test(intersect_exact, the_plain_form_calls_wrong_sides)
{
    int wrong = 0;
    for (int i = 0; number_available() && i < 4096; ++i)
    {
        double x = .5 + (i & 63) * 0x1p-53, y = .5 + (i >> 6) * 0x1p-53;
        double printed = (x - 24) * (12 - 24) - (y - 24) * (12.0 - 24);
        number_begin();
        Number truth = true_orient2d(vec3(x, y, 0), vec3(12, 12, 0), vec3(24, 24, 0));
        wrong += sign_of(printed) != number_sign(truth);
        cr_assert_eq(sign_of(exact_orient2d_sign(x, y, 12, 12, 24, 24)), number_sign(truth));
    }
    printf("exact: the plain form errs in %d of 4096 places\n", wrong);
    cr_expect(wrong > 100 || !number_available());
}
