/* What capsules ask beside sweeps: prisms packed in double, shown and hidden, and told of as triangles. */
#include "base/memory.h"
#include "narrow/questions.h"
#include "narrow/view.h"

#include <string.h>

/* Radii: a contact on an edge this close to its end is one of the corner. Above the rounding of a contact's
 * point, 6 u S, for S up to 28 radii; farther away a corner may be told as an edge, which contacts and counts
 * alone say. No judge of walk.c, nor test_capsule or test_pinned, tells 0 and .1 apart. */
#define AT_CORNER 1e-5
/* The squares of the sines from which two directions are not parallel.
 *
 * Of an edge and the core, where they are closest: below a sine of 1e-11 any place along the core is as near
 * as the best to within 1e-11 of its length. Above it, their cross product errs by 2 * 2^-53 of their lengths
 * and the place by that over the square of the sine; since the distance w there grows by the square of the
 * sine times that of the way, over 2 w, it is the least to within 2 (2^-53 / sine)^2 w, 3e-10.
 *
 * Of the same two, where a contact of a lane is told: the point of a lane errs by 6 u S, its place along the
 * edge by that over the sine. From 1e-6 on the double arithmetic adds less than 2 * 2^-53 / 1e-12, 2e-4, to
 * a share of the edge; below, the core is as good as along the edge, and of all places that are equally near
 * the core's own is told. All that is in test_capsule, test_cases, test_pinned and test_steps holds from 0 to
 * 1e-6 here. */
#define PARALLEL2      1e-22
#define TELL_PARALLEL2 1e-12

/* 1 less the cosine of the angle, 1.4e-3, between a lane's normal and its triangle's within which they are
 * one. Both err by 6 u S over the height h of what float made them of: together by less for S up to 1900 h.
 * Beyond, a wall may be told as its edge. With the same judges all holds from 0 to 1e-3. */
#define SAME_FACE 1e-6

/* ---- packing ---- */

static void blank_wide(const Candidates *c, uint32_t lane)
{
    uint32_t w = c->kernels->lane_count;
    float *block = (float *)c->wide.blocks + (size_t)(lane / w) * FIELD_COUNT * w;
    block[FIELD_PLANE * w + lane % w] = NAN;
}

static void prism_lane(const Vec3 corners[3], Vec3 core, uint8_t part, Vec3 lane[3])
{
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        uint32_t at = prism_corner(part, corner);
        lane[corner] = vec3_add_scaled(corners[at % 3], core, at < 3 ? 1 : -1);
    }
}

/* The lanes of a triangle that float does not serve, once more and from the stored vertices. Whether a lane is
 * one of them is asked of it alone, not of those beside it: which parts are packed depends on the reach, and
 * the bits of an answer may not. Which side of it is its front stays as it was packed, too: where double would
 * find another, the prism is flat, and either way round its two sheets cover it, if all of its lanes are
 * turned alike. */
static void pack_source(Candidates *c, PrismSource *source, const View *view, const Placed *placed)
{
    view_corners(view, placed, &c->list[source->first], source->corners);
    for (uint32_t i = source->first; i < source->end; ++i)
    {
        if (c->list[i].exact)
        {
            Vec3 corners[3];
            blank_wide(c, i);
            prism_lane(source->corners, c->prisms.core, c->list[i].part, corners);
            memcpy((double *)c->exact.blocks + (size_t)c->exact.count * FIELD_COUNT + FIELD_V0, corners,
                   sizeof corners);
            c->exact_of[c->exact.count++] = i;
        }
    }
}

static bool source_needs_double(const Candidates *c, const PrismSource *source)
{
    bool any = false;
    for (uint32_t i = source->first; i < source->end; ++i)
    {
        any = any || c->list[i].exact;
    }
    return any;
}

