#include "mesh/packet.h"

static inline float step_at(const PacketAxis *axis, uint32_t steps)
{
    return (float)steps * axis->step + axis->base;
}

/* packet_coordinate of three vertices. */
static inline void read_three(const PacketAxis *axis, const uint8_t index[3], float out[3])
{
    const uint8_t *at = axis->at;
    float numbers[3];
    uint16_t steps[3];
    switch (axis->form)
    {
    case 0:
        out[0] = step_at(axis, at[index[0]]);
        out[1] = step_at(axis, at[index[1]]);
        out[2] = step_at(axis, at[index[2]]);
        break;
    case 1:
        memcpy(&steps[0], at + 2 * index[0], 2);
        memcpy(&steps[1], at + 2 * index[1], 2);
        memcpy(&steps[2], at + 2 * index[2], 2);
        out[0] = step_at(axis, steps[0]);
        out[1] = step_at(axis, steps[1]);
        out[2] = step_at(axis, steps[2]);
        break;
    default:
        memcpy(&numbers[0], at + 4 * index[0], 4);
        memcpy(&numbers[1], at + 4 * index[1], 4);
        memcpy(&numbers[2], at + 4 * index[2], 4);
        memcpy(out, numbers, sizeof numbers);
        break;
    }
}

void sidle_packet_corners(const LeafPacket *packet, uint32_t triangle, float corners[3][3])
{
    const uint8_t *index = packet_index(packet)[triangle];
    PacketAxis axes[3];
    packet_axes(packet, axes);
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        float of[3];
        read_three(&axes[axis], index, of);
        corners[0][axis] = of[0];
        corners[1][axis] = of[1];
        corners[2][axis] = of[2];
    }
}

PacketOrigin sidle_packet_origin(const LeafPacket *packet, uint32_t triangle)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    return (PacketOrigin){packet_source(&origins, triangle), packet_surface(&origins, triangle)};
}

uint32_t sidle_packet_size(const LeafPacket *packet)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    uint32_t surfaces = packet->has_surfaces ? packet->triangle_count : 1;
    size_t bytes = (size_t)(origins.surfaces - (const uint8_t *)packet) + 2 * surfaces;
    return (uint32_t)((bytes + PACKET_UNIT - 1) / PACKET_UNIT);
}
