#include "support/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

File file_of(const void *bytes, size_t size)
{
    File file = {"/tmp/sidle-test-XXXXXX"};
    int handle = mkstemp(file.path);
    if (handle < 0 || write(handle, bytes, size) != (ssize_t)size || close(handle) != 0)
    {
        perror(file.path);
        abort();
    }
    return file;
}

void file_remove(const File *file)
{
    unlink(file->path);
}
