/* A mesh: triangles and the tree over them, baked once, immutable, shared by any number of instances and
 * threads.
 *
 * Vertices are kept in float relative to the mesh's origin: on a mesh D across they are good to D / 2^24,
 * half a millimetre in 10 km. Larger worlds are made of several meshes.
 *
 * Degenerate triangles are kept and act as what they are, a segment or a point. Duplicates cost time, never
 * correctness. Triangle soup is fine: no closedness, connectivity or winding is required. */
#ifndef SIDLE_MESH_H
#define SIDLE_MESH_H

#include "sidle/base.h"
#include "sidle/jobs.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* [Limit] triangles and vertices of one mesh. */
#define SIDLE_MAX_TRIANGLES 0x10000000u

typedef struct sidle_mesh sidle_mesh;

typedef struct sidle_mesh_desc
{
    size_t size;
    const float *vertices_f;  /* x, y, z at every vertex_stride bytes; exactly one of the two is given ... */
    const double *vertices_d; /* ... unless vertex_count is 0 */
    size_t vertex_stride;     /* bytes; 0: tightly packed */
    uint32_t vertex_count;
    uint32_t triangle_count;  /* 0 makes an empty mesh that nothing ever hits */
    const uint32_t *indices;  /* three per triangle; NULL: vertices 3i, 3i+1, 3i+2 */
    size_t index_stride;      /* bytes from triangle to triangle; 0: tightly packed */
    const uint16_t *surfaces; /* one per triangle, comes back in contacts; NULL: all 0 */
    const sidle_position
        *origin;        /* what vertices are kept relative to; NULL: chosen near their middle. Meshes with the
                                     same origin round the same place alike. [Limit] SIDLE_MAX_COORDINATE */
    sidle_error *error; /* NULL or where a failure is told, with the index of the vertex or triangle */
} sidle_mesh_desc;

/* Bakes a mesh: checks every number, builds the tree (binned SAH; Wald 2007), packs the leaves. O(n log
 * n). The desc's arrays are not referenced afterwards. Memory at the peak about 160 bytes a triangle,
 * kept about 45; more where no two triangles share a vertex. ARGUMENT, NOT_FINITE (index: the vertex), INDEX
 * (index: the triangle), LIMIT, MEMORY, BUSY (jobs that have not run each task once). */
SIDLE_API sidle_status sidle_mesh_create(const sidle_mesh_desc *desc, const sidle_jobs *jobs,
                                         const sidle_allocator *allocator, sidle_mesh **out);

/* The same as an L2 work. The desc's arrays stay valid until _end, which must be called once after a
 * successful _begin (whether or not all tasks have run; if not each has, once, _end fails with BUSY and
 * free everything). */
SIDLE_API sidle_status sidle_mesh_create_begin(const sidle_mesh_desc *desc, uint32_t worker_count,
                                               const sidle_allocator *allocator, sidle_work *work);
SIDLE_API sidle_status sidle_mesh_create_end(sidle_work *work, sidle_mesh **out);

/* ---- Blobs: a baked mesh as bytes, position-independent, to be written once and mapped for ever. ---- */

#define SIDLE_BLOB_VERSION 2 /* of the format; every other one is refused */

/* Writes the mesh to `bytes` (capacity of them, aligned to 16) and tells how many it takes in `byte_count`.
 * NULL bytes only ask. LIMIT if capacity is too small. The same mesh gives the same bytes on every machine.
 */
SIDLE_API sidle_status sidle_mesh_save(const sidle_mesh *mesh, void *bytes, size_t capacity,
                                       size_t *byte_count);

enum /* sidle_blob_desc.flags */
{
    SIDLE_BLOB_TRUSTED =
        1 /* check the header alone: for bytes that this application wrote and nobody could touch */
};

typedef struct sidle_blob_desc
{
    size_t size;
    const void *bytes; /* aligned to 16, as malloc and mmap give them; borrowed until on_release */
    size_t byte_count;
    uint32_t flags;
    void (*on_release)(void *user, const void *bytes,
                       size_t byte_count); /* NULL or called once, when the mesh dies,
                                              on the thread that lets go last */
    void *user;
    sidle_error *error; /* NULL or where a failure is told; index: the byte */
} sidle_blob_desc;

/* Makes a mesh of a blob without copying or parsing: O(1) if trusted; else one linear pass over a checksum
 * and every offset, index, box and vertex, after which no byte can lead anywhere it should not. On failure
 * on_release is not called. ARGUMENT (not a blob, truncated, damaged: the sentence says what and where),
 * UNSUPPORTED (another version or byte order), MEMORY. */
SIDLE_API sidle_status sidle_mesh_open(const sidle_blob_desc *desc, const sidle_allocator *allocator,
                                       sidle_mesh **out);

/* Reference counting; a mesh lives until its creator and all worlds and snapshots have let go.
 * Thread-safe. */
SIDLE_API void sidle_mesh_retain(sidle_mesh *mesh);
SIDLE_API void sidle_mesh_release(sidle_mesh *mesh); /* NULL is allowed */

typedef struct sidle_mesh_info
{
    size_t size;
    uint32_t triangle_count, node_count, leaf_count;
    uint32_t degenerate_count; /* triangles without area */
    uint32_t sliver_count;     /* very obtuse triangles; large ones are slow to collide with */
    uint32_t reserved;
    uint64_t bytes;          /* everything the mesh keeps */
    double sah_cost;         /* expected node visits + leaf visits x 2 for a ray that meets the bounds */
    sidle_position min, max; /* bounds in mesh space; min > max for an empty mesh */
    sidle_position origin;   /* mesh space = origin + what is stored */
} sidle_mesh_info;

/* Fills the fields that fit info->size. */
SIDLE_API sidle_status sidle_mesh_get_info(const sidle_mesh *mesh, sidle_mesh_info *info);

typedef struct sidle_triangle
{
    sidle_position vertices[3]; /* in mesh space and the desc's order, as the bake rounded them */
    uint16_t surface, reserved[3];
} sidle_triangle;

/* Copies out the triangles [first, first + count) of the desc that the mesh was made of, be it long ago and
 * in another process. Looks through all leaves whatever the count, so ask for all at once. A number that no
 * triangle of a forged blob bears gives zeros. ARGUMENT, INDEX (beyond triangle_count). */
SIDLE_API sidle_status sidle_mesh_get_triangles(const sidle_mesh *mesh, uint32_t first, uint32_t count,
                                                sidle_triangle *out);

#ifdef __cplusplus
}
#endif

#endif
