#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[32];
    static int file = -1;
    if (file < 0)
    {
        file = memfd_create("fuzz", MFD_CLOEXEC);
        fuzz_demand(file >= 0, "no file in memory");
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    fuzz_demand(ftruncate(file, 0) == 0, "the file cannot be emptied");
    fuzz_demand(pwrite(file, data, size, 0) == (ssize_t)size, "the file cannot be written");
    return path;
}

void fuzz_demand(int condition, const char *what)
{
    if (!condition)
    {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}
