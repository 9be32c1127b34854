/* What the readers of level files share: whole files in memory, from the disk or out of a zip archive, one
 * way to complain, and one way to turn a file's axes and units into the level's. */
#ifndef SIDLE_TOOLS_ARCHIVE_H
#define SIDLE_TOOLS_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

struct Level;

/* [Limit] bytes of one file that is read into memory; a size beyond it is taken for corruption. */
#define FILE_SIZE_LIMIT ((size_t)1 << 30)

typedef struct FileBytes
{
    unsigned char *data; /* followed by one zero byte; malloc'ed, free() it */
    size_t size;
} FileBytes;

/* Is this how the name ends, in upper or lower case? */
bool file_name_ends(const char *path, const char *ending);

/* Opens `path` and reads one byte: tells a missing file, a directory and an empty file with one clear
 * sentence. */
bool file_check(const char *path, char *message, int message_size);

bool file_read(const char *path, FileBytes *out, char *message, int message_size);

/* The entry `maps/NAME.bsp` of a pk3 (zip) archive; case does not matter, `maps/` and `.bsp` may be given. */
bool archive_read_map(const char *path, const char *map, FileBytes *out, char *message, int message_size);

/* Writes the sentence and returns false, so that a reader can say `return file_fail(...)`. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
bool file_fail(char *message, int message_size, const char *format, ...);

/* Brings every vertex from the file's units and axes to metres with Y up: a rotation, so fronts stay fronts.
 */
void file_orient(struct Level *level, double scale, char up);

#endif
