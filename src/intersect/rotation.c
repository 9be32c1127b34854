/* The rotation between two others. K. Shoemake, "Animating Rotation with Quaternion Curves", 1985, section
 * 3.3.
 *
 * Between unit quaternions p and q at the angle a, the result points along sin((1 - t) a) p + sin(t a) q.
 * With s(x) = sin(x) / x that is (1 - t) s((1 - t) a) p + t s(t a) q, where nothing is divided by zero when p
 * and q are equal; its length is 1 / s(a), which normalising takes away. The angle comes from the lengths of
 * p - q and p + q (W. Kahan, "How Futile are Mindless Assessments of Roundoff in Floating-Point
 * Computation?", 2006, section 12), since an arc cosine knows nothing of angles below 1e-8. No sine, no arc
 * tangent of the system's: those differ from one machine to the next. */
#include "sidle/intersect/rotation.h"

#include "base/exact.h"

typedef struct Quaternion
{
    Vec3 i;
    double w;
} Quaternion;

static double polynomial(const double *coefficients, int count, double x)
{
    double sum = coefficients[count - 1];
    for (int i = count - 2; i >= 0; --i)
    {
        sum = sum * x + coefficients[i];
    }
    return sum;
}

/* sin(x) / x from x^2, |x| <= pi / 2: the first 11 terms of its series. The rest is below (pi / 2)^22 / 23! <
 * 1e-18 of it, a hundredth of u. */
static double sine_share(double square)
{
    static const double coefficients[] = {1,
                                          -1.0 / 6,
                                          1.0 / 120,
                                          -1.0 / 5040,
                                          1.0 / 362880,
                                          -1.0 / 39916800,
                                          1.0 / 6227020800,
                                          -1.0 / 1307674368000,
                                          1.0 / 355687428096000,
                                          -1.0 / 121645100408832000,
                                          1.0 / 51090942171709440000.0};
    return polynomial(coefficients, 11, square);
}

/* The angle whose half has this tangent, 0 <= tangent <= 1. Halved twice more, tan(x / 2) = tan x / (1 +
 * sqrt(1 + tan^2 x)), it is an eighth of the angle and its tangent below .199; of the series of the arc
 * tangent the first 12 terms leave out less than .199^24 / 25 < 1e-18. */
static double angle_from_half(double tangent)
{
    static const double coefficients[] = {1,        -1.0 / 3,  1.0 / 5,  -1.0 / 7,  1.0 / 9,  -1.0 / 11,
                                          1.0 / 13, -1.0 / 15, 1.0 / 17, -1.0 / 19, 1.0 / 21, -1.0 / 23};
    double quarter = tangent / (1 + sqrt(1 + tangent * tangent));
    double eighth = quarter / (1 + sqrt(1 + quarter * quarter));
    return 8 * eighth * polynomial(coefficients, 12, eighth * eighth);
}

static double length_of(Quaternion q)
{
    return sqrt(vec3_length2(q.i) + q.w * q.w);
}

static Quaternion over(Quaternion q, double divisor)
{
    return (Quaternion){vec3(q.i.x / divisor, q.i.y / divisor, q.i.z / divisor), q.w / divisor};
}

/* a s + b t */
static Quaternion mixed(Quaternion a, double s, Quaternion b, double t)
{
    return (Quaternion){vec3_add(vec3_scale(a.i, s), vec3_scale(b.i, t)), a.w * s + b.w * t};
}

static Quaternion given(const sidle_dquat *q)
{
    bool is_zero = q->x == 0 && q->y == 0 && q->z == 0 && q->w == 0;
    return (Quaternion){vec3(q->x, q->y, q->z), is_zero ? 1 : q->w};
}

static Quaternion between(Quaternion from, Quaternion to, double time)
{
    Quaternion p = over(from, length_of(from)), q = over(to, length_of(to));
    /* From the numbers as given, exactly: near half a turn, rounded ones may lie on the other side. */
    const double left[4] = {from.i.x, from.i.y, from.i.z, from.w}, right[4] = {to.i.x, to.i.y, to.i.z, to.w};
    if (exact_dot(left, right, 4) < 0)
    {
        q = over(q, -1);
    }
    double angle = angle_from_half(length_of(mixed(p, -1, q, 1)) / length_of(mixed(p, 1, q, 1)));
    double square = angle * angle, rest = 1 - time;
    Quaternion sum =
        mixed(p, rest * sine_share(rest * rest * square), q, time * sine_share(time * time * square));
    return over(sum, length_of(sum));
}

bool sidle_slerp(const sidle_dquat *from, const sidle_dquat *to, double time, sidle_dquat *out)
{
    Quaternion p = given(from), q = given(to);
    if (!vec3_is_finite(p.i) || !vec3_is_finite(q.i) || !isfinite(p.w) || !isfinite(q.w) || !isfinite(time))
    {
        return false;
    }
    if (out)
    {
        Quaternion result = between(p, q, larger(0, lesser(time, 1)));
        *out = (sidle_dquat){result.i.x, result.i.y, result.i.z, result.w};
    }
    return true;
}
