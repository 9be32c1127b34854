#include "intersect/support/number.h"

#include <stdlib.h>

#ifdef SIDLE_HAVE_MPFR

#include <mpfr.h>

#define BITS    2200
#define NUMBERS 4096

static mpfr_t pool[NUMBERS];
static int begun, used; /* how many have been made; how many are in use */

bool number_available(void)
{
    return true;
}

void number_begin(void)
{
    used = 0;
}

static Number next(void)
{
    if (used == NUMBERS)
    {
        abort();
    }
    if (used == begun)
    {
        mpfr_init2(pool[begun++], BITS);
    }
    return used++;
}

static int root_or_zero(mpfr_t out, const mpfr_t a, mpfr_rnd_t rounding)
{
    return mpfr_sgn(a) > 0 ? mpfr_sqrt(out, a, rounding) : mpfr_set_d(out, 0, rounding);
}

#define UNARY(name, operation)                                                                               \
    Number name(Number a)                                                                                    \
    {                                                                                                        \
        Number out = next();                                                                                 \
        operation(pool[out], pool[a], MPFR_RNDN);                                                            \
        return out;                                                                                          \
    }
#define BINARY(name, operation)                                                                              \
    Number name(Number a, Number b)                                                                          \
    {                                                                                                        \
        Number out = next();                                                                                 \
        operation(pool[out], pool[a], pool[b], MPFR_RNDN);                                                   \
        return out;                                                                                          \
    }

Number number_of(double value)
{
    Number out = next();
    mpfr_set_d(pool[out], value, MPFR_RNDN);
    return out;
}

int number_sign(Number a)
{
    return mpfr_sgn(pool[a]);
}

double number_double(Number a)
{
    return mpfr_get_d(pool[a], MPFR_RNDN);
}

#else

bool number_available(void)
{
    return false;
}

void number_begin(void)
{
    abort(); /* the caller has not asked number_available() */
}

#define UNARY(name, operation)                                                                               \
    Number name(Number a)                                                                                    \
    {                                                                                                        \
        (void)a;                                                                                             \
        abort();                                                                                             \
    }
#define BINARY(name, operation)                                                                              \
    Number name(Number a, Number b)                                                                          \
    {                                                                                                        \
        (void)a, (void)b;                                                                                    \
        abort();                                                                                             \
    }

Number number_of(double value)
{
    (void)value;
    abort();
}

int number_sign(Number a)
{
    (void)a;
    abort();
}

double number_double(Number a)
{
    (void)a;
    abort();
}

#endif

BINARY(number_add, mpfr_add)
BINARY(number_sub, mpfr_sub)
BINARY(number_mul, mpfr_mul)
BINARY(number_div, mpfr_div)
BINARY(number_min, mpfr_min)
BINARY(number_max, mpfr_max)
UNARY(number_negate, mpfr_neg)
UNARY(number_abs, mpfr_abs)
UNARY(number_sqrt, root_or_zero)
UNARY(number_sin, mpfr_sin)
UNARY(number_acos, mpfr_acos)

Number number_sum(double a, double b)
{
    return number_add(number_of(a), number_of(b));
}

Number number_clamp(Number a, double low, double high)
{
    return number_min(number_max(a, number_of(low)), number_of(high));
}

double number_error(Number a, double found)
{
    return fabs(number_double(number_sub(number_of(found), a)));
}

NumberVector number_vector(Vector v)
{
    return (NumberVector){number_of(v.x), number_of(v.y), number_of(v.z)};
}

NumberVector number_vector_add(NumberVector a, NumberVector b)
{
    return (NumberVector){number_add(a.x, b.x), number_add(a.y, b.y), number_add(a.z, b.z)};
}

NumberVector number_vector_sub(NumberVector a, NumberVector b)
{
    return (NumberVector){number_sub(a.x, b.x), number_sub(a.y, b.y), number_sub(a.z, b.z)};
}

NumberVector number_vector_scale(NumberVector a, Number s)
{
    return (NumberVector){number_mul(a.x, s), number_mul(a.y, s), number_mul(a.z, s)};
}

NumberVector number_cross(NumberVector a, NumberVector b)
{
    return (NumberVector){number_sub(number_mul(a.y, b.z), number_mul(a.z, b.y)),
                          number_sub(number_mul(a.z, b.x), number_mul(a.x, b.z)),
                          number_sub(number_mul(a.x, b.y), number_mul(a.y, b.x))};
}

Number number_dot(NumberVector a, NumberVector b)
{
    return number_add(number_add(number_mul(a.x, b.x), number_mul(a.y, b.y)), number_mul(a.z, b.z));
}

Number number_length(NumberVector a)
{
    return number_sqrt(number_dot(a, a));
}
