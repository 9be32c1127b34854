/* Turns the leaves of a finished tree into packets. */
#ifndef MESH_LEAVES_H
#define MESH_LEAVES_H

#include "bvh/build.h"
#include "mesh/packet.h"
#include "mesh/source.h"

/* The corners of a leaf's triangles among its vertices, which are numbered in the order of the corners. */
typedef struct LeafIndex
{
    uint8_t of[PACKET_TRIANGLES][3];
    uint8_t vertex_count;
} LeafIndex;

/* Returns the size of the packet in PACKET_UNITs. */
uint32_t sidle_leaf_index(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                          LeafIndex *index);
void sidle_leaf_write(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                      const LeafIndex *index, LeafPacket *packet);

#endif
