/* Builds a tree over boxes: binned SAH into a binary tree, then eight-wide nodes.
 *
 *     sample ─► count ─► place ─► move ─► subtrees ─► settle ─► count ─► place ─► write
 *               (chunks)          (chunks)                      (branches)        (branches)
 *
 * Those in brackets, and the subtrees, run in any order and in parallel, and take nearly all of the time. The result depends
 * neither on threads nor on order. */
#ifndef BVH_BUILD_H
#define BVH_BUILD_H

#include "base/bounds.h"
#include "bvh/node.h"

#define BVH_MAX_SUBTREES 64
#define BVH_CHUNKS       64
#define BVH_MAX_BRANCHES 128

/* Of a visit, for the SAH cost. */
#define BVH_NODE_COST 1.0f
#define BVH_LEAF_COST 2.0f

/* Two vectors of four. */
typedef struct BvhPrimitive
{
    float min[3];
    uint32_t id; /* the caller's */
    float max[3];
    uint32_t spare; /* 0 */
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
    /* Primitives. count 0: an inner node, of which `first` is 1 if its bounds are those of a sample, and after
     * sidle_bvh_plan its choices. */
    uint32_t first, count;
} BinaryNode;

/* Primitives that are not split yet. */
typedef struct BvhRange
{
    uint32_t first, count, depth;
    uint32_t *slot; /* receives the slot of the subtree's root */
    Bounds bounds;
    bool is_rough;         /* the bounds are those of a sample */
    float cost[BVH_WIDTH]; /* of a subtree, by sidle_bvh_plan */
} BvhRange;

/* A plane between two bins. Primitives are sorted by it as by the bins. */
typedef struct BvhCut
{
    uint32_t axis;
    float origin, factor, bin; /* bin 0: there is none, and the range is cut at its median */
} BvhCut;

/* A plane of the top, or a subtree, both sides of which are itself. */
typedef struct BvhPlane
{
    BvhCut cut;
    uint32_t side[2]; /* left, right */
    uint32_t middle;  /* the first primitive on the right */
} BvhPlane;

typedef struct BvhSize
{
    uint32_t node_count, leaf_count;
} BvhSize;

/* A node of the top of the wide tree, or the root of a branch below it. */
typedef struct BvhBranch
{
    uint32_t slot;          /* of its binary root */
    uint32_t parent, child; /* of the top nodes; the root has none */
    BvhSize first, size;
    double cost;
} BvhBranch;

typedef struct BvhBuild
{
    BvhPrimitive *primitives;  /* count; permuted in place so that every leaf is a run */
    BinaryNode *binary;        /* 2 * count; scratch memory before it is written */
    uint32_t count, leaf_bits; /* a leaf holds at most 1 << leaf_bits */
    uint32_t node_rows;        /* from one wide node to the next */
    uint32_t root;
    BvhRange subtrees[BVH_MAX_SUBTREES];
    BvhPlane planes[2 * BVH_MAX_SUBTREES]; /* the subtrees, then the planes */
    uint32_t subtree_count, plane_count;
    uint32_t chunks[BVH_CHUNKS][BVH_MAX_SUBTREES]; /* counts, then places, of the subtrees' primitives */
    BvhBranch top[BVH_MAX_BRANCHES], branches[BVH_MAX_BRANCHES];
    uint32_t top_count, branch_count;
    BvhSize top_size;
} BvhBuild;

/* The caller owns `primitives` and `binary`. count >= 1. Few primitives have no planes, and need no chunks. */
void sidle_bvh_sample(BvhBuild *build);
void sidle_bvh_count_chunk(BvhBuild *build, uint32_t chunk);
void sidle_bvh_place_chunks(BvhBuild *build);
void sidle_bvh_move_chunk(BvhBuild *build, uint32_t chunk);
void sidle_bvh_build_subtree(BvhBuild *build, uint32_t subtree); /* below subtree_count */

/* All phases before the subtrees. */
void sidle_bvh_build_top(BvhBuild *build);

/* Chooses the children of the wide nodes from this slot down, and settles bounds of samples. cost[i]: the least of at most i + 1
 * roots. `at_top`: above the subtrees. */
void sidle_bvh_plan(BvhBuild *build, uint32_t slot, bool at_top, float cost[BVH_WIDTH]);

typedef struct BvhLeaf
{
    uint32_t first, count; /* into primitives */
} BvhLeaf;

/* Plans the top, and finds the branches. */
void sidle_bvh_settle(BvhBuild *build);
void sidle_bvh_count_branch(BvhBuild *build, uint32_t branch);
BvhSize sidle_bvh_place_branches(BvhBuild *build); /* of the whole tree */

/* Writes a branch, depth first, or with branch_count the nodes above all. Leaf children are BVH_LEAF | index into leaves. Without
 * leaves, where each has one primitive, they are BVH_LEAF | its id. */
void sidle_bvh_write_branch(BvhBuild *build, uint32_t branch, BvhNode *nodes, BvhLeaf *leaves);

/* The SAH cost: the sum of areas over the root's area, times BVH_NODE_COST and BVH_LEAF_COST. */
double sidle_bvh_cost(const BvhBuild *build, const Bounds *bounds);

#endif
