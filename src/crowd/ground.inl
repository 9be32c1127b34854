/* Which contacts carry an agent. */
#include "crowd/mover.h"
#include "crowd/project.h"

/* Skins within which a contact counts as touched. Moves end at 1 + delta. A path that hits an edge at a slope of a
 * ends delta^2 / 8 (1/a^2 - 1) farther away: a quarter of a skin of .02 at a slope of .1. */
#define NEAR_SKINS 1.25

/* Share of the skin's slack within which faces share a contact's point: 1e-3 radii with a skin of .02. Float lanes err
 * by 6 u S, at most .27 of the slack; by more, up to .71, only on faces lower than .09 radii. */
#define AT_CONTACT .4

/* Rise of a normal up to which a contact beside a capsule's core counts as upright. There the normal is across the core
 * but for the rounding of corners, 6 u S over the core's length L: less than this for S up to 2800 L. */
#define UPRIGHT 1e-3

/* Rise over tread, 77 degrees: treads of a quarter of a radius under steps as high as a radius are 76 degrees steep,
 * and climbed. Walls of ribs or bricks are steeper. */
#define STEEPEST_FLIGHT 4.5

/* The height along up, relative to the frame's centre, of ground of normal m that carries the agent at a position. */
static double support_height(const Mover *mover, Vec3 position, Vec3 m)
{
    Vec3 foot = vec3_add(position, frame_support(mover->frame, m, mover->profile->rest));
    return vec3_dot(frame_to_world(mover->frame, foot), mover->up);
}

static double at_contact(const Mover *mover)
{
    return AT_CONTACT * mover->profile->slack; /* mutant: contact_at_a_point */
}

/* A triangle's world normal on the agent's side. Zero for slivers, whose normals are rounding. */
static Vec3 face_normal(const Mover *mover, uint32_t candidate)
{
    Vec3 v[3];
    candidates_corners(mover->candidates, candidate, v);
    Vec3 n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    if (!triangle_has_face(v, n)) /* mutant: sliver_has_slope */
    {
        return vec3(0, 0, 0);
    }
    double side = vec3_dot(n, vec3_sub(mover->state.position, v[0])) < 0 ? -1 : 1;
    return vec3_scale(frame_normal_to_world(mover->frame, n), side);
}

/* The normal of the flattest face at a contact's point. Ties go to the lower (key, triangle). */
static OUT_OF_LINE Vec3 find_flattest_normal(const Mover *mover, const Hit *hit)
{
    uint32_t count, best = hit->candidate;
    if (work_is_spent(mover->candidates))
    {
        return face_normal(mover, best);
    }
    work_add_look(mover->candidates, WORK_CLOSE);
    const uint32_t *faces =
        candidates_within(mover->candidates, hit->contact.point, at_contact(mover), &count);
    const Candidates *c = mover->candidates;
    Vec3 normal = face_normal(mover, best);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (faces[i] == hit->candidate || !candidates_counts(c, faces[i]))
        {
            continue;
        }
        Vec3 own = face_normal(mover, faces[i]);
        double more = vec3_dot(own, mover->up) - vec3_dot(normal, mover->up);
        /* mutant: flattest_by_rounding, equally_flat_by_place */
        bool is_better =
            more > 0 || (more == 0 && candidate_before(candidate_of(c, faces[i]), candidate_of(c, best)));
        if (is_better && !vec3_is_zero(own))
        {
            best = faces[i];
            normal = own;
        }
    }
    return normal;
}

/* Caches the last contact, since an agent mostly stands on the contact that was just tested. */
static Vec3 flattest_normal(Mover *mover, const Hit *hit)
{
    Flattest *last = &mover->flattest;
    if (last->candidate != hit->candidate || !vec3_equal(last->point, hit->contact.point))
    {
        *last = (Flattest){hit->candidate, hit->contact.point, find_flattest_normal(mover, hit)};
    }
    return last->normal;
}

/* The height of a contact's point above the contact that carries the agent. */
static OUT_OF_LINE double height_of(const Mover *mover, const Hit *hit)
{
    double ground = isnan(mover->state.ground_height)
                        ? support_height(mover, mover->state.footing, mover->state.footing_normal)
                        : mover->state.ground_height;
    return vec3_dot(frame_to_world(mover->frame, hit->contact.point), mover->up) - ground;
}

