/* The sweep over a batch of candidates, for casts whose triangles are packed. */
#include "query/caster.h"

static void take_hits(Caster *caster, const SweepQuery *exact, LaneTime *hits, uint32_t count,
                      const uint32_t *lanes_of, take_hit_fn *take)
{
    lane_times_sort(hits, count);
    for (uint32_t i = 0; i < count && hits[i].t <= caster_limit(caster); ++i)
    {
        take(caster, exact, lanes_of ? lanes_of[hits[i].lane] : hits[i].lane, hits[i].t);
    }
}

static void caster_sweep(Caster *caster, take_hit_fn *take)
{
    Candidates *c = caster->candidates;
    /* `slack` widens what the lanes leave out; to the contacts in double it would be a graze to be ignored.
     */
    SweepQuery wide = {vec3(0, 0, 0), vec3(0, 0, 1), caster->length, 1, CAST_SLACK}, exact = wide;
    exact.slack = 0;
    LaneTime hits[CAST_LANES];
    for (int pass = 0; pass < 2; ++pass)
    {
        cast_fn *lanes = pass == 0 ? c->kernels->cast_faces : c->kernels->cast_edges;
        cast_fn *doubles = pass == 0 ? kernels_1d.cast_faces : kernels_1d.cast_edges;
        take_hits(caster, &exact, hits, lanes(&c->wide, &wide, caster_limit(caster), hits), NULL, take);
        if (c->exact.count > 0)
        {
            take_hits(caster, &exact, hits, doubles(&c->exact, &wide, caster_limit(caster), hits),
                      c->exact_of, take);
        }
    }
}
