/* Which of LANE_COUNT triangles a ray pierces: S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection",
 * 2013. append.inl shears each vertex once. So the ray is the z axis here, and a shared vertex has the same bits in
 * all its triangles.
 *
 * Departures: z is not scaled. The time is computed in double from the stored vertices, for the few lanes that are
 * pierced. Lanes are returned with the least z of their corners, a lower bound of the time. */

static inline Lanes edge_side(LaneVec3 a, LaneVec3 b)
{
    return lanes_sub(lanes_mul(a.x, b.y), lanes_mul(a.y, b.x));
}

/* Two different products can round to the same float. In double a product of floats is exact, and the difference has
 * the right sign. A zero agrees with both signs. Three zeros are a triangle seen edge-on, which is not hit; its
 * neighbours are. */
static bool pierced_exactly(Real *block, uint32_t lane)
{
    double x[3], y[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        x[i] = (double)field_at(block, FIELD_V0 + 3 * i)[lane];
        y[i] = (double)field_at(block, FIELD_V0 + 3 * i + 1)[lane];
    }
    bool above = false, below = false;
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t j = (i + 1) % 3;
        double side = x[i] * y[j] - y[i] * x[j];
        above = above || side > 0;
        below = below || side < 0;
    }
    return above != below;
}

/* The lanes whose triangles the z axis pierces, at any z. */
static inline uint32_t pierced_lanes(Real *block, const LaneVec3 v[3])
{
    Lanes zero = lanes_set(0);
    Lanes a = edge_side(v[0], v[1]), b = edge_side(v[1], v[2]), c = edge_side(v[2], v[0]);
    Mask above =
        mask_and(lanes_less_equal(zero, a), mask_and(lanes_less_equal(zero, b), lanes_less_equal(zero, c)));
    Mask below =
        mask_and(lanes_less_equal(a, zero), mask_and(lanes_less_equal(b, zero), lanes_less_equal(c, zero)));
    Lanes least = lanes_min(lanes_abs(a), lanes_min(lanes_abs(b), lanes_abs(c)));
    uint32_t bits = mask_bits(mask_or(above, below));
    for (uint32_t ask = bits & mask_bits(lanes_less_equal(least, zero)); ask; ask &= ask - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(ask);
        bits &= ~((uint32_t)!pierced_exactly(block, lane) << lane);
    }
    return bits;
}

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
