/* Numbers of 2,200 bits for oracles: sums and products of up to four doubles between 1e-60 and 1e60 are exact
 * in them, quotients, roots and sines as good as (MPFR: L. Fousse and others, 2007). A Number is a place in a
 * pool; number_begin empties it. One thread. */
#ifndef TESTS_SUPPORT_INTERSECT_NUMBER_H
#define TESTS_SUPPORT_INTERSECT_NUMBER_H

#include "support/vector.h"

#include <stdbool.h>

typedef int Number;

typedef struct NumberVector
{
    Number x, y, z;
} NumberVector;

/* Whether this build has MPFR; without it nobody may ask the others. */
bool number_available(void);

void number_begin(void);
Number number_of(double value);
Number number_sum(double a, double b);
Number number_add(Number a, Number b);
Number number_sub(Number a, Number b);
Number number_mul(Number a, Number b);
Number number_div(Number a, Number b); /* b is not 0 */
Number number_negate(Number a);
Number number_abs(Number a);
Number number_sqrt(Number a); /* of 0 where a is less */
Number number_sin(Number a);
Number number_acos(Number a);
Number number_min(Number a, Number b);
Number number_max(Number a, Number b);
Number number_clamp(Number a, double low, double high);
int number_sign(Number a);
double number_double(Number a); /* rounded once */

/* |found - a| as a double. */
double number_error(Number a, double found);

NumberVector number_vector(Vector v);
NumberVector number_vector_add(NumberVector a, NumberVector b);
NumberVector number_vector_sub(NumberVector a, NumberVector b);
NumberVector number_vector_scale(NumberVector a, Number s);
NumberVector number_cross(NumberVector a, NumberVector b);
Number number_dot(NumberVector a, NumberVector b);
Number number_length(NumberVector a);

#endif
