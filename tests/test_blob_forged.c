/* Blobs forged to do harm: the checksum fits, and one field is false. Each is refused by
 * its own sentence. */
#include "support/blobs.h"

#include <criterion/criterion.h>
#include <string.h>

static void is_refused(const Blob *blob, const char *text)
{
    sidle_mesh *mesh = NULL;
    sidle_error error = {0};
    blob_seal(blob);
    cr_expect_eq(blob_open(blob, 0, &error, &mesh), SIDLE_ERROR_ARGUMENT);
    cr_expect_null(mesh);
    cr_expect_not_null(strstr(error.text, text), "'%s' does not say '%s'", error.text, text);
}

/* Writes the lie, and the truth again. */
static void lie(const Blob *blob, void *at, const void *value, size_t size, const char *text)
{
    unsigned char truth[16];
    memcpy(truth, at, size);
    memcpy(at, value, size);
    is_refused(blob, text);
    memcpy(at, truth, size);
}

static void lie_count(const Blob *blob, uint32_t *at, uint32_t value, const char *text)
{
    lie(blob, at, &value, sizeof value, text);
}

static void lie_byte(const Blob *blob, uint8_t *at, unsigned value, const char *text)
{
    uint8_t byte = (uint8_t)value;
    lie(blob, at, &byte, sizeof byte, text);
}

static void lie_float(const Blob *blob, float *at, float value, const char *text)
{
    lie(blob, at, &value, sizeof value, text);
}

static void lie_double(const Blob *blob, double *at, double value, const char *text)
{
    lie(blob, at, &value, sizeof value, text);
}

Test(blob_forged, a_header_that_contradicts_itself_is_refused)
{
    static const char *const text = "contradicts itself";
    Blob blob = blob_of_terrain(12);
    BlobHeader *header = blob_header(&blob);
    const uint64_t offset = header->nodes_offset + 64, far = UINT64_MAX - 63;
    lie_count(&blob, &header->triangle_count, 0, text);
    lie_count(&blob, &header->triangle_count, SIDLE_MAX_TRIANGLES + 1, text);
    lie_count(&blob, &header->node_count, 0, text);
    lie_count(&blob, &header->node_count, header->node_count + 1, text);
    lie_count(&blob, &header->node_count, UINT32_MAX, text);
    lie_count(&blob, &header->degenerate_count, header->triangle_count + 1, text);
    lie_count(&blob, &header->sliver_count, header->triangle_count + 1, text);
    lie(&blob, &header->nodes_offset, &offset, sizeof offset, text);
    lie(&blob, &header->packets_offset, &offset, sizeof offset, text);
    lie(&blob, &header->packet_bytes, &far, sizeof far, text);
    for (int axis = 0; axis < 3; ++axis)
    {
        lie_float(&blob, &header->bounds_min[axis], NAN, text);
        lie_float(&blob, &header->bounds_max[axis], INFINITY, text);
        lie_double(&blob, &header->origin[axis], -1.01 * SIDLE_MAX_COORDINATE, text);
        lie_double(&blob, &header->origin[axis], NAN, text);
    }
    lie_double(&blob, &header->sah_cost, INFINITY, text);
    blob_free(&blob);
}

Test(blob_forged, counts_that_the_tree_does_not_hold_are_refused)
{
    static const char *const text = "does not hold";
    Blob blob = blob_of_terrain(12);
    BlobHeader *header = blob_header(&blob);
    lie_count(&blob, &header->leaf_count, header->leaf_count + 1, text);
    lie_count(&blob, &header->triangle_count, header->triangle_count + 1, text);
    blob_free(&blob);
}

static LeafPacket *first_packet(const Blob *blob)
{
    return (LeafPacket *)(void *)(blob->bytes + blob_header(blob)->packets_offset);
}

