/* Files of baked meshes. */
#ifndef SIDLE_TOOLS_BLOB_FILE_H
#define SIDLE_TOOLS_BLOB_FILE_H

#include "sidle/mesh.h"

#include <stdbool.h>
#include <stddef.h>

/* A name with this ending, in upper or lower case, is a baked mesh. */
#define BLOB_ENDING ".sidle"

typedef struct BlobReport
{
    size_t byte_count;
    bool is_trusted, is_mapped;
    /* Time to open and validate. */
    double open_ms;
} BlobReport;

/* Maps the file, or reads it where it cannot be mapped. The mesh releases it. A trusted file is validated
 * by its header alone. */
bool blob_file_open(const char *path, bool is_trusted, sidle_mesh **mesh, BlobReport *report, char *message,
                    int message_size);

/* Replaces the file at once when the new one is whole (draft.h). */
bool blob_file_write(const char *path, const sidle_mesh *mesh, size_t *byte_count, char *message,
                     int message_size);

#endif
