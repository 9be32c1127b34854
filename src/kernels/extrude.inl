/* append.inl for capsules: triangles become prisms (prism.h). */
#include "kernels/prism.h"

typedef struct Extruded /* the vertices of a leaf: where they are, and above and below */
{
    Moved middle, ends[2]; /* the middle says nothing of what is outside */
} Extruded;

static inline void store_moved(Moved *out, uint32_t i, LaneVec3 e)
{
    lanes_store(out->x + i, e.x);
    lanes_store(out->y + i, e.y);
    lanes_store(out->z + i, e.z);
}

/* Each vertex is extruded by itself, so that prisms that share it share the bits of its ends. */
static inline void extrude_vertices(const LeafPacket *packet, const PackLanes *t, LaneVec3 core,
                                    Extruded *out)
{
    for (uint32_t i = 0; i < packet->vertex_count; i += LANE_COUNT)
    {
        LaneVec3 v = packet_vertices(packet, i);
        LaneVec3 d = lane3_sub(lane3_sub(v, t->high), t->low);
        LaneVec3 e = {lane3_dot(t->row[0], d), lane3_dot(t->row[1], d), lane3_dot(t->row[2], d)};
        LaneVec3 above = lane3_add(e, core), below = lane3_sub(e, core);
        store_moved(&out->middle, i, e);
        store_moved(&out->ends[0], i, above);
        store_moved(&out->ends[1], i, below);
        bits_store_bytes(out->ends[0].outside + i, sides_outside_in_doubt(above, d, t));
        bits_store_bytes(out->ends[1].outside + i, sides_outside_in_doubt(below, d, t));
    }
}

static inline Vec3 read_moved(const Moved *moved, uint32_t vertex)
{
    return vec3((double)moved->x[vertex], (double)moved->y[vertex], (double)moved->z[vertex]);
}

typedef struct PrismView /* which parts of a prism the centre may come to see */
{
    uint8_t parts[PRISM_LANES];
    uint32_t count;
    bool pierced;   /* the line of the core goes through the triangle, near the core */
    bool is_hidden; /* by one-sidedness */
} PrismView;

static inline void see_side(PrismView *view, uint32_t edge, Vec3 e, Vec3 core, uint8_t flipped)
{
    uint8_t diagonal = vec3_dot(e, core) > 0 ? 2 : 0;
    uint8_t part = (uint8_t)(PRISM_SIDE + 4 * edge + diagonal);
    view->parts[view->count++] = part | flipped;
    view->parts[view->count++] = (uint8_t)(part + 1) | flipped;
}

/* Whether the centre may come in front of a plane: the signed distance of the frame's origin from it, times
 * the length of its normal, against what the centre can travel. Most answers need no root. */
static inline bool may_see(double distance, Vec3 normal, double travel, double doubt)
{
    return !(distance < -doubt) || !(distance < -travel * vec3_length(normal) - doubt);
}

/* Halves of the core: a triangle that the core's line crosses no farther than this from its middle counts as
 * pierced. 1 is where it ends, and plane_doubt sees to what rounding does there; counting more costs a look
 * at all triangles in double and the lanes of all parts, and changes no answer. At .5 what crosses a core is
 * not told, and a lift takes agents through a shelf (test_capsule, test_pinned); with these and test_cases
 * all holds from 1 to 10. */
#define NEAR_CORE 1.01

/* Signed distances of the frame's origin from all planes, each times the length of its normal, against what
 * the centre can travel. `doubt`, of a corner, enters each of them by the derivative of its formula; NaN and
 * what overflows is seen. */
static void look_at_prism(const Vec3 v[3], const Prisms *prisms, PrismView *view)
{
    Vec3 core = prisms->core, e[3];
    double size = 0, c[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        Vec3 next = v[(i + 1) % 3];
        e[i] = vec3_sub(next, v[i]);
        size = larger(size, fabs(v[i].x) + fabs(v[i].y) + fabs(v[i].z));
        c[i] = vec3_dot(core, vec3_cross(v[i], next));
    }
    Vec3 n = vec3_cross(e[0], e[1]);
    double doubt = prisms->doubt * size, along = vec3_dot(n, core), plane = vec3_dot(n, v[0]);
    double core_length = vec3_length(core);
    double plane_doubt = 4 * size * size * doubt, side_doubt = 2 * size * core_length * doubt;
    bool is_flat = !(fabs(along) > 4 * size * core_length * doubt);
    double sign = along < 0 ? -1 : 1;
    uint8_t flipped = along < 0 ? PRISM_FLIPPED : 0;
    double travel = prisms->travel + doubt;
    view->count = 0;
    view->is_hidden = prisms->one_sided && plane > 0 && triangle_has_face(v, n);
    view->pierced = !is_flat && fabs(plane) <= NEAR_CORE * fabs(along) + plane_doubt;
    for (uint32_t i = 0; i < 3; ++i)
    {
        view->pierced = view->pierced && sign * c[i] >= -side_doubt;
    }
    for (int end = 0; end < 2; ++end)
    {
        double height = (end ? plane : -plane) * sign - fabs(along);
        if (is_flat || view->pierced || may_see(height, n, travel, plane_doubt))
        {
            view->parts[view->count++] = (uint8_t)(PRISM_TOP + end) | flipped;
        }
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        if (is_flat || may_see(-sign * c[i], vec3_cross(e[i], core), travel, side_doubt))
        {
            see_side(view, i, e[i], core, flipped);
        }
    }
}

