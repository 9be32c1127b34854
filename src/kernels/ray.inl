/* Which of LANE_COUNT triangles a ray pierces: S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection",
 * 2013. append.inl shears each vertex once. So the ray is the z axis here, and a shared vertex has the same bits in
 * all its triangles.
 *
 * Departures: z is not scaled. The time is computed in double from the stored vertices, for the few lanes that are
 * pierced. Lanes are returned with the least z of their corners, a lower bound of the time. */

static uint32_t ray_batch(Batch *batch, double begin, double end, LaneTime *out)
{
    Lanes first = lanes_set((Real)round_down(begin)), last = lanes_set((Real)round_up(end));
    uint32_t count = 0;
    for (uint32_t b = 0; b < block_count(batch); ++b)
    {
        LaneVec3 v[3];
        Real *block = block_settle(batch, b);
        uint32_t used = batch->count - b * LANE_COUNT;
        corners_load(block, v);
        Lanes least = lanes_min(v[0].z, lanes_min(v[1].z, v[2].z));
        Lanes most = lanes_max(v[0].z, lanes_max(v[1].z, v[2].z));
        Mask within = mask_and(lanes_less_equal(least, last), lanes_less_equal(first, most));
        _Alignas(64) Real each[LANE_COUNT];
        lanes_store(each, least);
        uint32_t bits = pierced_lanes(block, v) & mask_bits(mask_and(within, lanes_used(used)));
        for (; bits; bits &= bits - 1)
        {
            uint32_t lane = (uint32_t)__builtin_ctz(bits);
            out[count++] = (LaneTime){(double)each[lane], b * LANE_COUNT + lane};
        }
    }
    return count;
}
