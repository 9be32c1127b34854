/* Turns the leaves of a finished tree into packets. */
#ifndef MESH_LEAVES_H
#define MESH_LEAVES_H

#include "bvh/build.h"
#include "mesh/packet.h"
#include "mesh/source.h"

/* [Limit] Bytes of a packet for each of its triangles. */
#define PACKET_MOST 80

/* Returns the size of the packet in PACKET_UNITs. */
uint32_t sidle_leaf_write(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                          LeafPacket *packet);

#endif
