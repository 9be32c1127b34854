/* Checks a request and makes a mover of it. */
#include "crowd/carry.h"

#include <string.h>

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
    sidle_move storage, whole = *move_with_waited(crowd, move, &storage);
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
    ground->key = body->ground_key;
    ground->triangle = body->ground_triangle;
    ground->surface = body->ground_surface;
}

/* quat_is_identity by bits. */
static inline bool is_upright(const sidle_quat *q)
{
    const float one = 1;
    uint32_t w, bits;
    memcpy(&w, &q->w, sizeof w);
    memcpy(&bits, &one, sizeof bits);
    return is_zero(q) && ((w & 0x7fffffff) == 0 || w == bits);
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

static inline void take_filter(const sidle_crowd *crowd, const sidle_move *move, Filter *filter)
{
    uint32_t flags = crowd->profiles[move->profile].flags;
    filter->collides_with = move->collides_with ? move->collides_with : UINT32_MAX;
    filter->ignored_surfaces = move->ignored_surfaces;
    filter->ignore = move->ignore;
    filter->ignored_group = placed_group_ignored(move->ignored_group);
    filter->time = crowd->tick.time;
    filter->one_sided = (flags & SIDLE_PROFILE_ONE_SIDED) != 0;
    filter->motion = FILTER_ALL;
    filter->slot = 0;
}

static inline void take_cache(TriangleCache *cache, const sidle_move *move)
{
    if (cache->agent != move->id)
    {
        cache->agent = move->id;
        cache->resting = 0;
        cache->clearing.within = 0;
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
    take_filter(crowd, move, &mover->filter);
    mover->up = is_zero(&move->up) ? crowd->up : vec3_normalize(vec3_from(move->up));
    mover->gravity = is_zero(&move->gravity) ? crowd->gravity : vec3_from(move->gravity);
    mover->tick_dt = (double)crowd->tick.desc.dt;
    mover->dt = mover->whole_dt = mover->tick_dt + (double)move->body.waited;
    mover->motion_begin = motion_begin_of(&crowd->tick, &move->body);
    mover->motion_end = crowd->tick.time;
    mover->frame = &candidates->frame;
    take_frame(profile, move, mover->frame);
    mover->position = vec3(0, 0, 0);
    mover->velocity = vec3_from(move->body.velocity);
    mover->grounded = (move->body.flags & SIDLE_BODY_GROUNDED) != 0;
    mover->held = (move->body.flags & SIDLE_BODY_HELD) != 0;
    mover->stuck = mover->crushed = mover->pinned = mover->rides = mover->is_free = false;
    take_ground(&move->body, mover->up, &mover->ground);
    mover->carried = vec3(0, 0, 0);
    mover->pushed = vec3(0, 0, 0);
    mover->carried_over = vec3_from(move->body.carried_over);
    mover->flight.start = vec3_from_position(move->body.center);
    mover->flight.motion = mover->tick_dt;
    mover->flight.runs = false;
    mover->impact_speed = 0;
    mover->step_offset = (double)move->body.step_offset;
    mover->reasons = mover->contact_count = 0;
    mover->contacts = reports_contacts(move, scratch->contacts) ? scratch->contacts : NULL;
    mover->limits = NULL;
    mover->clear = 0;
    candidates->work = candidates->leaves_seen = 0;
    take_cache(mover->cache, move);
}
