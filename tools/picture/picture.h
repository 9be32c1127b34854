/* Draws a level from above as a PNG: relief with light and shadow, and the agents with their trails. */
#ifndef SIDLE_TOOLS_PICTURE_H
#define SIDLE_TOOLS_PICTURE_H

#include "tools/crowd_run.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns false, with a message about what is missing, if this build cannot write pictures. */
bool picture_is_possible(char *message, int message_size);

/* Draws the crowd as it stands at the end of a run. `path` is the name of `file` for messages. */
bool picture_write(const CrowdRun *run, const char *path, FILE *file, char *message, int message_size);

#endif
