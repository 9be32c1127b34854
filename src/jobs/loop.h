/* Helpers of all operations that run as a sidle_work. */
#ifndef JOBS_LOOP_H
#define JOBS_LOOP_H

#include "sidle/jobs.h"

#include <stdbool.h>

/* NULL is valid and selects this thread. */
bool sidle_jobs_are_valid(const sidle_jobs *jobs);

static inline uint32_t jobs_worker_count(const sidle_jobs *jobs)
{
    return jobs ? jobs->worker_count : 1;
}

/* The number of tasks over so many items, and one past the last item of a task. */
static inline uint32_t tasks_over(uint32_t items, uint32_t per_task)
{
    return (items + per_task - 1) / per_task;
}

static inline uint32_t task_end(uint32_t task, uint32_t per_task, uint32_t items)
{
    uint32_t begin = task * per_task, left = items - begin;
    return begin + (left < per_task ? left : per_task);
}

/* Starts a work whose phases are set; for _begin. */
void sidle_work_begin(sidle_work *work);

/* Clears the work; for _end. Returns SIDLE_ERROR_INCOMPLETE if a task has not run exactly once. */
sidle_status sidle_work_end(sidle_work *work);

#endif
