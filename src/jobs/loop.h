/* What every operation asks of a sidle_jobs and of its sidle_work. */
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

/* For _begin: hands out a work whose phases are written. */
void work_begin(sidle_work *work);

/* For _end: takes it back, nothing is left to run. BUSY: not each task has run, once. */
sidle_status work_end(sidle_work *work);

#endif
