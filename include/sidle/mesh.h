/* A mesh: triangles and a tree over them. Immutable, shared by any number of instances and threads.
 *
 * Vertices are stored as float, relative to the mesh's origin: half a millimetre in 10 km. Meshes need not be closed,
 * connected or consistently wound. Degenerate triangles act as segments or points. */
#ifndef SIDLE_MESH_H
#define SIDLE_MESH_H

#include "sidle/base.h"
#include "sidle/jobs.h"

/* [Limit] triangles and vertices of one mesh. */
#define SIDLE_MAX_TRIANGLES 0x10000000u

typedef struct sidle_mesh sidle_mesh;

typedef struct sidle_mesh_desc
{
    size_t size;
    const float *vertices_f;  /* x, y, z */
    const double *vertices_d; /* exactly one of the two */
    size_t vertex_stride;
    uint32_t vertex_count;
    uint32_t triangle_count;  /* 0: an empty mesh */
    const uint32_t *indices;  /* three per triangle; NULL: vertices 3i, 3i+1, 3i+2 */
    size_t index_stride;      /* from triangle to triangle */
    const uint16_t *surfaces; /* per triangle, reported in contacts; NULL: all 0 */
    /* Of the stored vertices; NULL: near their middle. Meshes of one origin round shared vertices alike. */
    const sidle_position *origin;
    sidle_error *error; /* index: vertex or triangle */
} sidle_mesh_desc;

/* Bakes a mesh (binned SAH; I. Wald 2007) and keeps nothing of the desc. Cost: O(n log n); up to 150 bytes a triangle at
 * the peak, 20 to 35 kept. NOT_FINITE, INDEX, LIMIT, MEMORY, INCOMPLETE. */
SIDLE_API sidle_status sidle_mesh_create(const sidle_mesh_desc *desc, const sidle_jobs *jobs,
                                         const sidle_allocator *allocator, sidle_mesh **out);

/* The same at level L2 (sidle/jobs.h). */
SIDLE_API sidle_status sidle_mesh_create_begin(const sidle_mesh_desc *desc, uint32_t worker_count,
                                               const sidle_allocator *allocator, sidle_work *work);
SIDLE_API sidle_status sidle_mesh_create_end(sidle_work *work, sidle_mesh **out);

/* A mesh of other vertices in the tree of `mesh`: a flag, a body of many parts, a destroyed wall. The desc is a whole one, of as many
 * triangles; without an origin it has that of `mesh`. A triangle whose first index is SIDLE_NO_TRIANGLE is absent, and can come back
 * in a later refit. The tree keeps its form: if sah_cost has grown much, bake anew. sidle_world_replace shows the mesh.
 * Cost: O(n), a fifth of a bake (docs/performance/refit.md); retains `mesh` while triangles are absent. As _create; ARGUMENT
 * (triangle_count), UNSUPPORTED (heightfields). */
#define SIDLE_NO_TRIANGLE 0xffffffffu

SIDLE_API sidle_status sidle_mesh_refit(const sidle_mesh *mesh, const sidle_mesh_desc *desc,
                                        const sidle_jobs *jobs, const sidle_allocator *allocator,
                                        sidle_mesh **out);

/* Heightfields: a mesh of two triangles a cell, which are made when they are asked for. It takes 3 bytes a sample, 5 with floats, and
 * answers as a mesh of the same triangles and origin would. Sample (c, r) lies at x = c spacing_x, z = r spacing_z. Cell (c, r),
 * number k = r (columns - 1) + c, has its diagonal from (c + 1, r) to (c, r + 1); triangle 2k is the one at (c, r). [Limit] 800
 * cells of fields that move, in all searches of an agent's tick. Beyond: SIDLE_REASON_CANDIDATES. */
#define SIDLE_FIELD_HOLE 255

