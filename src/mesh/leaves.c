#include "mesh/leaves.h"

#include <string.h>

/* The contents of a packet. Equal vertices are merged by value, so that soup without an index is compact as well. */
typedef struct Content
{
    float at[PACKET_VERTICES][3];
    uint32_t vertex_count, triangle_count;
    uint32_t sources[PACKET_TRIANGLES];
    uint8_t index[PACKET_TRIANGLES][3];
} Content;

static uint32_t find_or_add(Content *content, const float v[3])
{
    for (uint32_t i = 0; i < content->vertex_count; ++i)
    {
        const float *known = content->at[i];
        if (known[0] == v[0] && known[1] == v[1] && known[2] == v[2])
        {
            return i;
        }
    }
    memcpy(content->at[content->vertex_count], v, sizeof content->at[0]);
    return content->vertex_count++;
}

static Content content_of(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf)
{
    Content content = {.triangle_count = leaf->count};
    for (uint32_t i = 0; i < leaf->count; ++i)
    {
        content.sources[i] = primitives[leaf->first + i].id;
        StoredTriangle triangle = source_stored_triangle(source, content.sources[i]);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            content.index[i][corner] = (uint8_t)find_or_add(&content, triangle.v[corner]);
        }
    }
    return content;
}

static uint32_t stride_of(const Content *content)
{
    return (content->vertex_count + 3) & ~3u;
}

uint32_t sidle_leaf_measure(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf)
{
    Content content = content_of(source, primitives, leaf);
    return packet_size(content.triangle_count, stride_of(&content));
}

void sidle_leaf_write(const Source *source, const BvhPrimitive *primitives, const BvhLeaf *leaf,
                      LeafPacket *packet)
{
    Content content = content_of(source, primitives, leaf);
    uint32_t stride = stride_of(&content), count = content.triangle_count;
    memset(packet, 0, (size_t)packet_size(count, stride) * PACKET_UNIT);
    packet->triangle_count = (uint8_t)count;
    packet->vertex_count = (uint8_t)content.vertex_count;
    packet->stride = (uint8_t)stride;
    memcpy(packet->index, content.index, sizeof packet->index);
    for (uint32_t i = 0; i < stride; ++i)
    {
        const float *v = content.at[i < content.vertex_count ? i : content.vertex_count - 1];
        packet->vertices[i] = v[0];
        packet->vertices[stride + i] = v[1];
        packet->vertices[2 * stride + i] = v[2];
    }
    uint32_t *sources = (uint32_t *)(packet->vertices + 3 * stride);
    uint16_t *surfaces = (uint16_t *)(sources + count);
    for (uint32_t i = 0; i < count; ++i)
    {
        sources[i] = content.sources[i];
        surfaces[i] = source_surface(source, sources[i]);
    }
}
