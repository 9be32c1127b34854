/* The area of a polygon: half the sum of the cross products of neighbours, in double-double; where that leaves
 * too little of the terms, in a fixed-point number as long as all that products of doubles can need (after U.
 * Kulisch, "Computer Arithmetic and Validity", 2008, chapter 8), which errs nowhere. */
#include "sidle/intersect/polygon.h"

#include "intersect/exact.h"

#include <string.h>

__extension__ typedef unsigned __int128 Wide;

/* The last bit of the product of two numbers is 2^-2148 or more, its first below 2^2048; 64 more for the sum of
 * 2^33 of them and its sign. */
#define LAST_BIT   (-2148)
#define WORD_COUNT 134 /* 32 bits each: 4288 >= 2148 + 2048 + 64, and room for the pieces of the highest */
#define MOST_TERMS 0x40000000u /* between carries: a word takes 2^31 pieces below 2^32 */

typedef struct LongSum /* of words * 2^(32 i + LAST_BIT); a word may hold more than 32 bits, until carried */
{
    int64_t words[WORD_COUNT];
    uint32_t terms;
} LongSum;

static void carry(LongSum *sum)
{
    int64_t over = 0;
    for (int i = 0; i < WORD_COUNT - 1; ++i)
    {
        int64_t all = sum->words[i] + over;
        sum->words[i] = all & 0xFFFFFFFF;
        over = (all - sum->words[i]) / 0x100000000;
    }
    sum->words[WORD_COUNT - 1] += over;
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

static void add_product(LongSum *sum, double a, double b)
{
    int exponent_a, exponent_b;
    Wide product = (Wide)integer_of(a, &exponent_a) * integer_of(b, &exponent_b);
    uint32_t place = (uint32_t)(exponent_a + exponent_b - LAST_BIT), shift = place % 32;
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

/* Rounded once. */
static double value_of(LongSum *sum)
{
    carry(sum);
    double sign = sum->words[WORD_COUNT - 1] < 0 ? -1 : 1;
    for (int i = 0; sign < 0 && i < WORD_COUNT; ++i)
    {
        sum->words[i] = -sum->words[i];
    }
    carry(sum);
    int top = WORD_COUNT - 1;
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
    return sign * ldexp((double)(leading | rest), 32 * (top - 2) + LAST_BIT);
}

/* What is done with each corner and the next of its ring. */
typedef void corner_fn(void *context, sidle_dvec2 a, sidle_dvec2 b);

static void each_edge(const sidle_polygon *polygon, corner_fn *act, void *context)
{
    uint32_t first = 0;
    for (uint32_t ring = 0; ring < polygon->ring_count; ++ring)
    {
        uint32_t end = polygon->ring_ends[ring];
        for (uint32_t i = first; i < end; ++i)
        {
            act(context, polygon->points[i], polygon->points[i + 1 < end ? i + 1 : first]);
        }
        first = end > first ? end : first;
    }
}

static void add_exactly(void *context, sidle_dvec2 a, sidle_dvec2 b)
{
    add_product(context, a.x, b.y);
    add_product(context, -a.y, b.x);
}

typedef struct Doubled
{
    Exact value;
    double size; /* of the terms; NaN if one is */
    double count;
} Doubled;

static void add_doubled(void *context, sidle_dvec2 a, sidle_dvec2 b)
{
    Doubled *sum = context;
    Exact left = exact_product(a.x, b.y), right = exact_product(-a.y, b.x);
    sum->value = exact_plus(exact_plus(sum->value, left), right);
    sum->size += fabs(left.high) + fabs(right.high) + 0 * a.x;
    sum->count += 1;
}

/* Each of the 2 count sums errs by 4 u^2 of what has come together, which is at most size: so 8 count u^2 of
 * it, less than u / 2 of a value that is larger than 16 count u of it. */
#define DOUBLED_FILTER (16 * EXACT_UNIT)

double sidle_polygon_area(const sidle_polygon *polygon)
{
    Doubled doubled = {{0, 0}, 0, 0};
    each_edge(polygon, add_doubled, &doubled);
    if (!isfinite(doubled.size))
    {
        return NAN;
    }
    if (fabs(doubled.value.high) > DOUBLED_FILTER * doubled.count * doubled.size)
    {
        return doubled.value.high / 2;
    }
    LongSum sum = {{0}, 0};
    each_edge(polygon, add_exactly, &sum);
    return value_of(&sum) / 2;
}

int sidle_polygon_winding(const sidle_polygon *polygon)
{
    double area = sidle_polygon_area(polygon);
    return (area > 0) - (area < 0);
}
