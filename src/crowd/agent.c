/* A request becomes a mover, a mover becomes a result. */
#include "crowd/agent.h"

#include "crowd/carry.h"

#include <string.h>

#define MAX_SUBSTEPS 256 /* of a tick whose candidates do not fit at once */

/* Radii: a longer way is made in parts. Its length counts in S, so by the law what is met near its beginning is
 * doubtful by up to 103 u S in double lanes (both terms of the rule for float at the least kappa of a face): 1.2e-4
 * here, a fifth of the slack of the thinnest skin. Beyond 1e16 a ball beside a wall passed it. */
#define LONGEST_WAY 1e10

/* Cosine of 8 degrees: two contacts with one triangle whose normals are closer are told as one. Rounding
 * turns a normal by far less, 6 u S over the triangle's height; who rolls over an edge tells of it every 8
 * degrees. No motion depends on it. */
#define SAME_NORMAL .99

/* ---- covering ---- */

bool gather_for(Mover *mover, const Room *room)
{
    const Profile *profile = mover->profile;
    /* sweeps run with 1 + delta/2, and look beyond the ends of their paths */
    double swell =
        shell_swept(profile) + profile->look_ahead + profile->skin * SLACK_OF_SKIN + room->extra_swell;
    double slide = vec3_length(room->ball);
    double longest = slide + room->extra_radius + larger(vec3_length(room->segment), vec3_length(room->lift));
    Reach reach = {
        .swell = swell,
        .center = vec3_add_scaled(room->lift, room->ball, .5),
        .radius = slide / 2 + room->extra_radius,
        .segment = room->segment,
        .path = longest / vec3_min_component(profile->radii) + profile->look_ahead,
        .slack = profile->skin * SLACK_OF_SKIN,
    };
    mover->too_far = !(reach.path <= LONGEST_WAY);
    if (mover->too_far)
    {
        return false;
    }
    if (mover->gatherer)
    {
        return mover->gatherer->gather(mover->gatherer, mover, &reach);
    }
    return candidates_gather(mover->candidates, mover->snapshot, &mover->frame, &reach, &mover->filter,
                             mover->cache);
}

bool is_pinned(const Mover *mover)
{
    return mover->frame.is_capsule &&
           candidates_distance(mover->candidates, mover->position, shell_recover(mover->profile)) <= 0;
}

bool begin_move(Mover *mover, Room room)
{
    mover->pinned = false;
    if (!gather_for(mover, &room))
    {
        return false;
    }
    double near = shell_recover(mover->profile);
    if (!(candidates_distance(mover->candidates, mover->position, near) < near))
    {
        return true;
    }
    /* Rare: only now pay for a gather that covers the way out as well. */
    room.extra_swell = RECOVERY_REACH;
    if (!gather_for(mover, &room))
    {
        return false;
    }
    recover(mover);
    mover->pinned = is_pinned(mover);
    return true;
}

/* ---- contacts ---- */

void report_contact(Mover *mover, const Hit *hit, Vec3 m)
{
    if (!mover->met)
    {
        return;
    }
    const Candidate *candidate = &mover->candidates->list[hit->candidate];
    for (uint32_t i = 0; i < mover->met_count; ++i)
    {
        const sidle_contact *known = &mover->met[i];
        if (known->triangle == candidate->triangle && known->instance.index == candidate->instance &&
            vec3_dot(vec3_from(known->normal), m) > SAME_NORMAL)
        {
            return;
        }
    }
    if (mover->met_count == SIDLE_MAX_AGENT_CONTACTS)
    {
        mover->reasons |= SIDLE_REASON_CONTACTS;
        return;
    }
    Vec3 point = vec3_add(mover->frame.center, mat3_mul(mover->frame.to_w, hit->contact.point));
    mover->met[mover->met_count++] = (sidle_contact){
        .instance_key = candidate->key,
        .point = {point.x, point.y, point.z},
        .normal = vec3_to_float(m),
        .instance = {candidate->instance, mover->snapshot->placed[candidate->instance].generation},
        .triangle = candidate->triangle,
        .surface = candidate->surface,
        .feature = hit->contact.feature,
    };
}

