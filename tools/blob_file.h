/* Files of baked meshes. */
#ifndef SIDLE_TOOLS_BLOB_FILE_H
#define SIDLE_TOOLS_BLOB_FILE_H

#include "sidle/mesh.h"

#include <stdbool.h>
#include <stddef.h>

#define BLOB_ENDING ".sidle" /* a name with this ending, in any case, is a baked mesh */

typedef struct BlobReport
{
    size_t byte_count;
    bool is_trusted, is_mapped;
    double open_ms; /* from the name to the mesh, validation included */
} BlobReport;

/* Maps the file, or reads it where it cannot be mapped; the mesh lets go of it. Trusted: looks at the header
 * alone. */
bool blob_file_open(const char *path, bool is_trusted, sidle_mesh **mesh, BlobReport *report, char *message,
                    int message_size);

/* A failure leaves the file that was there before. */
bool blob_file_write(const char *path, const sidle_mesh *mesh, size_t *byte_count, char *message,
                     int message_size);

#endif
