/* Numbers of 640 bits with MPFR (L. Fousse and others, 2007), to be written like expressions: every function
 * gives a new number, which lives until the next real_forget(). Sums and products of what tests draw are
 * exact or next to it; roots and sines are right to 2^-640. */
#ifndef TESTS_SUPPORT_INTERSECT_PLANE_REAL_H
#define TESTS_SUPPORT_INTERSECT_PLANE_REAL_H

#include "sidle/intersect.h"

#include <stdbool.h>

typedef struct Number Number;
typedef const Number *Real;

typedef struct Real3
{
    Real x, y, z;
} Real3;

/* Whether this build has MPFR; without it nobody may ask the others. */
bool real_available(void);
void real_forget(void);

Real real(double a);
Real real_add(Real a, Real b);
Real real_sub(Real a, Real b);
Real real_mul(Real a, Real b);
Real real_div(Real a, Real b);
Real real_neg(Real a);
Real real_abs(Real a);
Real real_sqrt(Real a);
Real real_sin(Real a);
Real real_acos(Real a);

int real_sign(Real a);
double real_double(Real a);
double real_off(Real exact, double told); /* told - exact, rounded once */
Real real_larger(Real a, Real b);
Real real_lesser(Real a, Real b);

Real3 real3(sidle_position a);
Real3 real3_add(Real3 a, Real3 b);
Real3 real3_sub(Real3 a, Real3 b);
Real3 real3_scale(Real3 a, Real b);
Real real3_dot(Real3 a, Real3 b);
Real3 real3_cross(Real3 a, Real3 b);
Real real3_length(Real3 a);
Real3 real3_unit(Real3 a);
Real3 real3_between(sidle_position a, sidle_position b, Real time); /* on the way from a to b */
double real3_off(Real3 exact, sidle_position told);                 /* the length of told - exact */
double real3_off_share(Real3 exact, sidle_position told);           /* the worst coordinate, of itself */

#endif
