/* A leaf's vertices move into ellipsoid space, each once; its triangles that meet the reach go into the
 * batch. */

typedef struct Moved /* vertices in ellipsoid space, and on which sides of the reach each one lies outside */
{
    _Alignas(64) float x[PACKET_VERTICES + LANE_COUNT], y[PACKET_VERTICES + LANE_COUNT],
        z[PACKET_VERTICES + LANE_COUNT];
    uint32_t outside[PACKET_VERTICES + LANE_COUNT]; /* a bit per side */
} Moved;

typedef struct PackLanes /* a PackTransform and a reach in lanes */
{
    LaneVec3 row[3], high, low, min, max;
    LaneVec3
        doubt; /* of e per unit of |d|: its rounding errors, so that no corner is outside by them alone */
} PackLanes;

/* Two subtractions, three rounded coefficients, a product and two sums: 6 u of what they add up to at most.
 */
static inline float row_doubt(const float row[3])
{
    return (float)(8 * FLOAT_ROUNDOFF) * (fabsf(row[0]) + fabsf(row[1]) + fabsf(row[2]));
}

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
    lanes.doubt = lane3_set(row_doubt(t->matrix), row_doubt(t->matrix + 3), row_doubt(t->matrix + 6));
    return lanes;
}

static inline Bits sides_outside(LaneVec3 e, LaneVec3 d, const PackLanes *t)
{
    Lanes size = lanes_add(lanes_add(lanes_abs(d.x), lanes_abs(d.y)), lanes_abs(d.z));
    LaneVec3 low = lane3_sub_scaled(t->min, t->doubt, size), high = lane3_add_scaled(t->max, t->doubt, size);
    Bits x = bits_or(mask_to_bits(lanes_less(e.x, low.x), 1), mask_to_bits(lanes_less(high.x, e.x), 2));
    Bits y = bits_or(mask_to_bits(lanes_less(e.y, low.y), 4), mask_to_bits(lanes_less(high.y, e.y), 8));
    Bits z = bits_or(mask_to_bits(lanes_less(e.z, low.z), 16), mask_to_bits(lanes_less(high.z, e.z), 32));
    return bits_or(bits_or(x, y), z);
}

/* From vertex i on. */
static inline LaneVec3 packet_vertices(const LeafPacket *packet, uint32_t i)
{
    const float *x = packet->vertices + i, *y = x + packet->stride, *z = y + packet->stride;
    uint32_t count = packet->stride - i;
    return (LaneVec3){lanes_load_some(x, count), lanes_load_some(y, count), lanes_load_some(z, count)};
}

static inline void move_vertices(const LeafPacket *packet, const PackLanes *t, Moved *out)
{
    for (uint32_t i = 0; i < packet->vertex_count; i += LANE_COUNT)
    {
        LaneVec3 v = packet_vertices(packet, i);
        LaneVec3 d = lane3_sub(lane3_sub(v, t->high), t->low);
        LaneVec3 e = {lane3_dot(t->row[0], d), lane3_dot(t->row[1], d), lane3_dot(t->row[2], d)};
        lanes_store(out->x + i, e.x);
        lanes_store(out->y + i, e.y);
        lanes_store(out->z + i, e.z);
        bits_store(out->outside + i, sides_outside(e, d, t));
    }
}

static inline void write_corner(float *lane, uint32_t field, const Moved *moved, uint32_t vertex)
{
    lane[field * LANE_COUNT] = moved->x[vertex];
    lane[(field + 1) * LANE_COUNT] = moved->y[vertex];
    lane[(field + 2) * LANE_COUNT] = moved->z[vertex];
}

static bool append_packet(const LeafPacket *packet, const PackLanes *lanes, const PackTransform *transform,
                          Batch *batch, Candidate *candidates)
{
    Moved moved;
    move_vertices(packet, lanes, &moved);
    const uint32_t *sources = packet_sources(packet);
    const uint16_t *surfaces = packet_surfaces(packet);
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        const uint8_t *index = packet->index[i];
        if (moved.outside[index[0]] & moved.outside[index[1]] & moved.outside[index[2]])
        {
            continue; /* all three beyond one side */
        }
        if (batch->count == batch->capacity)
        {
            return false;
        }
        uint32_t at = batch->count++;
        float *lane = (float *)block_at(batch, at / LANE_COUNT) + at % LANE_COUNT;
        write_corner(lane, FIELD_V0, &moved, index[0]);
        write_corner(lane, FIELD_V1, &moved, index[transform->mirrored ? 2 : 1]);
        write_corner(lane, FIELD_V2, &moved, index[transform->mirrored ? 1 : 2]);
        candidates[at] =
            (Candidate){transform->key, packet, sources[i], transform->instance, surfaces[i], (uint8_t)i, 0};
    }
    return true;
}

static bool append_packets(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                           const PackTransform *transform, const Bounds *reach, Batch *batch,
                           Candidate *candidates)
{
    PackLanes lanes = pack_lanes(transform, reach);
    for (uint32_t i = 0; i < count; ++i)
    {
        const LeafPacket *packet = (const LeafPacket *)(packets + (size_t)leaves[i] * PACKET_UNIT);
        if (!append_packet(packet, &lanes, transform, batch, candidates))
        {
            return false;
        }
    }
    return true;
}
