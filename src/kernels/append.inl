/* From a mesh into a batch, in two steps. The first keeps the triangles of leaves that overlap a box, as stored
 * corners; an agent caches them from tick to tick. The second keeps those that overlap the reach, in ellipsoid space.
 *
 * A move tests both boxes against the stored corners of each triangle. So its candidates depend neither on the rest of
 * a leaf nor on the cache, and their number is a measure of its work (crowd/work.h). If the axes of the two spaces
 * differ, the reach in ellipsoid space is tested as well. Casts test only that one. */
#include "kernels/corners.h"

#include <string.h>

/* ---- from a leaf ---- */

static inline void note_origin(const Corners *to, uint32_t at, const PacketOrigins *origins, uint32_t leaf,
                               uint32_t i)
{
    to->leaf[at] = leaf;
    to->triangle[at] = packet_source(origins, i);
    to->tag[at] = corners_tag(packet_surface(origins, i), i);
}

#ifdef LANES_HAVE_PICK
/* One coordinate of the three corners of eight triangles. */
typedef struct Picked
{
    simde__m256 corner[3];
} Picked;

/* Removes the triangles outside of [low, high] from `inside`. */
static inline Picked pick_axis(const PacketAxis *axis, uint32_t count, const Picks picks[3], float low,
                               float high, simde__m256 *inside)
{
    bool many = count > PICK_MOST;
    PickTable table = axis_first(axis, count);
    simde__m256 rest = many ? axis_numbers(axis, PICK_MOST) : table.low;
    Picked p;
    for (int i = 0; i < 3; ++i)
    {
        p.corner[i] = many ? pick_of_more(table, rest, picks[i]) : pick(table, picks[i]);
    }
    simde__m256 least = simde_mm256_min_ps(simde_mm256_min_ps(p.corner[0], p.corner[1]), p.corner[2]);
    simde__m256 most = simde_mm256_max_ps(simde_mm256_max_ps(p.corner[0], p.corner[1]), p.corner[2]);
    simde__m256 enters = simde_mm256_cmp_ps(least, simde_mm256_set1_ps(high), SIMDE_CMP_LE_OQ);
    simde__m256 leaves = simde_mm256_cmp_ps(simde_mm256_set1_ps(low), most, SIMDE_CMP_LE_OQ);
    *inside = simde_mm256_and_ps(*inside, simde_mm256_and_ps(enters, leaves));
    return p;
}

/* At the end of the rows, where a whole vector would reach into the next one. Masked stores are slow on AMD's
 * processors. */
static OUT_OF_LINE void keep_last(float *row, size_t stride, const Picked picked[3], Picks front,
                                  uint32_t count)
{
    simde__m256i places = simde_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    simde__m256i first = simde_mm256_cmpgt_epi32(simde_mm256_set1_epi32((int)count), places);
    for (uint32_t i = 0; i < 9; ++i, row += stride)
    {
        simde_mm256_maskstore_ps(row, first, pick_again(picked[i % 3].corner[i / 3], front));
    }
}

/* All triangles of a packet at once. */
static inline bool keep_triangles(Corners *to, const LeafPacket *packet, uint32_t leaf, const Bounds *box)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PickCorners corners = pick_corners(packet_index(packet));
    Picks picks[3] = {picks_of(&corners, 0), picks_of(&corners, 1), picks_of(&corners, 2)};
    simde__m256 all = simde_mm256_castsi256_ps(simde_mm256_set1_epi32(-1));
    Picked picked[3];
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        picked[axis] =
            pick_axis(&axes[axis], packet->vertex_count, picks, box->min[axis], box->max[axis], &all);
    }
    uint32_t inside = (uint32_t)simde_mm256_movemask_ps(all) & ((1u << packet->triangle_count) - 1);
    uint32_t count = (uint32_t)__builtin_popcount(inside), at = to->count;
    if (count == 0 || at + count > to->capacity)
    {
        return count == 0;
    }
    Picks front = picks_to_front(inside);
    float *row = to->rows + at;
    if (at + 8 <= to->stride) /* mutant: writes_into_next_row */
    {
        for (uint32_t i = 0; i < 9; ++i, row += to->stride)
        {
            simde_mm256_storeu_ps(row, pick_again(picked[i % 3].corner[i / 3], front));
        }
    }
    else
    {
        keep_last(row, to->stride, picked, front, count);
    }
    PacketOrigins origins = packet_origins(packet, axes);
    for (; inside; inside &= inside - 1)
    {
        note_origin(to, at++, &origins, leaf, (uint32_t)__builtin_ctz(inside));
    }
    to->count += count;
    return true;
}
#else
static inline bool triangle_overlaps(const float corners[3][3], const Bounds *box)
{
    bool overlaps = true;
    for (uint32_t axis = 0; axis < 3 && overlaps; ++axis)
    {
        float a = corners[0][axis], b = corners[1][axis], c = corners[2][axis];
        bool is_beyond = (a > box->max[axis] && b > box->max[axis] && c > box->max[axis]) ||
                         (a < box->min[axis] && b < box->min[axis] && c < box->min[axis]);
        overlaps = !is_beyond;
    }
    return overlaps;
}

