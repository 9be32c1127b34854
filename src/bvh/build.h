/* Builds a tree over boxes: binned SAH into a binary tree, then eight-wide nodes.
 *
 * In stages, so that the middle one, which takes nearly all the time, is parallel and the whole fits into the
 * phases of a sidle_work: bvh_build_top, bvh_build_subtree for each i < subtree_count (in any order),
 * bvh_count_nodes, bvh_write_nodes. The result does not depend on who runs what. */
#ifndef BVH_BUILD_H
#define BVH_BUILD_H

#include "base/bounds.h"
#include "bvh/node.h"

#define BVH_MAX_SUBTREES 64

typedef struct BvhPrimitive
{
    Bounds bounds;
    uint32_t id; /* the caller's */
} BvhPrimitive;

typedef struct BinaryNode
{
    Bounds bounds;
    uint32_t child[2];     /* slots; of an inner node */
    uint32_t first, count; /* primitives; count 0: an inner node */
} BinaryNode;

typedef struct BvhRange /* primitives that still wait to become a subtree */
{
    uint32_t first, count, depth;
    uint32_t *slot; /* where the parent wants to read the slot of the subtree's root */
} BvhRange;

typedef struct BvhBuild
{
    BvhPrimitive *primitives; /* count; permuted in place so that every leaf is a run */
    BinaryNode *binary;       /* 2 * count */
    uint32_t count, leaf_size;
    uint32_t root;
    BvhRange subtrees[BVH_MAX_SUBTREES];
    uint32_t subtree_count;
} BvhBuild;

/* leaf_size: most primitives of a leaf. primitives and binary are the caller's memory. count >= 1. */
void bvh_build_top(BvhBuild *build);
void bvh_build_subtree(BvhBuild *build, uint32_t subtree);

typedef struct BvhLeaf
{
    uint32_t first, count; /* into primitives */
} BvhLeaf;

typedef struct BvhSize
{
    uint32_t node_count, leaf_count;
} BvhSize;

BvhSize bvh_count_nodes(const BvhBuild *build);

/* Leaf children get BVH_LEAF | index into leaves; depth first, so a subtree lies together. Returns the SAH
 * cost: the sum of areas over the root's area, 1 a node and 2 a leaf. */
double bvh_write_nodes(const BvhBuild *build, BvhNode *nodes, BvhLeaf *leaves);

#endif