static void prisms_pack_exact(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                              const PackRules *rules, double time)
{
    for (uint32_t i = 0; i < c->prisms.count; ++i)
    {
        PrismSource *source = &c->prisms.sources[i];
        if (source_needs_double(c, source))
        {
            const Placed *placed = &snapshot->placed[c->list[source->first].instance];
            View view = view_of(placed, frame, time);
            pack_source(c, source, &view, placed);
        }
    }
    kernels_1d.finish(&c->exact, rules, NULL);
}

static void prisms_finish(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                          const PackRules *rules, double time)
{
    uint32_t exact_count = finish_batch(&c->wide, rules, c->exact_of);
    if (exact_count > 0)
    {
        for (uint32_t i = 0; i < exact_count; ++i)
        {
            c->list[c->exact_of[i]].exact = 1;
        }
        prisms_pack_exact(c, snapshot, frame, rules, time);
    }
    c->kernels->guard(&c->wide, c->planes, c->limits, c->prisms.slack, c->prisms.doubt);
    kernels_1d.guard(&c->exact, c->exact_planes, c->exact_limits, c->prisms.slack,
                     c->prisms.doubt * (DOUBLE_ROUNDOFF / FLOAT_ROUNDOFF));
}

static void prisms_show(const Candidates *c, Vec3 origin)
{
    Batch wide = c->wide, exact = c->exact;
    c->kernels->hide(&wide, c->planes, c->limits, origin);
    if (exact.count > 0)
    {
        kernels_1d.hide(&exact, c->exact_planes, c->exact_limits, origin);
    }
}

/* ---- distances ---- */

/* Where two segments are closest (C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.9), as
 * shares of p + s d, s in [-1, 1], and q + t e, t in [0, 1]. d is no point. By his dot products the place of
 * two that are nearly parallel would be rounding from a sine of 1e-8 on. */
static void closest_of_segments(Vec3 p, Vec3 d, Vec3 q, Vec3 e, double *s, double *t)
{
    Vec3 r = vec3_sub(p, q);
    double a = vec3_length2(d), b = vec3_dot(d, e), c = vec3_dot(d, r), ee = vec3_length2(e),
           f = vec3_dot(e, r);
    Vec3 across = vec3_cross(d, e);
    double across2 = vec3_length2(across), along = -vec3_dot(vec3_cross(r, e), across);
    *s = across2 > PARALLEL2 * a * ee ? lesser(larger(along / across2, -1), 1) : 0;
    *t = ee > 0 ? lesser(larger((b * *s + f) / ee, 0), 1) : 0;
    *s = lesser(larger((b * *t - c) / a, -1), 1);
    *t = ee > 0 ? lesser(larger((b * *s + f) / ee, 0), 1) : 0;
}

static void try_edge(const Vec3 corners[3], uint32_t i, Vec3 core, Vec3 center, KernelContact *best)
{
    Vec3 e = vec3_sub(corners[(i + 1) % 3], corners[i]);
    double s, t;
    closest_of_segments(center, core, corners[i], e, &s, &t);
    Vec3 point = t == 1 ? corners[(i + 1) % 3] : vec3_add_scaled(corners[i], e, t);
    Vec3 away = vec3_sub(vec3_add_scaled(center, core, s), point);
    double distance = vec3_length(away);
    if (distance < best->t)
    {
        Vec3 normal = vec3_normalize(away);
        if (distance < NO_DIRECTION)
        {
            normal = contact_of_closest(corners, center, center).normal;
        }
        *best = (KernelContact){distance, point, normal,
                                t == 0 || t == 1 ? SIDLE_FEATURE_VERTEX : SIDLE_FEATURE_EDGE};
    }
}

static bool crosses(const Vec3 v[3], Vec3 core, Vec3 center, KernelContact *out)
{
    Vec3 from = vec3_sub(center, core), to = vec3_add(center, core);
    Vec3 n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    if (!triangle_has_face(v, n) || !segment_meets(v, from, to))
    {
        return false;
    }
    n = vec3_normalize(n);
    double height = vec3_dot(n, vec3_sub(center, v[0])), half = vec3_dot(n, core);
    double s = half == 0 ? 0 : lesser(larger(-height / half, -1), 1);
    *out = (KernelContact){fabs(height) - fabs(half), vec3_add_scaled(center, core, s),
                           vec3_scale(n, height < 0 ? -1 : 1), SIDLE_FEATURE_FACE};
    return true;
}

