/* A leaf's triangles as lanes, for casts. A cast tests few leaves, so packing would not pay off. Lane i is triangle
 * `first` + i. Each coordinate is computed from its own vertex alone, in the order of append.inl. So a shared vertex
 * has the same bits in all of its triangles. */

/* Stored vertices in the frame. `is_even`: the matrix is a multiple of the identity. */
static inline LaneVec3 leaf_to_frame(LaneVec3 v, const PackTransform *t, bool is_even)
{
    LaneVec3 d = lane3_sub(v, lane3_set(t->high[0], t->high[1], t->high[2]));
    d = lane3_sub(d, lane3_set(t->low[0], t->low[1], t->low[2]));
    const float *m = t->matrix;
    if (is_even)
    {
        return lane3_scale(d, lanes_set(m[0]));
    }
    return (LaneVec3){lane3_dot(lane3_set(m[0], m[1], m[2]), d), lane3_dot(lane3_set(m[3], m[4], m[5]), d),
                      lane3_dot(lane3_set(m[6], m[7], m[8]), d)};
}

#if LANE_COUNT == 8
/* LANE_COUNT vertices from i on. */
static inline LaneVec3 packet_vertices(const PacketAxis axes[3], uint32_t i)
{
    return (LaneVec3){axis_numbers(&axes[0], i), axis_numbers(&axes[1], i), axis_numbers(&axes[2], i)};
}

/* leaf_corners_raw for packets with more vertices than two vectors hold. */
static OUT_OF_LINE void leaf_corners_of_many(const LeafPacket *packet, const PackTransform *t, bool is_even,
                                             LaneVec3 v[3])
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    LaneVec3 low = leaf_to_frame(packet_vertices(axes, 0), t, is_even);
    LaneVec3 high = leaf_to_frame(packet_vertices(axes, LANE_COUNT), t, is_even);
    LaneVec3 rest = leaf_to_frame(packet_vertices(axes, 2 * LANE_COUNT), t, is_even);
    PickCorners corners = pick_corners(packet_index(packet));
    for (int corner = 0; corner < 3; ++corner)
    {
        Picks picks = picks_of(&corners, corner);
        v[corner].x = pick_of_more((PickTable){low.x, high.x}, rest.x, picks);
        v[corner].y = pick_of_more((PickTable){low.y, high.y}, rest.y, picks);
        v[corner].z = pick_of_more((PickTable){low.z, high.z}, rest.z, picks);
    }
}

static inline LaneVec3 pick_vertices(LaneVec3 low, LaneVec3 high, Picks picks)
{
    return (LaneVec3){pick((PickTable){low.x, high.x}, picks), pick((PickTable){low.y, high.y}, picks),
                      pick((PickTable){low.z, high.z}, picks)};
}

/* Transforms each vertex once, then copies it to its corners. */
static inline void leaf_corners_raw(const LeafPacket *packet, uint32_t first, const PackTransform *t,
                                    bool is_even, LaneVec3 v[3])
{
    (void)first;
    if (packet->vertex_count > PICK_MOST)
    {
        LaneVec3 made[3]; /* so that `v` stays in registers */
        leaf_corners_of_many(packet, t, is_even, made);
        v[0] = made[0];
        v[1] = made[1];
        v[2] = made[2];
        return;
    }
    PacketAxis axes[3];
    packet_axes(packet, axes);
    LaneVec3 low = leaf_to_frame(packet_vertices(axes, 0), t, is_even), high = low;
    if (packet->vertex_count > LANE_COUNT)
    {
        high = leaf_to_frame(packet_vertices(axes, LANE_COUNT), t, is_even);
    }
    PickCorners corners = pick_corners(packet_index(packet));
    v[0] = pick_vertices(low, high, picks_of(&corners, 0));
    v[1] = pick_vertices(low, high, picks_of(&corners, 1));
    v[2] = pick_vertices(low, high, picks_of(&corners, 2));
}
#else
/* One corner of LANE_COUNT triangles. Lanes beyond the last triangle hold some vertex. */
static inline LaneVec3 leaf_corner(const LeafPacket *packet, uint32_t first, uint32_t corner)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    _Alignas(64) Real each[3][LANE_COUNT];
    for (uint32_t lane = 0; lane < LANE_COUNT; ++lane)
    {
        float v[3];
        packet_corner(packet, axes, first + lane < packet->triangle_count ? first + lane : 0, corner, v);
        each[0][lane] = (Real)v[0];
        each[1][lane] = (Real)v[1];
        each[2][lane] = (Real)v[2];
    }
    return (LaneVec3){lanes_load(each[0]), lanes_load(each[1]), lanes_load(each[2])};
}

static inline void leaf_corners_raw(const LeafPacket *packet, uint32_t first, const PackTransform *t,
                                    bool is_even, LaneVec3 v[3])
{
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        v[corner] = leaf_to_frame(leaf_corner(packet, first, corner), t, is_even);
    }
}
#endif

/* The corners in the frame, counter-clockwise seen from the unmirrored front. Lanes without a triangle are NaN. */
static inline void leaf_corners(const LeafPacket *packet, uint32_t first, const PackTransform *t,
                                bool is_even, LaneVec3 v[3])
{
    LaneVec3 made[3];
    leaf_corners_raw(packet, first, t, is_even, made);
    v[0] = made[0];
    v[1] = t->mirrored ? made[2] : made[1];
    v[2] = t->mirrored ? made[1] : made[2];
    /* Two corners, so that every edge is NaN and none counts as short. Without a branch, since about half of the leaves
     * are full. */
    _Alignas(64) static const Real numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint32_t count = packet->triangle_count - first;
    Mask is_empty = lanes_less_equal(lanes_set((Real)count), lanes_load(numbers));
    v[0].x = lanes_select(is_empty, lanes_set((Real)NAN), v[0].x);
    v[1].x = lanes_select(is_empty, lanes_set((Real)NAN), v[1].x);
}
