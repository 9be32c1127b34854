/* One ray, ball or box against many triangles or boxes in arrays of the caller's. A pair that float cannot decide is
 * reported as a doubt, and the caller decides it in double. A width_N.c chooses the lanes and names the table. */
#include "intersect/pairs.h"
#include "simd/lane_vec3.h"

/* In the order in which they build on each other. */
// clang-format off
#include "wide/face.inl"
#include "wide/closest.inl"
#include "wide/pierce.inl"
#include "wide/overlap.inl"
// clang-format on

/* For one ball against many triangles in float, at any scale. A triangle with a smaller least angle, |N| / longest^2,
 * is tested in double, since its normal errs by u / angle. */
#define PAIR_TIP 0x1p-6

/* In u S: the error of such a distance, 1 / PAIR_TIP of the normal and as much of the tip. If the distance differs from
 * the radius by less, the triangle is tested in double. */
#define PAIR_ERROR_FACTOR 128.

/* |N|^2 above which none of its terms underflows, with the farthest coordinate in [1, 2). */
#define PAIR_LEAST_N2 0x1p-96

/* One coordinate of LANE_COUNT elements. NaN beyond the last, where nothing is read. */
static inline Lanes pairs_load(const Pairs *pairs, uint32_t field, uint32_t at)
{
    const char *from = (const char *)pairs->fields[field] + at * pairs->stride;
    if (pairs->stride == sizeof(float) && at + LANE_COUNT <= pairs->count)
    {
        return lanes_load_unaligned((const float *)from);
    }
    _Alignas(64) Real some[LANE_COUNT];
    for (uint32_t lane = 0; lane < LANE_COUNT; ++lane)
    {
        some[lane] = at + lane < pairs->count ? *(const Real *)(from + lane * pairs->stride) : (Real)NAN;
    }
    return lanes_load(some);
}

static inline LaneVec3 pairs_load3(const Pairs *pairs, uint32_t field, uint32_t at)
{
    return (LaneVec3){pairs_load(pairs, field, at), pairs_load(pairs, field + 1, at),
                      pairs_load(pairs, field + 2, at)};
}

/* `words` are 0 at first. LANE_COUNT divides 32. */
static inline void pairs_set(uint32_t *words, uint32_t at, uint32_t bits)
{
    words[at / 32] |= bits << at % 32;
}

static void pierce_pairs(const Pairs *pairs, const PairRay *ray, uint32_t *hits)
{
    LaneVec3 origin = lane3_set(ray->origin[0], ray->origin[1], ray->origin[2]);
    Lanes shear_x = lanes_set(ray->shear[0]), shear_y = lanes_set(ray->shear[1]);
    for (uint32_t at = 0; at < pairs->count; at += LANE_COUNT)
    {
        _Alignas(64) Real corners[9 * LANE_COUNT];
        LaneVec3 v[3];
        for (uint32_t i = 0; i < 3; ++i)
        {
            v[i] = lane3_sub(pairs_load3(pairs, 3 * i, at), origin);
            v[i].x = lanes_sub(v[i].x, lanes_mul(shear_x, v[i].z));
            v[i].y = lanes_sub(v[i].y, lanes_mul(shear_y, v[i].z));
            lane3_store(corner_at(corners, i), v[i]);
        }
        pairs_set(hits, at, pierced_lanes(corners, v));
    }
}

/* The leading power of two of a lane's farthest coordinate, the "unit in the first place" of S. M. Rump, T. Ogita, S.
 * Oishi, "Accurate Floating-Point Summation", 2008. NaN from 2^104 on. */
static inline Lanes pairs_unit(const LaneVec3 v[3])
{
    const Real roundoff = (Real)REAL_ROUNDOFF;
    Lanes most = lanes_set(0);
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes own = lanes_max(lanes_max(lanes_abs(v[i].x), lanes_abs(v[i].y)), lanes_abs(v[i].z));
        most = lanes_max(most, own);
    }
    Lanes grown = lanes_mul(lanes_set((Real).5 / roundoff + 1), most);
    return lanes_abs(lanes_sub(grown, lanes_mul(lanes_set(1 - roundoff), grown)));
}

