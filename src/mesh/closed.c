/* Whether a mesh is closed: each edge has as many triangles in one direction as in the other, so that the difference of two sums over all
 * edges is 0: of a hash of each edge, and of the reversed edge. Sums of hashes compare multisets without a list of them (D. Clarke et al.,
 * "Incremental Multiset Hash Functions and Their Application to Memory Integrity Checking", 2003). */
#include "mesh/field.h"

#include "base/fp_environment.h"

#include <string.h>

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 32;
}

static uint64_t hash_of(const float corner[3])
{
    uint64_t hash = 1;
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        float number = corner[axis] + 0.f; /* -0 as 0 */
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        hash = mixed(hash, bits);
    }
    return hash;
}

/* The sum over the edges of a packet's triangles. */
static uint64_t packet_sum(const LeafPacket *packet)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        float corners[3][3];
        uint64_t hash[3];
        sidle_packet_corners(packet, i, corners);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            hash[corner] = hash_of(corners[corner]);
        }
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            uint64_t from = hash[corner], to = hash[(corner + 1) % 3];
            sum += mixed(mixed(0, from), to) - mixed(mixed(0, to), from); /* mutant: always_closed */
        }
    }
    return sum;
}

static uint64_t leaf_sum(const sidle_mesh *mesh, uint32_t leaf)
{
    uint32_t packets[FIELD_LEAF * FIELD_LEAF], count = mesh_leaf(mesh, leaf, packets);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        FieldPacket memory;
        sum += packet_sum(mesh_packet(mesh, packets[i], &memory));
    }
    return sum;
}

static FP_BODY uint64_t mesh_sum(const sidle_mesh *mesh)
{
    uint64_t sum = 0;
    for (uint32_t n = 0; n < mesh->node_count; ++n)
    {
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t child = mesh->nodes[n].child[i];
            sum += child & BVH_LEAF ? leaf_sum(mesh, child & ~BVH_LEAF) : 0;
        }
    }
    return sum;
}

uint32_t sidle_mesh_is_closed(const sidle_mesh *mesh)
{
    if (!mesh || mesh->node_count == 0)
    {
        return 0;
    }
    FpEnvironment host = fp_enter();
    uint64_t sum = mesh_sum(mesh);
    fp_leave(host);
    return sum == 0;
}
