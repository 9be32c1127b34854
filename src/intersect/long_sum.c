/* Words of 32 bits in 64, so that carries wait. */
#include "intersect/long_sum.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

#define MOST_TERMS 0x40000000u /* between carries: a word takes 2^31 pieces below 2^32 */

static void carry(LongSum *sum)
{
    int64_t over = 0;
    for (int i = 0; i < LONG_SUM_WORDS - 1; ++i)
    {
        int64_t all = sum->words[i] + over;
        sum->words[i] = all & 0xFFFFFFFF;
        over = (all - sum->words[i]) / 0x100000000;
    }
    sum->words[LONG_SUM_WORDS - 1] += over;
    sum->terms = 0;
}

/* |a| = the integer * 2^exponent. */
static uint64_t integer_of(double a, int *exponent)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7FF);
    uint64_t fraction = bits & 0xFFFFFFFFFFFFF;
    *exponent = (biased ? biased : 1) - 1075;
    return biased ? fraction | 0x10000000000000 : fraction;
}

void sidle_long_sum_add_product(LongSum *sum, double a, double b)
{
    int exponent_a, exponent_b;
    Wide product = (Wide)integer_of(a, &exponent_a) * integer_of(b, &exponent_b);
    uint32_t place = (uint32_t)(exponent_a + exponent_b - LONG_SUM_LAST_BIT), shift = place % 32;
    int64_t sign = (a < 0) != (b < 0) ? -1 : 1;
    int64_t *word = &sum->words[place / 32];
    uint64_t lowest = (uint64_t)(product & 0xFFFFFFFF) << shift;
    *word++ += sign * (int64_t)(lowest & 0xFFFFFFFF);
    product = (product >> 32 << shift) + (lowest >> 32); /* 106 - 32 + 31 bits */
    for (; product; product >>= 32)
    {
        *word++ += sign * (int64_t)(product & 0xFFFFFFFF);
    }
    if (++sum->terms >= MOST_TERMS)
    {
        carry(sum);
    }
}

double sidle_long_sum_value(LongSum *sum)
{
    carry(sum);
    double sign = sum->words[LONG_SUM_WORDS - 1] < 0 ? -1 : 1;
    for (int i = 0; sign < 0 && i < LONG_SUM_WORDS; ++i)
    {
        sum->words[i] = -sum->words[i];
    }
    carry(sum);
    int top = LONG_SUM_WORDS - 1;
    while (top > 2 && !sum->words[top])
    {
        --top;
    }
    Wide leading = (Wide)sum->words[top] << 64 | (Wide)sum->words[top - 1] << 32 | (Wide)sum->words[top - 2];
    bool rest = false;
    for (int i = 0; i < top - 2; ++i)
    {
        rest = rest || sum->words[i];
    }
    return sign * ldexp((double)(leading | rest), 32 * (top - 2) + LONG_SUM_LAST_BIT);
}
