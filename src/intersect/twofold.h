/* Numbers of twice the precision: a sum of two doubles that do not overlap. What decides whether shapes touch
 * is computed so, because there the parts cancel: then a verdict is right but for margins of a few u^2, u =
 * 2^-53, where plain double errs by a few u. The error-free steps, and their range, are those of exact.h.
 *
 * Of two such numbers: M. Joldes, J.-M. Muller, V. Popescu, "Tight and Rigorous Error Bounds for Basic
 * Building Blocks of Double-Word Arithmetic", 2017: algorithms 6 (relative error of a sum <= 3 u^2 + 13 u^3)
 * and 10 (of a product <= 7 u^2). Every operation commutes with powers of two and with changes of sign, so
 * that scaled and mirrored input gives the same bits. */
#ifndef INTERSECT_TWOFOLD_H
#define INTERSECT_TWOFOLD_H

#include "base/exact.h"

/* Unlike exact_plus it errs by 3 u^2 of the sum, not of its parts: what two motions differ by may be
 * small. */
static inline Exact twofold_add(Exact a, Exact b)
{
    Exact high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
    Exact sum = exact_sum_ordered(high.high, high.low + low.high);
    return exact_sum_ordered(sum.high, low.low + sum.low);
}

static inline Exact twofold_sub(Exact a, Exact b)
{
    return twofold_add(a, exact_negative(b));
}

static inline Exact twofold_abs(Exact a)
{
    return a.high < 0 ? exact_negative(a) : a;
}

static inline ExactVec3 twofold3_sub(ExactVec3 a, ExactVec3 b)
{
    return (ExactVec3){twofold_sub(a.x, b.x), twofold_sub(a.y, b.y), twofold_sub(a.z, b.z)};
}

static inline Vec3 twofold3_high(ExactVec3 a)
{
    return vec3(a.x.high, a.y.high, a.z.high);
}

/* Errs by at most 16 u^2 (|ax bx| + |ay by| + |az bz|). */
static inline Exact twofold3_dot(ExactVec3 a, ExactVec3 b)
{
    return twofold_add(twofold_add(exact_times(a.x, b.x), exact_times(a.y, b.y)), exact_times(a.z, b.z));
}

/* The same of plain vectors: errs by at most 8 u^2 (|ax bx| + |ay by| + |az bz|). */
static inline Exact twofold_dot(Vec3 a, Vec3 b)
{
    return twofold_add(twofold_add(exact_product(a.x, b.x), exact_product(a.y, b.y)),
                       exact_product(a.z, b.z));
}

static inline ExactVec3 twofold3_cross(ExactVec3 a, ExactVec3 b)
{
    return (ExactVec3){twofold_sub(exact_times(a.y, b.z), exact_times(a.z, b.y)),
                       twofold_sub(exact_times(a.z, b.x), exact_times(a.x, b.z)),
                       twofold_sub(exact_times(a.x, b.y), exact_times(a.y, b.x))};
}

#endif