static bool is_above_step(const Mover *mover, const Hit *hit)
{
    return height_of(mover, hit) > mover->profile->step_up; /* mutant: no_step_height */
}

/* Returns true if the contact is an edge or a corner that a standing agent could step onto. */
static inline bool is_rim(const Mover *mover, const Hit *hit, Vec3 m)
{
    double upright = mover->frame->is_capsule ? UPRIGHT : 0;
    bool is_airborne = mover->state.ground_height == -(double)INFINITY;
    return hit->contact.feature != SIDLE_FEATURE_FACE && vec3_dot(m, mover->up) > upright && !is_airborne;
}

/* Returns true if no face rises from a contact's point: the top of a sheet, a fence or a ridge. */
static bool is_top(const Mover *mover, const Hit *hit)
{
    uint32_t count;
    if (work_is_spent(mover->candidates))
    {
        return false;
    }
    work_add_look(mover->candidates, WORK_CLOSE);
    const uint32_t *faces =
        candidates_within(mover->candidates, hit->contact.point, at_contact(mover), &count);
    bool is_top = true;
    for (uint32_t i = 0; i < count && is_top; ++i)
    {
        Vec3 corners[3];
        candidates_corners(mover->candidates, faces[i], corners);
        for (int j = 0; j < 3; ++j)
        {
            Vec3 away = frame_to_world(mover->frame, vec3_sub(corners[j], hit->contact.point));
            double rise = vec3_dot(away, mover->up), limit = mover->profile->max_slope_cos;
            is_top = is_top && (rise <= at_contact(mover) * mover->profile->least ||
                                rise * rise <= (1 - limit * limit) * vec3_length2(away));
        }
    }
    return is_top;
}

static bool leads_onto_ground(Mover *mover, const Hit *hit, Vec3 m)
{
    double limit = mover->profile->max_slope_cos;
    return vec3_dot(m, mover->up) >= limit || vec3_dot(flattest_normal(mover, hit), mover->up) >= limit;
}

/* Returns true if the contact is a rib or a brick of a wall. A path from its point along STEEPEST_FLIGHT then hits
 * another face, which would block the agent, too. */
static bool is_rib_of_wall(const Mover *mover, const Hit *hit, Vec3 m)
{
    Vec3 flat = vec3_without(m, mover->up);
    double length = vec3_length(flat), high = mover->profile->step_up;
    if (!(length > 0 && high > 0))
    {
        return false;
    }
    Vec3 back = vec3_scale(flat, -high / (STEEPEST_FLIGHT * length));
    Vec3 path = frame_to_ellipsoid(mover->frame, vec3_add_scaled(back, mover->up, high));
    double far = vec3_length(path), begin = 8 * mover->profile->slack;
    Vec3 direction = vec3_scale(path, 1 / far),
         core = mover->frame->core; /* a capsule's lower end begins there */
    double upwards = vec3_dot(frame_to_world(mover->frame, core), mover->up) < 0 ? -1 : 1;
    Vec3 from = vec3_add_scaled(hit->contact.point, core, upwards);
    SweepQuery query = {vec3_add_scaled(from, direction, begin), direction, far - begin, begin / 2,
                        mover->profile->slack};
    Hit wall;
    work_add_sweep(mover->candidates);
    return candidates_sweep(mover->candidates, &query, &wall);
}

static OUT_OF_LINE bool is_step_onto_ground(Mover *mover, const Hit *hit, Vec3 m)
{
    if (is_above_step(mover, hit))
    {
        return false;
    }
    /* mutant: sheet_blocks */
    return vec3_dot(m, mover->up) >= mover->profile->max_slope_cos ||
           ((leads_onto_ground(mover, hit, m) || is_top(mover, hit)) && !is_rib_of_wall(mover, hit, m));
}

/* A face must be flat enough. An edge or a corner may also lead onto a face that is flat enough: a round foot hits a
 * kerb under a steep normal. Its height counts from the contact that carries the agent, since the lowest point of the
 * shape hangs below narrow treads. */
FORCE_INLINE bool is_walkable(Mover *mover, const Hit *hit, Vec3 m)
{
    if (!is_rim(mover, hit, m))
    {
        return vec3_dot(m, mover->up) >= mover->profile->max_slope_cos;
    }
    return is_step_onto_ground(mover, hit, vec3_copy(m));
}

