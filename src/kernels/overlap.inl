/* LANE_COUNT boxes against one: the lanes that have a point in common with it. Boxes must not be inverted. */

static inline Mask boxes_overlap(const LaneVec3 *low, const LaneVec3 *high, LaneVec3 min, LaneVec3 max)
{
    Mask x = mask_and(lanes_less_equal(min.x, high->x), lanes_less_equal(low->x, max.x));
    Mask y = mask_and(lanes_less_equal(min.y, high->y), lanes_less_equal(low->y, max.y));
    Mask z = mask_and(lanes_less_equal(min.z, high->z), lanes_less_equal(low->z, max.z));
    return mask_and(mask_and(x, y), z);
}

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
