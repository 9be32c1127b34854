/* Saving and opening of blobs. */
#include "mesh/blob.h"

#include "base/fp_environment.h"
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

uint64_t sidle_blob_checksum(const void *bytes, size_t byte_count)
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
    return (uintptr_t)bytes % BLOB_LEAST_ALIGNMENT == 0;
}

sidle_status sidle_mesh_save(const sidle_mesh *mesh, void *bytes, size_t capacity, size_t *byte_count)
{
    if (!mesh || !byte_count || !is_aligned(bytes))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (mesh->field || mesh->form)
    {
        return SIDLE_ERROR_UNSUPPORTED;
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
    header.checksum = sidle_blob_checksum(bytes, *byte_count);
    memcpy(bytes, &header, sizeof header);
    return SIDLE_OK;
}

/* ---- opening ---- */

/* Checks the magic, the byte order and the version. */
static sidle_status check_identity(const sidle_blob_desc *desc, const BlobHeader *header)
{
    if (memcmp(header->magic, magic, sizeof magic) != 0)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0, "byte 0: this is not a sidle mesh");
    }
    if (header->byte_order != BLOB_BYTE_ORDER)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_UNSUPPORTED, offsetof(BlobHeader, byte_order),
                                 "the mesh was saved with another byte order");
    }
    if (header->version != BLOB_VERSION)
    {
        return sidle_status_fail(
            desc->error, SIDLE_ERROR_UNSUPPORTED, offsetof(BlobHeader, version),
            "the mesh has format version %u, this library reads version %u: bake it again", header->version,
            BLOB_VERSION);
    }
    return SIDLE_OK;
}

static sidle_status check_header_floats(const sidle_blob_desc *desc, const BlobHeader *header)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        if (!(fabsf(header->bounds_min[axis]) <= FLT_MAX) || !(fabsf(header->bounds_max[axis]) <= FLT_MAX))
        {
            return sidle_status_fail(
                desc->error, SIDLE_ERROR_ARGUMENT, offsetof(BlobHeader, bounds_min),
                "the header contradicts itself: the bounds of axis %c are %g to %g, but must be finite",
                'x' + axis, (double)header->bounds_min[axis], (double)header->bounds_max[axis]);
        }
        if (!(fabs(header->origin[axis]) <= SIDLE_MAX_COORDINATE))
        {
            return sidle_status_fail(
                desc->error, SIDLE_ERROR_ARGUMENT, offsetof(BlobHeader, origin),
                "the header contradicts itself: origin.%c is %g, but must be from %g to %g", 'x' + axis,
                header->origin[axis], -SIDLE_MAX_COORDINATE, SIDLE_MAX_COORDINATE);
        }
    }
    return isfinite(header->sah_cost)
               ? SIDLE_OK
               : sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, offsetof(BlobHeader, sah_cost),
                                   "the header contradicts itself: sah_cost is %g, but must be finite",
                                   header->sah_cost);
}

#define AT(field) #field, offsetof(BlobHeader, field), header->field

/* Checks that the layout is the one that follows from the counts. A row relies on those before it. */
static sidle_status check_layout(const sidle_blob_desc *desc, const BlobHeader *header)
{
    if (header->byte_count != desc->byte_count)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, desc->byte_count,
                                 "byte_count is %zu, but the mesh has %llu bytes", desc->byte_count,
                                 (unsigned long long)header->byte_count);
    }
    bool any = header->triangle_count > 0;
    uint64_t most = (uint64_t)(BVH_LEAF - 1) * PACKET_UNIT, bytes = header->byte_count;
    uint64_t packets = align_up(sizeof *header + (uint64_t)header->node_count * sizeof(BvhNode));
    uint64_t end = align_up(header->packets_offset + header->packet_bytes);
    const struct
    {
        const char *name;
        size_t at;
        uint64_t value, low, high;
    } fields[] = {
        {AT(triangle_count), 0, SIDLE_MAX_TRIANGLES},
        {AT(node_count), any ? 1 : 0, any ? BVH_LEAF - 1 : 0},
        {AT(degenerate_count), 0, header->triangle_count},
        {AT(sliver_count), 0, header->triangle_count},
        {AT(nodes_offset), sizeof *header, sizeof *header},
        {AT(packets_offset), packets, packets},
        {AT(packet_bytes), 0, bytes < most ? bytes : most},
        {AT(packet_bytes), 0, header->packet_bytes / PACKET_UNIT * PACKET_UNIT},
        {AT(byte_count), end, end},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    {
        if (fields[i].value < fields[i].low || fields[i].value > fields[i].high)
        {
            return sidle_status_fail(
                desc->error, SIDLE_ERROR_ARGUMENT, fields[i].at,
                "the header contradicts itself: %s is %llu, but must be from %llu to %llu", fields[i].name,
                (unsigned long long)fields[i].value, (unsigned long long)fields[i].low,
                (unsigned long long)fields[i].high);
        }
    }
    return check_header_floats(desc, header);
}

static sidle_status check_header(const sidle_blob_desc *desc, BlobHeader *header)
{
    if (desc->byte_count < sizeof *header)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, desc->byte_count,
                                 "byte_count is %zu, but a mesh has at least %zu bytes", desc->byte_count,
                                 sizeof *header);
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
    if (sidle_blob_checksum(desc->bytes, desc->byte_count) != header->checksum)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, offsetof(BlobHeader, checksum),
                                 "the checksum is wrong: some byte has changed");
    }
    return sidle_blob_check_content(mesh, desc->error);
}

static sidle_status check_desc(const sidle_blob_desc *desc)
{
    if (!desc->bytes)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0, "bytes is NULL");
    }
    if (!is_aligned(desc->bytes))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "bytes is at the address %p, but must be aligned to %d", desc->bytes,
                                 BLOB_LEAST_ALIGNMENT);
    }
    if (desc->flags & ~(uint32_t)SIDLE_BLOB_TRUSTED)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "flags is %u, but must be from 0 to %d", desc->flags, SIDLE_BLOB_TRUSTED);
    }
    return SIDLE_OK;
}

static FP_BODY sidle_status open_blob(const sidle_blob_desc *desc, sidle_allocator chosen, sidle_mesh **out)
{
    BlobHeader header;
    sidle_status status = check_desc(desc);
    status = status == SIDLE_OK ? check_header(desc, &header) : status;
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_mesh *mesh = sidle_memory_allocate(&chosen, 1, sizeof *mesh);
    if (!mesh)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    point_into(mesh, desc, &header);
    mesh->allocator = chosen;
    status = check_all(desc, &header, mesh);
    if (status != SIDLE_OK)
    {
        sidle_memory_free(&chosen, mesh, 1, sizeof *mesh);
        return status;
    }
    *out = mesh;
    return SIDLE_OK;
}

sidle_status sidle_mesh_open(const sidle_blob_desc *desc, const sidle_allocator *allocator, sidle_mesh **out)
{
    sidle_allocator chosen;
    if (!desc || desc->size != sizeof *desc || !out || !sidle_memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    FpEnvironment host = fp_enter();
    sidle_status status = open_blob(desc, chosen, out);
    fp_leave(host);
    return status;
}
