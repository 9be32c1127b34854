/* Batches of queries. */
#include "support/queries.h"

#include <string.h>

static void write_corner(Filled *filled, uint32_t lane, uint32_t field, Vector v)
{
    uint32_t width = filled->kernels->lane_count;
    const double xyz[3] = {v.x, v.y, v.z};
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        size_t at = ((size_t)(lane / width) * FIELD_COUNT + field + axis) * width + lane % width;
        if (filled->kernels == &sidle_kernels_1d)
        {
            ((double *)filled->batch.blocks)[at] = xyz[axis];
        }
        else
        {
            ((float *)filled->batch.blocks)[at] = (float)xyz[axis];
        }
    }
}

void filled_set(Filled *filled, const Kernels *kernels, const Query *query, const uint32_t *order)
{
    filled_set_core(filled, kernels, query, order, 0.0);
}

void filled_set_core(Filled *filled, const Kernels *kernels, const Query *query, const uint32_t *order,
                     double core)
{
    memset(filled, 0, sizeof *filled);
    filled->kernels = kernels;
    filled->batch = (Batch){.blocks = filled->memory, .count = query->count, .capacity = FILLED_LANES};
    for (uint32_t lane = 0; lane < query->count; ++lane)
    {
        uint32_t index = order ? order[lane] : lane;
        filled->candidates[lane] = (Candidate){.key = index / 4, .triangle = index};
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            write_corner(filled, lane, FIELD_V0 + 3 * corner, query->triangles[index][corner]);
        }
    }
    PackRules rules = {.reach_length = (float)query_reach(query),
                       .slack = (float)(query->skin * SLACK_OF_SKIN),
                       .core = (float)core};
    uint32_t exact_of[FILLED_LANES];
    filled->exact_count = kernels->setup(&filled->batch, &rules, exact_of);
    for (uint32_t i = 0; i < filled->exact_count; ++i)
    {
        filled->candidates[exact_of[i]].exact = 1;
    }
}

SweepQuery query_for_kernels(const Query *query)
{
    return (SweepQuery){vec3_of_vector(query->origin), vec3_of_vector(query->direction), query->length,
                        query_radius(query), query->skin * SLACK_OF_SKIN};
}

SweepAnswer filled_sweep(const Filled *filled, const Query *query)
{
    SweepQuery asked = query_for_kernels(query);
    SweepAnswer answer = filled->kernels->sweep(&filled->batch, &asked, filled->candidates, NULL);
    if (answer.candidate != NO_HIT)
    {
        answer.candidate = filled->candidates[answer.candidate].triangle;
    }
    return answer;
}

/* Of what float does not serve; known by their places in the query. */
static SweepAnswer exact_answer(const Filled *wide, const Query *query)
{
    Query some = *query;
    uint32_t place[QUERY_TRIANGLES];
    some.count = 0;
    for (uint32_t index = 0; index < query->count; ++index)
    {
        if (wide->candidates[index].exact)
        {
            memcpy(some.triangles[some.count], query->triangles[index], sizeof some.triangles[0]);
            place[some.count++] = index;
        }
    }
    Filled filled;
    filled_set(&filled, &sidle_kernels_1d, &some, NULL);
    SweepAnswer answer = filled_sweep(&filled, &some);
    answer.candidate = answer.candidate == NO_HIT ? NO_HIT : place[answer.candidate];
    return answer;
}

SweepAnswer query_answer(const Query *query, const Kernels *kernels)
{
    Filled filled;
    filled_set(&filled, kernels, query, NULL);
    SweepAnswer answer = filled_sweep(&filled, query);
    if (filled.exact_count == 0)
    {
        return answer;
    }
    SweepAnswer exact = exact_answer(&filled, query);
    bool is_first = exact.t < answer.t || (exact.t == answer.t && exact.candidate < answer.candidate);
    return is_first ? exact : answer;
}
