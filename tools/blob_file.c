#include "blob_file.h"

#include "archive.h"
#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#define OPEN_FLAGS O_BINARY
#else
#include <sys/mman.h>
#define OPEN_FLAGS O_CLOEXEC
#endif

#define WRITE_SLICE 0x40000000 /* systems write no more than 2 GiB at a time */

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

/* Leaves it to the plain read to say why a file cannot be opened. */
static bool map_file(const char *path, sidle_blob_desc *desc)
{
    int file = open(path, O_RDONLY | OPEN_FLAGS);
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

/* Beside the file that it is to become, since only there is a rename a single step. */
typedef struct Draft
{
    int file;
    char *path;
} Draft;

static bool cannot_write(const char *path, char *message, int message_size)
{
    return explain(message, message_size, "%s: cannot be written: %s", path, strerror(errno));
}

static bool draft_begin(const char *path, Draft *draft, char *message, int message_size)
{
    size_t size = strlen(path) + 32;
    *draft = (Draft){-1, malloc(size)};
    if (!draft->path)
    {
        return cannot_write(path, message, message_size);
    }
    snprintf(draft->path, size, "%s.%ld.part", path, (long)getpid());
    draft->file = open(draft->path, O_WRONLY | O_CREAT | O_EXCL | OPEN_FLAGS, 0666);
    if (draft->file < 0)
    {
        cannot_write(path, message, message_size);
        free(draft->path);
        return false;
    }
    return true;
}

static void draft_drop(Draft *draft)
{
    close(draft->file);
    remove(draft->path);
    free(draft->path);
}

static bool draft_write(const Draft *draft, const char *bytes, size_t byte_count)
{
    while (byte_count > 0)
    {
        size_t slice = byte_count < WRITE_SLICE ? byte_count : WRITE_SLICE;
        intmax_t written = write(draft->file, bytes, (unsigned)slice);
        if (written <= 0)
        {
            return false;
        }
        bytes += written;
        byte_count -= (size_t)written;
    }
    return true;
}

static bool draft_publish(Draft *draft, const char *path)
{
    if (close(draft->file) != 0)
    {
        return false;
    }
    draft->file = -1;
#ifdef _WIN32
    remove(path); /* rename does not replace there */
#endif
    return rename(draft->path, path) == 0;
}

bool blob_file_can_write(const char *path, char *message, int message_size)
{
    Draft draft;
    if (!draft_begin(path, &draft, message, message_size))
    {
        return false;
    }
    draft_drop(&draft);
    return true;
}

static bool write_bytes(const char *path, const void *bytes, size_t byte_count, char *message,
                        int message_size)
{
    Draft draft;
    if (!draft_begin(path, &draft, message, message_size))
    {
        return false;
    }
    if (!draft_write(&draft, bytes, byte_count) || !draft_publish(&draft, path))
    {
        cannot_write(path, message, message_size);
        draft_drop(&draft);
        return false;
    }
    free(draft.path);
    return true;
}

bool blob_file_write(const char *path, const sidle_mesh *mesh, size_t *byte_count, char *message,
                     int message_size)
{
    sidle_mesh_save(mesh, NULL, 0, byte_count);
    void *bytes = malloc(*byte_count);
    if (!bytes)
    {
        return cannot_write(path, message, message_size);
    }
    sidle_mesh_save(mesh, bytes, *byte_count, byte_count);
    bool good = write_bytes(path, bytes, *byte_count, message, message_size);
    free(bytes);
    return good;
}
