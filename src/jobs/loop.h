/* What every operation asks of a sidle_jobs. */
#ifndef JOBS_LOOP_H
#define JOBS_LOOP_H

#include "sidle/jobs.h"

#include <stdbool.h>

/* NULL is valid and means this thread. */
bool jobs_are_valid(const sidle_jobs *jobs);

static inline uint32_t jobs_worker_count(const sidle_jobs *jobs)
{
    return jobs ? jobs->worker_count : 1;
}

#endif
