/* Many displacements of one agent. First the outermost ones' moves are run up to the point where they say what they would
 * look at; then all of that is gathered once, and each move runs on it.
 *
 * That changes no bit, since a move's answers depend on what its own reach holds alone:
 *  - What is gathered beyond it cannot be touched, and a lane's answer does not depend on its neighbours.
 *  - What the pack derives from the length of the path, and with it the choice between float and double, is made anew
 *    for each move (candidates_finish). Skin and side are the agent's. The transforms' condition may be larger among more
 *    instances; it sends lanes to double and nothing else, so where no lane went there, it made no difference.
 *  - Whatever fits into the candidates together fits alone. What does not fit together is not shared.
 *  - A gather with another frame (a part of a tick, a way out of an overlap) or beyond what was planned is made as in a
 *    tick. */
#include "sidle/what_if.h"

#include "base/fp_environment.h"
#include "crowd/agent.h"
#include "crowd/mover.h"

#define WORKERS 2 /* one holds what is shared, the other what is not */

#define OUTERMOST 7    /* the longest, and the farthest along the axes and against them */
#define ROOM      1.02 /* in what is shared, for those that are a little farther out in between */

/* With more than this, looking at what a move cannot reach costs more than its own gather: measured with
 * `sidle_bench --benchmark_filter=what_if`. */
#define MOST_SHARED 64

typedef struct WhatIf
{
    Gatherer gatherer; /* first: it is what comes back as self */
    Candidates shared, own;
    LeafCache cache;
    Frame frame; /* of the first gather that was planned, and so of all that are shared */
    Reach reach; /* around all that were planned */
    Filter filter;
    uint32_t planned;
    bool shares;
} WhatIf;

