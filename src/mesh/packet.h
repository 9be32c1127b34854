/* A leaf as it is stored: up to eight triangles over their own few vertices, so that a vertex shared inside a
 * leaf is stored and transformed once. A packet lies at a multiple of 16 bytes; what the pack step reads
 * comes first:
 *
 *     0                4                             28    32            + 12 stride        + 4 n        + 2
 * n | counts, stride | index[8][3], bytes          | pad | x[] y[] z[] | source, 4 each   | surface, 2 each |
 * pad
 *
 * stride is the vertex count rounded up to a multiple of 4; the rest repeats the last vertex, so that a load
 * of four never sees a denormal made of somebody's integers. A load of eight may end up to 16 bytes behind
 * z, which are the packet's: what follows z takes a whole unit at least. A terrain takes 28 to 32 bytes a
 * triangle, nine plain floats 36.
 *
 * A leaf that holds pieces of caps (mesh/caps.h) is two packets, one right behind the other: the first, which
 * leaves are named by, for balls, and the second for rays, with each whole triangle in the place of its
 * pieces. The source of a piece is that of the whole. A whole may so stand in two leaves, once in each. */
#ifndef MESH_PACKET_H
#define MESH_PACKET_H

#include <stddef.h>
#include <stdint.h>

#define PACKET_TRIANGLES 8 /* bits of second_pieces */
#define PACKET_VERTICES  (3 * PACKET_TRIANGLES)
#define PACKET_UNIT      16 /* bytes; leaves are named by their offset in units */

typedef struct LeafPacket
{
    uint8_t triangle_count, vertex_count, stride;
    uint8_t has_rays; /* 1: a packet for rays stands right behind */
    uint8_t index[PACKET_TRIANGLES][3];
    uint8_t second_pieces; /* a bit per triangle */
    uint8_t padding[3];
    float vertices[]; /* x of all, y of all, z of all */
} LeafPacket;

_Static_assert(sizeof(LeafPacket) == 32 && offsetof(LeafPacket, vertices) == 32, "as drawn");

static inline const uint32_t *packet_sources(const LeafPacket *packet)
{
    return (const uint32_t *)(packet->vertices + 3 * packet->stride);
}

static inline const uint16_t *packet_surfaces(const LeafPacket *packet)
{
    return (const uint16_t *)(packet_sources(packet) + packet->triangle_count);
}

/* In units. */
static inline uint32_t packet_size(uint32_t triangle_count, uint32_t stride)
{
    return (uint32_t)((sizeof(LeafPacket) + 12 * stride + 6 * triangle_count + PACKET_UNIT - 1) /
                      PACKET_UNIT);
}

/* In units from a leaf's first packet to the one that rays read, and that holds nothing but whole
 * triangles. */
static inline uint32_t packet_to_rays(const LeafPacket *packet)
{
    return packet->has_rays ? packet_size(packet->triangle_count, packet->stride) : 0;
}

static inline const LeafPacket *packet_for_rays(const LeafPacket *packet)
{
    return (const LeafPacket *)((const char *)packet + (size_t)packet_to_rays(packet) * PACKET_UNIT);
}

/* The whole of a triangle, which may be a piece: turns both to the packet for rays where there is one. */
static inline void packet_make_whole(const LeafPacket **packet, uint32_t *triangle)
{
    if ((*packet)->has_rays)
    {
        const LeafPacket *rays = packet_for_rays(*packet);
        uint32_t source = packet_sources(*packet)[*triangle], at = 0;
        while (at + 1u < rays->triangle_count && packet_sources(rays)[at] != source)
        {
            ++at;
        }
        *packet = rays;
        *triangle = at;
    }
}

/* Which of two pieces of one triangle it is: 0 or 1; 0 for a whole. */
static inline uint32_t packet_piece(const LeafPacket *packet, uint32_t triangle)
{
    return packet->second_pieces >> triangle & 1u;
}

#endif
