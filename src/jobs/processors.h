/* The number of processors that this process may use; on Linux only. */
#ifndef JOBS_PROCESSORS_H
#define JOBS_PROCESSORS_H

#include <stdint.h>

/* Processors of the affinity mask, at most the quota of the cgroup (version 2). At least 1. */
uint32_t sidle_processors_usable(void);

/* The smallest quota of a cgroup and its parents, in processors, rounded up; UINT32_MAX: none. `membership` is a file as
 * /proc/self/cgroup, `root` the folder in which the hierarchy is mounted. */
uint32_t sidle_processors_of_cgroup(const char *membership, const char *root);

#endif
