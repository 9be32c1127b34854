/* Reads a mesh's triangles back from its leaves. */
#include "mesh/mesh.h"

#include "base/vector.h"

#include <string.h>

static sidle_position vertex_of(const sidle_mesh *mesh, const LeafPacket *packet, uint32_t vertex)
{
    const float *x = packet->vertices + vertex, *y = x + packet->stride, *z = y + packet->stride;
    Vec3 v = vec3_add(mesh->origin, vec3((double)*x, (double)*y, (double)*z));
    return (sidle_position){v.x, v.y, v.z};
}

static void copy_leaf(const sidle_mesh *mesh, const LeafPacket *packet, uint32_t first, uint32_t count,
                      sidle_triangle *out)
{
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        uint32_t at = packet_sources(packet)[i] - first; /* wraps to a large number before `first` */
        if (at >= count)
        {
            continue;
        }
        out[at].surface = packet_surfaces(packet)[i];
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            out[at].vertices[corner] = vertex_of(mesh, packet, packet->index[i][corner]);
        }
    }
}

/* Reads the nodes in the order of memory; the tree does not matter here. */
sidle_status sidle_mesh_get_triangles(const sidle_mesh *mesh, uint32_t first, uint32_t count,
                                      sidle_triangle *out)
{
    if (!mesh || (!out && count > 0))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (first > mesh->triangle_count || count > mesh->triangle_count - first)
    {
        return SIDLE_ERROR_INDEX;
    }
    if (count == 0)
    {
        return SIDLE_OK;
    }
    memset(out, 0, count * sizeof *out);
    for (uint32_t n = 0; n < mesh->node_count; ++n)
    {
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t child = mesh->nodes[n].child[i];
            if (child & BVH_LEAF)
            {
                const uint8_t *leaf = mesh->packets + (uint64_t)(child & ~BVH_LEAF) * PACKET_UNIT;
                copy_leaf(mesh, (const LeafPacket *)leaf, first, count, out);
            }
        }
    }
    return SIDLE_OK;
}
