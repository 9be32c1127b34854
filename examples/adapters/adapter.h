/* What an adapter gives to the driver: a sidle_jobs that runs ranges on the scheduler of an engine. */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <sidle/jobs.h>

#ifdef __cplusplus
extern "C"
{
#endif

extern const char *const adapter_name;

/* `workers`: the most threads that run ranges at once, the caller's included; at least 2. */
const sidle_jobs *adapter_jobs(uint32_t workers);

#ifdef __cplusplus
}
#endif

#endif
