/* The children of a node against a box. */

/* A bit for each child whose box overlaps this one. */
static inline uint32_t node_overlaps(const BvhNode *node, const LaneVec3 *low, const LaneVec3 *high)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < BVH_WIDTH; i += LANE_COUNT)
    {
        LaneVec3 min = {lanes_load_unaligned(node->min_x + i), lanes_load_unaligned(node->min_y + i),
                        lanes_load_unaligned(node->min_z + i)};
        LaneVec3 max = {lanes_load_unaligned(node->max_x + i), lanes_load_unaligned(node->max_y + i),
                        lanes_load_unaligned(node->max_z + i)};
        bits |= mask_bits(boxes_overlap(low, high, min, max)) << i;
    }
    return bits;
}
