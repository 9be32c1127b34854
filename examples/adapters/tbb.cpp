/* sidle's loops in an arena of oneTBB. The arena bounds the thread indices, and a waiting thread takes no task of the engine
 * from elsewhere. No range calls oneTBB, so no thread holds two ranges of one loop. */
#include "adapter.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

const char *const adapter_name = "oneTBB";

static void parallel_for(void *user, const char *, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                         void *context)
{
    const tbb::blocked_range<uint32_t> all(0, count, grain > 0 ? grain : 1);
    static_cast<tbb::task_arena *>(user)->execute([&] {
        tbb::parallel_for(all, [&](const tbb::blocked_range<uint32_t> &range) {
            auto worker = static_cast<uint32_t>(tbb::this_task_arena::current_thread_index());
            fn(context, range.begin(), range.end(), worker);
        });
    });
}

const sidle_jobs *adapter_jobs(uint32_t workers)
{
    /* By default oneTBB starts no more threads than there are processors. */
    static tbb::global_control threads(tbb::global_control::max_allowed_parallelism, workers);
    static tbb::task_arena arena(static_cast<int>(workers));
    static const sidle_jobs jobs = {sizeof jobs, parallel_for, &arena, workers};
    return &jobs;
}
