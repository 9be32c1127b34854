/* Exact signs and values good to the last bit, out of doubles alone.
 *
 * The theory: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 * Predicates", 1997: two-sum and two-product, section 2.4 and 2.5; a sum grown by one number at a time as a
 * list of parts that do not overlap, section 2.4, theorem 10. Products split by T. J. Dekker, "A
 * Floating-Point Technique for Extending the Available Precision", 1971, since no fma may be used. What
 * departs from the paper: one accumulator that takes single terms and drops parts that are 0, instead of
 * merging and scaling whole expansions. It is slower for many terms, and runs only if double-double cannot
 * decide; there is one stage between the plain filter and it, not two, and that one serves for values, too,
 * not for signs alone.
 *
 * Promise    a determinant's sign is right, 0 only where it is 0, and its value is within 2 u of it,
 *            relative: for parallel lines, needles, grazing rays alike. u = 2^-53.
 * Range      coordinates between 1e-60 and 1e60 in size, or 0: then the last bit of a product of four
 *            differences is no less than 2^-1008, and nothing here under- or overflows. Beyond that, and for
 *            NaN and infinity, answers mean nothing, but nothing runs out of its array either.
 * Bits       needs rounding to nearest, no fma, no wider intermediate: what all of sidle is built with. */
#ifndef BASE_EXACT_H
#define BASE_EXACT_H

#include "base/vector.h"

/* u: a rounded result is within this of the true one, relative. */
#define EXACT_UNIT 0x1p-53

/* Plain determinants: a term of a 2x2 one has two differences, a product and the subtraction, 4 roundings; of
 * a 3x3 one three differences, two products, a subtraction and two additions, 8. So the error is below 4 or 8
 * u / (1 - 8 u) times the sum of the terms' sizes; that sum is itself rounded as often. */
#define EXACT_FILTER_2 (5 * EXACT_UNIT)  /* mutant: inexact_sign_2 */
#define EXACT_FILTER_3 (10 * EXACT_UNIT) /* mutant: inexact_sign_3 */

/* In double-double each of those roundings errs by at most 8 u^2 of the terms' sizes; even 128 u^2 in all is
 * less than u / 64 of a result that is larger than this times the terms. */
#define EXACT_DOUBLED 0x1p-46

/* ---- error-free steps ---- */

/* A number as a sum that is not carried out: high is that sum rounded. */
typedef struct Exact
{
    double high, low;
} Exact;

static inline Exact exact_sum(double a, double b)
{
    double sum = a + b, of_b = sum - a, of_a = sum - of_b;
    return (Exact){sum, (a - of_a) + (b - of_b)};
}

static inline Exact exact_difference(double a, double b)
{
    return exact_sum(a, -b);
}

/* The sum where |a| >= |b|, or a is 0. */
static inline Exact exact_sum_ordered(double a, double b)
{
    double sum = a + b;
    return (Exact){sum, b - (sum - a)};
}

/* The upper 26 bits and the rest, which fits into 26 with its sign. */
static inline Exact exact_split(double a)
{
    double c = 0x8000001p0 * a, high = c - (c - a);
    return (Exact){high, a - high};
}

static inline Exact exact_product(double a, double b)
{
    double product = a * b;
    Exact p = exact_split(a), q = exact_split(b);
    return (Exact){product, ((p.high * q.high - product) + p.high * q.low + p.low * q.high) + p.low * q.low};
}

static inline Exact exact_of(double a)
{
    return (Exact){a, 0};
}

/* ---- a sum without any error ---- */

/* [Limit] terms of one sum; the largest here, a 3x3 determinant of differences, has 6 x 8 x 4. */
#define EXACT_MAX_TERMS 192

/* parts do not overlap, none is 0, the largest comes last and has the sign of the sum. */
typedef struct ExactSum
{
    int count;
    double parts[EXACT_MAX_TERMS];
} ExactSum;

static inline void exact_begin(ExactSum *sum)
{
    sum->count = 0;
}

/* Grows the sum by one number: what each part cannot take is kept, the rest is carried upwards. */
static inline void exact_add(ExactSum *sum, double term)
{
    int kept = 0;
    for (int i = 0; i < sum->count; ++i)
    {
        Exact two = exact_sum(term, sum->parts[i]);
        if (two.low != 0)
        {
            sum->parts[kept++] = two.low;
        }
        term = two.high;
    }
    if (term != 0 && kept < EXACT_MAX_TERMS)
    {
        sum->parts[kept++] = term;
    }
    sum->count = kept;
}

