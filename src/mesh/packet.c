#include "mesh/packet.h"

void sidle_packet_corners(const LeafPacket *packet, uint32_t triangle, float corners[3][3])
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        packet_corner(packet, axes, triangle, corner, corners[corner]);
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