static bool same_way(Vec3 a, Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* All frames are of one agent, with its shape and rotation: only their centres may differ. */
static bool begins_alike(const WhatIf *what_if, const Mover *mover, const Reach *reach)
{
    return same_way(what_if->frame.center, mover->frame.center) && mover->filter.motion == FILTER_ALL &&
           what_if->filter.time == mover->filter.time && same_way(what_if->reach.segment, reach->segment);
}

/* The smallest ball around two. */
static void add_ball(Reach *sum, const Reach *reach)
{
    Vec3 way = vec3_sub(reach->center, sum->center);
    double distance = vec3_length(way);
    if (distance + reach->radius <= sum->radius)
    {
        return;
    }
    if (distance + sum->radius <= reach->radius)
    {
        sum->center = reach->center;
        sum->radius = reach->radius;
        return;
    }
    double radius = (distance + sum->radius + reach->radius) / 2;
    sum->center = vec3_add_scaled(sum->center, way, (radius - sum->radius) / distance);
    sum->radius = radius;
}

static bool plan(Gatherer *gatherer, Mover *mover, const Reach *reach)
{
    WhatIf *what_if = (WhatIf *)gatherer;
    if (mover->filter.motion != FILTER_ALL) /* what moves carries or pushes it first, whatever it wishes */
    {
        return candidates_gather(mover->candidates, mover->snapshot, &mover->frame, reach, &mover->filter,
                                 mover->cache);
    }
    if (what_if->planned == 0)
    {
        what_if->frame = mover->frame;
        what_if->reach = *reach;
        what_if->filter = mover->filter;
    }
    if (begins_alike(what_if, mover, reach))
    {
        Reach *sum = &what_if->reach;
        add_ball(sum, reach);
        sum->swell = larger(sum->swell, reach->swell);
        sum->path = larger(sum->path, reach->path);
        ++what_if->planned;
    }
    return false;
}

static bool covers(const WhatIf *what_if, const Mover *mover, const Reach *reach)
{
    const Reach *all = &what_if->reach;
    double distance = vec3_length(vec3_sub(reach->center, all->center));
    return begins_alike(what_if, mover, reach) && reach->swell <= all->swell &&
           distance + reach->radius <= all->radius;
}

/* The pack as this move alone would have it. */
static void finish_for(Candidates *c, const Mover *mover, const Reach *reach)
{
    PackRules rules = c->rules;
    rules.reach_length = (float)reach->path;
    if (rules.reach_length == c->rules.reach_length)
    {
        return;
    }
    for (uint32_t i = 0; i < c->exact.count; ++i)
    {
        c->list[c->exact_of[i]].exact = 0;
    }
    c->exact.count = 0;
    c->rules = rules;
    candidates_finish(c, mover->snapshot, &mover->frame, &rules, mover->filter.time);
}

/* That of the move's own gather is the same. */
static bool condition_is_sure(const WhatIf *what_if, const sidle_snapshot *snapshot)
{
    return snapshot->present_count <= 1 || what_if->shared.rules.condition <= 1;
}

static bool answer(Gatherer *gatherer, Mover *mover, const Reach *reach)
{
    WhatIf *what_if = (WhatIf *)gatherer;
    if (what_if->shares && covers(what_if, mover, reach))
    {
        mover->candidates = &what_if->shared;
        finish_for(mover->candidates, mover, reach);
        if (what_if->shared.exact.count == 0 || condition_is_sure(what_if, mover->snapshot))
        {
            return true;
        }
    }
    mover->candidates = &what_if->own;
    return candidates_gather(mover->candidates, mover->snapshot, &mover->frame, reach, &mover->filter,
                             mover->cache);
}

/* One gather for all that were planned. */
static void share(WhatIf *what_if, const sidle_snapshot *snapshot)
{
    Reach *reach = &what_if->reach;
    reach->radius *= ROOM;
    Candidates *c = &what_if->shared;
    what_if->shares =
        what_if->planned > 1 &&
        candidates_gather(c, snapshot, &what_if->frame, reach, &what_if->filter, &what_if->cache) &&
        c->wide.count <= MOST_SHARED;
}

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

static sidle_what_if try_one(const sidle_crowd *crowd, WhatIf *what_if, const sidle_move *move)
{
    AgentScratch scratch = {.cache = &what_if->cache, .gatherer = &what_if->gatherer};
    sidle_result result;
    what_if->gatherer.clear = 0;
    agent_tick(crowd, &what_if->own, move, &scratch, &result);
    double length = vec3_length(vec3_from(move->displacement));
    bool is_good = !(result.reasons & SIDLE_REASON_INVALID);
    return (sidle_what_if){.body = result.body,
                           .clear_distance = is_good ? (float)(what_if->gatherer.clear * length) : 0,
                           .reasons = result.reasons};
}

static double extent_along(sidle_vec3 v, int direction)
{
    const double extents[OUTERMOST] = {(double)v.x,
                                       (double)v.y,
                                       (double)v.z,
                                       -(double)v.x,
                                       -(double)v.y,
                                       -(double)v.z,
                                       vec3_length2(vec3_from(v))};
    return extents[direction];
}

/* Each once. */
static uint32_t find_outermost(const sidle_what_if_desc *desc, uint32_t outermost[OUTERMOST])
{
    uint32_t found = 0;
    for (int direction = 0; direction < OUTERMOST; ++direction)
    {
        uint32_t best = 0, known = 0;
        for (uint32_t i = 1; i < desc->count; ++i)
        {
            double extent = extent_along(displacement_at(desc, i), direction);
            double farthest = extent_along(displacement_at(desc, best), direction);
            best = extent > farthest || isnan(farthest) ? i : best;
        }
        while (known < found && outermost[known] != best)
        {
            ++known;
        }
        outermost[known] = best;
        found += known == found;
    }
    return found;
}

static FP_BODY void try_all(const sidle_crowd *crowd, const sidle_what_if_desc *desc)
{
    WhatIf what_if = {.gatherer = {.gather = plan, .only_plans = true}};
    crowd_place_candidates(crowd, 0, &what_if.shared);
    crowd_place_candidates(crowd, 1, &what_if.own);
    sidle_move move = *desc->move;
    uint32_t outermost[OUTERMOST], planned = desc->count > 1 ? find_outermost(desc, outermost) : 0;
    for (uint32_t i = 0; i < planned; ++i)
    {
        move.displacement = displacement_at(desc, outermost[i]);
        try_one(crowd, &what_if, &move);
    }
    what_if.gatherer = (Gatherer){.gather = answer};
    share(&what_if, desc->snapshot);
    for (uint32_t i = 0; i < desc->count; ++i)
    {
        move.displacement = displacement_at(desc, i);
        *result_at(desc, i) = try_one(crowd, &what_if, &move);
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

/* Inside of a tick of nobody, which checks what a tick checks and has the memory ready. */
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
    status = sidle_crowd_tick_begin(crowd, &nobody, WORKERS, &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    FpEnvironment host = fp_enter();
    try_all(crowd, desc);
    fp_leave(host);
    return sidle_crowd_tick_end(crowd, &work);
}
