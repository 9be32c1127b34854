/* A leaf's vertices move into ellipsoid space, each once; its triangles that meet the reach go into the
 * batch. */
#include <string.h>

typedef struct Moved /* vertices in ellipsoid space, and on which sides of the reach each one lies outside */
{
    _Alignas(64) float x[PACKET_VERTICES + LANE_COUNT], y[PACKET_VERTICES + LANE_COUNT],
        z[PACKET_VERTICES + LANE_COUNT];
    _Alignas(32) uint8_t outside[PACKET_VERTICES + 16]; /* a bit per side */
} Moved;

typedef struct PackLanes /* a PackTransform and a reach in lanes */
{
    LaneVec3 row[3], high, low, min, max;
    LaneVec3
        doubt; /* of e per unit of |d|: its rounding errors, so that no corner is outside by them alone */
} PackLanes;

static inline PackLanes pack_lanes(const PackTransform *t, const Bounds *reach)
{
    PackLanes lanes = {.high = lane3_set(t->high[0], t->high[1], t->high[2]),
                       .low = lane3_set(t->low[0], t->low[1], t->low[2]),
                       .min = lane3_set(reach->min[0], reach->min[1], reach->min[2]),
                       .max = lane3_set(reach->max[0], reach->max[1], reach->max[2])};
    for (uint32_t i = 0; i < 3; ++i)
    {
        const float *row = t->matrix + 3 * i;
        lanes.row[i] = lane3_set(row[0], row[1], row[2]);
    }
    lanes.doubt = lane3_set(t->doubt[0], t->doubt[1], t->doubt[2]);
    return lanes;
}

static inline Bits sides_outside(LaneVec3 e, LaneVec3 low, LaneVec3 high)
{
    Bits x = bits_or(mask_to_bits(lanes_less(e.x, low.x), 1), mask_to_bits(lanes_less(high.x, e.x), 2));
    Bits y = bits_or(mask_to_bits(lanes_less(e.y, low.y), 4), mask_to_bits(lanes_less(high.y, e.y), 8));
    Bits z = bits_or(mask_to_bits(lanes_less(e.z, low.z), 16), mask_to_bits(lanes_less(high.z, e.z), 32));
    return bits_or(bits_or(x, y), z);
}

/* Of a matrix with sums that may cancel: the reach grows by what they err. (Where it is diagonal a coordinate errs by a
 * share of itself, which the reach has been grown by.) */
static inline Bits sides_outside_in_doubt(LaneVec3 e, LaneVec3 d, const PackLanes *t)
{
    Lanes size = lanes_add(lanes_add(lanes_abs(d.x), lanes_abs(d.y)), lanes_abs(d.z));
    return sides_outside(e, lane3_sub_scaled(t->min, t->doubt, size),
                         lane3_add_scaled(t->max, t->doubt, size));
}

/* From vertex i on. */
static inline LaneVec3 packet_vertices(const LeafPacket *packet, uint32_t i)
{
    const float *x = packet->vertices + i, *y = x + packet->stride, *z = y + packet->stride;
    uint32_t count = packet->stride - i;
    return (LaneVec3){lanes_load_some(x, count), lanes_load_some(y, count), lanes_load_some(z, count)};
}

FORCE_INLINE void move_vertices(const LeafPacket *packet, const PackLanes *t, bool is_diagonal, Moved *out)
{
    for (uint32_t i = 0; i < packet->vertex_count; i += LANE_COUNT)
    {
        LaneVec3 v = packet_vertices(packet, i), e;
        LaneVec3 d = lane3_sub(lane3_sub(v, t->high), t->low);
        Bits outside;
        if (is_diagonal)
        {
            e = (LaneVec3){lanes_mul(t->row[0].x, d.x), lanes_mul(t->row[1].y, d.y),
                           lanes_mul(t->row[2].z, d.z)};
            outside = sides_outside(e, t->min, t->max);
        }
        else
        {
            e = (LaneVec3){lane3_dot(t->row[0], d), lane3_dot(t->row[1], d), lane3_dot(t->row[2], d)};
            outside = sides_outside_in_doubt(e, d, t);
        }
        lanes_store(out->x + i, e.x);
        lanes_store(out->y + i, e.y);
        lanes_store(out->z + i, e.z);
        bits_store_bytes(out->outside + i, outside);
    }
}

/* Corners wait in rows, one a coordinate, until finish_batch brings them into blocks. */
static inline float *batch_row(const Batch *batch, uint32_t row)
{
    return batch->rows + (size_t)row * batch->row_stride;
}

static inline void write_corner(const Batch *batch, uint32_t at, uint32_t corner, const Moved *moved,
                                uint32_t vertex)
{
    batch_row(batch, 3 * corner)[at] = moved->x[vertex];
    batch_row(batch, 3 * corner + 1)[at] = moved->y[vertex];
    batch_row(batch, 3 * corner + 2)[at] = moved->z[vertex];
}

#ifdef LANES_HAVE_PICK
/* Bits of the triangles that meet the reach: not all three corners are beyond one side. */
static inline uint32_t triangles_inside(const LeafPacket *packet, const Moved *moved, PickCorners *corners)
{
    *corners = pick_corners(packet->index);
    return pick_none_in_common(moved->outside, corners) & ((1u << packet->triangle_count) - 1);
}

