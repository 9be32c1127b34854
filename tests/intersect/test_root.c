/* The lowest root: named cases, the defects of print, and a comparison with exact numbers. SIDLE_QUERIES says
 * how many. */
#include "intersect/support/plane_checks.h"
#include "intersect/support/plane_printed.h"

static bool root_is(double a, double b, double c, double low, double high, double expected)
{
    double root = 77;
    bool found = sidle_lowest_root(a, b, c, low, high, &root);
    return found && root == expected && !signbit(root) == !signbit(expected);
}

static bool no_root(double a, double b, double c, double low, double high)
{
    double root = 77;
    return !sidle_lowest_root(a, b, c, low, high, &root) && root == 77;
}

Test(intersect_root, quadratics_lines_and_constants_are_distinguished)
{
    const double inf = (double)INFINITY;
    cr_expect(root_is(1, -3, 2, 0, 10, 1) && root_is(1, -3, 2, 1.5, 10, 2) && no_root(1, -3, 2, 3, 10));
    cr_expect(root_is(-1, 3, -2, 0, 10, 1), "upside down");
    cr_expect(root_is(1, -3, 2, 1, 1, 1) && root_is(1, -3, 2, 2, 2, 2), "at both ends");
    cr_expect(root_is(1, 3, 2, -inf, inf, -2) && root_is(1, 3, 2, -1.5, inf, -1));
    cr_expect(root_is(1, 0, -4, -inf, inf, -2) && root_is(1, 0, -4, 0, inf, 2) &&
              no_root(1, 0, 4, -inf, inf));
    cr_expect(root_is(0, 2, -4, 0, 5, 2) && no_root(0, 2, -4, 3, 5) && root_is(0, -2, 0, 0, 5, 0));
    cr_expect(root_is(0, 0, 0, 3, 5, 3) && no_root(0, 0, 1, 3, 5) && no_root(0, 0, 0, -inf, 5));
    cr_expect(root_is(3, 0, 0, 0, 1, 0) && root_is(3, 6, 0, -5, 5, -2) && root_is(3, 6, 0, -1, 5, 0));
    cr_expect(no_root(1, -3, 2, 10, 0), "no range");
}

Test(intersect_root, a_double_root_is_found_as_one_root)
{
    double exact = 3 * (1 + 0x1p-20); /* its square fits into a double */
    cr_expect(root_is(1, -2 * exact, exact * exact, 0, 10, exact));
    cr_expect(no_root(1, -2 * exact, nextafter(exact * exact, 10), 0, 10));
    cr_expect(root_is(1, -6, 9, 0, 10, 3) && no_root(1, -6, nextafter(9, 10), 0, 10));
    cr_expect(sidle_lowest_root(1, -6, nextafter(9, 0), 0, 10, NULL));
    /* The square of 1 + 2^-30 lacks its 2^-60 here: two roots, 2^-30 apart from their mean. */
    double odd = 1 + 0x1p-30, square = 1 + 0x1p-29, root;
    cr_expect_eq(4 * odd * odd - 4 * square, 0, "plain double is as good");
    cr_expect(root_is(1, -2 * odd, square, 0, 10, 1));
    cr_expect(sidle_lowest_root(1, -2 * odd, square, 1.0000000001, 10, &root) && root == 1 + 0x1p-29);
    cr_expect(no_root(1, -2 * odd, nextafter(square, 2), 0, 10));
}

/* Defects of appendix D: what touches now (D1), what touches at the very end (D3), what is far (D11), a line,
 * and which of two roots are one. */
Test(intersect_root, print_loses_roots)
{
    double root = 77;
    cr_expect_not(printed_lowest_root(1, 2, 0, 1, &root), "D1");
    cr_expect(root_is(1, 2, 0, 0, 1, 0));
    cr_expect_not(printed_lowest_root(1, -3, 2, 1, &root), "D3");
    cr_expect(root_is(1, -3, 2, 0, 1, 1));
    cr_expect_not(printed_lowest_root(0, 2, -1, 1, &root) && root == 0.5, "a line");
    cr_expect(root_is(0, 2, -1, 0, 1, 0.5));
    cr_expect(printed_lowest_root(1, -1e8, 1, 1, &root) && fabs(root - 1e-8) > 2e-9, "D11: %g", root);
    cr_expect(sidle_lowest_root(1, -1e8, 1, 0, 1, &root) && fabs(root - 1e-8) < 1e-23);
    cr_expect_not(printed_lowest_root(1, -1e9, 1, 1, &root), "it has become 0");
    cr_expect(sidle_lowest_root(1, -1e9, 1, 0, 1, &root) && fabs(root - 1e-9) < 1e-24);
    double odd = 1 + 0x1p-30;
    cr_expect(printed_lowest_root(1, -2 * odd, 1 + 0x1p-29, 10, &root) && root == odd,
              "two roots taken for one");
}

