/* What ticks and steering refuse, in words. Requests of agents are checked one by one, in request.inl. */
#include "base/status.h"
#include "crowd/steer.h"

/* [Limit] of max_speed. */
#define MOST_MAX_SPEED 10

static bool is_within(float value, float low, float high)
{
    return value >= low && value <= high; /* false for NaN */
}

static sidle_status check_count_and_dt(uint32_t count, float dt, sidle_error *error)
{
    if (count > SIDLE_MAX_AGENTS)
    {
        return sidle_status_fail(error, SIDLE_ERROR_LIMIT, 0, "count is %u, but must be at most %u", count,
                                 SIDLE_MAX_AGENTS);
    }
    if (!(dt > 0 && dt <= SIDLE_MAX_DT))
    {
        return sidle_status_fail(error, SIDLE_ERROR_ARGUMENT, 0,
                                 "dt is %g, but must be above 0 and at most %g", (double)dt,
                                 (double)SIDLE_MAX_DT);
    }
    return SIDLE_OK;
}

/* ---- ticks ---- */

static sidle_status check_tick_rows(const sidle_tick_desc *desc)
{
    Row moves = ROW(desc->moves, desc->move_stride, desc->count);
    Row results = ROW(desc->results, desc->result_stride, desc->count);
    sidle_status status = sidle_row_check(moves, "moves", "move_stride", desc->error);
    status = status == SIDLE_OK ? sidle_row_check(results, "results", "result_stride", desc->error) : status;
    if (status == SIDLE_OK && rows_overlap(moves, results))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0, "results overlap moves");
    }
    if (status == SIDLE_OK && desc->contact_capacity > 0 && !desc->contacts)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "contacts is NULL, but contact_capacity is %u", desc->contact_capacity);
    }
    return status;
}

sidle_status sidle_tick_check(const sidle_tick_desc *desc, uint32_t worker_count)
{
    const uint32_t flags = SIDLE_TICK_AGENTS_COLLIDE;
    if (!desc || desc->size != sizeof *desc || worker_count < 1 || worker_count > SIDLE_MAX_WORKERS ||
        (desc->stats && desc->stats->size != sizeof *desc->stats))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (!desc->snapshot)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0, "snapshot is NULL");
    }
    if (!is_within(desc->motion_begin, 0, desc->motion_end) || !(desc->motion_end <= 1))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "motion_begin is %g and motion_end %g, but must be 0 <= begin <= end <= 1",
                                 (double)desc->motion_begin, (double)desc->motion_end);
    }
    if (desc->flags & ~flags)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "flags is %u, but must be from 0 to %u", desc->flags, flags);
    }
    sidle_status status = check_count_and_dt(desc->count, desc->dt, desc->error);
    return status == SIDLE_OK ? check_tick_rows(desc) : status;
}

/* ---- steering ---- */

/* The displacements are those of the moves, or apart from them. */
static sidle_status check_steer_rows(const sidle_steer_desc *desc)
{
    Row moves = ROW(desc->moves, desc->move_stride, desc->count);
    Row displacements = ROW(desc->displacements, desc->displacement_stride, desc->count);
    sidle_status status = sidle_row_check(moves, "moves", "move_stride", desc->error);
    if (status == SIDLE_OK)
    {
        status = sidle_row_check(displacements, "displacements", "displacement_stride", desc->error);
    }
    if (status != SIDLE_OK)
    {
        return status;
    }
    bool in_place = desc->count > 0 && desc->displacements == &desc->moves->displacement &&
                    row_stride(moves) == row_stride(displacements);
    if (in_place && desc->period > 1)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "displacements are those of the moves, but a period of %u needs an array of "
                                 "their own",
                                 desc->period);
    }
    if (!in_place && rows_overlap(moves, displacements))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0, "displacements overlap moves");
    }
    return SIDLE_OK;
}

sidle_status sidle_steer_check(const sidle_steer_desc *desc, uint32_t worker_count)
{
    if (!desc || desc->size != sizeof *desc || worker_count < 1 || worker_count > SIDLE_MAX_WORKERS)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (!desc->snapshot)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0, "snapshot is NULL");
    }
    if (!is_within(desc->reach, 0, SIDLE_MAX_LENGTH))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "reach is %g, but must be from 0 to %g", (double)desc->reach,
                                 (double)SIDLE_MAX_LENGTH);
    }
    if (desc->max_speed != 0 && !is_within(desc->max_speed, 1, MOST_MAX_SPEED))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "max_speed is %g, but must be 0 or from 1 to %d", (double)desc->max_speed,
                                 MOST_MAX_SPEED);
    }
    sidle_status status = check_count_and_dt(desc->count, desc->dt, desc->error);
    return status == SIDLE_OK ? check_steer_rows(desc) : status;
}
