/* Turns the leaves of a finished tree into packets. */
#ifndef MESH_LEAVES_H
#define MESH_LEAVES_H

#include "bvh/build.h"
#include "mesh/packet.h"
#include "mesh/source.h"

/* [Limit] Bytes of a packet for each of its triangles. */
#define PACKET_MOST 80

/* The vertices of a packet, by axis. Equal ones are merged by value, so that soup without an index is compact as
 * well. */
typedef struct LeafVertices
{
    float at[3][PACKET_VERTICES];
    uint32_t numbers[PACKET_VERTICES]; /* in the source */
    uint32_t count;
} LeafVertices;

/* Begins a packet of triangles that name vertices of the source: writes their count and indices. */
void sidle_leaf_begin(const Source *source, const BvhPrimitive *own, uint32_t count, LeafPacket *packet,
                      LeafVertices *vertices);

/* The same for the triangles of another packet, in its order, without a search: vertices that it shares are shared here. Returns false
 * if they have parted since. */
bool sidle_leaf_begin_as(const LeafPacket *form, const Source *source, const BvhPrimitive *own,
                         LeafPacket *packet, LeafVertices *vertices);

/* Writes the rest, and the box of the vertices. Returns the size of the packet in PACKET_UNITs. */
uint32_t sidle_leaf_end(const Source *source, const BvhPrimitive *own, LeafPacket *packet,
                        const LeafVertices *vertices, Bounds *box);

/* Both. */
uint32_t sidle_leaf_write(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                          LeafPacket *packet);

#endif
