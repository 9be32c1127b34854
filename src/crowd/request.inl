/* Checks a request and makes a mover of it. */
#include "crowd/carry.h"

#include <string.h>

/* False for NaN. */
static inline bool quad_is_within(Quad a, double limit)
{
    return quad_less_equal(quad_abs(a), quad_all(limit)) == 15;
}

/* The bits of two floats, and those of their absolute values among them. */
#define SIZES_OF_TWO UINT64_C(0x7fffffff7fffffff)

static inline uint64_t two_floats(const void *v)
{
    uint64_t bits;
    memcpy(&bits, v, sizeof bits);
    return bits;
}

/* Compares bits, which costs a third of float comparisons. Accepts -0. */
static inline bool is_zero(const void *v)
{
    uint32_t z;
    memcpy(&z, (const char *)v + 2 * sizeof(float), sizeof z);
    return ((two_floats(v) & SIZES_OF_TWO) | (z & 0x7fffffff)) == 0;
}

FORCE_INLINE bool is_good_with(const sidle_crowd *crowd, const sidle_move *move, const Scales *scales)
{
    if (move->profile >= crowd->profile_count)
    {
        return false;
    }
    float longest = crowd->profiles[move->profile].longest;
    ScaledFloats body = {&move->body.velocity.x, scales->body, (int)BODY_FLOATS};
    ScaledFloats own = {&move->rotation.x, scales->move, (int)MOVE_FLOATS};
    /* mutant: any_displacement */
    return quad_is_within(quad_load3(&move->body.center.x), SIDLE_MAX_COORDINATE) &&
           floats_are_within(body, own, longest) && (scales->fall <= longest || !is_zero(&move->gravity)) &&
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

static OUT_OF_LINE Quad unit_of_any(Quad a)
{
    return quad_mul(a, quad_all(1 / sqrt(quad_dot3(a, a))));
}

/* How far the square of a result's normal is from 1, at most. Rounding to float turns it by 2^-23; up to 2^-18 the series below
 * errs by less than double's roundoff. */
#define NEARLY_UNIT 0x1p-18

/* vec3_normalize of three floats that are not all zero, followed by a finite one. Nearly all are a result's normal: the
 * series of 1 / sqrt(1 + more) up to its square errs by NEARLY_UNIT^3 / 3, without a quotient and a root. */
FORCE_INLINE Quad unit_of_floats(const float *v)
{
    Quad a = quad_load_floats(v);
    double more = quad_dot3(a, a) - 1;
    if (fabs(more) > NEARLY_UNIT)
    {
        return unit_of_any(a);
    }
    return quad_mul(a, quad_all(1 + more * (.375 * more - .5)));
}

/* Reads the ground. A zero normal means up, and a zero support the ground's normal. */
FORCE_INLINE void take_ground(const sidle_body *body, const Vec3 *up, Ground *ground)
{
    bool is_face = memcmp(&body->ground_normal, &body->support_normal, sizeof body->ground_normal) == 0 ||
                   is_zero(&body->support_normal);
    Quad normal = is_zero(&body->ground_normal) ? quad_load3(&up->x) : unit_of_floats(&body->ground_normal.x);
    quad_store3(&ground->normal.x, normal);
    quad_store3(&ground->support.x, is_face ? normal : unit_of_floats(&body->support_normal.x));
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
    quad_store3(&frame->center.x, quad_load3(&move->body.center.x));
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

/* Returns true if the move has the crowd's up and gravity: six floats are zero. */
static inline bool has_crowds_up(const sidle_move *move)
{
    const char *up = (const char *)move + offsetof(sidle_move, up);
    return ((two_floats(up) | two_floats(up + 8) | two_floats(up + 16)) & SIZES_OF_TWO) == 0;
}

_Static_assert(offsetof(sidle_move, gravity) == offsetof(sidle_move, up) + 3 * sizeof(float), "side by side");

static OUT_OF_LINE void take_own_up(const sidle_crowd *crowd, const sidle_move *move, Mover *mover)
{
    mover->up = is_zero(&move->up) ? crowd->up : vec3_normalize(vec3_from(move->up));
    mover->gravity = is_zero(&move->gravity) ? crowd->gravity : vec3_from(move->gravity);
}

/* The last vector may overlap the one before it. */
static inline void mover_clear(Mover *mover)
{
    char *at = (char *)mover + offsetof(Mover, report);
    char *last = (char *)mover + offsetof(Mover, state.velocity) - sizeof(Quad);
    for (; at < last; at += sizeof(Quad))
    {
        quad_store((double *)(void *)at, quad_all(0));
    }
    quad_store((double *)(void *)last, quad_all(0));
}

/* Sets fields one by one, or many to zero at once: an initialiser would write zeros first. */
FORCE_INLINE void mover_make(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                             const AgentScratch *scratch, Mover *mover)
{
    const Profile *profile = &crowd->profiles[move->profile];
    mover_clear(mover);
    mover->profile = profile;
    mover->snapshot = crowd->tick.desc.snapshot;
    mover->candidates = candidates;
    mover->cache = scratch->cache;
    mover->observer = scratch->observer;
    mover->limits = NULL;
    mover->is_calm = scratch->is_calm;
    take_filter(crowd, move, &mover->filter);
    if (has_crowds_up(move))
    {
        mover->up = crowd->up;
        mover->gravity = crowd->gravity;
    }
    else
    {
        take_own_up(crowd, move, mover);
    }
    mover->tick_dt = (double)crowd->tick.desc.dt;
    mover->dt = mover->whole_dt = mover->tick_dt + (double)move->body.waited;
    mover->motion_begin = motion_begin_of(&crowd->tick, &move->body);
    mover->motion_end = crowd->tick.time;
    mover->frame = &candidates->frame;
    take_frame(profile, move, mover->frame);
    quad_store3(&mover->state.velocity.x, quad_load_floats(&move->body.velocity.x));
    mover->state.grounded = (move->body.flags & SIDLE_BODY_GROUNDED) != 0;
    mover->state.held = (move->body.flags & SIDLE_BODY_HELD) != 0;
    take_ground(&move->body, &mover->up, &mover->state.ground);
    quad_store3(&mover->state.carried_over.x, quad_load_floats(&move->body.carried_over.x));
    mover->state.flight.start = mover->frame->center;
    mover->state.flight.motion = mover->tick_dt;
    mover->state.step_offset = (double)move->body.step_offset;
    mover->contacts = reports_contacts(move, scratch->contacts) ? scratch->contacts : NULL;
    candidates->work = candidates->leaves_seen = 0;
    take_cache(mover->cache, move);
}
