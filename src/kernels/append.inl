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

/* `marks`: also on which sides each vertex is outside. */
FORCE_INLINE void move_vertices(const LeafPacket *packet, const PackLanes *t, bool is_diagonal, bool marks,
                                Moved *out)
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
            outside = sides_outside(e, t->min, t->max); /* unused and gone without `marks` */
        }
        else
        {
            e = (LaneVec3){lane3_dot(t->row[0], d), lane3_dot(t->row[1], d), lane3_dot(t->row[2], d)};
            outside = sides_outside_in_doubt(e, d, t);
        }
        lanes_store(out->x + i, e.x);
        lanes_store(out->y + i, e.y);
        lanes_store(out->z + i, e.z);
        if (marks)
        {
            bits_store_bytes(out->outside + i, outside);
        }
    }
}

/* Where triangles go: a copy of the batch's numbers, so that what is stored cannot seem to change them. Corners wait in
 * rows, one a coordinate, until finish_batch brings them into blocks. */
typedef struct Appender
{
    float *rows;
    uint32_t stride, count, capacity;
    bool mirrored;
    uint32_t *leaves; /* of Origins; NULL: candidates are written */
    uint8_t *locals;
    Candidate *candidates;
} Appender;

static inline void write_corner(const Appender *to, uint32_t at, uint32_t corner, const Moved *moved,
                                uint32_t vertex)
{
    float *row = to->rows + (size_t)3 * corner * to->stride + at;
    row[0] = moved->x[vertex];
    row[to->stride] = moved->y[vertex];
    row[2 * (size_t)to->stride] = moved->z[vertex];
}

/* Bits of the triangles that meet the reach: not all three corners are beyond one side. */
static inline uint32_t triangles_inside(const LeafPacket *packet, const Moved *moved)
{
    uint32_t inside = 0;
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        const uint8_t *index = packet->index[i];
        uint32_t common = moved->outside[index[0]] & moved->outside[index[1]] & moved->outside[index[2]];
        inside |= (uint32_t)(common == 0) << i;
    }
    return inside;
}

#ifdef LANES_HAVE_PICK
/* One coordinate of the three corners of eight triangles; cuts `inside` down to those between low and high. */
static inline void pick_axis(const float *moved, const simde__m256i index[3], float low, float high,
                             simde__m256 picked[3], simde__m256 *inside)
{
    for (int i = 0; i < 3; ++i)
    {
        picked[i] = pick_floats(moved, index[i]);
    }
    simde__m256 least = simde_mm256_min_ps(simde_mm256_min_ps(picked[0], picked[1]), picked[2]);
    simde__m256 most = simde_mm256_max_ps(simde_mm256_max_ps(picked[0], picked[1]), picked[2]);
    simde__m256 enters = simde_mm256_cmp_ps(least, simde_mm256_set1_ps(high), SIMDE_CMP_LE_OQ);
    simde__m256 leaves = simde_mm256_cmp_ps(simde_mm256_set1_ps(low), most, SIMDE_CMP_LE_OQ);
    *inside = simde_mm256_and_ps(*inside, simde_mm256_and_ps(enters, leaves));
}

/* All triangles of a packet at once, where its vertices fit into two vectors: those that meet the reach go to the rows,
 * eight numbers at a time. Returns which. */
static inline uint32_t pick_triangles(const LeafPacket *packet, const Moved *moved, const Bounds *reach,
                                      const Appender *to)
{
    PickCorners corners = pick_corners(packet->index);
    simde__m256i index[3] = {pick_indices(&corners, 0), pick_indices(&corners, to->mirrored ? 2 : 1),
                             pick_indices(&corners, to->mirrored ? 1 : 2)};
    simde__m256 picked[3][3], all = simde_mm256_castsi256_ps(simde_mm256_set1_epi32(-1));
    pick_axis(moved->x, index, reach->min[0], reach->max[0], picked[0], &all);
    pick_axis(moved->y, index, reach->min[1], reach->max[1], picked[1], &all);
    pick_axis(moved->z, index, reach->min[2], reach->max[2], picked[2], &all);
    uint32_t inside = (uint32_t)simde_mm256_movemask_ps(all) & ((1u << packet->triangle_count) - 1);
    if (inside)
    {
        simde__m256i front = pick_front(inside);
        float *row = to->rows + to->count;
        for (int i = 0; i < 9; ++i, row += to->stride)
        {
            simde_mm256_storeu_ps(row, simde_mm256_permutevar8x32_ps(picked[i % 3][i / 3], front));
        }
    }
    return inside;
}

