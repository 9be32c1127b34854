/* A request as its neighbours see it, and the walls around it. */
#include "crowd/carry.h"
#include "crowd/peers.h"

/* Radii beyond the rest shell within which a wall counts for the rounds. */
#define WALL_REACH .05

#define WALL_CONTACTS 16

static void set_square(const Frame *frame, Peer *peer)
{
    Mat3 w = frame->to_w;
    peer->square = vec3(vec3_length2(w.row[0]), vec3_length2(w.row[1]), vec3_length2(w.row[2]));
    peer->cross =
        vec3(vec3_dot(w.row[1], w.row[2]), vec3_dot(w.row[0], w.row[2]), vec3_dot(w.row[0], w.row[1]));
    if (frame->is_upright)
    {
        peer->cross = vec3(0, 0, 0);
    }
    peer->flags |= vec3_is_zero(peer->cross) ? PEER_DIAGONAL : 0;
    peer->inverse = vec3_div(vec3(1, 1, 1), peer->square);
    peer->core = mat3_mul(frame->to_w, frame->core);
}

/* What the agent does if it is alone: the horizontal wish on the ground, a fall in the air. The slide of the fall and of the
 * wish in slide mode differ from this by little; the limits hold for what is really moved. */
static Vec3 wish_of(const Peer *peer, const sidle_move *move, uint32_t mode, Vec3 gravity, double dt)
{
    Vec3 wish = vec3_from(move->displacement), up = peer->up;
    bool walks = mode == SIDLE_WALK;
    if (walks)
    {
        wish = vec3_add_scaled(wish, up, -vec3_dot(wish, up));
    }
    if (mode == SIDLE_FLY || (peer->flags & PEER_FLAT))
    {
        return wish;
    }
    Vec3 falls = vec3_add_scaled(vec3_scale(vec3_from(move->body.velocity), dt), gravity, dt * dt / 2);
    return walks ? falls : vec3_add_scaled(wish, up, vec3_dot(falls, up));
}

/* How far an agent reaches in this tick along each axis. */
static void set_half(const Frame *frame, Peer *peer)
{
    double soft = larger(peer->comfort, (PEER_HARD + PEER_SOFT) * peer->least) / 2;
    double free = peer->reach + vec3_length(peer->carried) + soft;
    peer->half[0] = frame->extent.x + frame->core_extent.x + free;
    peer->half[1] = frame->extent.y + frame->core_extent.y + free;
    peer->half[2] = frame->extent.z + frame->core_extent.z + free;
}

static void set_request(const Profile *profile, const sidle_move *move, double dt, Peer *peer)
{
    peer->least = profile->least;
    peer->push = profile->recovery_speed * profile->least * dt;
    peer->speed = vec3_length(peer->wish);
    peer->reach = larger(peer->speed, peer->push);
    peer->comfort = profile->comfort * profile->least;
    peer->inverse_mass = move->mass > 0 ? 1 / (double)move->mass : 1;
    peer->id = move->id;
    peer->collides_with = move->collides_with_agents ? move->collides_with_agents : UINT32_MAX;
    peer->member_of = move->member_of ? move->member_of : UINT32_MAX;
    peer->group = move->group;
    peer->profile = move->profile;
}