typedef struct PrismCorners /* as prism.h counts them */
{
    float place[6][3];
    uint32_t outside[6];
} PrismCorners;

/* False: all are beyond one side of the reach, as most are. */
static inline bool read_corners(const Extruded *extruded, const uint8_t index[3], PrismCorners *out)
{
    uint32_t all_outside = UINT32_MAX;
    for (uint32_t i = 0; i < 6; ++i)
    {
        out->outside[i] = extruded->ends[i / 3].outside[index[i % 3]];
        all_outside &= out->outside[i];
    }
    for (uint32_t i = 0; i < 6 && !all_outside; ++i)
    {
        const Moved *end = &extruded->ends[i / 3];
        out->place[i][0] = end->x[index[i % 3]];
        out->place[i][1] = end->y[index[i % 3]];
        out->place[i][2] = end->z[index[i % 3]];
    }
    return !all_outside;
}

/* The lanes of the parts that are seen and in reach. */
static inline void append_parts(const PrismView *view, const PrismCorners *corners, Candidate candidate,
                                Batch *batch, Candidate *candidates)
{
    for (uint32_t i = 0; i < view->count; ++i)
    {
        candidate.part = view->parts[i];
        uint32_t of[3], outside = UINT32_MAX;
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            of[corner] = prism_corner(candidate.part, corner);
            outside &= corners->outside[of[corner]];
        }
        if (outside && !view->pierced) /* who is inside may be far from all faces, but is in there */
        {
            continue;
        }
        uint32_t at = batch->count++;
        float *lane = (float *)block_at(batch, at / LANE_COUNT) + at % LANE_COUNT;
        for (uint32_t k = 0; k < 9; ++k)
        {
            lane[(FIELD_V0 + k) * LANE_COUNT] = corners->place[of[k / 3]][k % 3];
        }
        candidates[at] = candidate;
    }
}

static bool append_prism(const LeafPacket *packet, uint32_t local, const Extruded *extruded,
                         const PackTransform *transform, Batch *batch, Candidate *candidates)
{
    const uint8_t *stored = packet->index[local];
    const uint8_t index[3] = {stored[0], stored[transform->mirrored ? 2 : 1],
                              stored[transform->mirrored ? 1 : 2]};
    PrismCorners corners;
    if (!read_corners(extruded, index, &corners))
    {
        return true;
    }
    Prisms *prisms = transform->prisms;
    if (prisms->count == prisms->capacity)
    {
        return false;
    }
    PrismSource *source = &prisms->sources[prisms->count];
    for (uint32_t i = 0; i < 3; ++i)
    {
        source->corners[i] = read_moved(&extruded->middle, index[i]);
    }
    PrismView view;
    look_at_prism(source->corners, prisms, &view);
    if (view.is_hidden)
    {
        return true;
    }
    Candidate candidate = {transform->key,
                           packet,
                           packet_sources(packet)[local],
                           transform->instance,
                           packet_surfaces(packet)[local],
                           (uint8_t)local,
                           0,
                           (uint16_t)prisms->count,
                           0};
    source->first = batch->count;
    append_parts(&view, &corners, candidate, batch, candidates);
    source->end = batch->count;
    prisms->count += source->end > source->first;
    prisms->pierced = prisms->pierced || view.pierced;
    return true;
}

static bool append_prisms(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                          const PackTransform *transform, const Bounds *reach, Batch *batch,
                          Candidate *candidates)
{
    PackLanes lanes = pack_lanes(transform, reach);
    Vec3 core = transform->prisms->core;
    LaneVec3 core_lanes = lane3_set((float)core.x, (float)core.y, (float)core.z);
    for (uint32_t i = 0; i < count; ++i)
    {
        const LeafPacket *packet = (const LeafPacket *)(packets + (size_t)leaves[i] * PACKET_UNIT);
        Extruded extruded;
        extrude_vertices(packet, &lanes, core_lanes, &extruded);
        for (uint32_t local = 0; local < packet->triangle_count; ++local)
        {
            if (!append_prism(packet, local, &extruded, transform, batch, candidates))
            {
                return false;
            }
        }
    }
    return true;
}