static inline bool keep_triangles(Corners *to, const LeafPacket *packet, uint32_t leaf, const Bounds *box)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        float corners[3][3];
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            packet_corner(packet, axes, i, corner, corners[corner]);
        }
        if (!triangle_overlaps((const float(*)[3])corners, box))
        {
            continue;
        }
        if (to->count == to->capacity)
        {
            return false;
        }
        for (uint32_t row = 0; row < 9; ++row)
        {
            to->rows[row * to->stride + to->count] = corners[row / 3][row % 3];
        }
        note_origin(to, to->count++, &origins, leaf, i);
    }
    return true;
}
#endif

/* Memory for the corners of some leaves. */
#define SOME_TRIANGLES 48

typedef struct SomeCorners
{
    _Alignas(64) float rows[9 * SOME_TRIANGLES + 16];
    uint32_t leaf[SOME_TRIANGLES + 8], triangle[SOME_TRIANGLES + 8], tag[SOME_TRIANGLES + 8];
} SomeCorners;

static inline Corners corners_in(SomeCorners *memory)
{
    return (Corners){memory->rows,  memory->leaf, memory->triangle, memory->tag, SOME_TRIANGLES, 0,
                     SOME_TRIANGLES};
}

static inline bool has_room_for_leaf(const Corners *corners)
{
    return corners->count + PACKET_TRIANGLES <= corners->capacity;
}

/* ---- into the batch ---- */

/* A copy of the batch's fields, so that the compiler knows that stores do not change them. */
typedef struct Appender
{
    float *rows;
    uint32_t stride, count, capacity;
} Appender;

/* The rows of the three corners. Mirrored instances reverse the winding. */
typedef struct CornerRows
{
    const float *x[3];
    size_t stride;
} CornerRows;

static inline CornerRows corner_rows(const Corners *from, bool mirrored)
{
    CornerRows rows = {.stride = from->stride};
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t stored = mirrored && i > 0 ? 3 - i : i; /* mutant: mirror_keeps_winding */
        rows.x[i] = from->rows + 3 * (size_t)stored * from->stride;
    }
    return rows;
}

/* Corner i of the triangles from `at` on. */
static inline LaneVec3 corners_at(const CornerRows *rows, uint32_t i, uint32_t at)
{
    const float *row = rows->x[i] + at;
    return (LaneVec3){lanes_load_unaligned(row), lanes_load_unaligned(row + rows->stride),
                      lanes_load_unaligned(row + 2 * rows->stride)};
}

static inline Mask axis_overlaps(Lanes a, Lanes b, Lanes c, float low, float high)
{
    Mask enters = lanes_less_equal(lanes_min(lanes_min(a, b), c), lanes_set((Real)high));
    return mask_and(enters, lanes_less_equal(lanes_set((Real)low), lanes_max(lanes_max(a, b), c)));
}

static inline Mask corners_overlap(const LaneVec3 v[3], const Bounds *box)
{
    Mask x = axis_overlaps(v[0].x, v[1].x, v[2].x, box->min[0], box->max[0]);
    Mask y = axis_overlaps(v[0].y, v[1].y, v[2].y, box->min[1], box->max[1]);
    return mask_and(mask_and(x, y), axis_overlaps(v[0].z, v[1].z, v[2].z, box->min[2], box->max[2]));
}