Test(blob_forged, leaves_with_forged_counts_are_refused)
{
    Blob blob = blob_of_terrain(12);
    LeafPacket *packet = first_packet(&blob);
    uint8_t forms = packet->forms;
    lie_byte(&blob, &packet->triangle_count, 0, "counts do not fit");
    lie_byte(&blob, &packet->triangle_count, PACKET_TRIANGLES + 1, "counts do not fit");
    lie_byte(&blob, &packet->vertex_count, 0, "counts do not fit");
    lie_byte(&blob, &packet->vertex_count, PACKET_VERTICES + 1, "counts do not fit");
    for (uint32_t row = 0; row <= PACKET_SOURCES; ++row)
    {
        lie_byte(&blob, &packet->forms, forms | 3u << 2 * row, "counts do not fit");
    }
    cr_assert_lt(packet_form(packet, 0), 2);
    lie_byte(&blob, &packet->exponent[0], 0, "counts do not fit");
    lie_byte(&blob, &packet->exponent[0], 255, "counts do not fit");
    blob_free(&blob);
}

Test(blob_forged, leaves_with_forged_contents_are_refused)
{
    Blob blob = blob_of_terrain(12);
    LeafPacket *packet = first_packet(&blob);
    PacketAxis axes[3];
    packet_axes(packet, axes);
    PacketOrigins origins = packet_origins(packet, axes);
    lie_byte(&blob, &packet->rest[2], packet->vertex_count, "its leaf does not have");
    lie_byte(&blob, &packet->rest[0], 255, "its leaf does not have");
    cr_assert(axes[0].form < 2 && axes[1].form == 2, "both forms");
    float *heights = (float *)(void *)(blob.bytes + (axes[1].at - blob.bytes));
    float *const lies[2] = {&packet->base[0], heights};
    for (int form = 0; form < 2; ++form)
    {
        lie_float(&blob, lies[form], NAN, "outside its leaf's box");
        lie_float(&blob, lies[form], 100, "outside its leaf's box");
        lie_float(&blob, lies[form], -INFINITY, "outside its leaf's box");
    }
    lie_byte(&blob, &packet->exponent[0], 254, "outside its leaf's box");
    lie_count(&blob, &packet->source, blob_header(&blob)->triangle_count, "number is too large");
    cr_assert_gt(packet->triangle_count, 1);
    cr_assert_eq(origins.form, 0);
    uint8_t *sources = blob.bytes + (origins.sources - blob.bytes);
    lie_byte(&blob, &sources[0], sources[1], "or another's");
    blob_free(&blob);
}

Test(blob_forged, children_with_forged_contents_are_refused)
{
    Blob blob = blob_of_terrain(12);
    BlobHeader *header = blob_header(&blob);
    BvhNode *nodes = blob_nodes(&blob), *last = &nodes[header->node_count - 1];
    uint32_t packets = (uint32_t)(header->packet_bytes / PACKET_UNIT);
    cr_assert(!(nodes[0].child[0] & BVH_LEAF) && (last->child[0] & BVH_LEAF));
    lie_count(&blob, &nodes[0].child[0], 0, "before its parent");
    lie_count(&blob, &nodes[0].child[0], header->node_count * BVH_NODE_ROWS, "outside the nodes");
    lie_count(&blob, &nodes[0].child[0], BVH_NODE_ROWS + 1, "outside the nodes");
    lie_count(&blob, &last->child[0], (header->node_count - 1) * BVH_NODE_ROWS, "before its parent");
    lie_count(&blob, &last->child[0], BVH_LEAF | packets, "outside the packets");
    lie_count(&blob, &last->child[0], BVH_LEAF | (packets - 1), "outside the packets");
    lie_count(&blob, &last->child[0], UINT32_MAX, "outside the packets");
    lie_float(&blob, &nodes[0].min_x[0], header->bounds_min[0] - 1, "leaves its parent's");
    lie_float(&blob, &nodes[0].max_y[0], NAN, "is no box");
    lie_float(&blob, &nodes[0].max_z[0], nodes[0].min_z[0] - 1, "is no box");
    blob_free(&blob);
}

