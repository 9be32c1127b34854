/* Many displacements of one agent, one move after the other. They share a leaf cache, so short ones share a search. */
#include "sidle/what_if.h"

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

static sidle_status try_all(sidle_crowd *crowd, void *context)
{
    const sidle_what_if_desc *desc = context;
    Candidates candidates;
    TriangleCache cache = {.agent = 0};
    crowd_place_candidates(crowd, 0, &candidates);
    sidle_move move = *desc->move;
    move.interval = 0; /* the displacement is tried now */
    for (uint32_t i = 0; i < desc->count; ++i)
    {
        AgentScratch scratch = {.cache = &cache};
        sidle_result result;
        move.displacement = displacement_at(desc, i);
        crowd->kernels->move(crowd, &candidates, &move, &scratch, &result);
        sidle_move whole;
        double length = vec3_length(vec3_from(move_with_waited(crowd, &move, &whole)->displacement));
        bool is_good = !(result.reasons & SIDLE_REASON_INVALID);
        *result_at(desc, i) = (sidle_what_if){.body = result.body,
                                              .clear_distance = is_good ? (float)(scratch.clear * length) : 0,
                                              .reasons = result.reasons};
    }
    return SIDLE_OK;
}

sidle_status sidle_crowd_what_if(sidle_crowd *crowd, const sidle_what_if_desc *desc)
{
    if (!desc || desc->size != sizeof *desc || !desc->move)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (desc->count > SIDLE_MAX_AGENTS)
    {
        return SIDLE_ERROR_LIMIT;
    }
    Row displacements = ROW(desc->displacements, desc->displacement_stride, desc->count);
    Row results = ROW(desc->results, desc->result_stride, desc->count);
    if (!row_is_good(displacements) || !row_is_good(results) || rows_overlap(displacements, results))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_tick_desc tick = {.snapshot = desc->snapshot,
                            .dt = desc->dt,
                            .motion_begin = desc->motion_begin,
                            .motion_end = desc->motion_end};
    return sidle_crowd_run_alone(crowd, &tick, try_all, (void *)desc);
}