static inline void exact_add_product(ExactSum *sum, double a, double b)
{
    Exact product = exact_product(a, b);
    exact_add(sum, product.low);
    exact_add(sum, product.high);
}

/* The sum, correctly rounded, so that the order of the terms does not show. The parts below the first that
 * does not go in are less than a last bit of that one: they matter for ties. */
static inline double exact_value(const ExactSum *sum)
{
    int i = sum->count - 1;
    Exact two = {i >= 0 ? sum->parts[i] : 0, 0};
    while (two.low == 0 && --i >= 0)
    {
        two = exact_sum_ordered(two.high, sum->parts[i]);
    }
    if (i > 0 && (two.low > 0) == (sum->parts[i - 1] > 0))
    {
        double further = two.high + 2 * two.low;
        return further - two.high == 2 * two.low ? further : two.high;
    }
    return two.high;
}

/* ---- double-double: errors of u^2 and no list ---- */

static inline Exact exact_plus(Exact a, Exact b)
{
    Exact sum = exact_sum(a.high, b.high);
    return exact_sum_ordered(sum.high, sum.low + (a.low + b.low));
}

static inline Exact exact_times(Exact a, Exact b)
{
    Exact product = exact_product(a.high, b.high);
    return exact_sum_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static inline Exact exact_negative(Exact a)
{
    return (Exact){-a.high, -a.low};
}

/* ---- determinants ---- */

/* One term, +-a b or +-a b c, of numbers in two parts each. */
static inline void exact_add_terms(ExactSum *sum, double sign, Exact a, Exact b)
{
    const double parts_a[2] = {a.low, a.high}, parts_b[2] = {b.low, b.high};
    for (int i = 0; i < 4; ++i)
    {
        exact_add_product(sum, sign * parts_a[i & 1], parts_b[i >> 1]);
    }
}

static inline void exact_add_terms3(ExactSum *sum, double sign, Exact a, Exact b, Exact c)
{
    const double parts_a[2] = {a.low, a.high}, parts_b[2] = {b.low, b.high};
    for (int i = 0; i < 4; ++i)
    {
        Exact two = exact_product(sign * parts_a[i & 1], parts_b[i >> 1]);
        if (two.high != 0) /* most numbers have no low part */
        {
            exact_add_terms(sum, 1, two, c);
        }
    }
}

/* a d - b c. */
static inline double exact_det2(Exact a, Exact b, Exact c, Exact d)
{
    Exact value = exact_plus(exact_times(a, d), exact_negative(exact_times(b, c)));
    double size = fabs(a.high * d.high) + fabs(b.high * c.high);
    if (fabs(value.high) > EXACT_DOUBLED * size || size == 0)
    {
        return value.high;
    }
    ExactSum sum;
    exact_begin(&sum);
    exact_add_terms(&sum, 1, a, d);
    exact_add_terms(&sum, -1, b, c);
    return exact_value(&sum);
}

typedef struct ExactVec3
{
    Exact x, y, z;
} ExactVec3;

static inline ExactVec3 exact_vec3(Vec3 a)
{
    return (ExactVec3){exact_of(a.x), exact_of(a.y), exact_of(a.z)};
}

/* a - b. */
static inline ExactVec3 exact_vec3_sub(Vec3 a, Vec3 b)
{
    return (ExactVec3){exact_difference(a.x, b.x), exact_difference(a.y, b.y), exact_difference(a.z, b.z)};
}

static inline Vec3 exact_vec3_high(const ExactVec3 *a)
{
    return vec3(a->x.high, a->y.high, a->z.high);
}

/* The sizes of the six terms of a determinant: its error is a multiple of this. */
static inline double exact_det3_size(Vec3 a, Vec3 b, Vec3 c)
{
    return fabs(a.x) * (fabs(b.y * c.z) + fabs(b.z * c.y)) + fabs(a.y) * (fabs(b.z * c.x) + fabs(b.x * c.z)) +
           fabs(a.z) * (fabs(b.x * c.y) + fabs(b.y * c.x));
}

static inline Exact exact_minor(Exact a, Exact b, Exact c, Exact d)
{
    return exact_plus(exact_times(a, d), exact_negative(exact_times(b, c)));
}

static inline double exact_det3_listed(const ExactVec3 *a, const ExactVec3 *b, const ExactVec3 *c)
{
    ExactSum sum;
    exact_begin(&sum);
    exact_add_terms3(&sum, 1, b->y, c->z, a->x);
    exact_add_terms3(&sum, -1, b->z, c->y, a->x);
    exact_add_terms3(&sum, 1, b->z, c->x, a->y);
    exact_add_terms3(&sum, -1, b->x, c->z, a->y);
    exact_add_terms3(&sum, 1, b->x, c->y, a->z);
    exact_add_terms3(&sum, -1, b->y, c->x, a->z);
    return exact_value(&sum);
}

/* a . (b x c): its value within 2 u. */
static inline double exact_det3(const ExactVec3 *a, const ExactVec3 *b, const ExactVec3 *c)
{
    Exact x = exact_times(a->x, exact_minor(b->y, b->z, c->y, c->z));
    Exact y = exact_times(a->y, exact_minor(b->z, b->x, c->z, c->x));
    Exact z = exact_times(a->z, exact_minor(b->x, b->y, c->x, c->y));
    Exact value = exact_plus(exact_plus(x, y), z);
    double size = exact_det3_size(exact_vec3_high(a), exact_vec3_high(b), exact_vec3_high(c));
    if (fabs(value.high) > EXACT_DOUBLED * size || size == 0)
    {
        return value.high;
    }
    return exact_det3_listed(a, b, c);
}

/* Like it, where the sign is all that is asked: plain arithmetic first. The value may be far off. */
static inline double exact_det3_sign(const ExactVec3 *a, const ExactVec3 *b, const ExactVec3 *c)
{
    Vec3 p = exact_vec3_high(a), q = exact_vec3_high(b), r = exact_vec3_high(c);
    double value = vec3_dot(p, vec3_cross(q, r));
    return fabs(value) > EXACT_FILTER_3 * exact_det3_size(p, q, r) ? value : exact_det3(a, b, c);
}

/* a x b, each number within 2 u of itself. */
static inline Vec3 exact_cross(const ExactVec3 *a, const ExactVec3 *b)
{
    return vec3(exact_det2(a->y, a->z, b->y, b->z), exact_det2(a->z, a->x, b->z, b->x),
                exact_det2(a->x, a->y, b->x, b->y));
}

/* Twice the area of the triangle a, b, c, positive where it turns counter-clockwise, within 2 u. */
static inline double exact_orient2d(double ax, double ay, double bx, double by, double cx, double cy)
{
    return exact_det2(exact_difference(ax, cx), exact_difference(ay, cy), exact_difference(bx, cx),
                      exact_difference(by, cy));
}

/* Like it, where the sign is all that is asked: the value may be nothing but rounding beyond that. */
static inline double exact_orient2d_sign(double ax, double ay, double bx, double by, double cx, double cy)
{
    double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx), value = left - right;
    return fabs(value) > EXACT_FILTER_2 * (fabs(left) + fabs(right)) ? value
                                                                     : exact_orient2d(ax, ay, bx, by, cx, cy);
}

