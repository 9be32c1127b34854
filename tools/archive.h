/* What the readers of level files share: whole files in memory, from the disk or out of a zip archive;
 * messages; and the change from a file's axes and units to the level's. */
#ifndef SIDLE_TOOLS_ARCHIVE_H
#define SIDLE_TOOLS_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

struct Level;

/* [Limit] bytes of one file that is read into memory. A larger size counts as corruption. */
#define FILE_SIZE_LIMIT ((size_t)1 << 30)

typedef struct FileBytes
{
    /* Followed by one zero byte. The caller calls free(). */
    unsigned char *data;
    size_t size;
} FileBytes;

/* Ignores upper and lower case. */
bool file_name_ends(const char *path, const char *ending);

/* Opens `path` and reads one byte. Returns false, with a message, for a missing file, a directory and an
 * empty file. */
bool file_check(const char *path, char *message, int message_size);

bool file_read(const char *path, FileBytes *out, char *message, int message_size);

/* Reads the entry `maps/NAME.bsp` of a pk3 (zip) archive. Case does not matter; `maps/` and `.bsp` may be
 * given. */
bool archive_read_map(const char *path, const char *map, FileBytes *out, char *message, int message_size);

/* Reads `FILE`, or an entry of an archive: `FILE.pk3:NAME`. */
bool archive_read_named(const char *name, FileBytes *file, char *message, int message_size);

/* Writes the message and returns false, so that a reader can `return file_fail(...)`. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
bool file_fail(char *message, int message_size, const char *format, ...);

/* Rotates and scales every vertex from the file's axes and units to metres with Y up. Fronts stay fronts. */
void file_orient(struct Level *level, double scale, char up);

#endif
