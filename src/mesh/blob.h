/* The file format of a baked mesh. Little-endian; every offset counts from the first byte.
 *
 *     0                256             nodes_offset        packets_offset            byte_count
 *     | header         | zero          | BvhNode[]         | packets                 |
 *
 * A blob has the layout of memory, so opening sets two pointers. A change of any stored structure needs a new version,
 * and a reader refuses every other version. */
#ifndef MESH_BLOB_H
#define MESH_BLOB_H

#include "mesh/mesh.h"

#define BLOB_VERSION         SIDLE_BLOB_VERSION
#define BLOB_BYTE_ORDER      0x01020304u
#define BLOB_ALIGNMENT       64 /* of the parts */
#define BLOB_LEAST_ALIGNMENT 16 /* of the whole in memory */

typedef struct BlobHeader
{
    char magic[8];
    uint32_t version, byte_order;
    uint64_t byte_count;
    uint64_t checksum; /* of the whole blob with this field as 0 */
    uint32_t triangle_count, node_count, leaf_count, degenerate_count, sliver_count, zero;
    uint64_t nodes_offset, packets_offset, packet_bytes;
    double sah_cost;
    double origin[3];
    float bounds_min[3], bounds_max[3];
    uint8_t reserved[256 - 136];
} BlobHeader;

_Static_assert(sizeof(BlobHeader) == 256, "as drawn");
_Static_assert(offsetof(BlobHeader, reserved) == 136, "no hidden padding");

/* The checksum of a whole blob, with 0 in the field of the checksum. byte_count is a multiple of 8 and at least a
 * header. */
uint64_t sidle_blob_checksum(const void *bytes, size_t byte_count);

/* Checks every offset, index, box and vertex. The header has been checked. */
sidle_status sidle_blob_check_content(const sidle_mesh *mesh, sidle_error *error);

#endif
