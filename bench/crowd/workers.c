#include "workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that runs ticks when it is asked. */
typedef struct Process
{
    pid_t id;
    int ask, answer; /* ends of pipes */
    double *seconds; /* of each tick, shared memory */
} Process;

static void serve(const Patch *patch, uint32_t tick_flags, MeasureDesc desc, const Process *process)
{
    Walkers walkers;
    char letter = 'r';
    bool good = walkers_create(&walkers, patch, tick_flags, NULL) && write(process->answer, &letter, 1) == 1;
    while (good && read(process->ask, &letter, 1) == 1)
    {
        measure_run(&walkers, desc, process->seconds);
        good = write(process->answer, &letter, 1) == 1;
    }
    _exit(good ? 0 : 1);
}

static bool start(const Patch *patch, uint32_t tick_flags, MeasureDesc desc, Process *process)
{
    int ask[2], answer[2];
    process->seconds =
        mmap(NULL, MEASURE_TICKS * sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (process->seconds == MAP_FAILED || pipe(ask) || pipe(answer))
    {
        return false;
    }
    process->id = fork();
    if (process->id == 0)
    {
        close(ask[1]);
        close(answer[0]);
        process->ask = ask[0];
        process->answer = answer[1];
        serve(patch, tick_flags, desc, process);
    }
    close(ask[0]);
    close(answer[1]);
    process->ask = ask[1];
    process->answer = answer[0];
    return process->id > 0;
}

static bool wait_for(const Process *process)
{
    char letter;
    return read(process->answer, &letter, 1) == 1;
}

/* A process ends when nothing can ask it any more. The second one holds the pipes of the first. */
static void stop(Process *processes)
{
    for (int i = 0; i < WORKERS; ++i)
    {
        close(processes[i].ask);
        close(processes[i].answer);
    }
    for (int i = 0; i < WORKERS; ++i)
    {
        waitpid(processes[i].id, NULL, 0);
        munmap(processes[i].seconds, MEASURE_TICKS * sizeof(double));
    }
}

static void keep_least(double *least, const double *seconds, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; ++i)
    {
        least[i] = fmin(least[i], seconds[i]);
    }
}

static double moves_a_second(const double *least, uint32_t ticks, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < ticks; ++i)
    {
        sum += least[i];
    }
    return (double)ticks * count / sum;
}

typedef struct Contest
{
    Process processes[WORKERS];
    Walkers pooled, alone;
    /* Of each tick over all runs [s]. */
    double least_process[WORKERS][MEASURE_TICKS], least_pooled[MEASURE_TICKS], least_alone[MEASURE_TICKS];
} Contest;

static bool run_once(Contest *contest, MeasureDesc desc)
{
    double seconds[MEASURE_TICKS];
    const char letter = 'g';
    for (int i = 0; i < WORKERS; ++i)
    {
        if (write(contest->processes[i].ask, &letter, 1) != 1)
        {
            return false;
        }
    }
    for (int i = 0; i < WORKERS; ++i)
    {
        if (!wait_for(&contest->processes[i]))
        {
            return false;
        }
        keep_least(contest->least_process[i], contest->processes[i].seconds, desc.ticks);
    }
    measure_run(&contest->pooled, desc, seconds);
    keep_least(contest->least_pooled, seconds, desc.ticks);
    measure_run(&contest->alone, desc, seconds);
    keep_least(contest->least_alone, seconds, desc.ticks);
    return true;
}

static bool hold(Contest *contest, const Patch *patch, uint32_t tick_flags, const sidle_jobs *jobs,
                 MeasureDesc desc)
{
    bool good = walkers_create(&contest->pooled, patch, tick_flags, jobs) &&
                walkers_create(&contest->alone, patch, tick_flags, NULL);
    for (int i = 0; i < WORKERS && good; ++i)
    {
        good = wait_for(&contest->processes[i]);
    }
    for (uint32_t run = 0; run < desc.runs && good; ++run)
    {
        good = run_once(contest, desc);
    }
    walkers_destroy(&contest->pooled);
    walkers_destroy(&contest->alone);
    return good;
}

bool workers_measure(const Patch *patch, uint32_t tick_flags, MeasureDesc desc, WorkersFigures *out)
{
    static Contest contest;
    sidle_pool_desc two = {.size = sizeof two, .worker_count = WORKERS};
    sidle_pool *pool = NULL;
    memset(&contest, 0, sizeof contest);
    for (uint32_t i = 0; i < desc.ticks; ++i)
    {
        contest.least_pooled[i] = contest.least_alone[i] = (double)INFINITY;
        contest.least_process[0][i] = contest.least_process[1][i] = (double)INFINITY;
    }
    /* The processes first: a fork takes no threads along. */
    bool good = start(patch, tick_flags, desc, &contest.processes[0]) &&
                start(patch, tick_flags, desc, &contest.processes[1]) &&
                !sidle_pool_create(&two, NULL, &pool) &&
                hold(&contest, patch, tick_flags, sidle_pool_jobs(pool), desc);
    sidle_pool_destroy(pool);
    out->processes = 0;
    for (int i = 0; i < WORKERS; ++i)
    {
        out->processes += moves_a_second(contest.least_process[i], desc.ticks, patch->count);
    }
    stop(contest.processes);
    out->pool = moves_a_second(contest.least_pooled, desc.ticks, patch->count);
    out->alone = moves_a_second(contest.least_alone, desc.ticks, patch->count);
    if (!good)
    {
        fprintf(stderr, "no two processes, or no pool of two workers\n");
    }
    return good;
}