Test(blob_forged, an_empty_mesh_with_forged_bounds_is_refused_or_harmless)
{
    Blob blob = blob_of_terrain(0);
    Walkers *walkers = walkers_create();
    for (int axis = 0; axis < 3; ++axis)
    {
        blob_header(&blob)->bounds_min[axis] = -2;
        blob_header(&blob)->bounds_max[axis] = 2;
    }
    blob_seal(&blob);
    blob_survives(&blob, walkers);
    walkers_destroy(walkers);
    blob_free(&blob);
}

/* A chain of nodes, each the only child of the one before, and all leaves in the last. */
static Blob blob_of_chain(uint32_t length)
{
    Blob small = blob_of_terrain(2);
    BlobHeader header = *blob_header(&small);
    cr_assert_eq(header.node_count, 1);
    header.node_count = length;
    header.packets_offset = header.nodes_offset + (length * sizeof(BvhNode) + 63) / 64 * 64;
    header.byte_count = header.packets_offset + (header.packet_bytes + 63) / 64 * 64;
    Blob chain = blob_begin(&small, (size_t)header.byte_count);
    memset(chain.bytes, 0, chain.size);
    memcpy(chain.bytes, &header, sizeof header);
    memcpy(chain.bytes + header.packets_offset, small.bytes + blob_header(&small)->packets_offset,
           (size_t)header.packet_bytes);
    BvhNode *nodes = blob_nodes(&chain);
    memset(nodes, 0xFF, (length - 1) * sizeof *nodes); /* boxes of NaN: unused */
    for (uint32_t n = 0; n + 1 < length; ++n)
    {
        memset(nodes[n].child, 0, sizeof nodes[n].child);
        nodes[n].child[0] = (n + 1) * BVH_NODE_ROWS;
        nodes[n].min_x[0] = header.bounds_min[0];
        nodes[n].min_y[0] = header.bounds_min[1];
        nodes[n].min_z[0] = header.bounds_min[2];
        nodes[n].max_x[0] = header.bounds_max[0];
        nodes[n].max_y[0] = header.bounds_max[1];
        nodes[n].max_z[0] = header.bounds_max[2];
    }
    nodes[length - 1] = blob_nodes(&small)[0];
    blob_free(&small);
    return chain;
}

Test(blob_forged, a_tree_is_as_deep_as_a_walk_can_go_and_no_deeper)
{
    Walkers *walkers = walkers_create();
    Blob deepest = blob_of_chain(BVH_MAX_DEPTH), too_deep = blob_of_chain(BVH_MAX_DEPTH + 1);
    blob_seal(&deepest);
    cr_expect(blob_survives(&deepest, walkers));
    is_refused(&too_deep, "too deep");
    walkers_destroy(walkers);
    blob_free(&deepest);
    blob_free(&too_deep);
}

/* Eight paths into each next node: 8^79 walks, unless visits are counted. */
Test(blob_forged, branches_that_share_a_node_are_refused_before_all_paths_are_visited)
{
    Blob blob = blob_of_chain(BVH_MAX_DEPTH);
    BvhNode *nodes = blob_nodes(&blob);
    for (uint32_t n = 0; n + 1 < BVH_MAX_DEPTH; ++n)
    {
        for (uint32_t i = 1; i < BVH_WIDTH; ++i)
        {
            nodes[n].child[i] = nodes[n].child[0];
            nodes[n].min_x[i] = nodes[n].min_x[0];
            nodes[n].min_y[i] = nodes[n].min_y[0];
            nodes[n].min_z[i] = nodes[n].min_z[0];
            nodes[n].max_x[i] = nodes[n].max_x[0];
            nodes[n].max_y[i] = nodes[n].max_y[0];
            nodes[n].max_z[i] = nodes[n].max_z[0];
        }
    }
    is_refused(&blob, "does not hold");
    blob_free(&blob);
}
