/* From a request to a result. */
#include "crowd/carry.h"

#include <string.h>

#define MAX_SUBSTEPS 256 /* of a tick whose candidates do not fit at once */

/* ---- steps ---- */

/* Returns false, with nothing changed, if the candidates exceed the capacity. */
FORCE_INLINE bool step(Mover *mover, Vec3 wish)
{
    mover->state.ground_height = -INFINITY; /* in the frame of this step */
    mover->state.step_clear = -1;
    switch (mover->profile->mode)
    {
    case SIDLE_FLY:
        return step_fly(mover, vec3_copy(wish));
    case SIDLE_SLIDE:
        return step_slide(mover, vec3_copy(wish));
    default:
        return step_walk(mover, wish);
    }
}

/* Share of its wish that an agent in a jam has to cover to turn back, or to start again after that. */
#define HARDLY_TURNS .4

/* Sine of the angle by which a displacement may differ from the reverse of the last one, and the ratio of their lengths: a tick may be
 * twice as long as the last. With 3 some doors jam (docs/tuning.md). */
#define REVERSED       .2
#define REVERSED_RATIO 2.1

/* Whether a crowd moves an agent to and fro. It holds an agent that takes back its last displacement, until a longer one is free.
 * Without this some jams rock for ever: the rounds end before the displacements of all agree. */
static bool goes_to_and_fro(const Mover *mover, Vec3 wish, Vec3 last, bool was_held)
{
    Vec3 path = travelled(mover);
    double path2 = vec3_length2(path), last2 = vec3_length2(last), along = vec3_dot(path, last);
    bool is_short = path2 < HARDLY_TURNS * HARDLY_TURNS * vec3_length2(wish);
    bool is_alike = path2 < REVERSED_RATIO * REVERSED_RATIO * last2 &&
                    last2 < REVERSED_RATIO * REVERSED_RATIO * path2; /* mutant: reverses_at_one_rate */
    bool reverses = is_alike && along < 0 && along * along > (1 - REVERSED * REVERSED) * path2 * last2;
    return is_short && (was_held || reverses); /* mutant: rocks_for_ever */
}

/* Share of its wish that an agent has to cover where others hold it up. Shorter steps close a gap in some ticks, until a neighbour
 * takes it back in one. */
#define LARGEST_JITTER .015

static bool jitters(const Mover *mover, Vec3 wish)
{
    double least2 = LARGEST_JITTER * LARGEST_JITTER * vec3_length2(wish);
    return (mover->report.reasons & SIDLE_REASON_AGENT) && vec3_length2(travelled(mover)) < least2;
}

/* A step whose displacement its neighbours have corrected; a fall adds the correction itself. An agent on the ground stays where
 * it was if it would go to and fro, if it would jitter, or if it came too near because its height has not changed as its limits
 * foresaw. */
static OUT_OF_LINE bool step_among_agents(Mover *mover, Vec3 wish)
{
    bool falls = mover->profile->mode == SIDLE_WALK && !mover->state.grounded;
    const Ground ground = mover->state.ground;
    bool was_grounded = mover->state.grounded, was_held = mover->state.held;
    double offset = mover->state.step_offset;
    Vec3 start = travelled(mover);
    Vec3 last = vec3_scale(vec3_sub(mover->state.velocity, mover->state.carried_over), mover->dt);
    if (!step(mover, falls ? wish : vec3_add(wish, correction_of(mover))))
    {
        return false;
    }
    if (!mover->state.grounded)
    {
        stop_at_neighbours(mover, vec3_sub(travelled(mover), start));
        stand_on_neighbour(mover);
        if (!was_grounded && mover->state.grounded) /* mutant: soft_heads */
        {
            Vec3 velocity = velocity_reached(mover, vec3(0, 0, 0), 0);
            mover->state.flight.impact = -vec3_dot(velocity, mover->state.ground.normal);
            end_flight(mover);
        }
    }
    bool is_moved_out = mover->report.reasons & SIDLE_REASON_OVERLAP,
         may_stay = was_grounded && !is_moved_out;
    mover->state.held = may_stay && goes_to_and_fro(mover, wish, last, was_held);
    /* mutant: stays_too_near, jitters_on */
    if (may_stay && (mover->state.held || jitters(mover, wish) || is_too_near(mover)))
    {
        mover->state.position = vec3(0, 0, 0);
        mover->state.velocity = mover->state.carried;
        mover->state.grounded = true;
        mover->state.ground = ground;
        mover->state.step_offset = offset;
        mover->report.reasons |= SIDLE_REASON_AGENT;
    }
    return true;
}

