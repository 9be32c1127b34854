#include "mesh/leaves.h"

#include <string.h>

/* Vertices of one leaf, equal ones once: by value, so that soup without an index gains as well. */
typedef struct LeafVertices
{
    float at[PACKET_VERTICES][3];
    uint32_t count;
} LeafVertices;

static uint32_t find_or_add(LeafVertices *vertices, const float v[3])
{
    for (uint32_t i = 0; i < vertices->count; ++i)
    {
        const float *known = vertices->at[i];
        if (known[0] == v[0] && known[1] == v[1] && known[2] == v[2])
        {
            return i;
        }
    }
    memcpy(vertices->at[vertices->count], v, sizeof vertices->at[0]);
    return vertices->count++;
}

static void collect(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                    LeafVertices *vertices, uint8_t index[PACKET_TRIANGLES][3])
{
    vertices->count = 0;
    for (uint32_t i = 0; i < leaf->count; ++i)
    {
        uint32_t corners[3];
        source_triangle(source, primitives[leaf->first + i].id, corners);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            float v[3];
            source_stored_vertex(source, corners[corner], v);
            index[i][corner] = (uint8_t)find_or_add(vertices, v);
        }
    }
}

static uint32_t padded(uint32_t vertex_count)
{
    return (vertex_count + 3) & ~3u;
}

uint32_t leaf_measure(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf)
{
    LeafVertices vertices;
    uint8_t index[PACKET_TRIANGLES][3];
    collect(source, primitives, leaf, &vertices, index);
    return packet_size(leaf->count, padded(vertices.count));
}

void leaf_write(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf, LeafPacket *packet)
{
    LeafVertices vertices;
    uint8_t index[PACKET_TRIANGLES][3] = {{0}};
    collect(source, primitives, leaf, &vertices, index);
    uint32_t stride = padded(vertices.count);
    memset(packet, 0, (size_t)packet_size(leaf->count, stride) * PACKET_UNIT);
    packet->triangle_count = (uint8_t)leaf->count;
    packet->vertex_count = (uint8_t)vertices.count;
    packet->stride = (uint8_t)stride;
    memcpy(packet->index, index, sizeof index);
    for (uint32_t i = 0; i < stride; ++i)
    {
        const float *v = vertices.at[i < vertices.count ? i : vertices.count - 1];
        packet->vertices[i] = v[0];
        packet->vertices[stride + i] = v[1];
        packet->vertices[2 * stride + i] = v[2];
    }
    uint32_t *sources = (uint32_t *)(packet->vertices + 3 * stride);
    uint16_t *surfaces = (uint16_t *)(sources + leaf->count);
    for (uint32_t i = 0; i < leaf->count; ++i)
    {
        sources[i] = primitives[leaf->first + i].id;
        surfaces[i] = source_surface(source, sources[i]);
    }
}