/* Tests the corners' interval, widened by the error of the sums, which can cancel. */
static inline Mask axis_may_overlap(const Lanes e[3], const Lanes size[3], float doubt, float low, float high)
{
    Lanes error = lanes_mul(lanes_set((Real)doubt), size[0]); /* mutant: reach_not_inflated */
    Lanes least = lanes_sub(e[0], error), most = lanes_add(e[0], error);
    for (int i = 1; i < 3; ++i)
    {
        error = lanes_mul(lanes_set((Real)doubt), size[i]); /* mutant: reach_not_inflated */
        least = lanes_min(lanes_sub(e[i], error), least);
        most = lanes_max(lanes_add(e[i], error), most);
    }
    return mask_and(lanes_less_equal(least, lanes_set((Real)high)),
                    lanes_less_equal(lanes_set((Real)low), most));
}

static inline LaneVec3 lane3_floats(const float *v)
{
    return lane3_set((Real)v[0], (Real)v[1], (Real)v[2]);
}

/* A stored corner, relative to the centre. */
static inline LaneVec3 from_center(LaneVec3 v, const PackTransform *t)
{
    return lane3_sub(lane3_sub(v, lane3_floats(t->high)), lane3_floats(t->low));
}

static inline Mask turn_corners(LaneVec3 v[3], const PackTransform *t, const Bounds *packed)
{
    Lanes size[3];
    for (int i = 0; i < 3; ++i)
    {
        LaneVec3 d = from_center(v[i], t);
        size[i] = lanes_add(lanes_add(lanes_abs(d.x), lanes_abs(d.y)), lanes_abs(d.z));
        v[i] = (LaneVec3){lane3_dot(lane3_floats(t->matrix), d), lane3_dot(lane3_floats(t->matrix + 3), d),
                          lane3_dot(lane3_floats(t->matrix + 6), d)};
    }
    const Lanes x[3] = {v[0].x, v[1].x, v[2].x}, y[3] = {v[0].y, v[1].y, v[2].y},
                z[3] = {v[0].z, v[1].z, v[2].z};
    Mask overlaps = axis_may_overlap(x, size, t->doubt[0], packed->min[0], packed->max[0]);
    overlaps = mask_and(overlaps, axis_may_overlap(y, size, t->doubt[1], packed->min[1], packed->max[1]));
    return mask_and(overlaps, axis_may_overlap(z, size, t->doubt[2], packed->min[2], packed->max[2]));
}

static inline void scale_corners(LaneVec3 v[3], const PackTransform *t)
{
    for (int i = 0; i < 3; ++i)
    {
        LaneVec3 d = from_center(v[i], t);
        v[i] = (LaneVec3){lanes_mul(lanes_set((Real)t->matrix[0]), d.x),
                          lanes_mul(lanes_set((Real)t->matrix[4]), d.y),
                          lanes_mul(lanes_set((Real)t->matrix[8]), d.z)};
    }
}

static inline void write_chosen(const Appender *to, const LaneVec3 v[3], uint32_t bits)
{
    float *row = to->rows + to->count;
    for (int i = 0; i < 3; ++i, row += 3 * (size_t)to->stride)
    {
        lanes_store_chosen(row, v[i].x, bits);
        lanes_store_chosen(row + to->stride, v[i].y, bits);
        lanes_store_chosen(row + 2 * (size_t)to->stride, v[i].z, bits);
    }
}

static inline void write_origins(const Origins *origins, uint32_t to, const Corners *from, uint32_t at,
                                 uint32_t bits)
{
#if LANE_COUNT == 8
    words_store_chosen(origins->leaf + to, from->leaf + at, bits);
    words_store_chosen(origins->triangle + to, from->triangle + at, bits);
    words_store_chosen(origins->tag + to, from->tag + at, bits);
    bits = 0;
#endif
    for (; bits; bits &= bits - 1, ++to)
    {
        uint32_t i = at + (uint32_t)__builtin_ctz(bits);
        origins->leaf[to] = from->leaf[i];
        origins->triangle[to] = from->triangle[i];
        origins->tag[to] = from->tag[i];
    }
}

/* Appends the triangles `first` to `end` - 1, of one instance. `packed`: the reach in ellipsoid space, or NULL if the
 * axes of both spaces agree. Returns false if the batch is full. */