/* Limits count from where moving ground has taken the agent. */
static OUT_OF_LINE void take_limits(Mover *mover, const AgentLimits *limits, Vec3 wish)
{
    mover->limits = limits;
    mover->limits_from = mover->frame->center;
    if (vec3_dot(limits->correction, wish) < -HARDLY_TAKEN * vec3_length2(wish))
    {
        mover->report.reasons |= SIDLE_REASON_AGENT;
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
FORCE_INLINE bool is_stuck(const Mover *mover)
{
    return mover->state.crushed || ((mover->report.reasons & SIDLE_REASON_OVERLAP) &&
                                    candidates_distance(mover->candidates, mover->state.position, 1) < 1);
}

/* Returns false, with nothing changed, if the candidates exceed the capacity. */
FORCE_INLINE bool step_within(Mover *mover, Vec3 wish, const AgentLimits *limits)
{
    return limits ? step_among_agents(mover, wish) : step(mover, wish);
}

/* Runs a tick whose candidates do not fit at once in 2, 4, ... equal parts, each with its own gather. Parts that still do
 * not fit, or exceed the tick's work, are skipped and reported. */
static OUT_OF_LINE void take_parts(Mover *mover, Vec3 wish, const AgentLimits *limits)
{
    Vec3 start = mover->state.flight.start; /* of the tick */
    double dt = mover->dt, done = 0, part = .5;
    while (done < 1)
    {
        bool is_spent = work_is_spent(mover->candidates);
        mover->dt = dt * part;
        if (!is_spent && step_within(mover, vec3_scale(wish, part), limits))
        {
            mover->state.stuck = is_stuck(mover);
            mover->state.flight.start = advance_frame(mover);
            mover->state.flight.motion = 0; /* the instances have moved before the first part */
            mover->report.clear = mover->report.clear < done
                                      ? mover->report.clear
                                      : done + part * larger(mover->state.step_clear, 0);
            done += part;
        }
        else if (!is_spent && part * MAX_SUBSTEPS > 1)
        {
            part /= 2;
        }
        else
        {
            mover->report.reasons |= SIDLE_REASON_CANDIDATES;
            mover->state.velocity = vec3_scale(vec3_sub(mover->frame->center, start), 1 / dt);
            break;
        }
    }
    mover->dt = dt;
}

/* Runs the tick, at once if its candidates fit. The step has leaves of its own, apart from what carries it. */
FORCE_INLINE void take_steps(Mover *mover, Vec3 wish, const AgentLimits *limits)
{
    if (anything_moves(mover))
    {
        carry(mover);
        mover->candidates->leaves_seen = 0; /* mutant: no_leaves_left */
    }
    if (limits)
    {
        take_limits(mover, limits, wish);
    }
    if (!work_is_spent(mover->candidates) && step_within(mover, wish, limits))
    {
        mover->state.stuck = is_stuck(mover);
        advance_frame(mover);
        mover->report.clear = larger(mover->state.step_clear, 0);
    }
    else
    {
        take_parts(mover, vec3_copy(wish), limits);
    }
    if (limits)
    {
        report_neighbours(mover, limits);
    }
    if (anything_moves(mover))
    {
        carry_over(mover);
    }
    else if (mover->state.grounded)
    {
        mover->state.carried_over = vec3(0, 0, 0);
    }
}

/* ---- the result ---- */

/* Each four floats that are stored end in one that the next store sets. */
FORCE_INLINE void write_ground(const Ground *ground, const Mover *mover, sidle_body *body)
{
    quad_store_floats(&body->velocity.x, quad_load3(&mover->state.velocity.x));
    quad_store_floats(&body->ground_normal.x, quad_load(&ground->normal.x));
    quad_store_floats(&body->carried_over.x, quad_load3(&mover->state.carried_over.x));
    quad_store_floats(&body->support_normal.x, quad_load(&ground->support.x)); /* and the overhang */
    body->step_offset = (float)mover->state.step_offset;
    body->ground = ground->instance;
    body->ground_triangle = ground->triangle;
    body->ground_surface = ground->surface;
    body->ground_key = ground->key;
}

_Static_assert(offsetof(Ground, overhang) == offsetof(Ground, support) + sizeof(Vec3) &&
                   offsetof(sidle_body, overhang) ==
                       offsetof(sidle_body, support_normal) + sizeof(sidle_vec3),
               "side by side");

/* Returns false if the centre is too far out. */
FORCE_INLINE bool write_body(const Mover *mover, sidle_body *body)
{
    static const Ground nothing;
    Quad center = quad_load3(&mover->frame->center.x);
    quad_store3(&body->center.x, center);
    write_ground(mover->state.grounded ? &mover->state.ground : &nothing, mover, body);
    body->flags = (uint16_t)((mover->state.grounded ? SIDLE_BODY_GROUNDED : 0) |
                             (mover->state.stuck ? SIDLE_BODY_STUCK : 0) |
                             (mover->limits && mover->state.held ? SIDLE_BODY_HELD : 0));
    body->waited = 0;
    body->postponed = (sidle_vec3){0, 0, 0};
    return quad_is_within(center, SIDLE_MAX_COORDINATE);
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
    scratch->clear = mover.report.clear;
    result->contact_first = 0;
    result->contact_count = mover.report.contact_count;
    result->reasons =
        mover.report.reasons | (mover.state.stuck ? (uint32_t)SIDLE_REASON_STUCK : 0) |
        (work_is_spent(candidates) ? (uint32_t)SIDLE_REASON_CANDIDATES : 0); /* mutant: silent_cap */
    result->impact_speed = (float)mover.report.impact_speed;
    bool is_inside = write_body(&mover, &result->body);
    result->body.motion_epoch = move->body.motion_epoch;
    result->body.motion_done = move->body.motion_done;
    update_motion(&crowd->tick, &result->body);
    if (!is_inside)
    {
        refuse(move, result);
        return;
    }
    for (uint32_t i = 0; i < mover.report.contact_count; ++i)
    {
        scratch->contacts[i].agent = move->id;
    }
}

static OUT_OF_LINE void move_agent(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                                   AgentScratch *scratch, const AgentLimits *limits, sidle_result *result)
{
    move_with(crowd, candidates, move, scratch, limits, result);
}
