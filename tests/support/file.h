/* Bytes as a file, for readers that want a path. */
#ifndef TESTS_SUPPORT_FILE_H
#define TESTS_SUPPORT_FILE_H

#include <stddef.h>

typedef struct File
{
    char path[64];
} File;

/* What cannot be written ends the process. */
File file_of(const void *bytes, size_t size);
void file_remove(const File *file);

#endif
