/* Saving and opening of blobs. */
#include "mesh/blob.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

/* Text transfers change these bytes. */
static const char magic[8] = {'s', 'i', 'd', 'l', 'e', '\r', '\n', '\x1a'};

static uint64_t mix(uint64_t state, uint64_t word)
{
    state = (state ^ word) * 0x9E3779B97F4A7C15u;
    return state ^ state >> 29;
}

/* Four independent chains, because a multiplication has to wait for the one before. The odd multiplier and the shift
 * make each step a bijection of the state, so that a change of a single word is always detected. */
static uint64_t checksum(const void *bytes, size_t byte_count)
{
    const char *p = bytes;
    uint64_t chain[4] = {1, 2, 3, 4}, word[4];
    size_t at = 0;
    for (; at + sizeof word <= byte_count; at += sizeof word)
    {
        memcpy(word, p + at, sizeof word);
        for (int i = 0; i < 4; ++i)
        {
            chain[i] = mix(chain[i], word[i]);
        }
    }
    for (; at + 8 <= byte_count; at += 8)
    {
        memcpy(word, p + at, 8);
        chain[0] = mix(chain[0], word[0]);
    }
    uint64_t sum = mix(byte_count, chain[0]);
    for (int i = 1; i < 4; ++i)
    {
        sum = mix(sum, chain[i]);
    }
    return sum;
}

uint64_t blob_checksum(const void *bytes, size_t byte_count)
{
    BlobHeader header;
    memcpy(&header, bytes, sizeof header);
    header.checksum = 0;
    uint64_t head = checksum(&header, sizeof header);
    return mix(head, checksum((const char *)bytes + sizeof header, byte_count - sizeof header));
}

static uint64_t align_up(uint64_t offset)
{
    return (offset + BLOB_ALIGNMENT - 1) / BLOB_ALIGNMENT * BLOB_ALIGNMENT;
}

static BlobHeader header_of(const sidle_mesh *mesh)
{
    BlobHeader header = {
        .version = BLOB_VERSION,
        .byte_order = BLOB_BYTE_ORDER,
        .triangle_count = mesh->triangle_count,
        .node_count = mesh->node_count,
        .leaf_count = mesh->leaf_count,
        .degenerate_count = mesh->degenerate_count,
        .sliver_count = mesh->sliver_count,
        .nodes_offset = align_up(sizeof(BlobHeader)),
        .packet_bytes = mesh->packet_bytes,
        .sah_cost = mesh->sah_cost,
        .origin = {mesh->origin.x, mesh->origin.y, mesh->origin.z},
    };
    memcpy(header.magic, magic, sizeof magic);
    memcpy(header.bounds_min, mesh->bounds.min, sizeof header.bounds_min);
    memcpy(header.bounds_max, mesh->bounds.max, sizeof header.bounds_max);
    header.packets_offset = align_up(header.nodes_offset + (uint64_t)mesh->node_count * sizeof(BvhNode));
    header.byte_count = align_up(header.packets_offset + mesh->packet_bytes);
    return header;
}

static bool is_aligned(const void *bytes)
{
    return (uintptr_t)bytes % PACKET_UNIT == 0;
}

sidle_status sidle_mesh_save(const sidle_mesh *mesh, void *bytes, size_t capacity, size_t *byte_count)
{
    if (!mesh || !byte_count || !is_aligned(bytes))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    BlobHeader header = header_of(mesh);
    if (bytes && capacity < header.byte_count)
    {
        return SIDLE_ERROR_LIMIT;
    }
    *byte_count = (size_t)header.byte_count;
    if (!bytes)
    {
        return SIDLE_OK;
    }
    memset(bytes, 0, *byte_count);
    if (mesh->node_count > 0)
    {
        memcpy((char *)bytes + header.nodes_offset, mesh->nodes, mesh->node_count * sizeof *mesh->nodes);
        memcpy((char *)bytes + header.packets_offset, mesh->packets, (size_t)mesh->packet_bytes);
    }
    memcpy(bytes, &header, sizeof header);
    header.checksum = blob_checksum(bytes, *byte_count);
    memcpy(bytes, &header, sizeof header);
    return SIDLE_OK;
}

/* ---- opening ---- */

static sidle_status refuse(const sidle_blob_desc *desc, size_t at, const char *what)
{
    return status_fail(desc->error, SIDLE_ERROR_ARGUMENT, at, "byte %zu: %s", at, what);
}

/* Checks the magic, the byte order and the version. */
static sidle_status check_identity(const sidle_blob_desc *desc, const BlobHeader *header)
{
    if (memcmp(header->magic, magic, sizeof magic) != 0)
    {
        return refuse(desc, 0, "this is not a sidle mesh");
    }
    if (header->byte_order != BLOB_BYTE_ORDER)
    {
        return status_fail(desc->error, SIDLE_ERROR_UNSUPPORTED, offsetof(BlobHeader, byte_order),
                           "the mesh was saved with another byte order");
    }
    if (header->version != BLOB_VERSION)
    {
        return status_fail(desc->error, SIDLE_ERROR_UNSUPPORTED, offsetof(BlobHeader, version),
                           "the mesh has format version %u, this library reads version %u: bake it again",
                           header->version, BLOB_VERSION);
    }
    return SIDLE_OK;
}

