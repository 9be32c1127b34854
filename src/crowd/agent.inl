/* From a request to a mover, and from a mover to a result. */
#include "crowd/carry.h"

#include <string.h>

#define MAX_SUBSTEPS 256 /* of a tick whose candidates do not fit at once */

/* Cosine of 8 degrees: contacts with one triangle whose normals are closer are reported as one. No motion depends on
 * it. */
#define SAME_NORMAL .99

/* ---- contacts ---- */

static OUT_OF_LINE void note_contact(Mover *mover, const Hit *hit, Vec3 m)
{
    const Candidate *candidate = candidate_of(mover->candidates, hit->candidate);
    for (uint32_t i = 0; i < mover->contact_count; ++i)
    {
        const sidle_contact *known = &mover->contacts[i];
        if (known->triangle == candidate->triangle && known->instance.index == candidate->instance &&
            vec3_dot(vec3_from(known->normal), m) > SAME_NORMAL)
        {
            return;
        }
    }
    if (mover->contact_count == SIDLE_MAX_AGENT_CONTACTS)
    {
        mover->reasons |= SIDLE_REASON_CONTACTS;
        return;
    }
    Vec3 point = vec3_add(mover->frame->center, frame_to_world(mover->frame, hit->contact.point));
    mover->contacts[mover->contact_count++] = (sidle_contact){
        .instance_key = candidate->key,
        .point = {point.x, point.y, point.z},
        .normal = vec3_to_float(m),
        .instance = {candidate->instance, mover->snapshot->placed[candidate->instance].generation},
        .triangle = candidate->triangle,
        .surface = candidate->surface,
        .feature = hit->contact.feature,
    };
}

static inline void report_contact(Mover *mover, const Hit *hit, Vec3 m)
{
    if (mover->contacts)
    {
        note_contact(mover, hit, m);
    }
}

/* ---- the request ---- */

static inline bool is_inside(const sidle_position *p, double limit)
{
    Quad place = quad_set(p->x, p->y, p->z, 0);
    return quad_less_equal(quad_abs(place), quad_all(limit)) == 15; /* false for NaN */
}

/* Compares bits, which costs a third of float comparisons. Accepts -0. */
static inline bool is_zero(const void *v)
{
    uint64_t xy;
    uint32_t z;
    memcpy(&xy, v, sizeof xy);
    memcpy(&z, (const char *)v + sizeof xy, sizeof z);
    return ((xy & UINT64_C(0x7fffffff7fffffff)) | (z & 0x7fffffff)) == 0;
}

FORCE_INLINE bool is_good_with(const sidle_crowd *crowd, const sidle_move *move, const Scales *scales)
{
    if (move->profile >= crowd->profile_count)
    {
        return false;
    }
    float longest = crowd->profiles[move->profile].longest;
    /* mutant: any_displacement */
    return is_inside(&move->body.center, SIDLE_MAX_COORDINATE) &&
           floats_are_within(&move->body.velocity.x, scales->body, (int)BODY_FLOATS, longest) &&
           floats_are_within(&move->rotation.x, scales->move, (int)MOVE_FLOATS, longest) &&
           ((scales->fall <= longest) | !is_zero(&move->gravity)) &&
           !(move->flags & ~(uint32_t)(SIDLE_MOVE_NO_CONTACTS | SIDLE_MOVE_NO_AGENTS)) & (move->mass >= 0);
}

/* The same for a move so many times as long as this one with the ticks that deferred it. */
static OUT_OF_LINE bool is_good_after(const sidle_crowd *crowd, const sidle_move *move, float times)
{
    if (!(move->body.waited >= 0 && move->body.waited <= SIDLE_MAX_DT && move->interval >= 0))
    {
        return false;
    }
    sidle_move whole = move_with_waited(crowd, move);
    whole.displacement = vec3_to_float(vec3_scale(vec3_from(whole.displacement), (double)times));
    Scales scales = scales_of((crowd->tick.desc.dt + whole.body.waited) * times, crowd->gravity);
    return is_good_with(crowd, &whole, &scales);
}

/* Returns true for an agent without an interval that was not deferred: both floats are zero. */
static inline bool is_plain(const sidle_move *move)
{
    uint32_t waited, interval;
    memcpy(&waited, &move->body.waited, sizeof waited);
    memcpy(&interval, &move->interval, sizeof interval);
    return (waited | interval) == 0;
}

