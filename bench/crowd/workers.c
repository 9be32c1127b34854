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
    desc.clock = walkers_wall_seconds;
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

static double sum_of(const double *least, uint32_t ticks)
{
    double sum = 0;
    for (uint32_t i = 0; i < ticks; ++i)
    {
        sum += least[i];
    }
    return sum;
}

/* What is timed. */
enum
{
    PROCESSES,
    POOL = PROCESSES + WORKERS,
    ALONE,
    POOL_PROCESSOR, /* processor time */
    ALONE_PROCESSOR,
    TIMED_COUNT
};

typedef struct Contest
{
    Process processes[WORKERS];
    Walkers pooled, alone;
    double least[TIMED_COUNT][MEASURE_TICKS]; /* of each tick over all runs [s] */
} Contest;

static bool run_processes(Contest *contest, MeasureDesc desc)
{
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
        keep_least(contest->least[PROCESSES + i], contest->processes[i].seconds, desc.ticks);
    }
    return true;
}

static void run_walkers(Contest *contest, Walkers *walkers, MeasureDesc desc, int timed)
{
    double seconds[MEASURE_TICKS];
    desc.clock = timed < POOL_PROCESSOR ? walkers_wall_seconds : walkers_process_seconds;
    measure_run(walkers, desc, seconds);
    keep_least(contest->least[timed], seconds, desc.ticks);
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
        good = run_processes(contest, desc);
        run_walkers(contest, &contest->pooled, desc, POOL);
        run_walkers(contest, &contest->alone, desc, ALONE);
        run_walkers(contest, &contest->pooled, desc, POOL_PROCESSOR);
        run_walkers(contest, &contest->alone, desc, ALONE_PROCESSOR);
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
    for (uint32_t i = 0; i < TIMED_COUNT * MEASURE_TICKS; ++i)
    {
        contest.least[i / MEASURE_TICKS][i % MEASURE_TICKS] = (double)INFINITY;
    }
    /* The processes first: a fork takes no threads along. */
    bool good = start(patch, tick_flags, desc, &contest.processes[0]) &&
                start(patch, tick_flags, desc, &contest.processes[1]) &&
                !sidle_pool_create(&two, NULL, &pool) &&
                hold(&contest, patch, tick_flags, sidle_pool_jobs(pool), desc);
    sidle_pool_destroy(pool);
    stop(contest.processes);
    double moves = (double)desc.ticks * patch->count, sums[TIMED_COUNT];
    for (int i = 0; i < TIMED_COUNT; ++i)
    {
        sums[i] = sum_of(contest.least[i], desc.ticks);
    }
    *out = (WorkersFigures){.pool = moves / sums[POOL],
                            .processes = moves / sums[PROCESSES] + moves / sums[PROCESSES + 1],
                            .alone = moves / sums[ALONE],
                            .pool_processor = sums[POOL_PROCESSOR] / sums[ALONE_PROCESSOR]};
    if (!good)
    {
        fprintf(stderr, "no two processes, or no pool of two workers\n");
    }
    return good;
}
