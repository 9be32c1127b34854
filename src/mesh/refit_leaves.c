/* The leaves of a refit. */
#include "mesh/refit.h"

#include "bvh/box.h"
#include "jobs/loop.h"

static bool is_absent(const Source *source, uint32_t triangle)
{
    uint32_t corners[3];
    source_triangle(source, triangle, corners);
    return source->desc.indices && corners[0] == SIDLE_NO_TRIANGLE;
}

static void add_failure(RefitPart *part, uint32_t triangle)
{
    part->bad_triangle = triangle < part->bad_triangle ? triangle : part->bad_triangle;
}

/* The present triangles of a packet; returns how many. */
static uint32_t take_triangles(const Refit *refit, RefitPart *part, const LeafPacket *packet,
                               BvhPrimitive own[PACKET_TRIANGLES])
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    uint32_t count = 0;
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        uint32_t triangle = packet_source(&origins, i);
        if (is_absent(&refit->source, triangle)) /* mutant: absent_triangle_stays */
        {
            ++part->absent_count;
        }
        else if (!source_names_vertices(&refit->source, triangle))
        {
            add_failure(part, triangle);
        }
        else
        {
            own[count++].id = triangle;
        }
    }
    return count;
}

/* Returns whether all vertices can be stored, else notes the triangles that cannot. */
static bool check_vertices(const Refit *refit, RefitPart *part, const BvhPrimitive *own,
                           const LeafPacket *packet, const LeafVertices *vertices)
{
    uint32_t bad = 0; /* a bit for each vertex */
    for (uint32_t i = 0; i < vertices->count; ++i)
    {
        bad |= (uint32_t)!source_is_place(source_vertex(&refit->source, vertices->numbers[i])) << i;
    }
    for (uint32_t i = 0; bad && i < 3u * packet->triangle_count; ++i)
    {
        if (bad >> packet->rest[i] & 1)
        {
            add_failure(part, own[i / 3].id);
        }
    }
    return !bad;
}

static void count_shapes(const LeafPacket *packet, const LeafVertices *vertices, ShapeCounts *counts)
{
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        StoredTriangle triangle;
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            uint32_t vertex = packet_index(packet)[i][corner];
            triangle.v[corner][0] = vertices->at[0][vertex];
            triangle.v[corner][1] = vertices->at[1][vertex];
            triangle.v[corner][2] = vertices->at[2][vertex];
        }
        sidle_count_shape(&triangle, counts);
    }
}

uint8_t *sidle_refit_scratch(const Refit *refit, const RefitPart *part)
{
    return refit->scratch + (size_t)part->first_triangle * PACKET_MOST;
}

/* Writes the packet of what is present in a leaf of the form, and its box. Returns false if that is nothing. */
static bool pack_leaf(Refit *refit, RefitPart *part, const LeafPacket *form, Bounds *box)
{
    BvhPrimitive own[PACKET_TRIANGLES];
    LeafVertices vertices;
    LeafPacket *packet = (void *)(sidle_refit_scratch(refit, part) + (size_t)part->units * PACKET_UNIT);
    uint32_t count = take_triangles(refit, part, form, own);
    if (count == 0)
    {
        return false;
    }
    if (count < form->triangle_count || !sidle_leaf_begin_as(form, &refit->source, own, packet, &vertices))
    {
        sidle_leaf_begin(&refit->source, own, count, packet, &vertices);
    }
    if (!check_vertices(refit, part, own, packet, &vertices))
    {
        return false;
    }
    count_shapes(packet, &vertices, &part->counts);
    part->units += sidle_leaf_end(&refit->source, own, packet, &vertices, box);
    part->leaf_count += 1;
    return true;
}

void sidle_refit_pack(Refit *refit, uint32_t task)
{
    /* Local, so that a task which runs twice at once still writes to its own scratch. */
    const RefitPart *given = &refit->parts[task];
    RefitPart part = {given->first_leaf, given->first_triangle, .bad_triangle = NOTHING_BAD};
    uint32_t leaf = part.first_leaf;
    uint32_t end = task_end(task, REFIT_NODES_PER_TASK, refit->form->node_count);
    for (uint32_t n = task * REFIT_NODES_PER_TASK; n < end; ++n)
    {
        BvhNode *node = &refit->nodes[n];
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t child = refit->form->nodes[n].child[i];
            bool is_leaf = child & BVH_LEAF;
            Bounds box;
            bvh_write_child(node, i, NULL, is_leaf ? 0 : child);
            if (!is_leaf)
            {
                continue;
            }
            refit->leaf_units[leaf] = part.units;
            if (pack_leaf(refit, &part, packet_at(refit->form->packets, child & ~BVH_LEAF), &box))
            {
                bvh_write_child(node, i, &box, BVH_LEAF | leaf);
            }
            ++leaf;
        }
    }
    refit->parts[task] = part;
}