/* Six times the volume of a, b, c, d, positive where a, b, c turn counter-clockwise seen from the side that d
 * is not on: (a - d) . ((b - d) x (c - d)), within 2 u. */
static inline double exact_orient3d(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
    ExactVec3 p = exact_vec3_sub(a, d), q = exact_vec3_sub(b, d), r = exact_vec3_sub(c, d);
    return exact_det3(&p, &q, &r);
}

/* Like it, where the sign is all that is asked, as exact_det3_sign: most need no exact differences. */
static inline double exact_orient3d_sign(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
    Vec3 p = vec3_sub(a, d), q = vec3_sub(b, d), r = vec3_sub(c, d);
    double value = vec3_dot(p, vec3_cross(q, r));
    return fabs(value) > EXACT_FILTER_3 * exact_det3_size(p, q, r) ? value : exact_orient3d(a, b, c, d);
}

/* ---- sums of products ---- */

/* The sum of a[i] b[i], i < count <= 96, within 2 u of it, relative, and 0 only where it is 0. */
static inline double exact_dot(const double *a, const double *b, int count)
{
    Exact value = exact_of(0);
    double size = 0;
    for (int i = 0; i < count; ++i)
    {
        Exact product = exact_product(a[i], b[i]);
        value = exact_plus(value, product);
        size += fabs(product.high);
    }
    if (fabs(value.high) > EXACT_DOUBLED * size || size == 0)
    {
        return value.high;
    }
    ExactSum sum;
    exact_begin(&sum);
    for (int i = 0; i < count; ++i)
    {
        exact_add_product(&sum, a[i], b[i]);
    }
    return exact_value(&sum);
}

#endif
