/* The tasks of a work, and the loop that runs all of them. */
#include "jobs/loop.h"

#include "base/fp_environment.h"

typedef struct Phase
{
    sidle_work *work;
    uint32_t phase;
} Phase;

bool sidle_jobs_are_valid(const sidle_jobs *jobs)
{
    return !jobs || (jobs->size == sizeof *jobs && jobs->parallel_for && jobs->worker_count >= 1 &&
                     jobs->worker_count <= SIDLE_MAX_WORKERS);
}

uint32_t sidle_work_phase_count(const sidle_work *work)
{
    return work ? work->phase_count : 0;
}

uint32_t sidle_work_task_count(const sidle_work *work, uint32_t phase)
{
    return phase < sidle_work_phase_count(work) ? work->task_count[phase] : 0;
}

const char *sidle_work_phase_name(const sidle_work *work, uint32_t phase)
{
    return phase < sidle_work_phase_count(work) ? work->phase_names[phase] : "";
}

/* The weight of a task. The sum of all weights, less that of each task that has run, is zero if each task has run once.
 * All weights differ, so a task that runs twice does not replace one that does not run. They are far from linear, so
 * that pairs hardly do. */
static uint64_t weight_of(uint32_t phase, uint32_t task)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u; /* 2^64 over the golden ratio spreads neighbours */
    uint64_t mixed = (((uint64_t)phase << 32 | task) + 1) * odd;
    mixed = (mixed ^ mixed >> 32) * odd;
    return mixed ^ mixed >> 29; /* mutant: repeated_task */
}

void sidle_work_run(sidle_work *work, uint32_t phase, uint32_t task, uint32_t worker)
{
    if (task >= sidle_work_task_count(work, phase) || worker >= work->worker_count)
    {
        return;
    }
    FpEnvironment host = fp_enter();
    work->run(work->state, phase, task, worker);
    fp_leave(host);
    /* Relaxed, since the host has seen all tasks end when it calls _end. No _Atomic type, since C++ includes the
     * header. */
    __atomic_fetch_sub(&work->left, weight_of(phase, task), __ATOMIC_RELAXED);
}

static uint64_t weight_of_phase(const sidle_work *work, uint32_t phase)
{
    uint64_t sum = 0;
    for (uint32_t task = 0; task < work->task_count[phase]; ++task)
    {
        sum += weight_of(phase, task);
    }
    return sum;
}

void sidle_work_begin(sidle_work *work)
{
    work->left = 0;
    for (uint32_t phase = 0; phase < work->phase_count; ++phase)
    {
        work->left += weight_of_phase(work, phase);
    }
}

sidle_status sidle_work_end(sidle_work *work)
{
    uint64_t left = __atomic_load_n(&work->left, __ATOMIC_RELAXED);
    *work = (sidle_work){.state = NULL};
    return left == 0 ? SIDLE_OK : SIDLE_ERROR_INCOMPLETE;
}

static void run_tasks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const Phase *phase = context;
    for (uint32_t task = begin; task < end; ++task)
    {
        sidle_work_run(phase->work, phase->phase, task, worker);
    }
}

/* Stops after a phase in which not every task has run once, since the next phase reads what they write. */
void sidle_work_execute(sidle_work *work, const sidle_jobs *jobs)
{
    bool all_ran = true;
    for (uint32_t p = 0; p < sidle_work_phase_count(work) && all_ran; ++p)
    {
        Phase phase = {work, p};
        uint32_t count = work->task_count[p];
        uint64_t left_after = work->left - weight_of_phase(work, p);
        bool fits = jobs && jobs->worker_count <= work->worker_count; /* scratch exists for each worker */
        if (!fits || count <= 1)
        {
            run_tasks(&phase, 0, count, 0);
        }
        else
        {
            jobs->parallel_for(jobs->user, work->phase_names[p], count, 1, run_tasks, &phase);
        }
        all_ran = __atomic_load_n(&work->left, __ATOMIC_RELAXED) == left_after;
    }
}
