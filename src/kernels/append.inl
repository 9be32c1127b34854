/* A leaf's triangles that meet the reach go into the batch, in ellipsoid space.
 *
 * A move asks that of their stored corners, with a box in stored space: so it does not depend on what else is in a leaf or
 * in a cache, and a move may count its candidates (crowd/work.h). Where axes do not agree, or for a cast, a box in ellipsoid
 * space is asked as well, or alone. */
#include <string.h>

typedef struct Reached /* where the reach is; NULL: is not asked */
{
    const Bounds *stored, *packed; /* stored space, ellipsoid space */
} Reached;

typedef struct PackLanes /* a PackTransform in lanes */
{
    LaneVec3 row[3], high, low;
    LaneVec3
        doubt; /* of e per unit of |d|: its rounding errors, so that no corner is outside by them alone */
} PackLanes;

static inline LaneVec3 lane3_floats(const float *v)
{
    return lane3_set(v[0], v[1], v[2]);
}

static inline PackLanes pack_lanes(const PackTransform *t)
{
    return (PackLanes){
        .row = {lane3_floats(t->matrix), lane3_floats(t->matrix + 3), lane3_floats(t->matrix + 6)},
        .high = lane3_floats(t->high),
        .low = lane3_floats(t->low),
        .doubt = lane3_floats(t->doubt)};
}

/* ---- a leaf's vertices, each once ---- */

typedef struct Moved /* in ellipsoid space, and on which sides of the reach each one lies outside */
{
    _Alignas(64) float x[PACKET_VERTICES + LANE_COUNT], y[PACKET_VERTICES + LANE_COUNT],
        z[PACKET_VERTICES + LANE_COUNT];
    _Alignas(32) uint8_t outside[2][PACKET_VERTICES + 16]; /* in both spaces; a bit per side */
} Moved;

static inline Bits sides_outside(LaneVec3 e, LaneVec3 low, LaneVec3 high)
{
    Bits x = bits_or(mask_to_bits(lanes_less(e.x, low.x), 1), mask_to_bits(lanes_less(high.x, e.x), 2));
    Bits y = bits_or(mask_to_bits(lanes_less(e.y, low.y), 4), mask_to_bits(lanes_less(high.y, e.y), 8));
    Bits z = bits_or(mask_to_bits(lanes_less(e.z, low.z), 16), mask_to_bits(lanes_less(high.z, e.z), 32));
    return bits_or(bits_or(x, y), z);
}

/* Sums may cancel: the reach grows by what they err. */
static inline Bits sides_outside_in_doubt(LaneVec3 e, LaneVec3 d, LaneVec3 doubt, const Bounds *reach)
{
    Lanes size = lanes_add(lanes_add(lanes_abs(d.x), lanes_abs(d.y)), lanes_abs(d.z));
    return sides_outside(e, lane3_sub_scaled(lane3_floats(reach->min), doubt, size),
                         lane3_add_scaled(lane3_floats(reach->max), doubt, size));
}

/* From vertex i on. */
static inline LaneVec3 packet_vertices(const LeafPacket *packet, uint32_t i)
{
    const float *x = packet->vertices + i, *y = x + packet->stride, *z = y + packet->stride;
    uint32_t count = packet->stride - i;
    return (LaneVec3){lanes_load_some(x, count), lanes_load_some(y, count), lanes_load_some(z, count)};
}

FORCE_INLINE void move_vertices(const LeafPacket *packet, const PackLanes *t, bool is_diagonal,
                                const Reached *reached, Moved *out)
{
    for (uint32_t i = 0; i < packet->vertex_count; i += LANE_COUNT)
    {
        LaneVec3 v = packet_vertices(packet, i), e, d = lane3_sub(lane3_sub(v, t->high), t->low);
        if (is_diagonal)
        {
            e = (LaneVec3){lanes_mul(t->row[0].x, d.x), lanes_mul(t->row[1].y, d.y),
                           lanes_mul(t->row[2].z, d.z)};
        }
        else
        {
            e = (LaneVec3){lane3_dot(t->row[0], d), lane3_dot(t->row[1], d), lane3_dot(t->row[2], d)};
        }
        lanes_store(out->x + i, e.x);
        lanes_store(out->y + i, e.y);
        lanes_store(out->z + i, e.z);
        if (reached->stored)
        {
            bits_store_bytes(out->outside[0] + i, sides_outside(v, lane3_floats(reached->stored->min),
                                                                lane3_floats(reached->stored->max)));
        }
        if (reached->packed)
        {
            bits_store_bytes(out->outside[1] + i, sides_outside_in_doubt(e, d, t->doubt, reached->packed));
        }
    }
}

/* Bits of the triangles that meet the reach: not all three corners are beyond one side. */
static inline uint32_t triangles_inside(const LeafPacket *packet, const uint8_t *outside)
{
    uint32_t inside = 0;
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        const uint8_t *index = packet->index[i];
        uint32_t common = outside[index[0]] & outside[index[1]] & outside[index[2]];
        inside |= (uint32_t)(common == 0) << i;
    }
    return inside;
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

/* ---- a leaf's triangles, eight at once ---- */

#ifdef LANES_HAVE_PICK
#define CAN_PICK(packet) ((packet)->vertex_count <= PICK_MOST)

typedef struct Picked /* one coordinate of the three corners of eight triangles */
{
    simde__m256 corner[3];
} Picked;

