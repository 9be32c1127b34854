/* The public calls: one cast, and many of them as a work. */
#include "base/fp_environment.h"
#include "base/memory.h"
#include "jobs/loop.h"
#include "query/cast.h"

/* About 20 microseconds of work, as a task of a tick. A multiple of 3, 4, 6 and 7, the casts in flight (flight.inl). */
#define CASTS_PER_TASK 84

static const char *const phase_names[] = {"sidle cast"};

/* A work holds one pointer, the caller's desc, so each task selects the kernels again. */
static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)phase, (void)worker;
    const sidle_cast_batch_desc *desc = state;
    uint32_t end = task_end(task, CASTS_PER_TASK, desc->count);
    sidle_kernels_select(desc->lanes)->cast_many(desc, task * CASTS_PER_TASK, end);
}

static sidle_status check_batch(const sidle_cast_batch_desc *desc)
{
    if (!desc || desc->size != sizeof *desc || !desc->snapshot || !motion_is_good(desc->motion_time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (desc->count > SIDLE_MAX_CASTS)
    {
        return SIDLE_ERROR_LIMIT;
    }
    Row casts = ROW(desc->casts, desc->cast_stride, desc->count);
    Row hits = ROW(desc->hits, desc->hit_stride, desc->count);
    if (!row_is_good(casts) || !row_is_good(hits) || rows_overlap(casts, hits))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    return SIDLE_OK;
}

uint32_t sidle_cast_lanes(uint32_t lanes)
{
    const Kernels *kernels = sidle_kernels_select(lanes);
    return kernels ? kernels->lane_count : 0;
}

static FP_BODY sidle_status begin_batch(const sidle_cast_batch_desc *desc, uint32_t worker_count,
                                        sidle_work *work)
{
    sidle_status status = check_batch(desc);
    if (status != SIDLE_OK || !work || worker_count < 1 || worker_count > SIDLE_MAX_WORKERS)
    {
        return status != SIDLE_OK ? status : SIDLE_ERROR_ARGUMENT;
    }
    if (!sidle_kernels_select(desc->lanes))
    {
        return SIDLE_ERROR_UNSUPPORTED;
    }
    *work = (sidle_work){.run = run,
                         .state = (void *)desc,
                         .phase_names = phase_names,
                         .phase_count = 1,
                         .worker_count = worker_count,
                         .task_count = {tasks_over(desc->count, CASTS_PER_TASK)}};
    sidle_work_begin(work);
    return SIDLE_OK;
}

sidle_status sidle_cast_batch_begin(const sidle_cast_batch_desc *desc, uint32_t worker_count,
                                    sidle_work *work)
{
    FpEnvironment host = fp_enter();
    sidle_status status = begin_batch(desc, worker_count, work);
    fp_leave(host);
    return status;
}

sidle_status sidle_cast_batch_end(sidle_work *work)
{
    if (!work || !work->state || work->run != run)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    return sidle_work_end(work);
}

sidle_status sidle_cast_batch(const sidle_cast_batch_desc *desc)
{
    sidle_work work;
    if (!desc || desc->size != sizeof *desc || !sidle_jobs_are_valid(desc->jobs))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_cast_batch_begin(desc, jobs_worker_count(desc->jobs), &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_work_execute(&work, desc->jobs);
    return sidle_cast_batch_end(&work);
}

static FP_BODY sidle_status cast_closest(const sidle_snapshot *snapshot, float time, const sidle_cast *cast,
                                         sidle_cast_hit *out)
{
    if (!snapshot || !cast || !out || !motion_is_good(time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    const Kernels *kernels = sidle_kernels_select(0);
    if (!kernels)
    {
        return SIDLE_ERROR_UNSUPPORTED;
    }
    return kernels->cast_one(snapshot, motion_end(time), cast, out);
}

sidle_status sidle_cast_closest(const sidle_snapshot *snapshot, float motion_time, const sidle_cast *cast,
                                sidle_cast_hit *out)
{
    FpEnvironment host = fp_enter();
    sidle_status status = cast_closest(snapshot, motion_time, cast, out);
    fp_leave(host);
    return status;
}
