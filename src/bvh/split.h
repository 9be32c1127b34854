/* Splits a range of primitives in two. */
#ifndef BVH_SPLIT_H
#define BVH_SPLIT_H

#include "bvh/build.h"

static inline bool bvh_is_left(const BvhPrimitive *p, const BvhCut *cut)
{
    return (p->min[cut->axis] + p->max[cut->axis] - cut->origin) * cut->factor < cut->bin;
}

/* Every how many primitives a sample of so many takes one. */
uint32_t sidle_bvh_sample_step(uint32_t count);

Bounds sidle_bvh_measure(const BvhPrimitive *p, uint32_t count);

/* Sorts the range's primitives into two halves, each with its bounds. `aside`: memory for all but one. */
BvhCut sidle_bvh_cut(uint32_t leaf_bits, BvhPrimitive *p, BvhPrimitive *aside, const BvhRange *range,
                     BvhRange halves[2]);

#endif
