#include "support/intersect_plane_real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

Real3 real3(sidle_position a)
{
    return (Real3){real(a.x), real(a.y), real(a.z)};
}

Real3 real3_add(Real3 a, Real3 b)
{
    return (Real3){real_add(a.x, b.x), real_add(a.y, b.y), real_add(a.z, b.z)};
}

Real3 real3_sub(Real3 a, Real3 b)
{
    return (Real3){real_sub(a.x, b.x), real_sub(a.y, b.y), real_sub(a.z, b.z)};
}

Real3 real3_scale(Real3 a, Real b)
{
    return (Real3){real_mul(a.x, b), real_mul(a.y, b), real_mul(a.z, b)};
}

Real real3_dot(Real3 a, Real3 b)
{
    return real_add(real_add(real_mul(a.x, b.x), real_mul(a.y, b.y)), real_mul(a.z, b.z));
}

Real3 real3_cross(Real3 a, Real3 b)
{
    return (Real3){real_sub(real_mul(a.y, b.z), real_mul(a.z, b.y)),
                   real_sub(real_mul(a.z, b.x), real_mul(a.x, b.z)),
                   real_sub(real_mul(a.x, b.y), real_mul(a.y, b.x))};
}

Real real3_length(Real3 a)
{
    return real_sqrt(real3_dot(a, a));
}

Real3 real3_unit(Real3 a)
{
    return real3_scale(a, real_div(real(1), real3_length(a)));
}

Real3 real3_between(sidle_position a, sidle_position b, Real time)
{
    Real3 begin = real3(a);
    return real3_add(begin, real3_scale(real3_sub(real3(b), begin), time));
}

double real3_off(Real3 exact, sidle_position told)
{
    return real_double(real3_length(real3_sub(real3(told), exact)));
}

static double off_share(Real exact, double told)
{
    double off = fabs(real_off(exact, told));
    return off == 0 ? 0 : off / fabs(real_double(exact));
}

double real3_off_share(Real3 exact, sidle_position told)
{
    return fmax(fmax(off_share(exact.x, told.x), off_share(exact.y, told.y)), off_share(exact.z, told.z));
}

#ifdef SIDLE_HAVE_MPFR

#include <mpfr.h>

#define BITS    640
#define NUMBERS 4096 /* in one question */

struct Number
{
    mpfr_t value;
};

static Number numbers[NUMBERS];
static int begun, used;

bool real_available(void)
{
    return true;
}

void real_forget(void)
{
    used = 0;
}

static Number *next(void)
{
    if (used == NUMBERS)
    {
        fprintf(stderr, "real: more than %d numbers in one question\n", NUMBERS);
        abort();
    }
    if (used == begun)
    {
        mpfr_init2(numbers[begun++].value, BITS);
    }
    return &numbers[used++];
}

Real real(double a)
{
    Number *out = next();
    mpfr_set_d(out->value, a, MPFR_RNDN);
    return out;
}

#define BINARY(name, operation)                                                                              \
    Real name(Real a, Real b)                                                                                \
    {                                                                                                        \
        Number *out = next();                                                                                \
        operation(out->value, a->value, b->value, MPFR_RNDN);                                                \
        return out;                                                                                          \
    }
#define UNARY(name, operation)                                                                               \
    Real name(Real a)                                                                                        \
    {                                                                                                        \
        Number *out = next();                                                                                \
        operation(out->value, a->value, MPFR_RNDN);                                                          \
        return out;                                                                                          \
    }

BINARY(real_add, mpfr_add)
BINARY(real_sub, mpfr_sub)
BINARY(real_mul, mpfr_mul)
BINARY(real_div, mpfr_div)
BINARY(real_larger, mpfr_max)
BINARY(real_lesser, mpfr_min)
UNARY(real_neg, mpfr_neg)
UNARY(real_abs, mpfr_abs)
UNARY(real_sqrt, mpfr_sqrt)
UNARY(real_sin, mpfr_sin)
UNARY(real_acos, mpfr_acos)

int real_sign(Real a)
{
    return mpfr_sgn(a->value);
}

double real_double(Real a)
{
    return mpfr_get_d(a->value, MPFR_RNDN);
}

#else

bool real_available(void)
{
    return false;
}

void real_forget(void)
{
}

static Real nobody_may_ask(void)
{
    fprintf(stderr, "real: a build without MPFR\n");
    abort();
}

Real real(double a)
{
    (void)a;
    return nobody_may_ask();
}

#define BINARY(name)                                                                                         \
    Real name(Real a, Real b)                                                                                \
    {                                                                                                        \
        (void)a;                                                                                             \
        (void)b;                                                                                             \
        return nobody_may_ask();                                                                             \
    }
#define UNARY(name)                                                                                          \
    Real name(Real a)                                                                                        \
    {                                                                                                        \
        (void)a;                                                                                             \
        return nobody_may_ask();                                                                             \
    }

BINARY(real_add)
BINARY(real_sub)
BINARY(real_mul)
BINARY(real_div)
BINARY(real_larger)
BINARY(real_lesser)
UNARY(real_neg)
UNARY(real_abs)
UNARY(real_sqrt)
UNARY(real_sin)
UNARY(real_acos)

int real_sign(Real a)
{
    (void)a;
    nobody_may_ask();
    return 0;
}

double real_double(Real a)
{
    (void)a;
    nobody_may_ask();
    return 0;
}

#endif

double real_off(Real exact, double told)
{
    return real_double(real_sub(real(told), exact));
}
