/* Binned SAH: I. Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007, section 3.
 *
 * Departures: leaves are made by size alone, because a query box is larger than a leaf and overlaps both halves of it
 * alike. The cost counts whole leaves. Large ranges are split by a sample. Beyond a depth that only adversarial scenes reach,
 * ranges are split at the median, which bounds the walk's stack. */
#include "bvh/split.h"

#include "simd/float4.h"

#include <string.h>

#define BIN_COUNT     16
#define BINS_OF_FEW   8 /* of ranges up to FEW; to sweep more takes longer than to fill them */
#define FEW           64
#define SAMPLE        512
#define SAH_MAX_DEPTH 48 /* medians below it: 28 levels for 2^28 primitives */

_Static_assert(SAH_MAX_DEPTH + 28 < BVH_MAX_DEPTH, "the walk's stack must hold every tree");

/* Bounds in vectors. The fourth numbers are anything. */
typedef struct Box
{
    Float4 low, high;
} Box;

typedef struct Bins
{
    uint32_t used; /* of each axis */
    Box box[3][BIN_COUNT];
    uint32_t count[3][BIN_COUNT];
} Bins;

/* Which bin of each axis holds a centroid. */
typedef struct Scale
{
    float origin[4], factor[4]; /* a factor of 0 puts all into the first bin */
    uint32_t bins;
} Scale;

typedef struct Split
{
    uint32_t axis, bin; /* bin 0: no split */
    float cost;
} Split;

static inline Box box_empty(void)
{
    return (Box){float4_all(FLT_MAX), float4_all(-FLT_MAX)};
}

static inline void box_add(Box *box, Float4 low, Float4 high)
{
    box->low = float4_min(low, box->low);
    box->high = float4_max(high, box->high);
}

/* The spare of `low` is the id, which is slow to compute with. */
static inline Box box_of(const BvhPrimitive *p)
{
    return (Box){float4_load(p->min), float4_load(p->max)};
}

static Bounds box_bounds(const Box *box)
{
    float low[4], high[4];
    float4_store(low, box->low);
    float4_store(high, box->high);
    return (Bounds){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

/* Twice the centre; the factor cancels in every use. */
static inline Float4 centroid(Box box)
{
    return float4_add(float4_first3(box.low), box.high);
}

uint32_t sidle_bvh_sample_step(uint32_t count)
{
    return count < 2 * SAMPLE ? 1 : count / SAMPLE;
}

Bounds sidle_bvh_measure(const BvhPrimitive *p, uint32_t count)
{
    Box box = box_empty();
    for (uint32_t i = 0; i < count; ++i)
    {
        box_add(&box, float4_load(p[i].min), float4_load(p[i].max));
    }
    return box_bounds(&box);
}

static Bounds measure_centroids(const BvhPrimitive *p, uint32_t count)
{
    Box box = box_empty();
    for (uint32_t i = 0; i < count; ++i)
    {
        Float4 place = centroid(box_of(&p[i]));
        box_add(&box, place, place);
    }
    return box_bounds(&box);
}

/* `bounds`: of centroids. */
static Scale scale_of(const Bounds *bounds, uint32_t count)
{
    Scale scale = {.bins = count <= FEW ? BINS_OF_FEW : BIN_COUNT};
    for (int axis = 0; axis < 3; ++axis)
    {
        float extent = bounds->max[axis] - bounds->min[axis], factor = (float)scale.bins / extent;
        scale.origin[axis] = bounds->min[axis];
        scale.factor[axis] = extent > 0 && factor < FLT_MAX ? factor : 0;
    }
    return scale;
}

static inline void find_bins(const Scale *scale, Box box, int32_t bins[4])
{
    Float4 place =
        float4_mul(float4_sub(centroid(box), float4_load(scale->origin)), float4_load(scale->factor));
    place = float4_min(float4_max(place, float4_all(0)), float4_all((float)(scale->bins - 1)));
    float4_store_integers(bins, place);
}

static inline void fill_bin(const BvhPrimitive *p, const Scale *scale, Bins *bins)
{
    int32_t at[4];
    Box own = box_of(p);
    find_bins(scale, own, at);
    for (int axis = 0; axis < 3; ++axis)
    {
        box_add(&bins->box[axis][at[axis]], own.low, own.high);
        ++bins->count[axis][at[axis]];
    }
}

/* Neighbours in memory often fall into one bin, and would wait for each other. So both halves are read side by side. */
static void fill_bins(const BvhPrimitive *p, uint32_t count, const Scale *scale, Bins *bins)
{
    bins->used = scale->bins;
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        for (uint32_t b = 0; b < bins->used; ++b)
        {
            bins->box[axis][b] = box_empty();
            bins->count[axis][b] = 0;
        }
    }
    uint32_t step = sidle_bvh_sample_step(count), half = count / 2;
    for (uint32_t i = 0; i < half; i += step)
    {
        fill_bin(&p[i], scale, bins);
        fill_bin(&p[half + i], scale, bins);
    }
    if (count % 2)
    {
        fill_bin(&p[count - 1], scale, bins);
    }
}

/* What so many primitives cost to test: a leaf's lanes are tested at once, and each that is hit goes on alone. */
static inline float weight(uint32_t count, uint32_t leaf_bits)
{
    uint32_t most = (1u << leaf_bits) - 1, leaves = (count + most) >> leaf_bits;
    return (float)(leaves << leaf_bits) + .5f * (float)count;
}

/* One side of each cut of an axis: cut b is before bin b. */
typedef struct Side
{
    Float4 extent[BIN_COUNT];
    float weight[BIN_COUNT];
} Side;

static void grow_side(Side *side, uint32_t cut, Box *box, const Box *bin, uint32_t count, uint32_t leaf_bits)
{
    box_add(box, bin->low, bin->high);
    side->extent[cut] = float4_max(float4_sub(box->high, box->low), float4_all(0)); /* 0: still empty */
    side->weight[cut] = weight(count, leaf_bits);
}

static inline Float4 side_costs(const Side *side, uint32_t cut)
{
    return float4_mul(float4_half_areas(&side->extent[cut]), float4_load(&side->weight[cut]));
}

/* The cheapest cut between two bins of one axis: weight times area on either side. */
static void sweep_bins(const Bins *bins, uint32_t axis, uint32_t leaf_bits, Split *best)
{
    const Box *box = bins->box[axis];
    const uint32_t *count = bins->count[axis], used = bins->used;
    Side left, right;
    Box low = box_empty(), high = low;
    uint32_t before[BIN_COUNT], after = 0;
    grow_side(&left, 0, &low, &low, 0, leaf_bits); /* no cut */
    before[0] = 0;
    for (uint32_t b = 1; b < used; ++b)
    {
        before[b] = before[b - 1] + count[b - 1];
        grow_side(&left, b, &low, &box[b - 1], before[b], leaf_bits);
    }
    for (uint32_t b = used; b-- > 0;)
    {
        after += count[b];
        grow_side(&right, b, &high, &box[b], after, leaf_bits);
    }
    float cost[BIN_COUNT];
    for (uint32_t b = 0; b < used; b += 4)
    {
        float4_store(&cost[b], float4_add(side_costs(&left, b), side_costs(&right, b)));
    }
    for (uint32_t b = 1; b < used; ++b)
    {
        if (before[b] > 0 && count[b] > 0 && cost[b] < best->cost)
        {
            *best = (Split){axis, b, cost[b]};
        }
    }
}

/* Moves the left part to the front, in order. No branch depends on the side, as half of them would be predicted wrong.
 * `aside`: memory for all. Returns the size of that part. */
static uint32_t partition(BvhPrimitive *p, uint32_t count, const BvhCut *cut, BvhPrimitive *aside)
{
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        bool goes_left = bvh_is_left(&p[i], cut);
        Float4 low = float4_load(p[i].min), high = float4_load(p[i].max);
        float4_store(p[left].min, low);
        float4_store(p[left].max, high);
        float4_store(aside[right].min, low);
        float4_store(aside[right].max, high);
        left += goes_left;
        right += !goes_left;
    }
    memcpy(p + left, aside, right * sizeof *p);
    return left;
}