/* Returns true if all numbers are finite, and if no displacement of a tick exceeds SIDLE_MAX_PATH. */
static inline bool is_good(const sidle_crowd *crowd, const sidle_move *move)
{
    return is_plain(move) ? is_good_with(crowd, move, &crowd->tick.scales) : is_good_after(crowd, move, 1);
}

/* Reads the ground. A zero normal means up, and a zero support the ground's normal. */
FORCE_INLINE void take_ground(const sidle_body *body, Vec3 up, Ground *ground)
{
    bool is_face = memcmp(&body->ground_normal, &body->support_normal, sizeof body->ground_normal) == 0 ||
                   is_zero(&body->support_normal);
    Vec3 normal = up;
    if (!is_zero(&body->ground_normal))
    {
        normal = vec3_normalize(vec3_from(body->ground_normal));
    }
    ground->normal = normal;
    ground->support = normal;
    if (!is_face)
    {
        ground->support = vec3_normalize(vec3_from(body->support_normal));
    }
    ground->overhang = 0;
    ground->instance = body->ground;
    ground->triangle = body->ground_triangle;
    ground->surface = body->ground_surface;
}

static inline bool is_upright(const sidle_quat *q)
{
    return is_zero(q) && (q->w == 0 || q->w == 1);
}

/* Sets the frame. Most agents of a worker share the frame of the previous one, except for the centre. */
FORCE_INLINE void take_frame(const Profile *profile, const sidle_move *move, Frame *frame)
{
    if (!is_upright(&move->rotation))
    {
        *frame = frame_make(vec3(0, 0, 0), move->rotation, profile->radii);
        frame_give_core(frame, vec3(0, profile->core, 0));
    }
    else if (frame->profile != profile->upright.profile)
    {
        *frame = profile->upright;
    }
    frame->center = vec3_from_position(move->body.center);
}

static inline Filter filter_of(const sidle_crowd *crowd, const sidle_move *move)
{
    uint32_t flags = crowd->profiles[move->profile].flags;
    return (Filter){.collides_with = move->collides_with ? move->collides_with : UINT32_MAX,
                    .ignore = move->ignore,
                    .time = crowd->tick.time,
                    .one_sided = (flags & SIDLE_PROFILE_ONE_SIDED) != 0};
}

static inline void take_cache(TriangleCache *cache, const sidle_move *move)
{
    if (cache->agent != move->id)
    {
        cache->agent = move->id;
        cache->resting = 0;
        cache->clear = 0;
    }
}

/* Sets fields one by one: an initialiser would write zeros first. */
FORCE_INLINE void mover_make(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                             const AgentScratch *scratch, Mover *mover)
{
    const Profile *profile = &crowd->profiles[move->profile];
    mover->profile = profile;
    mover->snapshot = crowd->tick.desc.snapshot;
    mover->candidates = candidates;
    mover->cache = scratch->cache;
    mover->observer = scratch->observer;
    mover->filter = filter_of(crowd, move);
    mover->up = is_zero(&move->up) ? crowd->up : vec3_normalize(vec3_from(move->up));
    mover->gravity = is_zero(&move->gravity) ? crowd->gravity : vec3_from(move->gravity);
    mover->tick_dt = (double)crowd->tick.desc.dt;
    mover->dt = mover->whole_dt = mover->tick_dt + (double)move->body.waited;
    mover->motion_begin = crowd->tick.begin;
    mover->motion_end = crowd->tick.time;
    mover->frame = &candidates->frame;
    take_frame(profile, move, mover->frame);
    mover->position = vec3(0, 0, 0);
    mover->velocity = vec3_from(move->body.velocity);
    mover->grounded = (move->body.flags & SIDLE_BODY_GROUNDED) != 0;
    mover->stuck = mover->crushed = mover->pinned = mover->rides = false;
    take_ground(&move->body, mover->up, &mover->ground);
    mover->carried = vec3(0, 0, 0);
    mover->pushed = vec3(0, 0, 0);
    mover->carried_over = vec3_from(move->body.carried_over);
    mover->flight.start = mover->frame->center;
    mover->flight.motion = mover->tick_dt;
    mover->flight.runs = false;
    mover->impact_speed = 0;
    mover->step_offset = (double)move->body.step_offset;
    mover->reasons = mover->contact_count = 0;
    mover->contacts = (move->flags & SIDLE_MOVE_NO_CONTACTS) ? NULL : scratch->contacts;
    mover->limits = NULL;
    mover->clear = 0;
    candidates->work = candidates->leaves_seen = 0;
    take_cache(mover->cache, move);
}

