/* A request as its neighbours see it. */
#include "crowd/carry.h"
#include "crowd/peers.h"

#include <float.h>

/* What the agent does if it is alone: the horizontal wish on the ground, a fall that it steers in the air. The slide of the fall
 * and of the wish in slide mode differ from this by little; the limits hold for what is really moved. */
static Vec3 wish_of(const Peer *peer, const sidle_move *move, const Profile *profile, Vec3 gravity, double dt)
{
    Vec3 velocity = vec3_from(move->body.velocity);
    Vec3 wish = vec3_from(move->displacement), up = peer->shape->up;
    bool walks = profile->mode == SIDLE_WALK;
    if (walks)
    {
        wish = vec3_without(wish, up);
    }
    if (profile->mode == SIDLE_FLY || (peer->flags & PEER_FLAT))
    {
        return wish;
    }
    if (walks && vec3_length(wish) > profile->shortest) /* mutant: steers_unseen */
    {
        Vec3 turned = steered(velocity, vec3_from(move->body.carried_over), wish, up, dt);
        velocity = vec3_scale(vec3_add(velocity, turned), .5);
    }
    Vec3 falls = vec3_add_scaled(vec3_scale(velocity, dt), gravity, dt * dt / 2);
    return walks ? falls : vec3_add_scaled(wish, up, vec3_dot(falls, up));
}

/* The shape of the profile, or a shape of its own. */
static void set_shape(const sidle_crowd *crowd, const Profile *profile, const Frame *frame,
                      const sidle_move *move, Peer *peer)
{
    peer->shape = &profile->shape;
    if (!frame->is_upright || !is_zero(&move->up))
    {
        PeerShape *own = &crowd->tick.peers->shapes[peer - crowd->tick.peers->list];
        Vec3 up = is_zero(&move->up) ? crowd->up : vec3_normalize(vec3_from(move->up));
        *own = peer_shape_of(frame, up);
        own->least = profile->shape.least;
        own->comfort = profile->shape.comfort;
        own->profile = profile->shape.profile;
        peer->shape = own;
    }
}

/* An agent on the ground follows it up a step, down a step or into a fall, which begins at rest in slide mode, and which ends
 * after a step down in walk mode. At horizontal speed slopes make its path longer than its wish. */
static float most_height(const Profile *profile, Vec3 up, Vec3 wish, Vec3 gravity, double dt)
{
    double falls = larger(-vec3_dot(gravity, up), 0) * dt * dt / 2;
    double step = profile->highest_step + profile->skin_w;
    if (profile->mode == SIDLE_WALK && (profile->flags & SIDLE_PROFILE_HORIZONTAL_SPEED))
    {
        step += vec3_length(wish) * lesser(profile->max_slope_tan, 1 / LEAST_RISE); /* mutant: flat_climb */
    }
    return (float)(profile->mode == SIDLE_SLIDE ? falls : step); /* mutant: flat_reach */
}

/* Shares of the wish that the last tick covered. Below the first an agent is held up, above the second it moves freely. */
#define HELD_UP      .7
#define MOVES_FREELY .9

/* A body's velocity is that of its last tick. */
static float flow_of(const Peer *peer, const sidle_move *move, double dt)
{
    Vec3 own = vec3_sub(vec3_from(move->body.velocity), vec3_from(move->body.carried_over));
    double whole = vec3_length2(peer->wish);
    double covered = whole > 0 ? vec3_dot(own, peer->wish) * dt / whole : 0;
    double flow = (covered - HELD_UP) / (MOVES_FREELY - HELD_UP);
    return (float)lesser(larger(flow, 0), 1); /* mutant: always_held_up */
}

