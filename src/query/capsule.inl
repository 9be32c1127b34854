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
        caster_sweep(caster, take_capsule_hit);
    }
}