/* ---- steps ---- */

FORCE_INLINE bool step(Mover *mover, Vec3 wish)
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

/* A step whose displacement its neighbours have corrected; a fall adds the correction itself. */
static OUT_OF_LINE bool step_among_agents(Mover *mover, Vec3 wish)
{
    bool falls = mover->profile->mode == SIDLE_WALK && !mover->grounded;
    return step(mover, falls ? wish : vec3_add(wish, correction_of(mover)));
}

/* Limits count from where moving ground has taken the agent. */
static OUT_OF_LINE void take_limits(Mover *mover, const AgentLimits *limits, Vec3 wish)
{
    mover->limits = limits;
    mover->limits_from = mover->frame->center;
    if (vec3_dot(limits->correction, wish) < -HARDLY_TAKEN * vec3_length2(wish))
    {
        mover->reasons |= SIDLE_REASON_AGENT;
    }
}

/* Neighbours in contact, after the triangles that the agent has hit. */
static OUT_OF_LINE void report_neighbours(Mover *mover, const AgentLimits *limits)
{
    for (uint32_t i = 0; mover->contacts && i < limits->count; ++i)
    {
        if (limits->list[i].touches)
        {
            note_agent(mover, &limits->list[i]);
        }
    }
}

/* Returns true if a step that began in an overlap ends in one. */
static bool is_stuck(const Mover *mover)
{
    return mover->crushed || ((mover->reasons & SIDLE_REASON_OVERLAP) &&
                              candidates_distance(mover->candidates, mover->position, 1) < 1);
}

/* Runs the tick at once or, if the candidates exceed the capacity, in 2, 4, ... equal parts, each with its own gather.
 * Parts that still do not fit, or exceed the tick's work, are skipped and reported. */
FORCE_INLINE void take_steps(Mover *mover, Vec3 wish, const AgentLimits *limits)
{
    Vec3 start = mover->frame->center;
    double dt = mover->dt, done = 0, part = 1;
    if (anything_moves(mover))
    {
        carry(mover);
    }
    if (limits)
    {
        take_limits(mover, limits, wish);
    }
    while (done < 1)
    {
        bool is_spent = work_is_spent(mover->candidates);
        mover->dt = dt * part;
        Vec3 own = vec3_scale(wish, part);
        if (!is_spent && (limits ? step_among_agents(mover, own) : step(mover, own)))
        {
            mover->stuck = is_stuck(mover);
            advance_frame(mover);
            mover->flight.start = mover->frame->center;
            mover->flight.motion = 0; /* the instances have moved before the first part */
            mover->clear = mover->clear < done ? mover->clear : done + part * larger(mover->step_clear, 0);
            done += part;
        }
        else if (!is_spent && part * MAX_SUBSTEPS > 1)
        {
            part /= 2;
        }
        else
        {
            mover->reasons |= SIDLE_REASON_CANDIDATES;
            mover->velocity = vec3_scale(vec3_sub(mover->frame->center, start), 1 / dt);
            break;
        }
    }
    mover->dt = dt;
    if (limits)
    {
        report_neighbours(mover, limits);
    }
    if (anything_moves(mover))
    {
        carry_over(mover);
    }
    else if (mover->grounded)
    {
        mover->carried_over = vec3(0, 0, 0);
    }
}

/* ---- the result ---- */

FORCE_INLINE void write_body(const Mover *mover, sidle_body *body)
{
    static const Ground nothing;
    const Ground *ground = mover->grounded ? &mover->ground : &nothing;
    Vec3 center = mover->frame->center;
    body->center = (sidle_position){center.x, center.y, center.z};
    body->velocity = vec3_to_float(mover->velocity);
    body->ground_normal = vec3_to_float(ground->normal);
    body->carried_over = vec3_to_float(mover->carried_over);
    body->support_normal = vec3_to_float(ground->support);
    body->overhang = (float)ground->overhang;
    body->step_offset = (float)mover->step_offset;
    body->ground = ground->instance;
    body->ground_triangle = ground->triangle;
    body->ground_surface = ground->surface;
    body->flags =
        (uint16_t)((mover->grounded ? SIDLE_BODY_GROUNDED : 0) | (mover->stuck ? SIDLE_BODY_STUCK : 0));
    body->waited = 0;
    body->postponed = (sidle_vec3){0, 0, 0};
}

