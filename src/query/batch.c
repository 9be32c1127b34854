/* The public calls: a single cast is a batch of one. */
#include "jobs/loop.h"
#include "query/caster.h"

#define CASTS_PER_TASK 32 /* about 10 microseconds of work, as a task of a tick */

_Static_assert(sizeof(CastScratch) + 8192 <= SIDLE_CAST_STACK,
               "what the header says, with room for the calls");

static const char *const phase_names[] = {"sidle cast"};

static double motion_of(float given)
{
    return given > 0 ? (double)given : 1;
}

static void cast_one(const sidle_cast_batch_desc *desc, const Kernels *kernels, uint32_t i,
                     CastScratch *scratch)
{
    size_t cast_stride = desc->cast_stride ? desc->cast_stride : sizeof(sidle_cast);
    size_t hit_stride = desc->hit_stride ? desc->hit_stride : sizeof(sidle_cast_hit);
    const sidle_cast *cast = (const sidle_cast *)((const char *)desc->casts + i * cast_stride);
    sidle_cast_hit *hit = (sidle_cast_hit *)((char *)desc->hits + i * hit_stride);
    if (cast_check(cast) != SIDLE_OK)
    {
        *hit = (sidle_cast_hit){.hit = SIDLE_CAST_INVALID};
        return;
    }
    Caster caster = caster_of(desc->snapshot, kernels, motion_of(desc->motion_time), cast, scratch);
    caster_walk(&caster);
    caster_answer(&caster, hit);
}

static void run_task(const sidle_cast_batch_desc *desc, const Kernels *kernels, uint32_t task)
{
    CastScratch scratch;
    uint32_t begin = task * CASTS_PER_TASK, left = desc->count - begin;
    uint32_t end = begin + (left < CASTS_PER_TASK ? left : CASTS_PER_TASK);
    for (uint32_t i = begin; i < end; ++i)
    {
        cast_one(desc, kernels, i, &scratch);
    }
}

/* A work has room for one pointer, which is the caller's desc; so the width is chosen by the function. */
static void run_1(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)phase, (void)worker;
    run_task(state, &kernels_1, task);
}

static void run_4(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)phase, (void)worker;
    run_task(state, &kernels_4, task);
}

#ifdef KERNELS_HAVE_8
static void run_8(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)phase, (void)worker;
    run_task(state, &kernels_8, task);
}
#endif

static void (*run_of(const Kernels *kernels))(void *, uint32_t, uint32_t, uint32_t)
{
#ifdef KERNELS_HAVE_8
    if (kernels == &kernels_8)
    {
        return run_8;
    }
#endif
    return kernels == &kernels_4 ? run_4 : run_1;
}

static bool motion_is_good(float time)
{
    return time >= 0 && time <= 1; /* false for NaN */
}

static sidle_status check_batch(const sidle_cast_batch_desc *desc)
{
    if (!desc || desc->size < sizeof *desc || !desc->snapshot || !motion_is_good(desc->motion_time) ||
        (desc->count > 0 && (!desc->casts || !desc->hits)))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if ((desc->cast_stride > 0 && desc->cast_stride < sizeof(sidle_cast)) ||
        (desc->hit_stride > 0 && desc->hit_stride < sizeof(sidle_cast_hit)) ||
        desc->cast_stride % _Alignof(sidle_cast) != 0 || desc->hit_stride % _Alignof(sidle_cast_hit) != 0)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    return desc->count <= SIDLE_MAX_CASTS ? SIDLE_OK : SIDLE_ERROR_LIMIT;
}

uint32_t sidle_cast_lanes(uint32_t lanes)
{
    const Kernels *kernels = kernels_select(lanes);
    return kernels ? kernels->lane_count : 0;
}

sidle_status sidle_cast_batch_begin(const sidle_cast_batch_desc *desc, uint32_t worker_count,
                                    sidle_work *work)
{
    sidle_status status = check_batch(desc);
    if (status != SIDLE_OK || !work || worker_count < 1 || worker_count > SIDLE_MAX_WORKERS)
    {
        return status != SIDLE_OK ? status : SIDLE_ERROR_ARGUMENT;
    }
    const Kernels *kernels = kernels_select(desc->lanes);
    if (!kernels)
    {
        return SIDLE_ERROR_UNSUPPORTED;
    }
    *work = (sidle_work){.run = run_of(kernels),
                         .state = (void *)desc,
                         .phase_names = phase_names,
                         .phase_count = 1,
                         .worker_count = worker_count,
                         .task_count = {(desc->count + CASTS_PER_TASK - 1) / CASTS_PER_TASK}};
    return SIDLE_OK;
}

sidle_status sidle_cast_batch_end(sidle_work *work)
{
    if (!work || !work->state || work->phase_names != phase_names)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    *work = (sidle_work){0};
    return SIDLE_OK;
}

sidle_status sidle_cast_batch(const sidle_cast_batch_desc *desc)
{
    sidle_work work;
    if (!desc || desc->size < sizeof *desc || !jobs_are_valid(desc->jobs))
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

sidle_status sidle_cast_closest(const sidle_snapshot *snapshot, float motion_time, const sidle_cast *cast,
                                sidle_cast_hit *out)
{
    if (!snapshot || !cast || !out || !motion_is_good(motion_time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = cast_check(cast);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_cast_batch_desc one = {.size = sizeof one,
                                 .snapshot = snapshot,
                                 .motion_time = motion_time,
                                 .casts = cast,
                                 .count = 1,
                                 .hits = out};
    return sidle_cast_batch(&one);
}
