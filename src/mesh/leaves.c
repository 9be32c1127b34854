#include "mesh/leaves.h"

#include <string.h>

/* The vertices of a packet. Equal ones are merged by value, so that soup without an index is compact as well. */
typedef struct Vertices
{
    float at[PACKET_VERTICES][3];
    uint32_t numbers[PACKET_VERTICES]; /* in the source */
    uint32_t count;
} Vertices;

static uint32_t find_or_add(const Source *source, Vertices *vertices, uint32_t number)
{
    for (uint32_t i = 0; i < vertices->count; ++i) /* most that a leaf shares have the same number */
    {
        if (vertices->numbers[i] == number)
        {
            return i;
        }
    }
    float v[3];
    source_stored_vertex(source, number, v);
    for (uint32_t i = 0; i < vertices->count; ++i)
    {
        const float *known = vertices->at[i];
        if (known[0] == v[0] && known[1] == v[1] && known[2] == v[2])
        {
            return i;
        }
    }
    memcpy(vertices->at[vertices->count], v, sizeof v);
    vertices->numbers[vertices->count] = number;
    return vertices->count++;
}

static uint32_t stride_of(const LeafIndex *index)
{
    return (index->vertex_count + 3u) & ~3u;
}

uint32_t sidle_leaf_index(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                          LeafIndex *index)
{
    Vertices vertices;
    vertices.count = 0;
    memset(index, 0, sizeof *index);
    for (uint32_t i = 0; i < leaf->count; ++i)
    {
        uint32_t corners[3];
        source_triangle(source, primitives[leaf->first + i].id, corners);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            index->of[i][corner] = (uint8_t)find_or_add(source, &vertices, corners[corner]);
        }
    }
    index->vertex_count = (uint8_t)vertices.count;
    return packet_size(leaf->count, stride_of(index));
}

/* An index is new if it is the next one. */
static void write_vertices(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                           const LeafIndex *index, LeafPacket *packet)
{
    uint32_t stride = packet->stride, written = 0;
    float v[3] = {0, 0, 0};
    for (uint32_t i = 0; i < leaf->count; ++i)
    {
        uint32_t corners[3];
        source_triangle(source, primitives[leaf->first + i].id, corners);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            if (index->of[i][corner] == written)
            {
                source_stored_vertex(source, corners[corner], v);
                packet->vertices[written] = v[0];
                packet->vertices[stride + written] = v[1];
                packet->vertices[2 * stride + written] = v[2];
                written += 1;
            }
        }
    }
    for (; written < stride; ++written)
    {
        packet->vertices[written] = v[0];
        packet->vertices[stride + written] = v[1];
        packet->vertices[2 * stride + written] = v[2];
    }
}

void sidle_leaf_write(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                      const LeafIndex *index, LeafPacket *packet)
{
    uint32_t stride = stride_of(index), count = leaf->count;
    memset(packet, 0, (size_t)packet_size(count, stride) * PACKET_UNIT);
    packet->triangle_count = (uint8_t)count;
    packet->vertex_count = index->vertex_count;
    packet->stride = (uint8_t)stride;
    memcpy(packet->index, index->of, sizeof packet->index);
    write_vertices(source, primitives, leaf, index, packet);
    uint32_t *sources = (uint32_t *)(packet->vertices + 3 * stride);
    uint16_t *surfaces = (uint16_t *)(sources + count);
    for (uint32_t i = 0; i < count; ++i)
    {
        sources[i] = primitives[leaf->first + i].id;
        surfaces[i] = source_surface(source, sources[i]);
    }
}
