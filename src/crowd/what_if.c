/* Many displacements of one agent, one move after the other. They share a leaf cache, so short ones share a search. */
#include "sidle/what_if.h"

#include "base/fp_environment.h"
#include "crowd/agent.h"

static sidle_vec3 displacement_at(const sidle_what_if_desc *desc, uint32_t i)
{
    size_t stride = desc->displacement_stride ? desc->displacement_stride : sizeof(sidle_vec3);
    return *(const sidle_vec3 *)((const char *)desc->displacements + i * stride);
}

static sidle_what_if *result_at(const sidle_what_if_desc *desc, uint32_t i)
{
    size_t stride = desc->result_stride ? desc->result_stride : sizeof(sidle_what_if);
    return (sidle_what_if *)((char *)desc->results + i * stride);
}

static FP_BODY void try_all(const sidle_crowd *crowd, const sidle_what_if_desc *desc)
{
    Candidates candidates;
    TriangleCache cache = {.agent = 0};
    crowd_place_candidates(crowd, 0, &candidates);
    sidle_move move = *desc->move;
    for (uint32_t i = 0; i < desc->count; ++i)
    {
        AgentScratch scratch = {.cache = &cache};
        sidle_result result;
        move.displacement = displacement_at(desc, i);
        crowd->kernels->move(crowd, &candidates, &move, &scratch, &result);
        double length = vec3_length(vec3_from(move.displacement));
        bool is_good = !(result.reasons & SIDLE_REASON_INVALID);
        *result_at(desc, i) = (sidle_what_if){.body = result.body,
                                              .clear_distance = is_good ? (float)(scratch.clear * length) : 0,
                                              .reasons = result.reasons};
    }
}

static bool stride_is_good(size_t stride, size_t size, size_t alignment)
{
    return stride == 0 || (stride >= size && stride % alignment == 0);
}

static sidle_status check_desc(const sidle_what_if_desc *desc)
{
    if (!desc || desc->size < sizeof *desc || !desc->move ||
        (desc->count > 0 && (!desc->displacements || !desc->results)) ||
        !stride_is_good(desc->displacement_stride, sizeof(sidle_vec3), _Alignof(sidle_vec3)) ||
        !stride_is_good(desc->result_stride, sizeof(sidle_what_if), _Alignof(sidle_what_if)))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    return desc->count <= SIDLE_MAX_AGENTS ? SIDLE_OK : SIDLE_ERROR_LIMIT;
}

/* Runs inside a tick without agents, which checks the arguments and reserves the memory. */
sidle_status sidle_crowd_what_if(sidle_crowd *crowd, const sidle_what_if_desc *desc)
{
    sidle_status status = check_desc(desc);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_tick_desc nobody = {.size = sizeof nobody,
                              .snapshot = desc->snapshot,
                              .dt = desc->dt,
                              .motion_begin = desc->motion_begin,
                              .motion_end = desc->motion_end};
    sidle_work work;
    status = sidle_crowd_tick_begin(crowd, &nobody, 1, &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    FpEnvironment host = fp_enter();
    try_all(crowd, desc);
    fp_leave(host);
    return sidle_crowd_tick_end(crowd, &work);
}
