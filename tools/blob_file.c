#include "blob_file.h"

#include "archive.h"
#include "console.h"
#include "draft.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

/* ---- Opening. ---- */

#ifdef _WIN32

static bool map_file(const char *path, sidle_blob_desc *desc)
{
    (void)path;
    (void)desc;
    return false;
}

#else

static void unmap(void *user, const void *bytes, size_t byte_count)
{
    (void)user;
    munmap((void *)bytes, byte_count);
}

/* Returns false without a message: the plain read, which follows, reports why a file cannot be opened. */
static bool map_file(const char *path, sidle_blob_desc *desc)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
    {
        return false;
    }
    struct stat status;
    bool is_file = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
                   (uintmax_t)status.st_size <= SIZE_MAX;
    size_t byte_count = is_file ? (size_t)status.st_size : 0;
    void *bytes = is_file ? mmap(NULL, byte_count, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED)
    {
        return false;
    }
    desc->bytes = bytes;
    desc->byte_count = byte_count;
    desc->on_release = unmap;
    return true;
}

#endif

static void free_bytes(void *user, const void *bytes, size_t byte_count)
{
    (void)user;
    (void)byte_count;
    free((void *)bytes);
}

static bool read_file(const char *path, sidle_blob_desc *desc, char *message, int message_size)
{
    FileBytes bytes;
    if (!file_read(path, &bytes, message, message_size))
    {
        return false;
    }
    desc->bytes = bytes.data;
    desc->byte_count = bytes.size;
    desc->on_release = free_bytes;
    return true;
}

bool blob_file_open(const char *path, bool is_trusted, sidle_mesh **mesh, BlobReport *report, char *message,
                    int message_size)
{
    sidle_error error = {.text = ""};
    sidle_blob_desc desc = {
        .size = sizeof desc, .flags = is_trusted ? SIDLE_BLOB_TRUSTED : 0, .error = &error};
    double begin = clock_seconds();
    bool is_mapped = map_file(path, &desc);
    if (!is_mapped && !read_file(path, &desc, message, message_size))
    {
        return false;
    }
    sidle_status status = sidle_mesh_open(&desc, NULL, mesh);
    if (status != SIDLE_OK)
    {
        desc.on_release(desc.user, desc.bytes, desc.byte_count);
        return explain(message, message_size, "%s: %s", path,
                       error.text[0] ? error.text : sidle_status_text(status));
    }
    *report = (BlobReport){.byte_count = desc.byte_count,
                           .is_trusted = is_trusted,
                           .is_mapped = is_mapped,
                           .open_ms = 1e3 * (clock_seconds() - begin)};
    return true;
}

/* ---- Writing. ---- */

static bool write_bytes(const char *path, const void *bytes, size_t byte_count, char *message,
                        int message_size)
{
    Draft draft;
    if (!draft_begin(path, &draft, message, message_size))
    {
        return false;
    }
    fwrite(bytes, 1, byte_count, draft.file); /* the draft reports a failure */
    return draft_publish(&draft, message, message_size);
}

bool blob_file_write(const char *path, const sidle_mesh *mesh, size_t *byte_count, char *message,
                     int message_size)
{
    sidle_mesh_save(mesh, NULL, 0, byte_count);
    void *bytes = malloc(*byte_count);
    if (!bytes)
    {
        return explain(message, message_size, "%s: not enough memory to write the mesh", path);
    }
    sidle_mesh_save(mesh, bytes, *byte_count, byte_count);
    bool good = write_bytes(path, bytes, *byte_count, message, message_size);
    free(bytes);
    return good;
}
