/* Heightfields. Their triangles are made when they are asked for: a packet of up to 2 x 2 cells, with the bits that a mesh of the
 * same triangles has. A packet's number counts them row by row. A leaf of the tree is a square of packets. */
#ifndef MESH_FIELD_H
#define MESH_FIELD_H

#include "base/bounds.h"
#include "mesh/mesh.h"

#define FIELD_PACKET 2 /* cells to a side of a packet */
#define FIELD_LEAF   4 /* packets to a side of a leaf */

typedef struct Field
{
    uint32_t columns, rows; /* cells; there is one more sample */
    uint32_t packet_columns, packet_rows, leaf_columns, leaf_rows;
    float spacing[2], scale, base;
    uint16_t *steps; /* the samples, or */
    float *heights;
    uint8_t *surfaces; /* of the cells, or NULL */
} Field;

/* Memory for one packet. */
typedef struct FieldPacket
{
    _Alignas(8) uint8_t bytes[sizeof(LeafPacket) + 24 + 3 * 48 + 32 + 16 + PACKET_SLACK];
} FieldPacket;

void sidle_field_free(Field *field, const sidle_allocator *allocator);
size_t sidle_field_bytes(const Field *field);

const LeafPacket *sidle_field_packet(const Field *field, uint32_t packet, FieldPacket *memory);
Bounds sidle_field_packet_box(const Field *field, uint32_t packet);

/* Writes the packets of a leaf, and returns their number. */
uint32_t sidle_field_leaf(const Field *field, uint32_t leaf, uint32_t packets[FIELD_LEAF * FIELD_LEAF]);

/* Writes the packets whose boxes overlap the box, at most `capacity`. Returns their number; beyond the capacity some are
 * missing. */
uint32_t sidle_field_find(const Field *field, const Bounds *box, uint32_t *packets, uint32_t capacity);

/* A packet of any mesh; `memory` holds that of a heightfield. */
static inline const LeafPacket *mesh_packet(const sidle_mesh *mesh, uint32_t leaf, FieldPacket *memory)
{
    return mesh->field ? sidle_field_packet(mesh->field, leaf, memory) : packet_at(mesh->packets, leaf);
}

/* The packets of a leaf of any mesh. */
static inline uint32_t mesh_leaf(const sidle_mesh *mesh, uint32_t leaf,
                                 uint32_t packets[FIELD_LEAF * FIELD_LEAF])
{
    packets[0] = leaf;
    return mesh->field ? sidle_field_leaf(mesh->field, leaf, packets) : 1;
}

#endif
