/* Reads a mesh's triangles back from its leaves. */
#include "mesh/field.h"

#include "base/fp_environment.h"
#include "base/vector.h"

#include <string.h>

static sidle_position place_of(const sidle_mesh *mesh, const float stored[3])
{
    Vec3 v = vec3_add(mesh->origin, vec3((double)stored[0], (double)stored[1], (double)stored[2]));
    return (sidle_position){v.x, v.y, v.z};
}

static void copy_packet(const sidle_mesh *mesh, const LeafPacket *packet, uint32_t first, uint32_t count,
                        sidle_triangle *out)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        uint32_t at = packet_source(&origins, i) - first; /* wraps to a large number before `first` */
        if (at >= count)
        {
            continue;
        }
        out[at].surface = packet_surface(&origins, i);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            float stored[3];
            packet_corner(packet, axes, i, corner, stored);
            out[at].vertices[corner] = place_of(mesh, stored);
        }
    }
}

static void copy_leaf(const sidle_mesh *mesh, uint32_t leaf, uint32_t first, uint32_t count,
                      sidle_triangle *out)
{
    uint32_t packets[FIELD_LEAF * FIELD_LEAF], packet_count = mesh_leaf(mesh, leaf, packets);
    for (uint32_t i = 0; i < packet_count; ++i)
    {
        FieldPacket memory;
        copy_packet(mesh, mesh_packet(mesh, packets[i], &memory), first, count, out);
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
    FpEnvironment host = fp_enter();
    for (uint32_t n = 0; n < mesh->node_count; ++n)
    {
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t child = mesh->nodes[n].child[i];
            if (child & BVH_LEAF)
            {
                copy_leaf(mesh, child & ~BVH_LEAF, first, count, out);
            }
        }
    }
    fp_leave(host);
    return SIDLE_OK;
}
