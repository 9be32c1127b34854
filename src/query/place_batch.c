/* Many places as a work. */
#include "base/memory.h"
#include "jobs/loop.h"
#include "query/cast.h"
#include "query/place.h"

#define PLACES_PER_TASK 16 /* up to 40 microseconds of work */

static const char *const phase_names[] = {"sidle place"};

static void ask(const sidle_place_batch_desc *desc, const sidle_place *place, sidle_closest *out)
{
    bool only_overlaps = desc->max_distance < 0;
    sidle_closest closest = {.found = 0};
    sidle_status status =
        only_overlaps
            ? sidle_place_overlaps(desc->snapshot, desc->motion_time, place, NULL, 1, &closest.found)
            : sidle_place_closest(desc->snapshot, desc->motion_time, place, desc->max_distance, &closest);
    *out = status == SIDLE_OK ? closest : (sidle_closest){.found = SIDLE_CAST_INVALID};
}

static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)phase, (void)worker;
    const sidle_place_batch_desc *desc = state;
    size_t place_stride = desc->place_stride ? desc->place_stride : sizeof(sidle_place),
           closest_stride = desc->closest_stride ? desc->closest_stride : sizeof(sidle_closest);
    uint32_t end = task_end(task, PLACES_PER_TASK, desc->count);
    for (uint32_t i = task * PLACES_PER_TASK; i < end; ++i)
    {
        const void *place = (const char *)desc->places + i * place_stride;
        void *closest = (char *)desc->closest + i * closest_stride;
        ask(desc, place, closest);
    }
}

static sidle_status check(const sidle_place_batch_desc *desc)
{
    if (!desc || desc->size != sizeof *desc || !desc->snapshot || !motion_is_good(desc->motion_time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (!isfinite(desc->max_distance))
    {
        return SIDLE_ERROR_NOT_FINITE;
    }
    if (desc->count > SIDLE_MAX_CASTS || (double)desc->max_distance > SIDLE_MAX_COORDINATE)
    {
        return SIDLE_ERROR_LIMIT;
    }
    Row places = ROW(desc->places, desc->place_stride, desc->count);
    Row closest = ROW(desc->closest, desc->closest_stride, desc->count);
    bool good = row_is_good(places) && row_is_good(closest) && !rows_overlap(places, closest);
    return good ? SIDLE_OK : SIDLE_ERROR_ARGUMENT;
}

sidle_status sidle_place_batch_begin(const sidle_place_batch_desc *desc, uint32_t worker_count,
                                     sidle_work *work)
{
    sidle_status status = check(desc);
    if (status != SIDLE_OK || !work || worker_count < 1 || worker_count > SIDLE_MAX_WORKERS)
    {
        return status != SIDLE_OK ? status : SIDLE_ERROR_ARGUMENT;
    }
    *work = (sidle_work){.run = run,
                         .state = (void *)desc,
                         .phase_names = phase_names,
                         .phase_count = 1,
                         .worker_count = worker_count,
                         .task_count = {tasks_over(desc->count, PLACES_PER_TASK)}};
    sidle_work_begin(work);
    return SIDLE_OK;
}

sidle_status sidle_place_batch_end(sidle_work *work)
{
    if (!work || !work->state || work->run != run)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    return sidle_work_end(work);
}

sidle_status sidle_place_batch(const sidle_place_batch_desc *desc)
{
    sidle_work work;
    if (!desc || desc->size != sizeof *desc || !sidle_jobs_are_valid(desc->jobs))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_place_batch_begin(desc, jobs_worker_count(desc->jobs), &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_work_execute(&work, desc->jobs);
    return sidle_place_batch_end(&work);
}
