/* Vectors of lanes. Included after one of the lanes_N.h. */
#ifndef SIMD_LANE_VEC3_H
#define SIMD_LANE_VEC3_H

typedef struct LaneVec3
{
    Lanes x, y, z;
} LaneVec3;

static inline LaneVec3 lane3_set(Real x, Real y, Real z)
{
    return (LaneVec3){lanes_set(x), lanes_set(y), lanes_set(z)};
}

/* Three consecutive fields of a block. */
static inline LaneVec3 lane3_load(const Real *p)
{
    return (LaneVec3){lanes_load(p), lanes_load(p + LANE_COUNT), lanes_load(p + 2 * LANE_COUNT)};
}

static inline void lane3_store(Real *p, LaneVec3 a)
{
    lanes_store(p, a.x);
    lanes_store(p + LANE_COUNT, a.y);
    lanes_store(p + 2 * LANE_COUNT, a.z);
}

static inline LaneVec3 lane3_add(LaneVec3 a, LaneVec3 b)
{
    return (LaneVec3){lanes_add(a.x, b.x), lanes_add(a.y, b.y), lanes_add(a.z, b.z)};
}

static inline LaneVec3 lane3_sub(LaneVec3 a, LaneVec3 b)
{
    return (LaneVec3){lanes_sub(a.x, b.x), lanes_sub(a.y, b.y), lanes_sub(a.z, b.z)};
}

/* a + s b */
static inline LaneVec3 lane3_add_scaled(LaneVec3 a, LaneVec3 b, Lanes s)
{
    return (LaneVec3){lanes_add(a.x, lanes_mul(b.x, s)), lanes_add(a.y, lanes_mul(b.y, s)),
                      lanes_add(a.z, lanes_mul(b.z, s))};
}

/* a - s b */
static inline LaneVec3 lane3_sub_scaled(LaneVec3 a, LaneVec3 b, Lanes s)
{
    return (LaneVec3){lanes_sub(a.x, lanes_mul(b.x, s)), lanes_sub(a.y, lanes_mul(b.y, s)),
                      lanes_sub(a.z, lanes_mul(b.z, s))};
}

static inline Lanes lane3_dot(LaneVec3 a, LaneVec3 b)
{
    return lanes_add(lanes_add(lanes_mul(a.x, b.x), lanes_mul(a.y, b.y)), lanes_mul(a.z, b.z));
}

static inline LaneVec3 lane3_cross(LaneVec3 a, LaneVec3 b)
{
    return (LaneVec3){lanes_sub(lanes_mul(a.y, b.z), lanes_mul(a.z, b.y)),
                      lanes_sub(lanes_mul(a.z, b.x), lanes_mul(a.x, b.z)),
                      lanes_sub(lanes_mul(a.x, b.y), lanes_mul(a.y, b.x))};
}

static inline LaneVec3 lane3_scale(LaneVec3 a, Lanes s)
{
    return (LaneVec3){lanes_mul(a.x, s), lanes_mul(a.y, s), lanes_mul(a.z, s)};
}

/* If a coordinate of a or b is NaN, the result is that of b. */
static inline LaneVec3 lane3_mul(LaneVec3 a, LaneVec3 b)
{
    return (LaneVec3){lanes_mul(a.x, b.x), lanes_mul(a.y, b.y), lanes_mul(a.z, b.z)};
}

static inline LaneVec3 lane3_min(LaneVec3 a, LaneVec3 b)
{
    return (LaneVec3){lanes_min(a.x, b.x), lanes_min(a.y, b.y), lanes_min(a.z, b.z)};
}

static inline LaneVec3 lane3_max(LaneVec3 a, LaneVec3 b)
{
    return (LaneVec3){lanes_max(a.x, b.x), lanes_max(a.y, b.y), lanes_max(a.z, b.z)};
}

static inline LaneVec3 lane3_select(Mask mask, LaneVec3 a, LaneVec3 b)
{
    return (LaneVec3){lanes_select(mask, a.x, b.x), lanes_select(mask, a.y, b.y),
                      lanes_select(mask, a.z, b.z)};
}

#endif
