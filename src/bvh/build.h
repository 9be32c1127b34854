/* Builds a tree over boxes: binned SAH into a binary tree, then eight-wide nodes.
 *
 * The stages are phases of a sidle_work: sidle_bvh_build_top, sidle_bvh_build_subtree for each i < subtree_count (in any order, in
 * parallel), sidle_bvh_settle, sidle_bvh_count_nodes, sidle_bvh_write_nodes. The subtrees take nearly all of the time. The result does not depend on
 * threads or order. */
#ifndef BVH_BUILD_H
#define BVH_BUILD_H

#include "base/bounds.h"
#include "bvh/node.h"

#define BVH_MAX_SUBTREES 64

/* Two vectors of four. */
typedef struct BvhPrimitive
{
    float min[3];
    uint32_t id; /* the caller's */
    float max[3], zero;
} BvhPrimitive;

static inline BvhPrimitive bvh_primitive(const Bounds *bounds, uint32_t id)
{
    const float *low = bounds->min, *high = bounds->max;
    return (BvhPrimitive){{low[0], low[1], low[2]}, id, {high[0], high[1], high[2]}, 0};
}

typedef struct BinaryNode
{
    Bounds bounds;
    uint32_t child[2]; /* slots; of an inner node */
    uint32_t first,
        count; /* primitives; count 0: an inner node, of which `first` is 1 until its bounds are settled */
} BinaryNode;

/* Primitives that are not split yet. */
typedef struct BvhRange
{
    uint32_t first, count, depth;
    uint32_t *slot; /* receives the slot of the subtree's root */
    Bounds bounds;
    bool is_rough; /* the bounds are those of a sample */
} BvhRange;

typedef struct BvhBuild
{
    BvhPrimitive *primitives; /* count; permuted in place so that every leaf is a run */
    BinaryNode *binary;       /* 2 * count; scratch memory before it is written */
    uint32_t count, leaf_size;
    uint32_t root;
    BvhRange subtrees[BVH_MAX_SUBTREES];
    uint32_t subtree_count;
} BvhBuild;

/* leaf_size: [Limit] primitives of a leaf. The caller owns `primitives` and `binary`. count >= 1. */
void sidle_bvh_build_top(BvhBuild *build);
void sidle_bvh_build_subtree(BvhBuild *build, uint32_t subtree);

/* After all subtrees: the bounds of the nodes that were split by samples. */
void sidle_bvh_settle(BvhBuild *build);

typedef struct BvhLeaf
{
    uint32_t first, count; /* into primitives */
} BvhLeaf;

typedef struct BvhSize
{
    uint32_t node_count, leaf_count;
} BvhSize;

BvhSize sidle_bvh_count_nodes(const BvhBuild *build);

/* Writes nodes depth first, so that a subtree is contiguous. Leaf children are BVH_LEAF | index into leaves. Returns
 * the SAH cost: the sum of areas over the root's area, with the weights 1 for a node and 2 for a leaf. */
double sidle_bvh_write_nodes(const BvhBuild *build, BvhNode *nodes, BvhLeaf *leaves);

#endif
