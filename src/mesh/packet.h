/* A stored leaf: up to eight triangles with their own vertices. A vertex shared within a leaf is stored and transformed
 * once. A packet starts at a multiple of 16 bytes. With n triangles:
 *
 *     0        4             28     32            32 + 12 stride    + 4 n       + 2 n
 *     | counts | index[8][3] | zero | x[] y[] z[] | source[n]       | surface[n] | zero |
 *
 * stride is the vertex count rounded up to a multiple of 4. Unused vertices repeat the last one, so that a load of four
 * reads no integers as denormals. A load of eight can read up to 16 bytes past z[]. The packet owns these bytes, since
 * sources and surfaces take at least one unit. Kernels read all eight index triples, so the unused ones are below the
 * vertex count, too. A terrain takes 28 to 32 bytes a triangle; nine floats take 36. */
#ifndef MESH_PACKET_H
#define MESH_PACKET_H

#include <stddef.h>
#include <stdint.h>

#define PACKET_BITS      3
#define PACKET_TRIANGLES (1 << PACKET_BITS)
#define PACKET_VERTICES  (3 * PACKET_TRIANGLES)
#define PACKET_UNIT      16 /* bytes; a leaf is identified by its offset in units */

typedef struct LeafPacket
{
    uint8_t triangle_count, vertex_count, stride, zero;
    uint8_t index[PACKET_TRIANGLES][3];
    uint8_t zeros[4];
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

#endif
