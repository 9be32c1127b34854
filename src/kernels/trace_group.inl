/* A walk for the boxes of several short paths, level by level. A path no longer than the shape is wide overlaps so few
 * leaves that their order does not matter. Consecutive nodes are independent of each other, so that the processor
 * overlaps their visits. Only the end of the loop is a branch that depends on the data. */

static inline uint32_t group_overlaps(const BvhNode *node, const PathBox *box)
{
    LaneVec3 low = lane3_set(box->min[0], box->min[1], box->min[2]);
    LaneVec3 high = lane3_set(box->max[0], box->max[1], box->max[2]);
    return node_overlaps(node, &low, &high);
}

/* Appends the children in `bits`. Up to BVH_WIDTH entries are written. */
static inline uint32_t group_append(const BvhNode *node, uint32_t bits, uint32_t path, GroupList *list,
                                    uint32_t count)
{
#if LANE_COUNT == 8
    Picks picks = picks_to_front(bits);
    uint64_t each = path * UINT64_C(0x0101010101010101);
    simde__m256 child = simde_mm256_loadu_ps((const float *)(const void *)node->child);
    simde_mm256_storeu_ps((float *)(void *)(list->child + count), pick_again(child, picks));
    memcpy(list->path + count, &each, sizeof each);
    return count + (uint32_t)__builtin_popcount(bits);
#else
    for (; bits; bits &= bits - 1)
    {
        list->child[count] = node->child[__builtin_ctz(bits)];
        list->path[count++] = (uint8_t)path;
    }
    return count;
#endif
}

static inline uint32_t leaf_children(const BvhNode *node)
{
    uint32_t bits = 0;
#if LANE_COUNT == 8
    bits = (uint32_t)simde_mm256_movemask_ps(simde_mm256_loadu_ps((const float *)(const void *)node->child));
#else
    for (uint32_t i = 0; i < BVH_WIDTH; ++i)
    {
        bits |= node->child[i] >> 31 << i;
    }
#endif
    return bits;
}

static bool trace_group(const GroupPath *paths, uint32_t count, Group *group)
{
    GroupList *nodes = &group->nodes, *leaves = &group->leaves;
    uint32_t node_count = 0, leaf_count = 0;
    for (; node_count < count; ++node_count)
    {
        nodes->child[node_count] = 0;
        nodes->path[node_count] = (uint8_t)node_count;
    }
    for (uint32_t i = 0; i < node_count; ++i)
    {
        uint32_t path = nodes->path[i];
        const BvhNode *node = bvh_node(paths[path].nodes, nodes->child[i]);
        uint32_t bits = group_overlaps(node, paths[path].box), is_leaf = leaf_children(node);
        leaf_count = group_append(node, bits & is_leaf, path, leaves, leaf_count);
        node_count = group_append(node, bits & ~is_leaf, path, nodes, node_count);
        if (node_count + leaf_count > GROUP_CAPACITY)
        {
            return false;
        }
    }
    group->leaf_count = leaf_count;
    return true;
}