/* ---- in ---- */

static bool is_finite3(sidle_vec3 v)
{
    return vec3_is_finite(vec3_from(v));
}

static bool is_good(const sidle_crowd *crowd, const sidle_move *move)
{
    Vec3 center = vec3_abs(vec3_from_position(move->body.center));
    const sidle_quat *q = &move->rotation;
    return move->profile < crowd->profile_count && vec3_max_component(center) <= SIDLE_MAX_COORDINATE &&
           vec3_is_finite(center) && is_finite3(move->body.velocity) && is_finite3(move->body.carried_over) &&
           is_finite3(move->body.ground_normal) && is_finite3(move->body.support_normal) &&
           is_finite3(move->displacement) && is_finite3(move->up) && is_finite3(move->gravity) &&
           isfinite(q->x) && isfinite(q->y) && isfinite(q->z) && isfinite(q->w) &&
           !(move->flags & ~(uint32_t)SIDLE_MOVE_NO_CONTACTS);
}

static Vec3 own_or(sidle_vec3 own, Vec3 crowds)
{
    Vec3 v = vec3_from(own);
    return vec3_is_zero(v) ? crowds : v;
}

static Ground ground_of(const sidle_body *body)
{
    return (Ground){.normal = vec3_normalize(vec3_from(body->ground_normal)),
                    .support = vec3_normalize(vec3_from(body->support_normal)),
                    .instance = body->ground,
                    .triangle = body->ground_triangle,
                    .surface = body->ground_surface};
}

static void mover_make(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                       const AgentScratch *scratch, Mover *mover)
{
    const Profile *profile = &crowd->profiles[move->profile];
    *mover = (Mover){
        .profile = profile,
        .snapshot = crowd->tick.desc.snapshot,
        .candidates = candidates,
        .filter = {.collides_with = move->collides_with ? move->collides_with : UINT32_MAX,
                   .ignore = move->ignore,
                   .time = crowd->tick.time,
                   .one_sided = (profile->flags & SIDLE_PROFILE_ONE_SIDED) != 0},
        .frame = frame_make(vec3_from_position(move->body.center), move->rotation, profile->radii),
        .up = vec3_normalize(own_or(move->up, crowd->up)),
        .gravity = own_or(move->gravity, crowd->gravity),
        .dt = (double)crowd->tick.desc.dt,
        .velocity = vec3_from(move->body.velocity),
        .grounded = (move->body.flags & SIDLE_BODY_GROUNDED) != 0,
        .ground = ground_of(&move->body),
        .ground_height = -INFINITY,
        .motion_begin = crowd->tick.begin,
        .motion_end = crowd->tick.time,
        .carried_over = vec3_from(move->body.carried_over),
        .met = (move->flags & SIDLE_MOVE_NO_CONTACTS) ? NULL : scratch->met,
        .cache = scratch->cache,
        .gatherer = scratch->gatherer,
    };
    if (profile->core > 0)
    {
        frame_give_core(&mover->frame, vec3(0, profile->core, 0));
    }
    if (mover->cache->agent != move->id)
    {
        mover->cache->agent = move->id;
        mover->cache->snapshot = 0;
    }
    if (mover->grounded && vec3_is_zero(mover->ground.normal))
    {
        mover->ground.normal = mover->up;
    }
    if (mover->grounded && vec3_is_zero(mover->ground.support))
    {
        mover->ground.support = mover->ground.normal;
    }
}

/* ---- steps ---- */

static bool step(Mover *mover, Vec3 wish)
{
    mover->ground_height = -INFINITY; /* in the frame of this step */
    mover->step_clear = -1;
    switch (mover->profile->mode)
    {
    case SIDLE_FLY:
        return step_fly(mover, wish);
    case SIDLE_SLIDE:
        return step_slide(mover, wish);
    default:
        return step_walk(mover, wish);
    }
}

/* A step that began in an overlap says whether it ended in one. */
static bool is_stuck(const Mover *mover)
{
    return mover->crushed || ((mover->reasons & SIDLE_REASON_OVERLAP) &&
                              candidates_distance(mover->candidates, mover->position, 1) < 1);
}