#define PICKS true
#else
#define PICKS false

static inline uint32_t pick_triangles(const LeafPacket *packet, const Moved *moved, const Bounds *reach,
                                      const Appender *to)
{
    (void)packet, (void)moved, (void)reach, (void)to;
    return 0;
}
#endif

static inline void write_corners(const LeafPacket *packet, const Moved *moved, uint32_t chosen,
                                 const Appender *to)
{
    for (uint32_t at = to->count; chosen; chosen &= chosen - 1, ++at)
    {
        const uint8_t *index = packet->index[__builtin_ctz(chosen)];
        write_corner(to, at, 0, moved, index[0]);
        write_corner(to, at, 1, moved, index[to->mirrored ? 2 : 1]);
        write_corner(to, at, 2, moved, index[to->mirrored ? 1 : 2]);
    }
}

static inline void write_origins(uint32_t leaf, uint32_t chosen, const Appender *to)
{
#ifdef LANES_HAVE_PICK
    simde_mm256_storeu_si256((simde__m256i *)(to->leaves + to->count), simde_mm256_set1_epi32((int32_t)leaf));
    memcpy(to->locals + to->count, &pick_order[chosen], 8);
#else
    for (uint32_t at = to->count; chosen; chosen &= chosen - 1, ++at)
    {
        to->leaves[at] = leaf;
        to->locals[at] = (uint8_t)__builtin_ctz(chosen);
    }
#endif
}

static inline void write_candidates(const LeafPacket *packet, uint32_t chosen, const PackTransform *transform,
                                    const Appender *to)
{
    const uint32_t *sources = packet_sources(packet);
    const uint16_t *surfaces = packet_surfaces(packet);
    for (Candidate *out = to->candidates + to->count; chosen; chosen &= chosen - 1, ++out)
    {
        uint32_t i = (uint32_t)__builtin_ctz(chosen);
        *out = (Candidate){.key = transform->key,
                           .packet = packet,
                           .triangle = sources[i],
                           .instance = transform->instance,
                           .surface = surfaces[i],
                           .local = (uint8_t)i};
    }
}

FORCE_INLINE bool append_packet(const LeafPacket *packet, uint32_t leaf, const PackLanes *lanes,
                                const PackTransform *transform, bool is_diagonal, const Bounds *reach,
                                Appender *to)
{
    Moved moved;
    uint32_t inside;
    bool picks = PICKS && is_diagonal && packet->vertex_count <= 16;
    if (picks)
    {
        move_vertices(packet, lanes, true, false, &moved);
        inside = pick_triangles(packet, &moved, reach, to);
    }
    else
    {
        move_vertices(packet, lanes, is_diagonal, true, &moved);
        inside = triangles_inside(packet, &moved);
    }
    uint32_t count = (uint32_t)__builtin_popcount(inside);
    if (count == 0 || to->count + count > to->capacity)
    {
        return count == 0;
    }
    if (!picks)
    {
        write_corners(packet, &moved, inside, to);
    }
    if (to->leaves)
    {
        write_origins(leaf, inside, to);
    }
    else
    {
        write_candidates(packet, inside, transform, to);
    }
    to->count += count;
    return true;
}

FORCE_INLINE bool append_all(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                             const PackTransform *transform, bool is_diagonal, const Bounds *reach,
                             Batch *batch, const Origins *origins, Candidate *candidates)
{
    PackLanes lanes = pack_lanes(transform, reach);
    Bounds box = *reach;
    Appender to = {batch->rows, batch->row_stride, batch->count, batch->capacity, transform->mirrored, NULL,
                   NULL,        candidates};
    if (origins)
    {
        to.leaves = origins->leaf;
        to.locals = origins->local;
    }
    bool fits = true;
    for (uint32_t i = 0; i < count && fits; ++i)
    {
        const LeafPacket *packet = (const LeafPacket *)(packets + (size_t)leaves[i] * PACKET_UNIT);
        fits = append_packet(packet, leaves[i], &lanes, transform, is_diagonal, &box, &to);
    }
    batch->count = to.count;
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
                           const PackTransform *transform, const Bounds *reach, Batch *batch,
                           Candidate *candidates)
{
    return append_all(packets, leaves, count, transform, false, reach, batch, NULL, candidates);
}