static void peer_make(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move, Peer *peer)
{
    if (!is_good(crowd, move) || (move->flags & SIDLE_MOVE_NO_AGENTS))
    {
        peer->flags = 0;
        return;
    }
    const Profile *profile = &crowd->profiles[move->profile];
    Frame *frame = &candidates->frame;
    double dt = (double)crowd->tick.desc.dt;
    bool grounded = move->body.flags & SIDLE_BODY_GROUNDED, flies = profile->mode == SIDLE_FLY;
    bool floats = profile->flags & SIDLE_PROFILE_NO_GRAVITY;
    Vec3 gravity = is_zero(&move->gravity) ? crowd->gravity : vec3_from(move->gravity);
    take_frame(profile, move, frame);
    peer->flags =
        PEER_COLLIDES | (grounded && !flies ? PEER_FLAT : 0) | (grounded || flies || floats ? 0 : PEER_FALLS);
    set_square(frame, peer);
    peer->center = frame->center;
    peer->up = is_zero(&move->up) ? crowd->up : vec3_normalize(vec3_from(move->up));
    peer->wish = wish_of(peer, move, profile->mode, floats ? vec3(0, 0, 0) : gravity, dt);
    peer->carried = vec3(0, 0, 0);
    if ((peer->flags & PEER_FLAT) && crowd->tick.desc.snapshot->moving_count > 0)
    {
        peer->carried = vec3_scale(vec3_from(move->body.carried_over), dt);
    }
    set_request(profile, move, dt, peer);
    set_half(frame, peer);
}

/* Adds a contact as a wall unless it can be stood on. */
static uint32_t add_peer_wall(Mover *mover, const Hit *hit, bool is_flat, PeerWall *walls, uint32_t count)
{
    Vec3 m = frame_normal_to_world(mover->frame, hit->contact.normal);
    if (is_flat && vec3_dot(m, mover->up) >= mover->profile->max_slope_cos)
    {
        return count;
    }
    Vec3 n = is_flat ? flat_part(mover, m) : m;
    double length = vec3_length(n);
    if (length < .1)
    {
        return count;
    }
    /* From ellipsoid space into the world, along m. */
    Vec3 stretched = mover->frame->is_upright ? vec3_mul(mover->frame->inverse, hit->contact.normal)
                                              : mat3_mul_transposed(mover->frame->to_e, hit->contact.normal);
    double gap = (hit->contact.t - mover->profile->rest) / vec3_length(stretched);
    n = vec3_scale(n, 1 / length);
    walls[count] = (PeerWall){{(float)n.x, (float)n.y, (float)n.z}, (float)(gap / length)};
    return count + 1;
}

/* The walls among the triangles within reach, without what agents on the ground can stand on: in most places there is nothing
 * else. */
static uint32_t wall_hits(const Mover *mover, double reach, bool is_flat, Hit *hits)
{
    const Candidates *c = mover->candidates;
    if (c->core > 0 || c->exact.count > 0)
    {
        return candidates_contacts(c, mover->position, reach, hits, WALL_CONTACTS);
    }
    closest_batch(&c->wide, mover->position, reach);
    ContactList list = {hits, 0, WALL_CONTACTS};
    for (uint32_t lane = 0; lane < c->wide.count; ++lane)
    {
        Vec3 corners[3];
        if (batch_read(&c->wide, c->kernels, lane, FIELD_ANSWER) < (double)INFINITY &&
            !(is_flat &&
              fabs(vec3_dot(face_normal(mover, lane), mover->up)) >= mover->profile->max_slope_cos))
        {
            candidates_corners(c, lane, corners);
            Hit hit = {contact_of_closest(corners, mover->position, mover->position), lane};
            insert_contact(c, &list, &hit);
        }
    }
    return list.count;
}

/* The nearest walls around an agent, for the rounds; returns how many. */
static uint32_t peer_walls(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                           AgentScratch *scratch, PeerWall *walls)
{
    Mover mover;
    mover_make(crowd, candidates, move, scratch, &mover);
    bool is_flat = mover.grounded && mover.profile->mode != SIDLE_FLY;
    MoveExtents extents = {.extra_swell = WALL_REACH};
    double reach = mover.profile->rest + WALL_REACH;
    if (!gather_for(&mover, &extents) || mover.candidates->wide.count + mover.candidates->exact.count == 0)
    {
        return 0;
    }
    Hit hits[WALL_CONTACTS];
    uint32_t found = wall_hits(&mover, reach, is_flat, hits);
    uint32_t count = 0;
    for (uint32_t i = 0; i < found && count < PEER_WALLS; ++i)
    {
        count = add_peer_wall(&mover, &hits[i], is_flat, walls, count);
    }
    return count;
}
