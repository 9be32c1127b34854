/* Which of LANE_COUNT triangles the z axis pierces: S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection",
 * 2013. The caller shears the vertices, so that a shared vertex has the same bits in all its triangles. */

static inline Lanes edge_side(LaneVec3 a, LaneVec3 b)
{
    return lanes_sub(lanes_mul(a.x, b.y), lanes_mul(a.y, b.x));
}

/* Two different products can round to the same float. In double a product of floats is exact, and the difference has
 * the right sign. A zero agrees with both signs. Three zeros are a triangle seen edge-on, which is not hit; its
 * neighbours are. */
static bool pierced_exactly(Real *corners, uint32_t lane)
{
    double x[3], y[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        x[i] = (double)corner_at(corners, i)[lane];
        y[i] = (double)(corner_at(corners, i) + LANE_COUNT)[lane];
    }
    bool above = false, below = false;
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t j = (i + 1) % 3;
        double side = x[i] * y[j] - y[i] * x[j];
        above = above || side > 0;
        below = below || side < 0;
    }
    return above != below; /* mutant: ray_between_triangles */
}

/* The lanes whose triangles the z axis pierces, at any z. `sides`: of the three edges. */
static inline uint32_t pierced_roughly(const LaneVec3 v[3], Lanes sides[3])
{
    Lanes zero = lanes_set(0);
    Lanes a = edge_side(v[0], v[1]), b = edge_side(v[1], v[2]), c = edge_side(v[2], v[0]);
    Mask above =
        mask_and(lanes_less_equal(zero, a), mask_and(lanes_less_equal(zero, b), lanes_less_equal(zero, c)));
    Mask below =
        mask_and(lanes_less_equal(a, zero), mask_and(lanes_less_equal(b, zero), lanes_less_equal(c, zero)));
    sides[0] = a;
    sides[1] = b;
    sides[2] = c;
    return mask_bits(mask_or(above, below));
}

/* Those of the lanes in `bits` that pierced_exactly decides: an edge function is zero. */
static inline uint32_t pierced_unclear(uint32_t bits, const Lanes sides[3])
{
    Lanes least = lanes_min(lanes_abs(sides[0]), lanes_min(lanes_abs(sides[1]), lanes_abs(sides[2])));
    return bits & mask_bits(lanes_less_equal(least, lanes_set(0)));
}

static inline uint32_t pierced_lanes(Real *corners, const LaneVec3 v[3])
{
    Lanes sides[3];
    uint32_t bits = pierced_roughly(v, sides), ask = pierced_unclear(bits, sides);
    for (; ask; ask &= ask - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(ask);
        bits &= ~((uint32_t)!pierced_exactly(corners, lane) << lane);
    }
    return bits;
}