typedef struct sidle_field_desc
{
    size_t size;
    const uint16_t *heights;                 /* row by row: y = scale * height + base, in float */
    const float *heights_f;                  /* y; exactly one of the two */
    uint32_t columns, rows;                  /* samples, from 2 on */
    float spacing_x, spacing_z, scale, base; /* spacings above 0 */
    const uint8_t *surfaces; /* of each cell; SIDLE_FIELD_HOLE: it has no triangles; NULL: all 0 */
    sidle_position origin;   /* of sample (0, 0) */
    sidle_error *error;      /* index: sample */
} sidle_field_desc;

/* Keeps nothing of the desc. Cost: O(n). ARGUMENT, NOT_FINITE, LIMIT, MEMORY. */
SIDLE_API sidle_status sidle_mesh_create_field(const sidle_field_desc *desc, const sidle_allocator *allocator,
                                               sidle_mesh **out);

/* Blobs: baked meshes as position-independent bytes, for files and mmap. */
#define SIDLE_BLOB_VERSION 3 /* other versions are refused */

/* Writes the mesh to `bytes`, aligned to 16; NULL: only its size. The bytes are the same on every machine. LIMIT
 * (capacity), UNSUPPORTED (heightfields, absent triangles). */
SIDLE_API sidle_status sidle_mesh_save(const sidle_mesh *mesh, void *bytes, size_t capacity,
                                       size_t *byte_count);

enum /* sidle_blob_desc.flags */
{
    /* Check the header only: for bytes that only this application can write. */
    SIDLE_BLOB_TRUSTED = 1
};

typedef struct sidle_blob_desc
{
    size_t size;
    const void *bytes; /* aligned to 16; borrowed until on_release */
    size_t byte_count;
    uint32_t flags;
    /* Called on the thread that releases the mesh last. */
    void (*on_release)(void *user, const void *bytes, size_t byte_count);
    void *user;
    sidle_error *error; /* index: byte */
} sidle_blob_desc;

/* Opens a blob without copying it. Cost: O(1) if trusted, else one pass that checks all. On failure on_release is not
 * called. ARGUMENT (no blob, or damaged), UNSUPPORTED (version, byte order), MEMORY. */
SIDLE_API sidle_status sidle_mesh_open(const sidle_blob_desc *desc, const sidle_allocator *allocator,
                                       sidle_mesh **out);

/* Thread-safe. Worlds and snapshots hold references of their own. */
SIDLE_API void sidle_mesh_retain(sidle_mesh *mesh);
SIDLE_API void sidle_mesh_release(sidle_mesh *mesh);

typedef struct sidle_mesh_info
{
    size_t size;
    uint32_t triangle_count, node_count, leaf_count;
    uint32_t degenerate_count; /* without area */
    uint32_t sliver_count;     /* very obtuse; large ones are slow */
    uint32_t reserved;
    uint64_t bytes;          /* kept memory */
    double sah_cost;         /* node + 2 x leaf visits of a ray that hits the bounds */
    sidle_position min, max; /* mesh space; min > max for an empty mesh */
    sidle_position origin;   /* of the stored vertices */
} sidle_mesh_info;

/* Fills the fields that fit into info->size. */
SIDLE_API sidle_status sidle_mesh_get_info(const sidle_mesh *mesh, sidle_mesh_info *info);

/* 1: each edge has as many triangles in one direction as in the other, so that the mesh can be SIDLE_INSTANCE_CLOSED. Vertices are one
 * if they are stored alike. Cost: O(n); for loading. */
SIDLE_API uint32_t sidle_mesh_is_closed(const sidle_mesh *mesh);

typedef struct sidle_triangle
{
    sidle_position vertices[3]; /* in the desc's order, rounded by the bake */
    uint16_t surface, reserved[3];
} sidle_triangle;

/* Copies out triangles of the desc, in mesh space; zeros in holes. INDEX. Cost: O(triangles of the mesh), even
 * for one. */
SIDLE_API sidle_status sidle_mesh_get_triangles(const sidle_mesh *mesh, uint32_t first, uint32_t count,
                                                sidle_triangle *out);

#endif
