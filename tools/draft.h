/* Files that appear whole or not at all: written beside their target under another name, then renamed. Until then the
 * target stays as it was; an interrupt (ctrl-C) removes what was written so far. A target that is no regular file, as
 * /dev/stdout, is written in place. */
#ifndef SIDLE_TOOLS_DRAFT_H
#define SIDLE_TOOLS_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct Draft
{
    FILE *file;
    const char *name; /* as the user gave it; for messages */
    char *target;     /* without symbolic links */
    char *part;       /* NULL: the target is written in place */
} Draft;

/* Returns false, with a message, if a draft of this file could not be begun: for a look before long work. */
bool draft_is_possible(const char *name, char *message, int message_size);

bool draft_begin(const char *name, Draft *draft, char *message, int message_size);

/* Ends the draft in any case. Returns false, with a message, if anything written to the file was lost; the target is
 * then as it was. */
bool draft_publish(Draft *draft, char *message, int message_size);

/* Ends the draft and leaves the target as it was. */
void draft_drop(Draft *draft);

#endif
