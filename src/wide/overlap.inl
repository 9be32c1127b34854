/* Which of LANE_COUNT boxes have a point in common with a box. */

static inline Mask boxes_overlap(const LaneVec3 *low, const LaneVec3 *high, LaneVec3 min, LaneVec3 max)
{
    Mask x = mask_and(lanes_less_equal(min.x, high->x), lanes_less_equal(low->x, max.x));
    Mask y = mask_and(lanes_less_equal(min.y, high->y), lanes_less_equal(low->y, max.y));
    Mask z = mask_and(lanes_less_equal(min.z, high->z), lanes_less_equal(low->z, max.z));
    return mask_and(mask_and(x, y), z);
}
