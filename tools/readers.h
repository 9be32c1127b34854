/* The inner stages of the level readers: bytes in memory, wherever they came from. */
#ifndef SIDLE_TOOLS_READERS_H
#define SIDLE_TOOLS_READERS_H

#include "archive.h"
#include "level.h"

/* A whole BSP. On failure says so like level_load does and leaves `level` empty. */
bool quake3_read_bytes(const char *name, const FileBytes *file, const LevelOptions *options, Level *level,
                       char *message, int message_size);

/* False, with the line named, if an OBJ has a coordinate that is no finite number or a face with a vertex
 * that does not exist. Everything else is left to Assimp. */
bool obj_check(const char *name, const FileBytes *file, char *message, int message_size);

#endif
