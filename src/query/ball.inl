/* Triangles against the ball: does it overlap the ball where it starts, and what does the ball meet first? */
#include "query/caster.h"

/* All triangles that may be closer than the radius are looked at in double; the deepest of them is the
 * answer. */
static void overlap_lanes(Caster *caster, const Batch *batch, const Kernels *kernels,
                          const uint32_t *lanes_of)
{
    for (uint32_t lane = 0; lane < batch->count; ++lane)
    {
        double far = caster->best.overlaps ? caster->best.time + CAST_SLACK : 1 + CAST_SLACK;
        if (!(batch_read(batch, kernels, lane, FIELD_ANSWER) <= far * far))
        {
            continue; /* the lane may be off by the slack, no more */
        }
        const Candidate *who = &caster->candidates->list[lanes_of ? lanes_of[lane] : lane];
        Best *best = &caster->best;
        Vec3 corners[3];
        view_corners(&caster->view, caster->placed, who, corners);
        /* a centre on a face is told from the side that it comes from */
        KernelContact contact = contact_of_closest(corners, vec3(0, 0, 0), vec3(0, 0, -1));
        if (contact.t < 1 && (!best->overlaps || caster_prefers(caster, contact.t, who)))
        {
            *best = (Best){true, true, contact.t, contact, *who};
        }
    }
}

static void test_overlap(Caster *caster)
{
    Candidates *c = caster->candidates;
    double radius = 1 + CAST_SLACK;
    Vec3 origin = vec3(0, 0, 0);
    if (c->kernels->closest(&c->wide, origin, radius) < (double)INFINITY)
    {
        overlap_lanes(caster, &c->wide, c->kernels, NULL);
    }
    if (c->exact.count > 0 && kernels_1d.closest(&c->exact, origin, radius) < (double)INFINITY)
    {
        overlap_lanes(caster, &c->exact, &kernels_1d, c->exact_of);
    }
}

/* The lanes decide whether, double decides when. A triangle's time is the later of the two: up to there one
 * of them says that the ball keeps its distance, and no lane whose own time is later can have an earlier one.
 */
static void take_hit(Caster *caster, const SweepQuery *exact, uint32_t candidate, double time)
{
    const Candidate *who = &caster->candidates->list[candidate];
    Vec3 corners[3];
    KernelContact contact;
    view_corners(&caster->view, caster->placed, who, corners);
    if (!contact_of_sweep(corners, exact, &contact)) /* a graze that only float sees */
    {
        return;
    }
    time = contact.t > time ? contact.t : time;
    if (caster_prefers(caster, time, who))
    {
        caster->best = (Best){true, false, time, contact, *who};
    }
}

static void take_hits(Caster *caster, const SweepQuery *exact, LaneTime *hits, uint32_t count,
                      const uint32_t *lanes_of, take_hit_fn *take)
{
    lane_times_sort(hits, count);
    for (uint32_t i = 0; i < count && hits[i].t <= caster_limit(caster); ++i)
    {
        take(caster, exact, lanes_of ? lanes_of[hits[i].lane] : hits[i].lane, hits[i].t);
    }
}

/* One pass of a sweep over one batch. */
static uint32_t sweep_pass(const Caster *caster, const Kernels *kernels, const Batch *batch, int pass,
                           LaneTime *hits)
{
    /* `slack` widens what the lanes leave out */
    SweepQuery wide = {vec3(0, 0, 0), caster->direction, caster->length, 1, CAST_SLACK};
    double limit = caster_limit(caster);
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
    /* to the contacts in double a slack would be a graze to be ignored */
    SweepQuery exact = {vec3(0, 0, 0), caster->direction, caster->length, 1, 0};
    LaneTime hits[CAST_CAPACITY];
    for (int pass = 0; pass < 2; ++pass)
    {
        uint32_t count = sweep_pass(caster, c->kernels, &c->wide, pass, hits);
        take_hits(caster, &exact, hits, count, NULL, take);
        if (c->exact.count > 0)
        {
            count = sweep_pass(caster, &kernels_1d, &c->exact, pass, hits);
            take_hits(caster, &exact, hits, count, c->exact_of, take);
        }
    }
}

static void caster_test_ball(Caster *caster)
{
    Candidates *c = caster->candidates;
    candidates_finish(c, caster->snapshot, &caster->frame, &caster->rules, caster->filter.time);
    if (caster->at_origin)
    {
        test_overlap(caster);
    }
    if (!caster->best.overlaps && caster->length > 0)
    {
        caster_sweep(caster, take_hit);
    }
}
