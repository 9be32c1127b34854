/* The inner stages of the level readers. They read bytes in memory. */
#ifndef SIDLE_TOOLS_READERS_H
#define SIDLE_TOOLS_READERS_H

#include "archive.h"
#include "level.h"

/* Reads a whole BSP. On failure writes a message like level_load and leaves `level` empty. */
bool quake3_read_bytes(const char *name, const FileBytes *file, const LevelOptions *options, Level *level,
                       char *message, int message_size);

/* Returns false, with a message that names the line, if an OBJ has a coordinate that is not finite or a
 * face with a vertex that does not exist. Everything else is left to Assimp. */
bool obj_check(const char *name, const FileBytes *file, char *message, int message_size);

#endif
