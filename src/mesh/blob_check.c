/* The check of an untrusted blob. A checksum detects accidents; this pass detects forged content. In a blob that
 * passes, nothing refers outside its bytes, nests deeper than a walk's stack, or loops. */
#include "mesh/blob.h"

#include "base/memory.h"
#include "base/status.h"
#include "bvh/box.h"

#include <string.h>

/* A node, and its box in the parent. */
typedef struct Visit
{
    uint32_t node, depth; /* node: as a child */
    Bounds box;
} Visit;

typedef struct Check
{
    const sidle_mesh *mesh;
    sidle_error *error;
    uint32_t node_count, leaf_count; /* visited */
    uint64_t triangle_count;
    uint8_t *seen; /* a bit for each triangle's number */
} Check;

static sidle_status refuse(const Check *check, const void *where, const char *what)
{
    size_t at = (size_t)((const char *)where - (const char *)check->mesh->blob);
    return sidle_status_fail(check->error, SIDLE_ERROR_ARGUMENT, at, "byte %zu: %s", at, what);
}

static bool is_unused(const BvhNode *node, uint32_t i)
{
    Bounds box = bvh_child_box(node, i);
    bool none = node->child[i] == 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        none = none && isnan(box.min[axis]) && isnan(box.max[axis]);
    }
    return none;
}

static bool contains(const Bounds *outer, const Bounds *inner)
{
    bool holds = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        holds = holds && outer->min[axis] <= inner->min[axis] && inner->min[axis] <= inner->max[axis] &&
                inner->max[axis] <= outer->max[axis];
    }
    return holds;
}

static sidle_status check_triangles(Check *check, const LeafPacket *packet)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            if (packet_index(packet)[i][corner] >= packet->vertex_count)
            {
                return refuse(check, packet_index(packet)[i],
                              "a triangle names a vertex that its leaf does not have");
            }
        }
    }
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        uint32_t source = packet_source(&origins, i), bit = 1u << source % 8;
        if (source >= check->mesh->triangle_count || (check->seen[source / 8] & bit))
        {
            return refuse(check, origins.sources, "a triangle's number is too large or another's");
        }
        check->seen[source / 8] |= (uint8_t)bit;
    }
    return SIDLE_OK;
}

static sidle_status check_vertices(const Check *check, const LeafPacket *packet, const Bounds *box)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    for (uint32_t i = 0; i < packet->vertex_count; ++i)
    {
        float x = packet_coordinate(&axes[0], i), y = packet_coordinate(&axes[1], i),
              z = packet_coordinate(&axes[2], i);
        Bounds point = {{x, y, z}, {x, y, z}};
        if (!contains(box, &point))
        {
            return refuse(check, axes[0].at, "a vertex lies outside its leaf's box");
        }
    }
    return SIDLE_OK;
}

/* Numbers of one, two or four bytes, and steps that are numbers above 0. */
static bool forms_are_known(const LeafPacket *packet)
{
    bool known = true;
    for (uint32_t row = 0; row <= PACKET_SOURCES; ++row)
    {
        uint32_t form = packet_form(packet, row);
        known = known && form <= 2;
        known = known && (row == PACKET_SOURCES || form == 2 ||
                          (packet->exponent[row] > 0 && packet->exponent[row] < 255));
    }
    return known;
}

static sidle_status check_leaf(Check *check, uint64_t unit, const Bounds *box)
{
    const sidle_mesh *mesh = check->mesh;
    uint64_t begin = unit * PACKET_UNIT,
             end = mesh->packet_bytes < PACKET_SLACK ? 0 : mesh->packet_bytes - PACKET_SLACK;
    const LeafPacket *packet = packet_at(mesh->packets, (uint32_t)unit);
    if (begin >= end || end - begin < sizeof *packet)
    {
        return refuse(check, mesh->packets, "a leaf lies outside the packets");
    }
    bool counts = packet->triangle_count >= 1 && packet->triangle_count <= PACKET_TRIANGLES &&
                  packet->vertex_count >= 1 && packet->vertex_count <= PACKET_VERTICES &&
                  forms_are_known(packet);
    if (!counts || (uint64_t)sidle_packet_size(packet) * PACKET_UNIT > end - begin)
    {
        return refuse(check, packet, "a leaf's counts do not fit");
    }
    ++check->leaf_count;
    check->triangle_count += packet->triangle_count;
    sidle_status status = check_triangles(check, packet);
    return status == SIDLE_OK ? check_vertices(check, packet, box) : status;
}

/* Checks one node and pushes its inner children. */
static sidle_status check_node(Check *check, const Visit *visit, Visit *stack, uint32_t *top)
{
    const BvhNode *node = bvh_node(check->mesh->nodes, visit->node);
    for (uint32_t i = BVH_WIDTH; i-- > 0;)
    {
        Bounds box = bvh_child_box(node, i);
        uint32_t child = node->child[i];
        if (is_unused(node, i))
        {
            continue;
        }
        if (!contains(&visit->box, &box))
        {
            return refuse(check, &node->child[i], "a child's box is no box or leaves its parent's");
        }
        if (child & BVH_LEAF)
        {
            sidle_status status = check_leaf(check, child & ~BVH_LEAF, &box);
            if (status != SIDLE_OK)
            {
                return status;
            }
            continue;
        }
        uint64_t end = (uint64_t)check->mesh->node_count * BVH_NODE_ROWS;
        if (child <= visit->node || child >= end || child % BVH_NODE_ROWS ||
            visit->depth + 1 >= BVH_MAX_DEPTH)
        {
            return refuse(check, &node->child[i],
                          "a child lies outside the nodes, before its parent, or too deep");
        }
        stack[(*top)++] = (Visit){child, visit->depth + 1, box};
    }
    return SIDLE_OK;
}

static sidle_status check_tree(Check *check)
{
    const sidle_mesh *mesh = check->mesh;
    Visit stack[BVH_STACK_SIZE];
    uint32_t top = 0;
    if (mesh->node_count > 0)
    {
        stack[top++] = (Visit){0, 0, mesh->bounds};
    }
    /* Every child follows its parent, and each node is visited once, so every walk ends. */
    while (top > 0 && check->node_count < mesh->node_count)
    {
        Visit visit = stack[--top];
        ++check->node_count;
        sidle_status status = check_node(check, &visit, stack, &top);
        if (status != SIDLE_OK)
        {
            return status;
        }
    }
    bool complete = top == 0 && check->node_count == mesh->node_count &&
                    check->leaf_count == mesh->leaf_count && check->triangle_count == mesh->triangle_count;
    return complete ? SIDLE_OK : refuse(check, mesh->blob, "the tree does not hold what the header counts");
}

sidle_status sidle_blob_check_content(const sidle_mesh *mesh, sidle_error *error)
{
    Check check = {.mesh = mesh, .error = error};
    if (mesh->triangle_count > mesh->packet_bytes) /* a forged count must not allocate memory */
    {
        return refuse(&check, mesh->blob, "the tree does not hold what the header counts");
    }
    size_t bytes = (size_t)mesh->triangle_count / 8 + 1;
    check.seen = sidle_memory_allocate(&mesh->allocator, bytes, 1);
    if (!check.seen)
    {
        return sidle_status_fail(error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    memset(check.seen, 0, bytes);
    sidle_status status = check_tree(&check);
    sidle_memory_free(&mesh->allocator, check.seen, bytes, 1);
    return status;
}
