/* The structure of a mesh. */
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include "sidle/mesh.h"

#include "base/bounds.h"
#include "base/reference.h"
#include "bvh/node.h"
#include "mesh/packet.h"

struct sidle_mesh
{
    Reference reference;
    sidle_allocator allocator;
    const BvhNode *nodes;   /* node 0 is the root; an empty mesh has none */
    const uint8_t *packets; /* leaves of nodes: BVH_LEAF | offset in PACKET_UNITs */
    uint32_t node_count, leaf_count, degenerate_count, sliver_count;
    uint32_t triangle_count; /* of the desc */
    uint64_t packet_bytes;
    double sah_cost;
    Vec3 origin;   /* mesh space = origin + stored */
    Bounds bounds; /* stored space */

    const void *blob; /* NULL, or the caller's bytes that nodes and packets point into */
    size_t blob_size;
    void (*on_release)(void *user, const void *bytes, size_t byte_count);
    void *user;

    /* NULL, or a mesh of the same tree that has all triangles: some are absent here (refit.c). Retained. */
    struct sidle_mesh *form;

    struct Field *field; /* NULL, or the samples of a heightfield, which has no packets: mesh/field.h */
};

#endif
