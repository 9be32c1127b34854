/* A leaf's vertices move into ellipsoid space, each once; its triangles that meet the reach go into the
 * batch. */

typedef struct Moved /* vertices in ellipsoid space, and on which sides of the reach each one lies outside */
{
    _Alignas(64) float x[PACKET_VERTICES + LANE_COUNT], y[PACKET_VERTICES + LANE_COUNT],
        z[PACKET_VERTICES + LANE_COUNT];
    uint8_t outside[PACKET_VERTICES + LANE_COUNT];
} Moved;

static inline Lanes row_product(const float row[3], LaneVec3 d)
{
    return lane3_dot(lane3_set(row[0], row[1], row[2]), d);
}

/* Bit `side` of each lane's byte. */
static inline void mark(uint8_t outside[], Mask mask, uint32_t side)
{
    uint32_t bits = mask_bits(mask);
    for (uint32_t lane = 0; lane < LANE_COUNT; ++lane)
    {
        outside[lane] |= (uint8_t)((bits >> lane & 1) << side);
    }
}

static inline void move_vertices(const LeafPacket *packet, const PackTransform *t, const Bounds *reach,
                                 Moved *out)
{
    const float *x = packet->vertices, *y = x + packet->stride, *z = y + packet->stride;
    LaneVec3 high = lane3_set(t->high[0], t->high[1], t->high[2]),
             low = lane3_set(t->low[0], t->low[1], t->low[2]);
    for (uint32_t i = 0; i < packet->vertex_count; i += LANE_COUNT)
    {
        LaneVec3 v = {lanes_load_unaligned(x + i), lanes_load_unaligned(y + i), lanes_load_unaligned(z + i)};
        LaneVec3 d = lane3_sub(lane3_sub(v, high), low);
        LaneVec3 e = {row_product(t->matrix, d), row_product(t->matrix + 3, d),
                      row_product(t->matrix + 6, d)};
        lanes_store(out->x + i, e.x);
        lanes_store(out->y + i, e.y);
        lanes_store(out->z + i, e.z);
        for (uint32_t lane = 0; lane < LANE_COUNT; ++lane)
        {
            out->outside[i + lane] = 0;
        }
        mark(out->outside + i, lanes_less(e.x, lanes_set(reach->min[0])), 0);
        mark(out->outside + i, lanes_less(lanes_set(reach->max[0]), e.x), 1);
        mark(out->outside + i, lanes_less(e.y, lanes_set(reach->min[1])), 2);
        mark(out->outside + i, lanes_less(lanes_set(reach->max[1]), e.y), 3);
        mark(out->outside + i, lanes_less(e.z, lanes_set(reach->min[2])), 4);
        mark(out->outside + i, lanes_less(lanes_set(reach->max[2]), e.z), 5);
    }
}

static inline void write_corner(float *lane, uint32_t field, const Moved *moved, uint32_t vertex)
{
    lane[field * LANE_COUNT] = moved->x[vertex];
    lane[(field + 1) * LANE_COUNT] = moved->y[vertex];
    lane[(field + 2) * LANE_COUNT] = moved->z[vertex];
}

static bool append_packet(const LeafPacket *packet, const PackTransform *transform, const Bounds *reach,
                          Batch *batch, Candidate *candidates)
{
    Moved moved;
    move_vertices(packet, transform, reach, &moved);
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
