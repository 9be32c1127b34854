#define _GNU_SOURCE /* sched_getaffinity */

#include "jobs/processors.h"

#ifdef __linux__

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 4096

/* Reads the beginning of a file as a string. Not with stdio, which allocates. */
static bool read_text(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
    {
        return false;
    }
    ssize_t length = read(file, text, size - 1);
    close(file);
    text[length > 0 ? length : 0] = 0;
    return length > 0;
}

/* Advances over decimal digits; false if there are none. */
static bool read_number(const char **text, uint64_t *number)
{
    const char *begin = *text;
    *number = 0;
    for (; **text >= '0' && **text <= '9' && *number < UINT64_MAX / 100; ++*text)
    {
        *number = 10 * *number + (uint64_t)(**text - '0');
    }
    return *text > begin;
}

/* cpu.max holds "QUOTA PERIOD" in microseconds, or "max PERIOD". */
static uint32_t quota_of(const char *folder)
{
    char path[PATH_SIZE + 16], text[64];
    uint64_t quota, period;
    const char *at = text;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    bool is_limited = read_text(path, text, sizeof text) && read_number(&at, &quota) && *at++ == ' ' &&
                      read_number(&at, &period) && period > 0;
    uint64_t count = is_limited ? (quota + period - 1) / period : UINT32_MAX;
    return count < 1 ? 1 : count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

uint32_t sidle_processors_of_cgroup(const char *membership, const char *root)
{
    char text[PATH_SIZE], folder[PATH_SIZE];
    if (!read_text(membership, text, sizeof text))
    {
        return UINT32_MAX;
    }
    const char *line =
        strncmp(text, "0::", 3) == 0 ? text : strstr(text, "\n0::"); /* the line of version 2 */
    if (!line)
    {
        return UINT32_MAX;
    }
    const char *name = strchr(line, '/');
    int length = name ? (int)strcspn(name, "\n") : 0;
    if (snprintf(folder, sizeof folder, "%s%.*s", root, length, length ? name : "") >= (int)sizeof folder)
    {
        return UINT32_MAX;
    }
    uint32_t least = quota_of(folder);
    for (size_t end = strlen(folder); end > strlen(root); --end)
    {
        if (folder[end - 1] == '/')
        {
            folder[end - 1] = 0;
            uint32_t quota = quota_of(folder);
            least = quota < least ? quota : least;
        }
    }
    return least;
}

uint32_t sidle_processors_usable(void)
{
    cpu_set_t set[8]; /* 8192 processors, the most that Linux can be built for */
    long count = sched_getaffinity(0, sizeof set, set) == 0 ? CPU_COUNT_S(sizeof set, set)
                                                            : sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t quota = sidle_processors_of_cgroup("/proc/self/cgroup", "/sys/fs/cgroup");
    uint32_t usable = count < 1 ? 1 : (uint32_t)count;
    return usable < quota ? usable : quota;
}

#endif