static void set_request(const Profile *profile, const sidle_move *move, double dt, Peer *peer)
{
    peer->push = (float)(profile->recovery_speed * profile->least * dt);
    double speed = vec3_length(peer->wish);
    peer->speed = round_up(speed);
    peer->stride = (float)(speed / dt * PEER_SOFT_TIME);
    peer->flow = flow_of(peer, move, dt);
    peer->inverse_mass = move->mass > 0 ? (float)lesser(1 / (double)move->mass, FLT_MAX) : 1;
    peer->id = move->id;
    peer->layers =
        (PeerLayers){.collides_with = move->collides_with_agents ? move->collides_with_agents : UINT32_MAX,
                     .member_of = move->member_of ? move->member_of : UINT32_MAX,
                     .group = move->group};
}

/* What moving instances do to an agent in this tick: its carrier takes it along, and others push it. Where others are near, a copy
 * of the agent is carried as its move will be. */
static OUT_OF_LINE void carry_ahead(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                                    TriangleCache *cache, Peer *peer)
{
    Mover mover;
    const AgentScratch scratch = {.cache = cache};
    mover_make(crowd, candidates, move, &scratch, &mover);
    work_add(candidates, MAX_WORK / 4 * 3); /* the move has its own limit */
    double begin = mover.motion_begin, end = mover.motion_end;
    if (!(begin < end))
    {
        return;
    }
    mover.state.grounded = mover.state.grounded && mover.profile->mode != SIDLE_FLY;
    check_ground(&mover);
    Vec3 start = mover.frame->center, ride = vec3(0, 0, 0);
    if (carrier_of(&mover))
    {
        ride = vec3_scale(mover.state.carried_over, mover.tick_dt);
        mover.frame->center = vec3_add(start, ride);
    }
    Slice whole = {begin, end, start, mover.frame->center, NO_CARRIER};
    Near near;
    if (find_near(&mover, &whole, &near) && near.count == 0)
    {
        peer->carried = ride;
        peer->flags |= carrier_of(&mover) ? 0 : (uint32_t)PEER_CALM; /* mutant: calm_rider */
        return;
    }
    mover.frame->center = start;
    carry(&mover);
    peer->carried = vec3_sub(mover.frame->center, start); /* mutant: unseen_push */
}

/* `cache`: of the agent; NULL: what moves it does not matter. */
static void peer_make(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                      TriangleCache *cache, Peer *peer)
{
    if (!is_good(crowd, move) || (move->flags & SIDLE_MOVE_NO_AGENTS))
    {
        peer->flags = 0;
        return;
    }
    const Profile *profile = &crowd->profiles[move->profile];
    Frame *frame = &candidates->frame;
    double dt = (double)crowd->tick.desc.dt + (double)move->body.waited;
    bool grounded = move->body.flags & SIDLE_BODY_GROUNDED, flies = profile->mode == SIDLE_FLY;
    bool floats = profile->flags & SIDLE_PROFILE_NO_GRAVITY;
    Vec3 gravity = is_zero(&move->gravity) ? crowd->gravity : vec3_from(move->gravity);
    take_frame(profile, move, frame);
    bool stands = profile->mode == SIDLE_WALK && (profile->flags & SIDLE_PROFILE_STANDS_ON_AGENTS);
    peer->flags = PEER_COLLIDES | (grounded && !flies ? PEER_FLAT : 0) |
                  (grounded || flies || floats ? 0 : PEER_FALLS) | (stands ? PEER_STANDS : 0);
    set_shape(crowd, profile, frame, move, peer);
    peer->center = frame->center;
    gravity = floats ? vec3(0, 0, 0) : gravity;
    peer->wish = wish_of(peer, move, profile, gravity, dt);
    peer->height =
        (peer->flags & PEER_FLAT) ? most_height(profile, peer->shape->up, peer->wish, gravity, dt) : 0;
    peer->carried = vec3(0, 0, 0);
    set_request(profile, move, dt, peer);
    if (cache && crowd->tick.desc.snapshot->moving_count > 0)
    {
        carry_ahead(crowd, candidates, move, cache, peer);
    }
}
