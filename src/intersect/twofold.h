/* Numbers of twice the precision: a sum of two doubles that do not overlap. What decides whether shapes touch
 * is computed so, because there the parts cancel: then a verdict is right but for margins of a few u^2, u =
 * 2^-53, where plain double errs by a few u.
 *
 * Sums: D. Knuth, "The Art of Computer Programming 2", 1969, section 4.2.2. Products without a fused
 * multiply-add, which not every machine has: T. Dekker, "A Floating-Point Technique for Extending the
 * Available Precision", 1971, sections 4 and 5, with G. Veltkamp's split. Of two such numbers: M. Joldes,
 * J.-M. Muller, V. Popescu, "Tight and Rigorous Error Bounds for Basic Building Blocks of Double-Word
 * Arithmetic", 2017: algorithms 6 (relative error of a sum <= 3 u^2 + 13 u^3) and 10 (of a product <= 7 u^2).
 *
 * Exact only while nothing leaves the normal range: results between 1e-270 and 1e290, or 0. Every operation
 * commutes with powers of two and with changes of sign, so that scaled and mirrored input gives the same
 * bits. */
#ifndef INTERSECT_TWOFOLD_H
#define INTERSECT_TWOFOLD_H

#include "base/vector.h"

typedef struct Twofold
{
    double high, low; /* high is the double next to the sum */
} Twofold;

typedef struct Twofold3
{
    Twofold x, y, z;
} Twofold3;

static inline Twofold twofold(double high)
{
    return (Twofold){high, 0};
}

static inline Twofold twofold_neg(Twofold a)
{
    return (Twofold){-a.high, -a.low};
}

/* a + b, exactly. */
static inline Twofold exact_sum(double a, double b)
{
    double sum = a + b, part_b = sum - a, part_a = sum - part_b;
    return (Twofold){sum, (a - part_a) + (b - part_b)};
}

static inline Twofold exact_difference(double a, double b)
{
    return exact_sum(a, -b);
}

/* The same for |a| >= |b| or a = 0. */
static inline Twofold exact_sum_ordered(double a, double b)
{
    double sum = a + b;
    return (Twofold){sum, b - (sum - a)};
}

/* The upper 26 bits and the rest, so that products of halves are exact. */
static inline Twofold exact_halves(double a)
{
    double scaled = a * (0x1p27 + 1), high = scaled - (scaled - a);
    return (Twofold){high, a - high};
}

/* a b, exactly. */
static inline Twofold exact_product(double a, double b)
{
    Twofold c = exact_halves(a), d = exact_halves(b);
    double product = a * b;
    double rest = ((c.high * d.high - product) + c.high * d.low + c.low * d.high) + c.low * d.low;
    return (Twofold){product, rest};
}

static inline Twofold twofold_add(Twofold a, Twofold b)
{
    Twofold high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
    Twofold sum = exact_sum_ordered(high.high, high.low + low.high);
    return exact_sum_ordered(sum.high, low.low + sum.low);
}

static inline Twofold twofold_sub(Twofold a, Twofold b)
{
    return twofold_add(a, twofold_neg(b));
}

static inline Twofold twofold_mul(Twofold a, Twofold b)
{
    Twofold product = exact_product(a.high, b.high);
    return exact_sum_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static inline Twofold twofold_abs(Twofold a)
{
    return a.high < 0 ? twofold_neg(a) : a;
}

/* The sign of a number is that of its upper part. */
static inline bool twofold_less(Twofold a, Twofold b)
{
    return twofold_sub(a, b).high < 0;
}

static inline Twofold3 twofold3_difference(Vec3 a, Vec3 b)
{
    return (Twofold3){exact_difference(a.x, b.x), exact_difference(a.y, b.y), exact_difference(a.z, b.z)};
}

static inline Twofold3 twofold3_sub(Twofold3 a, Twofold3 b)
{
    return (Twofold3){twofold_sub(a.x, b.x), twofold_sub(a.y, b.y), twofold_sub(a.z, b.z)};
}

static inline Vec3 twofold3_high(Twofold3 a)
{
    return vec3(a.x.high, a.y.high, a.z.high);
}

/* Errs by at most 16 u^2 (|ax bx| + |ay by| + |az bz|). */
static inline Twofold twofold3_dot(Twofold3 a, Twofold3 b)
{
    return twofold_add(twofold_add(twofold_mul(a.x, b.x), twofold_mul(a.y, b.y)), twofold_mul(a.z, b.z));
}

/* The same of plain vectors: errs by at most 8 u^2 (|ax bx| + |ay by| + |az bz|). */
static inline Twofold exact_dot(Vec3 a, Vec3 b)
{
    return twofold_add(twofold_add(exact_product(a.x, b.x), exact_product(a.y, b.y)),
                       exact_product(a.z, b.z));
}

static inline Twofold3 twofold3_cross(Twofold3 a, Twofold3 b)
{
    return (Twofold3){twofold_sub(twofold_mul(a.y, b.z), twofold_mul(a.z, b.y)),
                      twofold_sub(twofold_mul(a.z, b.x), twofold_mul(a.x, b.z)),
                      twofold_sub(twofold_mul(a.x, b.y), twofold_mul(a.y, b.x))};
}

#endif
