/* Triangles against a capsule: its ball against their prisms (kernels/prism.h). As for balls, lanes decide whether and
 * double decides when. */
#include "query/caster.h"

/* The corners that a candidate's parts are parts of. */
static void piece_corners(const Caster *caster, const Candidate *who, Vec3 corners[3])
{
    view_packet_corners(&caster->view, caster->placed, who->packet, who->local, corners);
}

static void whole_corners(const Caster *caster, const Candidate *who, Vec3 corners[3])
{
    view_corners(&caster->view, caster->placed, who, corners);
}

/* The core against the triangles themselves: the deepest is the answer. */
static void test_overlap(Caster *caster)
{
    Candidates *c = caster->candidates;
    Best *best = &caster->best;
    for (uint32_t i = 0; i < c->prisms.count; ++i)
    {
        const Candidate *who = &c->list[c->prisms.sources[i].first];
        Vec3 corners[3];
        whole_corners(caster, who, corners);
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

static bool sweep_part(const Vec3 corners[3], Vec3 core, uint8_t part, const SweepQuery *exact,
                       KernelContact *out)
{
    Vec3 lane[3];
    prism_lane(corners, core, part, lane);
    if (!contact_of_sweep(lane, exact, out)) /* a graze that only float sees */
    {
        return false;
    }
    prism_tell(corners, core, part, out);
    return true;
}

static bool shows_its_back(const Vec3 lane[3])
{
    Vec3 n = vec3_cross(vec3_sub(lane[1], lane[0]), vec3_sub(lane[2], lane[0]));
    return vec3_dot(n, lane[0]) > CAST_SLACK * vec3_length(n);
}

/* Pieces of a cap tell whether, the whole tells when, as for balls; but its sides are others: all of its prism. */
static bool sweep_whole(const Vec3 v[3], Vec3 core, const SweepQuery *exact, KernelContact *out)
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
        if (is_part && !shows_its_back(lane) && sweep_part(v, core, part | flipped, exact, &contact) &&
            contact.t < out->t)
        {
            *out = contact;
        }
    }
    return out->t < (double)INFINITY;
}

static void take_hit(Caster *caster, const SweepQuery *exact, uint32_t candidate, double time)
{
    const Candidate *who = &caster->candidates->list[candidate];
    Vec3 corners[3], core = caster->frame.core;
    KernelContact contact;
    bool is_piece = who->packet->has_rays != 0;
    (is_piece ? whole_corners : piece_corners)(caster, who, corners);
    if (!(is_piece ? sweep_whole(corners, core, exact, &contact)
                   : sweep_part(corners, core, who->part, exact, &contact)))
    {
        return;
    }
    time = contact.t > time ? contact.t : time;
    if (caster_prefers(caster, time, who))
    {
        caster->best = (Best){true, false, time, contact, *who};
    }
}

void caster_test_capsule(Caster *caster)
{
    Candidates *c = caster->candidates;
    candidates_finish(c, caster->snapshot, &caster->frame, &caster->rules, caster->filter.time);
    prisms_show(c, vec3(0, 0, 0));
    if (caster->at_origin && may_overlap(c))
    {
        test_overlap(caster);
    }
    if (!caster->best.overlaps && caster->length > 0)
    {
        caster_sweep(caster, take_hit);
    }
}