static OUT_OF_LINE void refuse(const sidle_move *move, sidle_result *result)
{
    *result = (sidle_result){.body = move->body, .reasons = SIDLE_REASON_INVALID};
    result->body.flags |= SIDLE_BODY_INVALID;
}

FORCE_INLINE void move_with(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                            AgentScratch *scratch, const AgentLimits *limits, sidle_result *result)
{
    Mover mover;
    mover_make(crowd, candidates, move, scratch, &mover);
    take_steps(&mover, vec3_from(move->displacement), limits);
    scratch->clear = mover.clear;
    result->contact_first = 0;
    result->contact_count = mover.contact_count;
    result->reasons = mover.reasons | (mover.stuck ? (uint32_t)SIDLE_REASON_STUCK : 0);
    result->impact_speed = (float)mover.impact_speed;
    write_body(&mover, &result->body);
    if (!is_inside(&result->body.center, SIDLE_MAX_COORDINATE))
    {
        refuse(move, result);
        return;
    }
    for (uint32_t i = 0; i < mover.contact_count; ++i)
    {
        scratch->contacts[i].agent = move->id;
    }
}

static OUT_OF_LINE void move_agent(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                                   AgentScratch *scratch, sidle_result *result)
{
    move_with(crowd, candidates, move, scratch, scratch->limits, result);
}

/* With the limits of its neighbours: rim.inl. */
static OUT_OF_LINE void move_among_agents(const sidle_crowd *crowd, Candidates *candidates,
                                          const sidle_move *move, AgentScratch *scratch,
                                          sidle_result *result);

static OUT_OF_LINE void defer(const sidle_crowd *crowd, const sidle_move *move, sidle_result *result)
{
    *result = (sidle_result){.body = move->body, .reasons = SIDLE_REASON_DEFERRED};
    sidle_body *body = &result->body;
    body->postponed = move_with_waited(crowd, move).displacement;
    body->waited += crowd->tick.desc.dt;
    body->flags &= (uint16_t)~SIDLE_BODY_INVALID;
}

static OUT_OF_LINE void move_alone(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                                   AgentScratch *scratch, sidle_result *result)
{
    move_with(crowd, candidates, move, scratch, NULL, result);
}

/* Of a request that is good. */
FORCE_INLINE void tick_good(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                            AgentScratch *scratch, sidle_result *result)
{
    if (candidates->stats)
    {
        ++candidates->stats->moves;
    }
    if (scratch->limits)
    {
        move_among_agents(crowd, candidates, move, scratch, result);
    }
    else
    {
        move_alone(crowd, candidates, move, scratch, result);
    }
}

/* Of an agent that is deferred, was deferred, or has an interval. */
static OUT_OF_LINE void tick_in_turn(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                                     AgentScratch *scratch, sidle_result *result)
{
    if (!is_good(crowd, move))
    {
        refuse(move, result);
        return;
    }
    if (scratch->turn == TURN_WAITS)
    {
        defer(crowd, move, result);
        return;
    }
    sidle_move whole = move_with_waited(crowd, move);
    tick_good(crowd, candidates, &whole, scratch, result);
    if (scratch->turn == TURN_PACED && move->interval > 0 && !(result->reasons & SIDLE_REASON_INVALID))
    {
        result->body.flags |= SIDLE_BODY_PACED;
    }
}

static void agent_tick(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                       AgentScratch *scratch, sidle_result *result)
{
    if ((scratch->turn != TURN_COMES) | !is_plain(move))
    {
        tick_in_turn(crowd, candidates, move, scratch, result);
    }
    else if (!is_good_with(crowd, move, &crowd->tick.scales))
    {
        refuse(move, result);
    }
    else
    {
        tick_good(crowd, candidates, move, scratch, result);
    }
}
