/* A request becomes a mover, a mover becomes a result. */
#include "crowd/agent.h"

#include "crowd/mover.h"

#include <string.h>

#define RECOVERY_REACH 2   /* radii: four rounds of half a radius */
#define MAX_SUBSTEPS   256 /* of a tick whose candidates do not fit at once */

/* ---- covering ---- */

bool gather_for(Mover *mover, Vec3 ball, double ball_length, Vec3 segment, double extra_swell)
{
    const Profile *profile = mover->profile;
    /* sweeps run with 1 + delta/2, by delta beyond their paths */
    double swell = shell_swept(profile) + profile->skin * (1 + SLACK_OF_SKIN) + extra_swell;
    double longest = vec3_length(ball) + ball_length + vec3_length(segment);
    Reach reach = {
        .swell = swell,
        .center = vec3_scale(ball, .5),
        .radius = vec3_length(ball) / 2 + ball_length,
        .segment = segment,
        .path = longest / vec3_min_component(profile->radii) + profile->skin,
        .slack = profile->skin * SLACK_OF_SKIN,
    };
    return candidates_gather(mover->candidates, mover->snapshot, &mover->frame, &reach, &mover->filter,
                             mover->cache);
}

bool begin_move(Mover *mover, Vec3 ball, double ball_length, Vec3 segment)
{
    if (!gather_for(mover, ball, ball_length, segment, 0))
    {
        return false;
    }
    double near = shell_recover(mover->profile);
    if (!(candidates_distance(mover->candidates, mover->position, near) < near))
    {
        return true;
    }
    /* Rare: only now pay for a gather that covers the way out as well. */
    if (!gather_for(mover, ball, ball_length, segment, RECOVERY_REACH))
    {
        return false;
    }
    recover(mover, mover->position);
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
            vec3_dot(vec3_from(known->normal), m) > .99)
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
           vec3_is_finite(center) && is_finite3(move->body.velocity) &&
           is_finite3(move->body.ground_normal) && is_finite3(move->displacement) && is_finite3(move->up) &&
           is_finite3(move->gravity) && isfinite(q->x) && isfinite(q->y) && isfinite(q->z) && isfinite(q->w);
}

static Vec3 own_or(sidle_vec3 own, Vec3 crowds)
{
    Vec3 v = vec3_from(own);
    return vec3_is_zero(v) ? crowds : v;
}

static void mover_make(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                       const AgentScratch *scratch, Mover *mover)
{
    const Profile *profile = &crowd->profiles[move->profile];
    *mover = (Mover){
        .profile = profile,
        .snapshot = crowd->tick.desc.snapshot,
        .candidates = candidates,
        .filter = {move->collides_with ? move->collides_with : UINT32_MAX, move->ignore, crowd->tick.time,
                   (profile->flags & SIDLE_PROFILE_ONE_SIDED) != 0},
        .frame = frame_make(vec3_from_position(move->body.center), move->rotation, profile->radii),
        .up = vec3_normalize(own_or(move->up, crowd->up)),
        .gravity = own_or(move->gravity, crowd->gravity),
        .dt = (double)crowd->tick.desc.dt,
        .velocity = vec3_from(move->body.velocity),
        .grounded = (move->body.flags & SIDLE_BODY_GROUNDED) != 0,
        .ground_normal = vec3_normalize(vec3_from(move->body.ground_normal)),
        .ground_height = -INFINITY,
        .met = (move->flags & SIDLE_MOVE_NO_CONTACTS) ? NULL : scratch->met,
        .cache = scratch->cache,
    };
    if (mover->cache->agent != move->id)
    {
        mover->cache->agent = move->id;
        mover->cache->snapshot = 0;
    }
    if (mover->grounded && vec3_is_zero(mover->ground_normal))
    {
        mover->ground_normal = mover->up;
    }
}

/* ---- steps ---- */

static bool step(Mover *mover, Vec3 wish)
{
    mover->ground.found = false;
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
    return (mover->reasons & SIDLE_REASON_OVERLAP) &&
           candidates_distance(mover->candidates, mover->position, 1) < 1;
}

/* The frame moves along with each substep: its origin is where precision is best. */
static void advance_frame(Mover *mover)
{
    mover->frame.center = vec3_add(mover->frame.center, travelled(mover));
    mover->position = vec3(0, 0, 0);
}

/* The whole tick at once or, where too many triangles are near, in 2, 4, ... equal parts, each with a gather
 * of its own. What remains too much is left undone and said so. */
static void take_steps(Mover *mover, Vec3 wish)
{
    double dt = mover->dt;
    double done = 0, part = 1;
    while (done < 1)
    {
        mover->dt = dt * part;
        if (step(mover, vec3_scale(wish, part)))
        {
            mover->stuck = is_stuck(mover);
            advance_frame(mover);
            done += part;
        }
        else if (part * MAX_SUBSTEPS > 1)
        {
            part /= 2;
        }
        else
        {
            mover->reasons |= SIDLE_REASON_CANDIDATES;
            break;
        }
    }
    mover->dt = dt;
}

/* ---- out ---- */

static void write_ground(const Mover *mover, const Ground *ground, sidle_body *body)
{
    body->flags = (uint16_t)(mover->grounded ? SIDLE_BODY_GROUNDED : 0);
    body->ground_normal = (sidle_vec3){0, 0, 0};
    body->ground = (sidle_instance){0, 0};
    body->ground_triangle = 0;
    body->ground_surface = 0;
    if (mover->grounded && ground->found)
    {
        const Candidate *candidate = &mover->candidates->list[ground->candidate];
        body->ground_normal = vec3_to_float(ground->normal);
        body->ground =
            (sidle_instance){candidate->instance, mover->snapshot->placed[candidate->instance].generation};
        body->ground_triangle = candidate->triangle;
        body->ground_surface = candidate->surface;
    }
}

void agent_tick(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                const AgentScratch *scratch, sidle_result *result)
{
    *result = (sidle_result){.body = move->body};
    if (!is_good(crowd, move))
    {
        result->body.flags |= SIDLE_BODY_INVALID;
        result->reasons = SIDLE_REASON_INVALID;
        return;
    }
    Mover mover;
    mover_make(crowd, candidates, move, scratch, &mover);
    take_steps(&mover, vec3_from(move->displacement));
    Vec3 center = vec3_add(mover.frame.center, travelled(&mover));
    result->body.center = (sidle_position){center.x, center.y, center.z};
    result->body.velocity = vec3_to_float(mover.velocity);
    write_ground(&mover, &mover.ground, &result->body);
    if (mover.stuck)
    {
        result->body.flags |= SIDLE_BODY_STUCK;
        mover.reasons |= SIDLE_REASON_STUCK;
    }
    result->reasons = mover.reasons;
    result->contact_count = mover.met_count;
    for (uint32_t i = 0; i < mover.met_count; ++i)
    {
        scratch->met[i].agent = move->id;
    }
}
