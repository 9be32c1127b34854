/* sidle_mesh_open on any bytes: refused with a reason, or a mesh that can be asked and walked on.
 *
 * Random changes seldom get past the header, so the bytes are tried three times: as they are, with the
 * checksum made right, and with everything made right that follows from the counts. */
#include "fuzz.h"

#include "support/blobs.h"

#include <stdlib.h>
#include <string.h>

#define CASTS 9

static Walkers *walkers;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    walkers = walkers_create();
    return 0;
}

/* Rays, balls, ellipsoids and capsules from outside of the mesh through its middle. */
static void cast(const sidle_snapshot *snapshot, const sidle_mesh_info *info)
{
    static const sidle_shape shapes[4] = {
        {{0, 0, 0}, 0}, {{.3f, .3f, .3f}, 0}, {{.2f, .5f, .3f}, 0}, {{.2f, .2f, .2f}, .4f}};
    sidle_cast casts[CASTS];
    sidle_cast_hit hits[CASTS];
    for (int i = 0; i < CASTS; ++i)
    {
        double x = (i / 3 == 0) * (info->max.x - info->min.x), y = (i / 3 == 1) * (info->max.y - info->min.y),
               z = (i / 3 == 2) * (info->max.z - info->min.z);
        casts[i] = (sidle_cast){.origin = {.5 * (info->min.x + info->max.x) + x,
                                           .5 * (info->min.y + info->max.y) + y,
                                           .5 * (info->min.z + info->max.z) + z},
                                .displacement = {(float)(-2 * x), (float)(-2 * y), (float)(-2 * z)},
                                .shape = shapes[i % 4]};
    }
    fuzz_cast(snapshot, casts, CASTS, hits);
}

/* Twice in one place: as it is, and turned, stretched and mirrored. */
static void cast_into(sidle_mesh *mesh, const sidle_mesh_info *info)
{
    sidle_instance_desc plain = {.size = sizeof plain, .mesh = mesh}, bent = plain;
    bent.pose = (sidle_pose){.rotation = {.1f, .2f, -.3f, .9f}, .scale = {.5f, -2, 3}};
    bent.key = 1;
    sidle_instance instance;
    sidle_world *world = NULL;
    sidle_snapshot *snapshot = NULL;
    fuzz_demand(sidle_world_create(NULL, NULL, &world) == SIDLE_OK, "no world");
    bool is_there = sidle_world_add(world, &plain, &instance) == SIDLE_OK;
    if (sidle_world_add(world, &bent, &instance) == SIDLE_OK || is_there)
    {
        fuzz_demand(sidle_world_commit(world, NULL) == SIDLE_OK, "no commit");
        fuzz_demand(sidle_world_snapshot(world, &snapshot) == SIDLE_OK, "no snapshot");
        cast(snapshot, info);
        sidle_snapshot_release(snapshot);
    }
    sidle_world_destroy(world);
}

/* Where the mesh says that it is, which need not be around the origin. */
static void visit(sidle_mesh *mesh)
{
    sidle_mesh_info info = {.size = sizeof info};
    fuzz_demand(sidle_mesh_get_info(mesh, &info) == SIDLE_OK, "no info");
    if (info.triangle_count > 0)
    {
        walkers_run(walkers, mesh,
                    vector(.5 * (info.min.x + info.max.x), .5 * (info.min.y + info.max.y),
                           .5 * (info.min.z + info.max.z)),
                    1);
        cast_into(mesh, &info);
    }
}

static void try_blob(const Blob *blob)
{
    sidle_mesh *mesh = NULL;
    /* A trusted open of damaged bytes may give nonsense later. It must not fail here. */
    if (blob_open(blob, SIDLE_BLOB_TRUSTED, NULL, &mesh) == SIDLE_OK)
    {
        sidle_mesh_info info = {.size = sizeof info};
        fuzz_demand(sidle_mesh_get_info(mesh, &info) == SIDLE_OK, "no info");
        sidle_mesh_release(mesh);
    }
    if (blob_survives(blob, walkers) && blob_open(blob, 0, NULL, &mesh) == SIDLE_OK)
    {
        visit(mesh);
        sidle_mesh_release(mesh);
    }
}

/* Everything that the counts leave no choice of. */
static void repair(const Blob *blob)
{
    BlobHeader *header = blob_header(blob);
    uint64_t nodes = sizeof *header + header->node_count * (uint64_t)sizeof(BvhNode);
    uint64_t packets = (nodes + BLOB_ALIGNMENT - 1) / BLOB_ALIGNMENT * BLOB_ALIGNMENT;
    memcpy(header->magic, "sidle\r\n\x1a", sizeof header->magic);
    header->version = BLOB_VERSION;
    header->byte_order = BLOB_BYTE_ORDER;
    header->byte_count = blob->size;
    header->nodes_offset = sizeof *header;
    header->packets_offset = packets;
    header->packet_bytes = blob->size > packets ? blob->size - packets : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Blob blob = {malloc(size ? size : 1), size};
    fuzz_demand(blob.bytes != NULL, "no memory");
    memcpy(blob.bytes, data, size);
    try_blob(&blob);
    if (size >= sizeof(BlobHeader) && size % 8 == 0)
    {
        blob_seal(&blob);
        try_blob(&blob);
    }
    if (size >= sizeof(BlobHeader) && size % BLOB_ALIGNMENT == 0)
    {
        repair(&blob);
        blob_seal(&blob);
        try_blob(&blob);
    }
    blob_free(&blob);
    return 0;
}