/* Squared distances of triangles from the origin; undefined in lanes that are not sound. */
static inline Lanes pairs_distance2(Real *corners, const LaneVec3 v[3], Lanes *size, Mask *sound)
{
    Shape shape;
    Path path;
    Face face;
    face_of(v, 0, 0, &face, &shape);
    path.distance = lanes_negate(face.plane);
    for (uint32_t i = 0; i < 3; ++i)
    {
        path.edge[i] = lanes_negate(face.offset[i]);
        lane3_store(corner_at(corners, i), v[i]);
    }
    Lanes longest4 = lanes_mul(shape.longest2, shape.longest2);
    Mask broad = lanes_less_equal(lanes_mul(lanes_set((Real)(PAIR_TIP * PAIR_TIP)), longest4), shape.n2);
    *sound = mask_and(broad, lanes_less(lanes_set((Real)PAIR_LEAST_N2), shape.n2));
    *size = face.size;
    return closest_distance2(corners, &face, &path, lane3_set(0, 0, 0), NULL);
}

static void closest_pairs(const Pairs *pairs, const PairBall *ball, uint32_t *hits, uint32_t *doubts,
                          float *distances)
{
    LaneVec3 center = lane3_set(ball->center[0], ball->center[1], ball->center[2]);
    Lanes radius = lanes_set(ball->radius), error = lanes_set((Real)(PAIR_ERROR_FACTOR * REAL_ROUNDOFF));
    for (uint32_t at = 0; at < pairs->count; at += LANE_COUNT)
    {
        _Alignas(64) Real corners[9 * LANE_COUNT], each[LANE_COUNT];
        LaneVec3 v[3];
        for (uint32_t i = 0; i < 3; ++i)
        {
            v[i] = lane3_sub(pairs_load3(pairs, 3 * i, at), center);
        }
        /* Scaling by a power of two is exact, so that the result does not depend on the scale of the input. */
        Lanes unit = pairs_unit(v), shrink = lanes_div(lanes_set(1), unit), size;
        for (uint32_t i = 0; i < 3; ++i)
        {
            v[i] = lane3_scale(v[i], shrink);
        }
        Mask sound;
        Lanes distance = lanes_sqrt(pairs_distance2(corners, v, &size, &sound));
        distance = lanes_mul(distance, unit);
        size = lanes_mul(size, unit);
        Mask clear = lanes_less(lanes_mul(error, size), lanes_abs(lanes_sub(distance, radius)));
        Mask sure = mask_and(sound, clear);
        pairs_set(hits, at, mask_bits(mask_and(sure, lanes_less_equal(distance, radius))));
        pairs_set(doubts, at, ~mask_bits(sure) & (uint32_t)((1ull << LANE_COUNT) - 1));
        lanes_store(each, distance);
        for (uint32_t lane = 0; lane < LANE_COUNT && at + lane < pairs->count; ++lane)
        {
            distances[at + lane] = each[lane];
        }
    }
}

static void overlap_pairs(const Pairs *pairs, const Bounds *box, uint32_t *hits)
{
    LaneVec3 low = lane3_set(box->min[0], box->min[1], box->min[2]);
    LaneVec3 high = lane3_set(box->max[0], box->max[1], box->max[2]);
    for (uint32_t at = 0; at < pairs->count; at += LANE_COUNT)
    {
        LaneVec3 min = pairs_load3(pairs, 0, at), max = pairs_load3(pairs, 3, at);
        Mask filled = boxes_overlap(&min, &max, min, max); /* with itself: false for inverted boxes */
        pairs_set(hits, at, mask_bits(mask_and(filled, boxes_overlap(&low, &high, min, max))));
    }
}

const PairKernels PAIR_KERNELS = {
    .lane_count = LANE_COUNT,
    .pierce = pierce_pairs,
    .closest = closest_pairs,
    .overlap = overlap_pairs,
};
