/* A sum of products of doubles that errs nowhere, of any length: a fixed-point number that has room for all of
 * them. U. Kulisch, "Computer Arithmetic and Validity", 2008, chapter 8. */
#ifndef INTERSECT_LONG_SUM_H
#define INTERSECT_LONG_SUM_H

#include <stdint.h>

/* The last bit of the product of two numbers is 2^-2148 or more, its first below 2^2048; 64 more for the sum of
 * 2^33 of them and its sign. 4288 >= 2148 + 2048 + 64, and room for the pieces of the highest. */
#define LONG_SUM_LAST_BIT (-2148)
#define LONG_SUM_WORDS    134 /* 32 bits each */

/* words * 2^(32 i + LONG_SUM_LAST_BIT); a word may hold more than 32 bits, until carried. All 0: nothing yet. */
typedef struct LongSum
{
    int64_t words[LONG_SUM_WORDS];
    uint32_t terms;
} LongSum;

/* Neither may be infinite or NaN. */
void sidle_long_sum_add_product(LongSum *sum, double a, double b);

/* Rounded once. */
double sidle_long_sum_value(LongSum *sum);

#endif
