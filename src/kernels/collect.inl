/* A walk through the tree with a box, without branches on the kind of a child: that only decides which of two lists
 * keeps it. */

/* Prefetches a child while its siblings are visited. For a leaf the address is invalid, which is harmless. */
FORCE_INLINE void prefetch_node(const BvhNode *nodes, uint32_t child)
{
    const char *line = (const char *)bvh_node(nodes, child);
    __builtin_prefetch(line);
    __builtin_prefetch(line + 64);
    __builtin_prefetch(line + 128);
    __builtin_prefetch(line + 192);
}

static uint32_t collect_leaves(const BvhNode *nodes, uint32_t root, const Bounds *box, uint32_t *leaves,
                               uint32_t capacity)
{
    LaneVec3 low = lane3_set(box->min[0], box->min[1], box->min[2]);
    LaneVec3 high = lane3_set(box->max[0], box->max[1], box->max[2]);
    uint32_t stack[BVH_STACK_SIZE], top = 1, found = 0, overflow;
    stack[0] = root;
    while (top > 0 && found <= capacity) /* beyond the capacity the caller discards the list */
    {
        const BvhNode *node = bvh_node(nodes, stack[--top]);
        for (uint32_t bits = node_overlaps(node, &low, &high); bits; bits &= bits - 1)
        {
            uint32_t child = node->child[__builtin_ctz(bits)];
            uint32_t is_leaf = child >> 31;
            *(found < capacity ? &leaves[found] : &overflow) = child & ~BVH_LEAF;
            found += is_leaf;
            stack[top] = child;
            top += 1 - is_leaf;
            prefetch_node(nodes, child);
        }
    }
    return found;
}
