/* Binned SAH: I. Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007, section 3.
 *
 * Departures: leaves are made by size alone, because a query box is larger than a leaf and overlaps both halves of it
 * alike. Beyond a depth that only adversarial scenes reach, ranges are split at the median, which bounds the walk's
 * stack. */
#include "bvh/build.h"

#define BIN_COUNT     16
#define SAH_MAX_DEPTH 48 /* medians below it: 28 levels for 2^28 primitives */

_Static_assert(SAH_MAX_DEPTH + 28 < BVH_MAX_DEPTH, "the walk's stack must hold every tree");

typedef struct Bin
{
    Bounds bounds;
    uint32_t count;
} Bin;

typedef struct Split
{
    int axis; /* -1: no split */
    uint32_t bin;
    float cost, origin, scale;
} Split;

/* Twice the centre; the factor cancels in every use. */
static inline float centroid(const BvhPrimitive *p, int axis)
{
    return p->bounds.min[axis] + p->bounds.max[axis];
}

static inline uint32_t bin_of(const BvhPrimitive *p, int axis, float origin, float scale)
{
    float position = (centroid(p, axis) - origin) * scale;
    uint32_t bin = position > 0 ? (uint32_t)position : 0;
    return bin < BIN_COUNT ? bin : BIN_COUNT - 1;
}

static void measure(const BvhPrimitive *p, uint32_t count, Bounds *bounds, Bounds *centroids)
{
    *bounds = *centroids = bounds_empty();
    for (uint32_t i = 0; i < count; ++i)
    {
        float c[3] = {centroid(&p[i], 0), centroid(&p[i], 1), centroid(&p[i], 2)};
        bounds_add(bounds, &p[i].bounds);
        bounds_add_point(centroids, c);
    }
}

/* The cheapest cut between two bins of one axis: count times area on either side. */
static void sweep_bins(const Bin bins[BIN_COUNT], int axis, float origin, float scale, Split *best)
{
    float right_cost[BIN_COUNT];
    Bounds right = bounds_empty(), left = bounds_empty();
    uint32_t right_count = 0, left_count = 0;
    for (uint32_t b = BIN_COUNT - 1; b > 0; --b)
    {
        bounds_add(&right, &bins[b].bounds);
        right_count += bins[b].count;
        right_cost[b] = bounds_half_area(&right) * (float)right_count;
    }
    for (uint32_t b = 1; b < BIN_COUNT; ++b)
    {
        bounds_add(&left, &bins[b - 1].bounds);
        left_count += bins[b - 1].count;
        float cost = bounds_half_area(&left) * (float)left_count + right_cost[b];
        if (left_count > 0 && bins[b].count > 0 && cost < best->cost)
        {
            *best = (Split){axis, b, cost, origin, scale};
        }
    }
}

static Split find_split(const BvhPrimitive *p, uint32_t count, const Bounds *centroids)
{
    Split best = {.axis = -1, .cost = FLT_MAX};
    for (int axis = 0; axis < 3; ++axis)
    {
        float origin = centroids->min[axis], extent = centroids->max[axis] - origin;
        float scale = (float)BIN_COUNT / extent;
        if (!(extent > 0) || !(scale < FLT_MAX))
        {
            continue;
        }
        Bin bins[BIN_COUNT];
        for (int b = 0; b < BIN_COUNT; ++b)
        {
            bins[b] = (Bin){bounds_empty(), 0};
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            Bin *bin = &bins[bin_of(&p[i], axis, origin, scale)];
            bounds_add(&bin->bounds, &p[i].bounds);
            ++bin->count;
        }
        sweep_bins(bins, axis, origin, scale, &best);
    }
    return best;
}

static uint32_t partition(BvhPrimitive *p, uint32_t count, const Split *split)
{
    uint32_t left = 0, right = count;
    while (left < right)
    {
        if (bin_of(&p[left], split->axis, split->origin, split->scale) < split->bin)
        {
            ++left;
        }
        else
        {
            BvhPrimitive swap = p[left];
            p[left] = p[--right];
            p[right] = swap;
        }
    }
    return left;
}

/* Makes the node of a range. Returns 0 for a leaf, else the size of the left part.
 *
 * A leaf that starts at primitive a has slot 2a, and the inner node that splits before primitive m has slot 2m - 1.
 * Both are unique, so tasks need no allocator. */
static uint32_t make_node(BvhBuild *build, const BvhRange *range, Bounds *bounds)
{
    BvhPrimitive *p = build->primitives + range->first;
    Bounds centroids;
    measure(p, range->count, bounds, &centroids);
    if (range->count <= build->leaf_size)
    {
        build->binary[2 * (size_t)range->first] = (BinaryNode){*bounds, {0, 0}, range->first, range->count};
        *range->slot = 2 * range->first;
        return 0;
    }
    Split split = {.axis = -1};
    if (range->depth < SAH_MAX_DEPTH)
    {
        split = find_split(p, range->count, &centroids);
    }
    uint32_t left = split.axis >= 0 ? partition(p, range->count, &split) : range->count / 2;
    uint32_t slot = 2 * (range->first + left) - 1;
    build->binary[slot] = (BinaryNode){*bounds, {0, 0}, 0, 0};
    *range->slot = slot;
    return left;
}

static void split_range(BvhBuild *build, const BvhRange *range, uint32_t left, BvhRange halves[2])
{
    BinaryNode *node = &build->binary[*range->slot];
    halves[0] = (BvhRange){range->first, left, range->depth + 1, &node->child[0]};
    halves[1] = (BvhRange){range->first + left, range->count - left, range->depth + 1, &node->child[1]};
}

void sidle_bvh_build_top(BvhBuild *build)
{
    enum
    {
        WORTH_A_TASK = 2048
    };
    build->subtrees[0] = (BvhRange){0, build->count, 0, &build->root};
    build->subtree_count = 1;
    while (build->subtree_count < BVH_MAX_SUBTREES)
    {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < build->subtree_count; ++i)
        {
            largest = build->subtrees[i].count > build->subtrees[largest].count ? i : largest;
        }
        BvhRange range = build->subtrees[largest], halves[2];
        if (range.count < WORTH_A_TASK)
        {
            return;
        }
        Bounds bounds;
        uint32_t left = make_node(build, &range, &bounds);
        split_range(build, &range, left, halves);
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
        Bounds bounds;
        uint32_t left = make_node(build, &range, &bounds);
        if (left > 0)
        {
            split_range(build, &range, left, &stack[top]);
            top += 2;
        }
    }
}
