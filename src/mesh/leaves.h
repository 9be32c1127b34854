/* Turns the leaves of a finished tree into packets. */
#ifndef MESH_LEAVES_H
#define MESH_LEAVES_H

#include "bvh/build.h"
#include "mesh/packet.h"
#include "mesh/source.h"

/* sidle_leaf_measure returns the size of the packet in PACKET_UNITs. */
uint32_t sidle_leaf_measure(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf);
void sidle_leaf_write(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                      LeafPacket *packet);

#endif