FORCE_INLINE bool append_corners(const Corners *from, uint32_t first, uint32_t end,
                                 const PackTransform *transform, const Bounds *stored, const Bounds *packed,
                                 Batch *batch, const Origins *origins)
{
    Bounds box = *stored;
    const CornerRows rows = corner_rows(from, transform->mirrored);
    Appender to = {batch->rows, batch->row_stride, batch->count, batch->capacity};
    for (uint32_t at = first; at < end; at += LANE_COUNT)
    {
        LaneVec3 v[3];
        for (uint32_t i = 0; i < 3; ++i)
        {
            v[i] = corners_at(&rows, i, at);
        }
        uint32_t bits = mask_bits(corners_overlap(v, &box)) & bits_used(end - at);
        /* Wide stores of nothing cost less than a branch that is often mispredicted. */
        if (LANE_COUNT < 8 && !bits)
        {
            continue;
        }
        if (!packed)
        {
            scale_corners(v, transform);
        }
        else if (bits)
        {
            bits &= mask_bits(turn_corners(v, transform, packed));
        }
        uint32_t count = (uint32_t)__builtin_popcount(bits);
        if (to.count + count > to.capacity)
        {
            return false;
        }
        write_chosen(&to, v, bits);
        write_origins(origins, to.count, from, at, bits);
        to.count += count;
    }
    batch->count = to.count;
    return true;
}

/* ---- from leaves directly ---- */

/* Stored corners of LANE_COUNT triangles of a leaf from `first` on. */
static inline void stored_corners(const LeafPacket *packet, uint32_t first, bool mirrored, LaneVec3 v[3])
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
#if LANE_COUNT == 8
    if (packet->vertex_count <= PICK_MOST)
    {
        uint32_t count = packet->vertex_count;
        PickTable x = axis_first(&axes[0], count), y = axis_first(&axes[1], count),
                  z = axis_first(&axes[2], count);
        PickCorners corners = pick_corners(packet_index(packet));
        for (int i = 0; i < 3; ++i)
        {
            /* mutant: mirror_keeps_winding */
            Picks picks = picks_of(&corners, mirrored && i > 0 ? 3 - i : i);
            v[i] = (LaneVec3){pick(x, picks), pick(y, picks), pick(z, picks)};
        }
        return;
    }
#endif
    _Alignas(64) Real each[9][LANE_COUNT];
    for (uint32_t n = 0; n < 9 * LANE_COUNT; ++n)
    {
        uint32_t lane = n % LANE_COUNT, i = n / LANE_COUNT / 3, axis = n / LANE_COUNT % 3;
        uint32_t triangle = first + lane < packet->triangle_count ? first + lane : 0;
        /* mutant: mirror_keeps_winding */
        uint32_t vertex = packet_index(packet)[triangle][mirrored && i > 0 ? 3 - i : i];
        each[n / LANE_COUNT][lane] = (Real)packet_coordinate(&axes[axis], vertex);
    }
    for (int i = 0; i < 3; ++i)
    {
        v[i] = (LaneVec3){lanes_load(each[3 * i]), lanes_load(each[3 * i + 1]), lanes_load(each[3 * i + 2])};
    }
}

static inline void write_candidates(const LeafPacket *packet, uint32_t leaf, uint32_t first, uint32_t bits,
                                    const PackTransform *transform, Candidate *out)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    for (; bits; bits &= bits - 1, ++out)
    {
        uint32_t i = first + (uint32_t)__builtin_ctz(bits);
        *out = (Candidate){.key = transform->key,
                           .leaf = leaf,
                           .triangle = packet_source(&origins, i),
                           .instance = transform->instance,
                           .surface = packet_surface(&origins, i),
                           .local = (uint8_t)i};
    }
}

/* For casts: without a box in stored space. Writes all candidates. */
static OUT_OF_LINE bool append_packets(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                                       const PackTransform *transform, const Bounds *reach, Batch *batch,
                                       Candidate *candidates)
{
    Appender to = {batch->rows, batch->row_stride, batch->count, batch->capacity};
    for (uint32_t leaf = 0; leaf < count; ++leaf)
    {
        const LeafPacket *packet = packet_at(packets, leaves[leaf]);
        for (uint32_t first = 0; first < packet->triangle_count; first += LANE_COUNT)
        {
            LaneVec3 v[3];
            stored_corners(packet, first, transform->mirrored, v);
            uint32_t used = bits_left(packet->triangle_count - first);
            uint32_t bits = mask_bits(turn_corners(v, transform, reach)) & used;
            if (to.count + (uint32_t)__builtin_popcount(bits) > to.capacity)
            {
                batch->count = to.count;
                return false;
            }
            write_chosen(&to, v, bits);
            write_candidates(packet, leaves[leaf], first, bits, transform, candidates + to.count);
            to.count += (uint32_t)__builtin_popcount(bits);
        }
    }
    batch->count = to.count;
    return true;
}
