/* Binned SAH: I. Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007, section 3.
 *
 * Departures: leaves are made by size alone, because a query box is larger than a leaf and overlaps both halves of it
 * alike. Large ranges are split by a sample. Beyond a depth that only adversarial scenes reach, ranges are split at the median, which bounds the walk's
 * stack. */
#include "bvh/build.h"

#include "simd/float4.h"

#include <string.h>

#define BIN_COUNT     16
#define BINS_OF_FEW   8 /* of ranges up to FEW; to sweep more takes longer than to fill them */
#define FEW           64
#define SAMPLE        4096
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

static float box_half_area(const Box *box)
{
    Bounds bounds = box_bounds(box);
    return bounds_half_area(&bounds);
}

/* Twice the centre; the factor cancels in every use. */
static inline Float4 centroid(Box box)
{
    return float4_add(float4_first3(box.low), box.high);
}

/* The primitives of a sample are this far apart. */
static uint32_t sample_step(uint32_t count)
{
    return count < 2 * SAMPLE ? 1 : count / SAMPLE;
}

static Bounds measure(const BvhPrimitive *p, uint32_t count, uint32_t step)
{
    Box box = box_empty();
    for (uint32_t i = 0; i < count; i += step)
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
    uint32_t step = sample_step(count), half = count / 2;
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

/* The cheapest cut between two bins of one axis: count times area on either side. */
static void sweep_bins(const Bins *bins, uint32_t axis, Split *best)
{
    const Box *box = bins->box[axis];
    const uint32_t *count = bins->count[axis];
    float right_cost[BIN_COUNT];
    Box right = box_empty(), left = box_empty();
    uint32_t right_count = 0, left_count = 0;
    for (uint32_t b = bins->used - 1; b > 0; --b)
    {
        box_add(&right, box[b].low, box[b].high);
        right_count += count[b];
        right_cost[b] = box_half_area(&right) * (float)right_count;
    }
    for (uint32_t b = 1; b < bins->used; ++b)
    {
        box_add(&left, box[b - 1].low, box[b - 1].high);
        left_count += count[b - 1];
        float cost = box_half_area(&left) * (float)left_count + right_cost[b];
        if (left_count > 0 && count[b] > 0 && cost < best->cost)
        {
            *best = (Split){axis, b, cost};
        }
    }
}

static inline bool is_left(const BvhPrimitive *p, const Split *split, const Scale *scale)
{
    float place =
        (p->min[split->axis] + p->max[split->axis] - scale->origin[split->axis]) * scale->factor[split->axis];
    return place < (float)split->bin; /* as find_bins has it */
}

/* Moves the left part to the front, in order. No branch depends on the side, as half of them would be predicted wrong.
 * `aside`: memory for all. Returns the size of that part. */
static uint32_t partition(BvhPrimitive *p, uint32_t count, const Split *split, const Scale *scale,
                          BvhPrimitive *aside)
{
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        bool goes_left = is_left(&p[i], split, scale);
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

static Split find_split(const BvhPrimitive *p, uint32_t count, const Scale *scale, Bins *bins)
{
    Split best = {.cost = FLT_MAX};
    fill_bins(p, count, scale, bins);
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        sweep_bins(bins, axis, &best);
    }
    return best;
}

/* Splits a range in two. Bins divide its bounds, or if all centroids fall into one bin, those of the centroids. */
static void cut(BvhPrimitive *p, BvhPrimitive *aside, const BvhRange *range, BvhRange halves[2])
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
        best = find_split(p, range->count, &scale, &bins);
        if (best.bin == 0)
        {
            Bounds centroids = measure_centroids(p, range->count);
            scale = scale_of(&centroids, range->count);
            best = find_split(p, range->count, &scale, &bins);
        }
    }
    uint32_t left = best.bin > 0 ? partition(p, range->count, &best, &scale, aside) : range->count / 2;
    halves[0] = (BvhRange){.first = range->first, .count = left};
    halves[1] = (BvhRange){.first = range->first + left, .count = range->count - left};
    if (best.bin > 0)
    {
        measure_sides(&best, &bins, halves);
        halves[0].is_rough = halves[1].is_rough = range->is_rough;
        return;
    }
    halves[0].bounds = measure(p, left, 1);
    halves[1].bounds = measure(p + left, range->count - left, 1);
}

/* Makes the node of a range. Returns false for a leaf, else writes both parts.
 *
 * A leaf that starts at primitive a has slot 2a, and the inner node that splits before primitive m has slot 2m - 1.
 * Both are unique, so tasks need no allocator. */
static bool make_node(BvhBuild *build, BvhRange range, BvhRange halves[2])
{
    BvhPrimitive *p = build->primitives + range.first;
    if (range.is_rough && sample_step(range.count) == 1)
    {
        range.bounds = measure(p, range.count, 1);
        range.is_rough = false;
    }
    if (range.count <= build->leaf_size)
    {
        build->binary[2 * (size_t)range.first] = (BinaryNode){range.bounds, {0, 0}, range.first, range.count};
        *range.slot = 2 * range.first;
        return false;
    }
    /* The last node of a range can be its parent's; the others are not written yet. */
    cut(p, (BvhPrimitive *)(build->binary + 2 * (size_t)range.first), &range, halves);
    uint32_t slot = 2 * halves[1].first - 1;
    BinaryNode *node = &build->binary[slot];
    *node = (BinaryNode){range.bounds, {0, 0}, range.is_rough, 0};
    for (int half = 0; half < 2; ++half)
    {
        halves[half].slot = &node->child[half];
        halves[half].depth = range.depth + 1;
    }
    *range.slot = slot;
    return true;
}

void sidle_bvh_build_top(BvhBuild *build)
{
    enum
    {
        WORTH_A_TASK = 2048
    };
    build->subtrees[0] = (BvhRange){.count = build->count, .slot = &build->root};
    uint32_t step = sample_step(build->count);
    build->subtrees[0].bounds = measure(build->primitives, build->count, step);
    build->subtrees[0].is_rough = step > 1;
    build->subtree_count = 1;
    while (build->subtree_count < BVH_MAX_SUBTREES)
    {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < build->subtree_count; ++i)
        {
            largest = build->subtrees[i].count > build->subtrees[largest].count ? i : largest;
        }
        BvhRange range = build->subtrees[largest], halves[2];
        if (range.count < WORTH_A_TASK || !make_node(build, range, halves))
        {
            return;
        }
        build->subtrees[largest] = halves[0];
        build->subtrees[build->subtree_count++] = halves[1];
    }
}

void sidle_bvh_build_subtree(BvhBuild *build, uint32_t subtree)
{
    BvhRange stack[BVH_MAX_DEPTH + 1];
    uint32_t top = 0;
    stack[top++] = build->subtrees[subtree];
    while (top > 0)
    {
        BvhRange range = stack[--top];
        top += make_node(build, range, &stack[top]) ? 2 : 0;
    }
}

/* Few nodes, at the top, are rough. */
static Bounds settle(BvhBuild *build, uint32_t slot)
{
    BinaryNode *node = &build->binary[slot];
    if (node->count == 0 && node->first) /* mutant: rough_bounds */
    {
        Bounds other = settle(build, node->child[1]);
        node->bounds = settle(build, node->child[0]);
        bounds_add(&node->bounds, &other);
        node->first = 0;
    }
    return node->bounds;
}

void sidle_bvh_settle(BvhBuild *build)
{
    settle(build, build->root);
}
