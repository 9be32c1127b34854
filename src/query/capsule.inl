/* Triangles against a capsule: its ball against their prisms (kernels/prism.h). As for balls, lanes decide
 * whether and double decides when. */
#include "query/caster.h"

/* The core against the triangles themselves: the deepest is the answer. */
static void test_overlap_capsule(Caster *caster)
{
    Candidates *c = caster->candidates;
    Best *best = &caster->best;
    for (uint32_t i = 0; i < c->prisms.count; ++i)
    {
        const Candidate *who = &c->list[c->prisms.sources[i].first];
        Vec3 corners[3];
        view_corners(&caster->view, caster->placed, who, corners);
        KernelContact contact = prism_contact(corners, c->prisms.core, vec3(0, 0, 0));
        if (contact.t < 1 && (!best->overlaps || caster_prefers(caster, contact.t, who)))
        {
            *best = (Best){true, true, contact.t, contact, *who};
        }
    }
}

static bool may_overlap(const Candidates *c)
{
    double near = 1 + CAST_SLACK;
    Vec3 origin = vec3(0, 0, 0);
    return c->prisms.pierced || c->kernels->closest(&c->wide, origin, near) < (double)INFINITY ||
           (c->exact.count > 0 && kernels_1d.closest(&c->exact, origin, near) < (double)INFINITY);
}

static bool shows_its_back(const Vec3 lane[3])
{
    Vec3 n = vec3_cross(vec3_sub(lane[1], lane[0]), vec3_sub(lane[2], lane[0]));
    return vec3_dot(n, lane[0]) > CAST_SLACK * vec3_length(n);
}

/* Caps are triangles, which have no face where they are thin; sides need theirs: where a ball is held by the
 * rims of one alone, the core passes the edge nearer than that, and elsewhere. */
static bool sweep_part(const Vec3 lane[3], uint8_t part, const SweepQuery *exact, KernelContact *out)
{
    return part < PRISM_SIDE ? contact_of_sweep(lane, exact, out) : contact_of_side(lane, exact, out);
}

/* The earliest contact of a whole prism: float may have missed the part that is touched first. */
static bool sweep_prism(const Vec3 v[3], Vec3 core, const SweepQuery *exact, KernelContact *out)
{
    Vec3 n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    uint8_t flipped = vec3_dot(n, core) < 0 ? PRISM_FLIPPED : 0;
    out->t = INFINITY;
    for (uint8_t part = PRISM_TOP; part < PRISM_PARTS; ++part)
    {
        uint32_t side = part < PRISM_SIDE ? 0 : (uint32_t)(part - PRISM_SIDE);
        Vec3 e = vec3_sub(v[(side / 4 + 1) % 3], v[side / 4]), lane[3];
        bool is_part = part < PRISM_SIDE || (side % 4 >= 2) == (vec3_dot(e, core) > 0);
        KernelContact contact;
        prism_lane(v, core, part | flipped, lane);
        if (is_part && !shows_its_back(lane) && sweep_part(lane, part, exact, &contact) && contact.t < out->t)
        {
            Vec3 center = vec3_add_scaled(exact->origin, exact->direction, contact.t);
            prism_tell_nearest(v, core, part, center, &contact);
            *out = contact;
        }
    }
    return out->t < (double)INFINITY;
}

static void take_hit_capsule(Caster *caster, const SweepQuery *exact, uint32_t candidate, double time)
{
    const Candidate *who = &caster->candidates->list[candidate];
    const Best *best = &caster->best;
    bool is_same = best->who.packet == who->packet && best->who.local == who->local &&
                   best->who.instance == who->instance;
    if (best->found && is_same && best->time <= time)
    {
        return; /* another part of the same, and no earlier */
    }
    Vec3 corners[3];
    KernelContact contact;
    view_corners(&caster->view, caster->placed, who, corners);
    if (!sweep_prism(corners, caster->frame.core, exact, &contact)) /* a graze that only float sees */
    {
        return;
    }
    time = contact.t > time ? contact.t : time;
    if (caster_prefers(caster, time, who))
    {
        caster->best = (Best){true, false, time, contact, *who};
    }
}

static void caster_test_capsule(Caster *caster)
{
    Candidates *c = caster->candidates;
    candidates_finish(c, caster->snapshot, &caster->frame, &caster->rules, caster->filter.time);
    prisms_show(c, vec3(0, 0, 0));
    if (caster->at_origin && may_overlap(c))
    {
        test_overlap_capsule(caster);
    }
    if (!caster->best.overlaps && caster->length > 0)
    {
        caster_sweep(caster, take_hit_capsule);
    }
}
