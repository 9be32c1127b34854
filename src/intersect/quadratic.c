/* The lowest root of a quadratic polynomial in a range. After K. Fauerby, "Improved Collision Detection and
 * Response", 2003, appendix D.
 *
 * Departs from it: b^2 - 4ac is exact in its sign and right to 2 ulps (W. Kahan 2004; S. Boldo 2009), the two
 * roots come from one sum that does not cancel and from their product c / a, the ends of the range belong to
 * it, and the polynomial may be a line or a constant. */
#include "sidle/intersect/plane.h"

#include "intersect/twofold.h"

/* b^2 - 4 a c: zero only if it is, and of its sign. Where the products are close, their difference is exact
 * and so is what rounding took from each; elsewhere nothing cancels. */
static double discriminant(double a, double b, double c)
{
    Exact square = exact_product(b, b), product = exact_product(4 * a, c);
    return (square.high - product.high) + (square.low - product.low);
}

static bool answer(double root, double low, double high, double *out)
{
    if (!(root >= low && root <= high) || !isfinite(root))
    {
        return false;
    }
    if (out)
    {
        *out = root + 0.0; /* -0 becomes 0 */
    }
    return true;
}

static bool lowest_of_line(double b, double c, double low, double high, double *out)
{
    if (b != 0)
    {
        return answer(-c / b, low, high, out);
    }
    return c == 0 && answer(low, low, high, out);
}

bool sidle_lowest_root(double a, double b, double c, double low, double high, double *out)
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(c))
    {
        return false;
    }
    if (a == 0)
    {
        return lowest_of_line(b, c, low, high, out);
    }
    double inside = discriminant(a, b, c);
    if (!(inside >= 0)) /* mutant: no_double_root */
    {
        return false;
    }
    double root = sqrt(inside), sum = -0.5 * (b + (b < 0 ? -root : root));
    if (sum == 0) /* b = c = 0 */
    {
        return answer(0, low, high, out);
    }
    /* A double root is twice the same number, in bits: both quotients are that number, correctly rounded. */
    double first = sum / a, second = c / sum;
    return answer(lesser(first, second), low, high, out) || answer(larger(first, second), low, high, out);
}
