/* Triangles against a capsule. As for balls, lanes decide whether there is a hit and double decides its time. */
#include "query/caster.h"

static void set_best_of_capsule(Caster *caster, bool overlaps, double time, const KernelContact *contact,
                                const Candidate *candidate)
{
    const sidle_mesh *mesh = caster->placed->mesh;
    caster->best = (Best){true, overlaps, time, *contact, *candidate};
    caster->copy = (Copy){mesh->field ? NULL : packet_at(mesh->packets, candidate->leaf), candidate->local};
}

static void test_capsule_overlaps(Caster *caster, const Batch *batch, const Kernels *kernels,
                                  const uint32_t *lanes_of)
{
    Best *best = &caster->best;
    if (batch->count == 0 || !kernels->core_near(batch, vec3(0, 0, 0), 1 + CAST_SLACK, caster->frame.core.y))
    {
        return;
    }
    for (uint32_t lane = 0; lane < batch->count; ++lane)
    {
        if (!(batch_read(batch, kernels, lane, FIELD_ANSWER) < (double)INFINITY))
        {
            continue;
        }
        const Candidate *candidate = &caster->candidates->list[lanes_of ? lanes_of[lane] : lane];
        Vec3 corners[3];
        if (surface_is_in(caster->ignored_surfaces, candidate->surface))
        {
            continue;
        }
        view_corners(&caster->view, caster->placed, candidate, corners);
        KernelContact contact = sidle_contact_of_core(corners, caster->frame.core.y, vec3(0, 0, 0));
        if (contact.t < 1 && (!best->overlaps || caster_prefers(caster, contact.t, candidate)))
        {
            set_best_of_capsule(caster, true, contact.t, &contact, candidate);
            caster->limit = 0;
        }
    }
}

static void take_capsule_hit(Caster *caster, const SweepQuery *exact, uint32_t index, double time)
{
    const Candidate *candidate = &caster->candidates->list[index];
    Vec3 corners[3];
    KernelContact contact;
    if (surface_is_in(caster->ignored_surfaces, candidate->surface))
    {
        return;
    }
    view_corners(&caster->view, caster->placed, candidate, corners);
    double core = caster->frame.core.y;
    if (!contact_of_core(corners, core, (RimPath){exact->direction, exact->length, exact->radius}, time,
                         &contact) &&
        !sidle_contact_of_core_sweep(corners, exact, core, &contact))
    {
        return; /* a graze that only float sees */
    }
    time = contact.t > time ? contact.t : time;
    if (caster_prefers(caster, time, candidate))
    {
        set_best_of_capsule(caster, false, time, &contact, candidate);
        caster->limit = time;
    }
}

/* One pass of a sweep over one batch. */
static void sweep_pass(Caster *caster, const Kernels *kernels, const Batch *batch, int pass,
                       const uint32_t *lanes_of)
{
    /* `slack` widens the culls. The contacts in double need 0, since a positive slack rejects grazes. */
    const SweepQuery wide = {vec3(0, 0, 0), caster->direction.at, caster->length, 1, CAST_SLACK};
    const SweepQuery exact = {vec3(0, 0, 0), caster->direction.at, caster->length, 1, 0};
    LaneTime hits[CAST_CAPACITY];
    core_cast_fn *cast = pass == 0 ? kernels->core_cast_faces : kernels->core_cast_edges;
    uint32_t count = cast(batch, &wide, caster->frame.core.y, caster->limit, hits);
    lane_times_sort(hits, count);
    for (uint32_t i = 0; i < count && hits[i].t <= caster->limit; ++i)
    {
        take_capsule_hit(caster, &exact, lanes_of ? lanes_of[hits[i].lane] : hits[i].lane, hits[i].t);
    }
}

/* The deepest of the triangles that overlap the capsule wins. If none does, the first that it hits wins. */
static void caster_test_capsule(Caster *caster)
{
    Candidates *c = caster->candidates;
    _Static_assert(CAST_CAPACITY <= MAX_GATHER_EXACT, "it fits");
    (void)candidates_setup(c, caster->snapshot, &caster->frame, &caster->rules, caster->filter.time);
    if (caster->at_origin)
    {
        test_capsule_overlaps(caster, &c->wide, c->kernels, NULL);
        test_capsule_overlaps(caster, &c->exact, &sidle_kernels_1d, c->exact_of);
    }
    if (!caster->best.overlaps && caster->length > 0)
    {
        for (int pass = 0; pass < 2; ++pass)
        {
            sweep_pass(caster, c->kernels, &c->wide, pass, NULL);
            if (c->exact.count > 0)
            {
                sweep_pass(caster, &sidle_kernels_1d, &c->exact, pass, c->exact_of);
            }
        }
    }
}
