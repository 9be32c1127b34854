/* The area of a polygon: half the sum of the cross products of neighbours, in double-double; where that leaves
 * too little of the terms, in a fixed-point number, which errs nowhere (long_sum.h). */
#include "sidle/intersect/polygon.h"

#include "base/exact.h"
#include "intersect/long_sum.h"

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
    sidle_long_sum_add_product(context, a.x, b.y);
    sidle_long_sum_add_product(context, -a.y, b.x);
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
    return sidle_long_sum_value(&sum) / 2;
}

int sidle_polygon_winding(const sidle_polygon *polygon)
{
    double area = sidle_polygon_area(polygon);
    return (area > 0) - (area < 0);
}
