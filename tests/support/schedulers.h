/* Schedulers that engines might bring, and worse: what the contract of sidle_jobs allows and is unusual.
 */
#ifndef TESTS_SUPPORT_SCHEDULERS_H
#define TESTS_SUPPORT_SCHEDULERS_H

#include "sidle/jobs.h"
#include "support/random.h"

typedef enum SchedulerOrder
{
    SCHEDULER_REVERSE,  /* one item a range, the last one first */
    SCHEDULER_SHUFFLED, /* one item a range, on whatever worker */
    SCHEDULER_UNEVEN,   /* ranges of random lengths in random order */
    SCHEDULER_THREADS   /* one item a range, threads of its own for every loop */
} SchedulerOrder;

typedef struct Scheduler
{
    SchedulerOrder order;
    Random random;
    sidle_jobs jobs; /* to be handed to sidle; valid as long as the scheduler stays where it is */
} Scheduler;

void scheduler_set(Scheduler *scheduler, SchedulerOrder order, uint32_t worker_count);

#endif
