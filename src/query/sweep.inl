/* The sweep over a batch of candidates, for casts whose triangles are packed. */
#include "query/caster.h"

static void take_hits(Caster *caster, const SweepQuery *exact, LaneTime *hits, uint32_t count,
                      const uint32_t *lanes_of, take_hit_fn *take)
{
    lane_times_sort(hits, count);
    for (uint32_t i = 0; i < count && hits[i].t <= caster->limit; ++i)
    {
        take(caster, exact, lanes_of ? lanes_of[hits[i].lane] : hits[i].lane, hits[i].t);
    }
}

/* One pass of a sweep over one batch. */
static uint32_t sweep_pass(const Caster *caster, const Kernels *kernels, const Batch *batch, int pass,
                           LaneTime *hits)
{
    /* `slack` widens the culls. */
    SweepQuery wide = {vec3(0, 0, 0), caster->direction.at, caster->length, 1, CAST_SLACK};
    double limit = caster->limit;
    if (caster->is_capsule)
    {
        core_cast_fn *cast = pass == 0 ? kernels->core_cast_faces : kernels->core_cast_edges;
        return cast(batch, &wide, caster->frame.core.y, limit, hits);
    }
    return (pass == 0 ? kernels->cast_faces : kernels->cast_edges)(batch, &wide, limit, hits);
}

static void caster_sweep(Caster *caster, take_hit_fn *take)
{
    Candidates *c = caster->candidates;
    /* The contacts in double need 0, since a positive slack rejects grazes. */
    SweepQuery exact = {vec3(0, 0, 0), caster->direction.at, caster->length, 1, 0};
    LaneTime hits[CAST_CAPACITY];
    for (int pass = 0; pass < 2; ++pass)
    {
        uint32_t count = sweep_pass(caster, c->kernels, &c->wide, pass, hits);
        take_hits(caster, &exact, hits, count, NULL, take);
        if (c->exact.count > 0)
        {
            count = sweep_pass(caster, &sidle_kernels_1d, &c->exact, pass, hits);
            take_hits(caster, &exact, hits, count, c->exact_of, take);
        }
    }
}