/* The bounds of both parts. */
static void measure_sides(const Split *split, const Bins *bins, BvhRange halves[2])
{
    Box box[2] = {box_empty(), box_empty()};
    for (uint32_t b = 0; b < bins->used; ++b)
    {
        const Box *bin = &bins->box[split->axis][b];
        box_add(&box[b >= split->bin], bin->low, bin->high);
    }
    halves[0].bounds = box_bounds(&box[0]);
    halves[1].bounds = box_bounds(&box[1]);
}

static Split find_split(const BvhPrimitive *p, uint32_t count, uint32_t leaf_bits, const Scale *scale,
                        Bins *bins)
{
    Split best = {.cost = FLT_MAX};
    fill_bins(p, count, scale, bins);
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        sweep_bins(bins, axis, leaf_bits, &best);
    }
    return best;
}

/* Bins divide the range's bounds, or if all centroids fall into one bin, those of the centroids. */
BvhCut sidle_bvh_cut(uint32_t leaf_bits, BvhPrimitive *p, BvhPrimitive *aside, const BvhRange *range,
                     BvhRange halves[2])
{
    Split best = {.bin = 0};
    Scale scale;
    Bins bins;
    if (range->depth < SAH_MAX_DEPTH)
    {
        Bounds twice = range->bounds;
        for (int axis = 0; axis < 3; ++axis)
        {
            twice.min[axis] *= 2;
            twice.max[axis] *= 2;
        }
        scale = scale_of(&twice, range->count);
        best = find_split(p, range->count, leaf_bits, &scale, &bins);
        if (best.bin == 0)
        {
            Bounds centroids = measure_centroids(p, range->count);
            scale = scale_of(&centroids, range->count);
            best = find_split(p, range->count, leaf_bits, &scale, &bins);
        }
    }
    BvhCut cut = {.bin = 0};
    uint32_t left = range->count / 2;
    if (best.bin > 0)
    {
        cut = (BvhCut){best.axis, scale.origin[best.axis], scale.factor[best.axis], (float)best.bin};
        left = partition(p, range->count, &cut, aside);
    }
    for (int half = 0; half < 2; ++half)
    {
        halves[half] = (BvhRange){.first = range->first + (half ? left : 0),
                                  .count = half ? range->count - left : left,
                                  .depth = range->depth + 1,
                                  .is_rough = best.bin > 0 && range->is_rough};
    }
    if (best.bin > 0)
    {
        measure_sides(&best, &bins, halves);
        return cut;
    }
    halves[0].bounds = sidle_bvh_measure(p, left);
    halves[1].bounds = sidle_bvh_measure(p + left, range->count - left);
    return cut;
}