/* The whole tick at once or, where too many triangles are near or the way is too long, in 2, 4, ... equal
 * parts, each with a gather of its own. What remains too much is left undone and said so; a way that remains
 * too long leads nowhere. */
static void take_steps(Mover *mover, Vec3 wish)
{
    Vec3 start = mover->frame.center;
    double dt = mover->dt, done = 0, part = 1;
    if (anything_moves(mover))
    {
        carry(mover);
    }
    while (done < 1)
    {
        mover->dt = dt * part;
        if (step(mover, vec3_scale(wish, part)))
        {
            mover->stuck = is_stuck(mover);
            advance_frame(mover);
            mover->clear = mover->clear < done ? mover->clear : done + part * larger(mover->step_clear, 0);
            done += part;
        }
        else if (mover->gatherer && mover->gatherer->only_plans)
        {
            break;
        }
        else if (part * MAX_SUBSTEPS > 1)
        {
            part /= 2;
        }
        else
        {
            mover->reasons |= mover->too_far ? SIDLE_REASON_INVALID : SIDLE_REASON_CANDIDATES;
            mover->velocity = vec3_scale(vec3_sub(mover->frame.center, start), 1 / dt);
            break;
        }
    }
    mover->dt = dt;
    if (anything_moves(mover))
    {
        carry_over(mover);
    }
    else if (mover->grounded)
    {
        mover->carried_over = vec3(0, 0, 0);
    }
}

/* ---- out ---- */

static void write_body(const Mover *mover, sidle_body *body)
{
    Vec3 center = mover->frame.center;
    body->center = (sidle_position){center.x, center.y, center.z};
    body->velocity = vec3_to_float(mover->velocity);
    body->carried_over = vec3_to_float(mover->carried_over);
    body->flags =
        (uint16_t)((mover->grounded ? SIDLE_BODY_GROUNDED : 0) | (mover->stuck ? SIDLE_BODY_STUCK : 0));
    Ground ground = mover->grounded ? mover->ground : (Ground){.triangle = 0};
    body->ground_normal = vec3_to_float(ground.normal);
    body->support_normal = vec3_to_float(ground.support);
    body->overhang = (float)ground.overhang;
    body->ground = ground.instance;
    body->ground_triangle = ground.triangle;
    body->ground_surface = ground.surface;
}

static void refuse(const sidle_move *move, sidle_result *result)
{
    *result = (sidle_result){.body = move->body, .reasons = SIDLE_REASON_INVALID};
    result->body.flags |= SIDLE_BODY_INVALID;
}

/* A wish of 1e38 metres is a number, but where it leads is no place. */
static bool is_in_world(const sidle_body *body)
{
    Vec3 center = vec3_abs(vec3_from_position(body->center));
    return vec3_max_component(center) <= SIDLE_MAX_COORDINATE && vec3_is_finite(center) &&
           vec3_is_finite(vec3_from(body->velocity)) && vec3_is_finite(vec3_from(body->carried_over));
}

void agent_tick(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                const AgentScratch *scratch, sidle_result *result)
{
    if (!is_good(crowd, move))
    {
        refuse(move, result);
        return;
    }
    Mover mover;
    mover_make(crowd, candidates, move, scratch, &mover);
    take_steps(&mover, vec3_from(move->displacement));
    if (candidates->stats)
    {
        ++candidates->stats->moves;
    }
    if (mover.gatherer)
    {
        mover.gatherer->clear = mover.clear;
    }
    *result = (sidle_result){.body = move->body};
    write_body(&mover, &result->body);
    if ((mover.reasons & SIDLE_REASON_INVALID) || !is_in_world(&result->body))
    {
        refuse(move, result);
        return;
    }
    result->reasons = mover.reasons | (mover.stuck ? (uint32_t)SIDLE_REASON_STUCK : 0);
    result->contact_count = mover.met_count;
    for (uint32_t i = 0; i < mover.met_count; ++i)
    {
        scratch->met[i].agent = move->id;
    }
}
