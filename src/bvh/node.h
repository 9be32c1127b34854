/* The stored tree: eight children a node, for every SIMD width.
 *
 *        0        32       64       96       128      160      192        224 bytes
 *        | min_x8 | min_y8 | min_z8 | max_x8 | max_y8 | max_z8 | child[8] |
 *
 * Boxes are SoA, so that a node needs one compare per bound at eight lanes and two at four. The boxes of unused
 * children hold NaN, which fails every ordered compare. */
#ifndef BVH_NODE_H
#define BVH_NODE_H

#include <stddef.h>
#include <stdint.h>

#define BVH_WIDTH 8
#define BVH_LEAF  0x80000000u /* set: the other bits are a leaf; clear: they are a node */
#define BVH_ROW   32          /* bytes; a node is identified by its offset in rows */

/* [Limit] levels of a tree, ensured by build.c, and entries of a walk's stack: each level pops one and pushes eight. */
#define BVH_MAX_DEPTH  80
#define BVH_STACK_SIZE (BVH_MAX_DEPTH * (BVH_WIDTH - 1) + BVH_WIDTH)

typedef struct BvhNode
{
    float min_x[BVH_WIDTH], min_y[BVH_WIDTH], min_z[BVH_WIDTH];
    float max_x[BVH_WIDTH], max_y[BVH_WIDTH], max_z[BVH_WIDTH];
    uint32_t child[BVH_WIDTH];
} BvhNode;

#define BVH_NODE_ROWS 7

_Static_assert(sizeof(BvhNode) == BVH_NODE_ROWS * BVH_ROW, "as drawn");

static inline const BvhNode *bvh_node(const BvhNode *nodes, uint32_t child)
{
    return (const BvhNode *)(const void *)((const char *)nodes + (size_t)child * BVH_ROW);
}

#endif