typedef struct Coefficients
{
    double a, b, c;
} Coefficients;

static double draw_coefficient(Random *random)
{
    switch (random_below(random, 4))
    {
    case 0:
        return (double)random_below(random, 21) - 10;
    case 1:
        return random_between(random, -1, 1);
    case 2:
        return (random_chance(random, 0.5) ? -1 : 1) * random_scale(random, 1e-120, 1e120);
    default:
        return (random_chance(random, 0.5) ? -1 : 1) * random_scale(random, 1e-6, 1e6);
    }
}

/* Any, or those of two chosen roots that may be one or all but one. */
static Coefficients draw_coefficients(Random *random)
{
    double a = draw_coefficient(random), b = draw_coefficient(random), c = draw_coefficient(random);
    if (random_chance(random, 0.5))
    {
        double r =
            random_chance(random, 0.3) ? (double)random_below(random, 9) - 4 : random_between(random, -9, 9);
        double s = random_chance(random, 0.5) ? r : r * (1 + random_scale(random, 1e-16, 1e-2));
        a = random_chance(random, 0.5) ? 1 : (double)random_below(random, 7) - 3;
        b = nudged(random, -a * (r + s));
        c = nudged(random, a * r * s);
    }
    return (Coefficients){a, b, c};
}

/* The two roots in order; the number of them. */
static int exact_roots(Coefficients k, Number roots[2])
{
    Number a = number_of(k.a), b = number_of(k.b), c = number_of(k.c);
    if (k.a == 0 && k.b == 0)
    {
        return 0;
    }
    if (k.a == 0)
    {
        roots[0] = number_negate(number_div(c, b));
        return 1;
    }
    Number inside = number_sub(number_mul(b, b), number_mul(number_of(4), number_mul(a, c)));
    if (number_sign(inside) < 0)
    {
        return 0;
    }
    Number outer = number_add(number_abs(b), number_sqrt(inside)); /* |b| - root would cancel */
    Number sum = k.b < 0 ? outer : number_negate(outer);
    Number one = number_div(sum, number_mul(number_of(2), a));
    Number two = k.c == 0 ? number_of(0) : number_div(number_mul(number_of(2), c), sum);
    roots[0] = number_min(one, two);
    roots[1] = number_max(one, two);
    return 2;
}

Test(intersect_root, lowest_roots_are_right_to_a_few_ulps_and_exact_in_their_number)
{
    Random random = random_seeded(611);
    const double inf = (double)INFINITY;
    Errors number = {0}, values = {0};
    for (uint32_t i = 0, count = asked(200000); i < count; ++i)
    {
        Coefficients k = draw_coefficients(&random);
        Number roots[2] = {0, 0};
        double root;
        number_begin();
        int exact = exact_roots(k, roots);
        bool found = sidle_lowest_root(k.a, k.b, k.c, -inf, inf, &root);
        note_verdict(&number, found, exact > 0 ? 1 : -1, 0);
        if (!found || exact == 0)
        {
            continue;
        }
        note_error(&values, number_error(roots[0], root), 5 * ULP * fabs(number_double(roots[0])));
        double above = nextafter(root, inf);
        found = sidle_lowest_root(k.a, k.b, k.c, above, inf, &root); /* the other one, if it is another */
        note_wrong(&number, !found || (root >= above && exact == 2));
        if (found)
        {
            note_error(&values, number_error(roots[1], root), 5 * ULP * fabs(number_double(roots[1])));
        }
        else
        {
            double beyond = number_double(number_sub(number_of(above), roots[1]));
            note_wrong(&number, exact == 1 || beyond > -8 * ULP * fabs(above));
        }
    }
    conclude(&number, "number of roots", 1);
    conclude(&values, "roots (u)", 5);
}

static bool ask_root(const double *in, double *out)
{
    return sidle_lowest_root(in[0], in[1], in[2], in[3], in[4], out);
}

static const Question questions[] = {
    {ask_root, 5, 1, {1.3, -3.1, 1.7, 0.1, 10}, {0, 1, 2, 1, 1}, {1}},
    {ask_root, 5, 1, {1.3, -3.1, 1.7, 0.1, 10}, {1, 1, 1, 0, 0}, {0}},
};

Test(intersect_root, what_is_no_number_has_no_answer_and_the_unit_of_length_changes_no_bit)
{
    check_questions(questions, sizeof questions / sizeof *questions);
}