static KernelContact prism_contact(const Vec3 corners[3], Vec3 core, Vec3 center)
{
    KernelContact best;
    if (crosses(corners, core, center, &best))
    {
        return best;
    }
    best = contact_of_closest(corners, vec3_add(center, core), center);
    KernelContact below = contact_of_closest(corners, vec3_sub(center, core), center);
    best = below.t < best.t ? below : best;
    for (uint32_t i = 0; i < 3; ++i)
    {
        try_edge(corners, i, core, center, &best);
    }
    return best;
}

/* ---- contacts ---- */

static bool lies_in_face(const Vec3 v[3], const KernelContact *contact)
{
    Vec3 n = vec3_normalize(vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0])));
    return contact->feature == SIDLE_FEATURE_FACE && fabs(vec3_dot(n, contact->normal)) > 1 - SAME_FACE;
}

/* f: along the edge, as its share. Where the triangle itself stands along the core, as a wall does, a side of
 * its prism is a part of its plane. */
static void tell_edge(const Vec3 corners[3], uint32_t edge, double f, KernelContact *contact)
{
    Vec3 from = corners[edge], to = corners[(edge + 1) % 3], e = vec3_sub(to, from);
    double end = AT_CORNER / larger(vec3_length(e), AT_CORNER);
    bool is_corner = !(f > end && f < 1 - end);
    bool is_face = lies_in_face(corners, contact);
    contact->feature = is_face ? SIDLE_FEATURE_FACE : is_corner ? SIDLE_FEATURE_VERTEX : SIDLE_FEATURE_EDGE;
    contact->point = f < 1 ? vec3_add_scaled(from, e, larger(f, 0)) : to;
}

/* The point of an edge that a side of a prism has above and below it. */
static void tell_side(const Vec3 corners[3], uint32_t edge, Vec3 core, KernelContact *contact)
{
    Vec3 from = corners[edge];
    Vec3 e = vec3_sub(corners[(edge + 1) % 3], from), x = vec3_sub(contact->point, from);
    double ee = vec3_length2(e), cc = vec3_length2(core), ec = vec3_dot(e, core);
    double xe = vec3_dot(x, e), xc = vec3_dot(x, core), determinant = ee * cc - ec * ec;
    double f = determinant > TELL_PARALLEL2 * ee * cc ? (xe * cc - xc * ec) / determinant : 0;
    double s = lesser(larger((xc - f * ec) / cc, -1),
                      1); /* no farther along the core, if both are nearly parallel */
    tell_edge(corners, edge, ee > 0 ? (xe - s * ec) / ee : 0, contact);
}

static void prism_tell(const Vec3 corners[3], Vec3 core, uint8_t part, KernelContact *contact)
{
    part = (uint8_t)(part & ~PRISM_FLIPPED);
    if (part < PRISM_SIDE)
    {
        contact->point = vec3_add_scaled(contact->point, core, part == PRISM_TOP ? -1 : 1);
        return;
    }
    tell_side(corners, (part - PRISM_SIDE) / 4u, core, contact);
}

static void prism_tell_nearest(const Vec3 corners[3], Vec3 core, uint8_t part, Vec3 center,
                               KernelContact *contact)
{
    if (part < PRISM_SIDE)
    {
        prism_tell(corners, core, part, contact);
        return;
    }
    uint32_t edge = (part - PRISM_SIDE) / 4u;
    double s, f;
    closest_of_segments(center, core, corners[edge], vec3_sub(corners[(edge + 1) % 3], corners[edge]), &s,
                        &f);
    tell_edge(corners, edge, f, contact);
    contact->normal = vec3_normalize(vec3_sub(vec3_add_scaled(center, core, s), contact->point));
}
