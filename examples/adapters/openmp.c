/* sidle's loops as OpenMP loops. A loop inside a parallel region of the engine gets a team of its own, whose thread numbers
 * begin at 0 again. By default this team is one thread, which is valid, too. */
#include "adapter.h"

#include <omp.h>

const char *const adapter_name = "OpenMP";

static void parallel_for(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                         void *context)
{
    const sidle_jobs *jobs = user;
    uint32_t size = grain > 0 ? grain : 1, ranges = count / size + (count % size > 0);
    (void)name;
#pragma omp parallel for schedule(dynamic) num_threads(jobs->worker_count)
    for (uint32_t i = 0; i < ranges; ++i)
    {
        uint32_t begin = i * size, left = count - begin;
        fn(context, begin, begin + (left < size ? left : size), (uint32_t)omp_get_thread_num());
    }
}

const sidle_jobs *adapter_jobs(uint32_t workers)
{
    static sidle_jobs jobs = {.size = sizeof jobs, .parallel_for = parallel_for, .user = &jobs};
    jobs.worker_count = workers;
    return &jobs;
}
