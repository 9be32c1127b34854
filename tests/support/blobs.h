/* Meshes as bytes: made, damaged, opened again, and walked on. */
#ifndef TESTS_SUPPORT_BLOBS_H
#define TESTS_SUPPORT_BLOBS_H

#include "mesh/blob.h"
#include "sidle/sidle.h"
#include "support/soup.h"

typedef struct Blob
{
    unsigned char *bytes; /* memory of just this size, so that a look behind it is noticed */
    size_t size;
} Blob;

/* Triangle i has surface 3 i + 1. Takes the soup. */
sidle_mesh *mesh_of(Soup soup);
Blob blob_of(const sidle_mesh *mesh);
/* 3 m of bumpy ground around the origin in cells x cells squares; 0 makes an empty mesh. */
Blob blob_of_terrain(int cells);
/* The first bytes of another one. */
Blob blob_begin(const Blob *blob, size_t size);
void blob_free(Blob *blob);

BlobHeader *blob_header(const Blob *blob);
BvhNode *blob_nodes(const Blob *blob);
/* Makes the checksum fit whatever the bytes have become. */
void blob_seal(const Blob *blob);
/* Without a release; the blob stays as long as the mesh does. `error` may be NULL. */
sidle_status blob_open(const Blob *blob, uint32_t flags, sidle_error *error, sidle_mesh **out);

/* Some agents of every mode that wander in any given mesh. */
typedef struct Walkers Walkers;

Walkers *walkers_create(void);
void walkers_destroy(Walkers *walkers);
/* Puts the mesh into a world of its own and the agents around `place`; returns a hash of all states and
 * contacts, or 0 if the world refuses the mesh. Ends the process if an agent is nowhere. */
uint64_t walkers_run(Walkers *walkers, sidle_mesh *mesh, Vector place, int ticks);

/* Opens the blob with all checks and, if that is granted, asks the mesh for everything that it can be asked
 * for. False if it is refused. */
bool blob_survives(const Blob *blob, Walkers *walkers);

#endif