/* Returns true if a contact could be stood on, but is higher than a step. */
static bool is_too_high(Mover *mover, const Hit *hit, Vec3 m)
{
    return is_rim(mover, hit, m) && is_above_step(mover, hit) && leads_onto_ground(mover, hit, m);
}

/* Returns true if stepping over the contact is tried: it is not ordinary ground, and no higher than a step. */
static bool is_step(const Mover *mover, const Hit *hit, Vec3 m)
{
    double rise = vec3_dot(m, mover->up), limit = mover->profile->max_slope_cos;
    bool is_ground = hit->contact.feature == SIDLE_FEATURE_FACE && rise >= limit;
    double doubt = mover->profile->skin_w; /* the agent can rest that much lower */
    return !is_ground && rise > -limit && height_of(mover, hit) <= mover->profile->step_up + doubt;
}

static OUT_OF_LINE void stand_on_rim(Mover *mover, const Hit *hit, Vec3 m)
{
    Vec3 beside = frame_to_world(mover->frame, vec3_sub(mover->state.position, hit->contact.point));
    beside = vec3_without(beside, mover->up);
    Vec3 support = flattest_normal(mover, hit);
    mover->state.ground.support = vec3_dot(support, mover->up) > vec3_dot(m, mover->up) ? support : m;
    mover->state.ground.overhang = vec3_length(beside);
}

static inline void stand_on(Mover *mover, const Hit *hit, Vec3 m)
{
    Identity identity = identity_of(mover->candidates, hit->candidate);
    Ground *ground = &mover->state.ground;
    ground->normal = m;
    ground->support = m;
    ground->overhang = 0;
    ground->instance = (sidle_instance){identity.slot, identity.placed->generation};
    ground->key = identity.placed->key;
    ground->triangle = identity.triangle;
    ground->surface = identity.surface;
    if (hit->contact.feature != SIDLE_FEATURE_FACE)
    {
        stand_on_rim(mover, hit, m);
    }
}

/* Returns true if an edge contact lies on or behind the plane of a face or of a nearer contact, since coplanar and
 * convex faces make no wedge. */
static bool is_shadowed(const Mover *mover, const Hit *hits, uint32_t count, uint32_t i)
{
    bool shadowed = false;
    for (uint32_t j = 0; j < count && hits[i].contact.feature != SIDLE_FEATURE_FACE; ++j)
    {
        Vec3 beside = vec3_sub(hits[i].contact.point, hits[j].contact.point);
        /* mutant: line_is_a_groove */
        bool is_before = j < i || hits[j].contact.feature == SIDLE_FEATURE_FACE;
        shadowed = shadowed || (is_before && vec3_dot(hits[j].contact.normal, beside) <= at_contact(mover));
    }
    return shadowed;
}

/* Contacts of which none carries the agent alone carry it together if the fall that they leave free is no steeper than
 * the slope limit. */
static OUT_OF_LINE bool is_wedged(Mover *mover)
{
    Hit hits[MAX_RECOVER_CONTACTS];
    Vec3 m[MAX_RECOVER_CONTACTS];
    double limit = mover->profile->max_slope_cos, near = 1 + NEAR_SKINS * mover->profile->skin;
    if (work_is_spent(mover->candidates))
    {
        return false;
    }
    work_add_close(mover->candidates, WORK_CONTACT);
    uint32_t met =
        candidates_contacts(mover->candidates, mover->state.position, near, hits, MAX_RECOVER_CONTACTS);
    uint32_t count = 0, of[MAX_RECOVER_CONTACTS];
    for (uint32_t i = 0; i < met; ++i)
    {
        if (!is_shadowed(mover, hits, met, i))
        {
            of[count] = i;
            m[count++] = frame_normal_to_world(mover->frame, hits[i].contact.normal);
        }
    }
    Vec3 down = vec3_scale(mover->up, -1), left = sidle_project(down, m, count);
    if (count < 2 || vec3_length2(left) > 1 - limit * limit) /* mutant: wedged_in_the_air */
    {
        return false;
    }
    uint32_t carrier = 0;
    for (uint32_t i = 1; i < count; ++i)
    {
        carrier = vec3_dot(m[i], mover->up) > vec3_dot(m[carrier], mover->up) ? i : carrier;
    }
    Vec3 normal = vec3_normalize(vec3_sub(left, down));
    stand_on(mover, &hits[of[carrier]], m[carrier]);
    mover->state.ground.normal = mover->state.ground.support = normal;
    return true;
}