/* Cuts `inside` down to triangles between low and high. */
static inline Picked pick_axis(const float *vertices, uint32_t stride, const Picks picks[3], float low,
                               float high, simde__m256 *inside)
{
    PickTable table = pick_table(vertices, stride);
    Picked p = {{pick(table, picks[0]), pick(table, picks[1]), pick(table, picks[2])}};
    simde__m256 least = simde_mm256_min_ps(simde_mm256_min_ps(p.corner[0], p.corner[1]), p.corner[2]);
    simde__m256 most = simde_mm256_max_ps(simde_mm256_max_ps(p.corner[0], p.corner[1]), p.corner[2]);
    simde__m256 enters = simde_mm256_cmp_ps(least, simde_mm256_set1_ps(high), SIMDE_CMP_LE_OQ);
    simde__m256 leaves = simde_mm256_cmp_ps(simde_mm256_set1_ps(low), most, SIMDE_CMP_LE_OQ);
    *inside = simde_mm256_and_ps(*inside, simde_mm256_and_ps(enters, leaves));
    return p;
}

static inline void write_picked(const Picked *p, const PackTransform *t, int axis, Picks front,
                                const Appender *to)
{
    simde__m256 high = simde_mm256_set1_ps(t->high[axis]), low = simde_mm256_set1_ps(t->low[axis]),
                scale = simde_mm256_set1_ps(t->matrix[4 * axis]);
    float *row = to->rows + to->count + (size_t)axis * to->stride;
    for (int i = 0; i < 3; ++i, row += 3 * (size_t)to->stride)
    {
        simde__m256 d = simde_mm256_sub_ps(simde_mm256_sub_ps(p->corner[i], high), low);
        simde_mm256_storeu_ps(row, pick_again(simde_mm256_mul_ps(scale, d), front));
    }
}

/* A packet whose vertices fit into two vectors, where axes agree: what meets the reach goes to the rows, eight numbers at
 * a time. Returns which triangles do. */
static inline uint32_t pick_triangles(const LeafPacket *packet, const PackTransform *t, const Bounds *stored,
                                      const Appender *to)
{
    PickCorners corners = pick_corners(packet->index);
    Picks picks[3] = {picks_of(&corners, 0), picks_of(&corners, to->mirrored ? 2 : 1),
                      picks_of(&corners, to->mirrored ? 1 : 2)};
    const float *at = packet->vertices;
    uint32_t stride = packet->stride;
    simde__m256 all = simde_mm256_castsi256_ps(simde_mm256_set1_epi32(-1));
    Picked x = pick_axis(at, stride, picks, stored->min[0], stored->max[0], &all);
    Picked y = pick_axis(at + stride, stride, picks, stored->min[1], stored->max[1], &all);
    Picked z = pick_axis(at + 2 * (size_t)stride, stride, picks, stored->min[2], stored->max[2], &all);
    uint32_t inside = (uint32_t)simde_mm256_movemask_ps(all) & ((1u << packet->triangle_count) - 1);
    if (inside)
    {
        Picks front = picks_to_front(inside);
        write_picked(&x, t, 0, front, to);
        write_picked(&y, t, 1, front, to);
        write_picked(&z, t, 2, front, to);
    }
    return inside;
}
#else
#define CAN_PICK(packet) false

static inline uint32_t pick_triangles(const LeafPacket *packet, const PackTransform *t, const Bounds *stored,
                                      const Appender *to)
{
    (void)packet, (void)t, (void)stored, (void)to;
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
                                const PackTransform *transform, bool is_diagonal, const Reached *reached,
                                Appender *to)
{
    Moved moved;
    uint32_t inside;
    bool picks = is_diagonal && CAN_PICK(packet);
    if (picks)
    {
        inside = pick_triangles(packet, transform, reached->stored, to);
    }
    else
    {
        move_vertices(packet, lanes, is_diagonal, reached, &moved);
        inside = reached->stored ? triangles_inside(packet, moved.outside[0]) : UINT32_MAX;
        inside &= reached->packed ? triangles_inside(packet, moved.outside[1]) : UINT32_MAX;
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
                             const PackTransform *transform, bool is_diagonal, Reached reached, Batch *batch,
                             const Origins *origins, Candidate *candidates)
{
    PackLanes lanes = pack_lanes(transform);
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
        fits = append_packet(packet, leaves[i], &lanes, transform, is_diagonal, &reached, &to);
    }
    batch->count = to.count;
    return fits;
}

/* For a move, which asks few candidates who they are. Where the transform is diagonal. */
FORCE_INLINE bool append_diagonal(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                                  const PackTransform *transform, const Bounds *stored, Batch *batch,
                                  const Origins *origins)
{
    Bounds box = *stored; /* what is stored cannot seem to change it */
    return append_all(packets, leaves, count, transform, true, (Reached){&box, NULL}, batch, origins, NULL);
}

static OUT_OF_LINE bool append_turned(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                                      const PackTransform *transform, const Bounds *stored,
                                      const Bounds *packed, Batch *batch, const Origins *origins)
{
    return append_all(packets, leaves, count, transform, false, (Reached){stored, packed}, batch, origins,
                      NULL);
}

static bool append_packets(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                           const PackTransform *transform, const Bounds *reach, Batch *batch,
                           Candidate *candidates)
{
    return append_all(packets, leaves, count, transform, false, (Reached){NULL, reach}, batch, NULL,
                      candidates);
}