/* All of the chosen triangles at once, where a packet's vertices fit into two vectors. Writes eight numbers a row. */
static inline void write_picked(const PickCorners *corners, const Moved *moved, uint32_t chosen,
                                bool mirrored, const Batch *batch)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        simde__m256i index = pick_indices(corners, (int)(mirrored && i > 0 ? 3 - i : i), chosen);
        simde_mm256_storeu_ps(batch_row(batch, 3 * i) + batch->count, pick_floats(moved->x, index));
        simde_mm256_storeu_ps(batch_row(batch, 3 * i + 1) + batch->count, pick_floats(moved->y, index));
        simde_mm256_storeu_ps(batch_row(batch, 3 * i + 2) + batch->count, pick_floats(moved->z, index));
    }
}
#else
typedef struct PickCorners
{
    char none;
} PickCorners;

static inline uint32_t triangles_inside(const LeafPacket *packet, const Moved *moved, PickCorners *corners)
{
    uint32_t inside = 0;
    (void)corners;
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        const uint8_t *index = packet->index[i];
        uint32_t common = moved->outside[index[0]] & moved->outside[index[1]] & moved->outside[index[2]];
        inside |= (uint32_t)(common == 0) << i;
    }
    return inside;
}
#endif

static inline void write_corners(const LeafPacket *packet, const Moved *moved, uint32_t chosen, bool mirrored,
                                 const Batch *batch)
{
    for (uint32_t at = batch->count; chosen; chosen &= chosen - 1, ++at)
    {
        const uint8_t *index = packet->index[__builtin_ctz(chosen)];
        write_corner(batch, at, 0, moved, index[0]);
        write_corner(batch, at, 1, moved, index[mirrored ? 2 : 1]);
        write_corner(batch, at, 2, moved, index[mirrored ? 1 : 2]);
    }
}

static inline void write_origins(uint32_t leaf, uint32_t chosen, const Origins *origins, uint32_t at)
{
#ifdef LANES_HAVE_PICK
    simde_mm256_storeu_si256((simde__m256i *)(origins->leaf + at), simde_mm256_set1_epi32((int32_t)leaf));
    memcpy(origins->local + at, pick_order[chosen], 8);
#else
    for (; chosen; chosen &= chosen - 1, ++at)
    {
        origins->leaf[at] = leaf;
        origins->local[at] = (uint8_t)__builtin_ctz(chosen);
    }
#endif
}

static inline void write_candidates(const LeafPacket *packet, uint32_t chosen, const PackTransform *transform,
                                    Candidate *out)
{
    const uint32_t *sources = packet_sources(packet);
    const uint16_t *surfaces = packet_surfaces(packet);
    const Candidate common = {.key = transform->key, .packet = packet, .instance = transform->instance};
    for (; chosen; chosen &= chosen - 1, ++out)
    {
        uint32_t i = (uint32_t)__builtin_ctz(chosen);
        *out = common;
        out->triangle = sources[i];
        out->surface = surfaces[i];
        out->local = (uint8_t)i;
    }
}

FORCE_INLINE bool append_packet(const LeafPacket *packet, uint32_t leaf, const PackLanes *lanes,
                                const PackTransform *transform, bool is_diagonal, Batch *batch,
                                const Origins *origins, Candidate *candidates)
{
    Moved moved;
    PickCorners corners;
    move_vertices(packet, lanes, is_diagonal, &moved);
    uint32_t inside = triangles_inside(packet, &moved, &corners);
    uint32_t count = (uint32_t)__builtin_popcount(inside);
    if (count == 0 || batch->count + count > batch->capacity)
    {
        return count == 0;
    }
#ifdef LANES_HAVE_PICK
    if (packet->vertex_count <= 16)
    {
        write_picked(&corners, &moved, inside, transform->mirrored, batch);
    }
    else
#endif
    {
        write_corners(packet, &moved, inside, transform->mirrored, batch);
    }
    if (origins)
    {
        write_origins(leaf, inside, origins, batch->count);
    }
    else
    {
        write_candidates(packet, inside, transform, candidates + batch->count);
    }
    batch->count += count;
    return true;
}

FORCE_INLINE bool append_all(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                             const PackTransform *transform, bool is_diagonal, const Bounds *reach, Batch *batch,
                             const Origins *origins, Candidate *candidates)
{
    PackLanes lanes = pack_lanes(transform, reach);
    bool fits = true;
    for (uint32_t i = 0; i < count && fits; ++i)
    {
        const LeafPacket *packet = (const LeafPacket *)(packets + (size_t)leaves[i] * PACKET_UNIT);
        fits = append_packet(packet, leaves[i], &lanes, transform, is_diagonal, batch, origins, candidates);
    }
    return fits;
}

static OUT_OF_LINE bool append_turned(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                                      const PackTransform *transform, const Bounds *reach, Batch *batch,
                                      const Origins *origins)
{
    return append_all(packets, leaves, count, transform, false, reach, batch, origins, NULL);
}

/* For a move, which asks few candidates who they are. */
FORCE_INLINE bool append_origins(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                                 const PackTransform *transform, const Bounds *reach, Batch *batch,
                                 const Origins *origins)
{
    return transform->is_diagonal
               ? append_all(packets, leaves, count, transform, true, reach, batch, origins, NULL)
               : append_turned(packets, leaves, count, transform, reach, batch, origins);
}

static bool append_packets(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                           const PackTransform *transform, const Bounds *reach, Batch *batch, Candidate *candidates)
{
    return append_all(packets, leaves, count, transform, false, reach, batch, NULL, candidates);
}