static bool is_finite_or_empty(const BlobHeader *header)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        if (!(fabsf(header->bounds_min[axis]) <= FLT_MAX) || !(fabsf(header->bounds_max[axis]) <= FLT_MAX) ||
            !(fabs(header->origin[axis]) <= SIDLE_MAX_COORDINATE))
        {
            return false;
        }
    }
    return isfinite(header->sah_cost);
}

/* Checks that the layout is the one that follows from the counts. */
static sidle_status check_layout(const sidle_blob_desc *desc, const BlobHeader *header)
{
    if (header->byte_count != desc->byte_count)
    {
        return refuse(desc, desc->byte_count, "the mesh is truncated or has something behind it");
    }
    uint64_t nodes_end = sizeof *header + (uint64_t)header->node_count * sizeof(BvhNode);
    bool fits = header->nodes_offset == sizeof *header && header->packets_offset == align_up(nodes_end) &&
                header->packet_bytes <= header->byte_count &&
                header->byte_count == align_up(header->packets_offset + header->packet_bytes) &&
                header->packet_bytes % PACKET_UNIT == 0 && header->packet_bytes / PACKET_UNIT < BVH_LEAF;
    bool counts = header->triangle_count <= SIDLE_MAX_TRIANGLES && header->node_count < BVH_LEAF &&
                  header->degenerate_count <= header->triangle_count &&
                  header->sliver_count <= header->triangle_count &&
                  (header->triangle_count == 0) == (header->node_count == 0);
    if (!fits || !counts || !is_finite_or_empty(header))
    {
        return refuse(desc, offsetof(BlobHeader, triangle_count), "the header contradicts itself");
    }
    return SIDLE_OK;
}

static sidle_status check_header(const sidle_blob_desc *desc, BlobHeader *header)
{
    if (desc->byte_count < sizeof *header)
    {
        return refuse(desc, desc->byte_count, "the mesh ends before its header does");
    }
    memcpy(header, desc->bytes, sizeof *header);
    sidle_status status = check_identity(desc, header);
    return status == SIDLE_OK ? check_layout(desc, header) : status;
}

static void point_into(sidle_mesh *mesh, const sidle_blob_desc *desc, const BlobHeader *header)
{
    *mesh = (sidle_mesh){
        .nodes = (const BvhNode *)((const char *)desc->bytes + header->nodes_offset),
        .packets = (const uint8_t *)desc->bytes + header->packets_offset,
        .node_count = header->node_count,
        .leaf_count = header->leaf_count,
        .triangle_count = header->triangle_count,
        .degenerate_count = header->degenerate_count,
        .sliver_count = header->sliver_count,
        .packet_bytes = header->packet_bytes,
        .sah_cost = header->sah_cost,
        .origin = vec3(header->origin[0], header->origin[1], header->origin[2]),
        .blob = desc->bytes,
        .blob_size = desc->byte_count,
        .on_release = desc->on_release,
        .user = desc->user,
    };
    memcpy(mesh->bounds.min, header->bounds_min, sizeof mesh->bounds.min);
    memcpy(mesh->bounds.max, header->bounds_max, sizeof mesh->bounds.max);
    reference_init(&mesh->reference);
}

static sidle_status check_all(const sidle_blob_desc *desc, const BlobHeader *header, const sidle_mesh *mesh)
{
    if (desc->flags & SIDLE_BLOB_TRUSTED)
    {
        return SIDLE_OK;
    }
    if (blob_checksum(desc->bytes, desc->byte_count) != header->checksum)
    {
        return refuse(desc, offsetof(BlobHeader, checksum), "the checksum is wrong: some byte has changed");
    }
    return blob_check_content(mesh, desc->error);
}

sidle_status sidle_mesh_open(const sidle_blob_desc *desc, const sidle_allocator *allocator, sidle_mesh **out)
{
    sidle_allocator chosen;
    if (!desc || desc->size != sizeof *desc || !desc->bytes || !is_aligned(desc->bytes) || !out ||
        (desc->flags & ~(uint32_t)SIDLE_BLOB_TRUSTED) || !memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    BlobHeader header;
    sidle_status status = check_header(desc, &header);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_mesh *mesh = memory_allocate(&chosen, 1, sizeof *mesh);
    if (!mesh)
    {
        return status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    point_into(mesh, desc, &header);
    mesh->allocator = chosen;
    status = check_all(desc, &header, mesh);
    if (status != SIDLE_OK)
    {
        memory_free(&chosen, mesh, 1, sizeof *mesh);
        return status;
    }
    *out = mesh;
    return SIDLE_OK;
}
