/* The boxes of a node's children. */
#ifndef BVH_BOX_H
#define BVH_BOX_H

#include "base/bounds.h"
#include "bvh/node.h"

#include <math.h>

static inline Bounds bvh_child_box(const BvhNode *node, uint32_t i)
{
    return (Bounds){{node->min_x[i], node->min_y[i], node->min_z[i]},
                    {node->max_x[i], node->max_y[i], node->max_z[i]}};
}

/* Around all children. */
static inline Bounds bvh_node_box(const BvhNode *node)
{
    Bounds box = bounds_empty();
    for (uint32_t i = 0; i < BVH_WIDTH; ++i)
    {
        Bounds child = bvh_child_box(node, i);
        bounds_add(&box, &child); /* NaN adds nothing */
    }
    return box;
}

/* `box`: NULL for a child that is unused, or whose box is not known yet. */
static inline void bvh_set_box(BvhNode *node, uint32_t i, const Bounds *box)
{
    const Bounds none = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    const Bounds *of = box ? box : &none;
    node->min_x[i] = of->min[0];
    node->min_y[i] = of->min[1];
    node->min_z[i] = of->min[2];
    node->max_x[i] = of->max[0];
    node->max_y[i] = of->max[1];
    node->max_z[i] = of->max[2];
}

static inline void bvh_write_child(BvhNode *node, uint32_t i, const Bounds *box, uint32_t child)
{
    bvh_set_box(node, i, box);
    node->child[i] = child;
}

/* Bits of the children whose boxes overlap a box; boxes of unused children are NaN. */
static inline uint32_t bvh_children_in(const BvhNode *node, const Bounds *box)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < BVH_WIDTH; ++i)
    {
        bool x = (node->min_x[i] <= box->max[0]) & (node->max_x[i] >= box->min[0]);
        bool y = (node->min_y[i] <= box->max[1]) & (node->max_y[i] >= box->min[1]);
        bool z = (node->min_z[i] <= box->max[2]) & (node->max_z[i] >= box->min[2]);
        bits |= (uint32_t)(x & y & z) << i;
    }
    return bits;
}

#endif
