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
    peer->core = mat3_mul(frame->to_w, frame->core);
}

/* What the agent does if it is alone: the horizontal wish on the ground, a fall in the air. The slide of the fall and of the wish
 * in slide mode differ from this by little; the limits hold for what is really moved. */
static Vec3 wish_of(const Mover *mover, const sidle_move *move)
{
    Vec3 wish = vec3_from(move->displacement);
    bool walks = mover->profile->mode == SIDLE_WALK;
    if (walks)
    {
        wish = flat_part(mover, wish);
    }
    if (mover->profile->mode == SIDLE_FLY || mover->grounded)
    {
        return wish;
    }
    Vec3 fall = vec3_scale(fall_gravity(mover), mover->dt * mover->dt / 2);
    Vec3 falls = vec3_scale(mover->velocity, mover->dt);
    return vec3_add(fall, walks ? falls : vec3_add_scaled(wish, mover->up, vec3_dot(falls, mover->up)));
}

static void peer_make(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                      AgentScratch *scratch, Peer *peer)
{
    if (!is_good(crowd, move) || (move->flags & SIDLE_MOVE_NO_AGENTS))
    {
        peer->flags = 0;
        return;
    }
    Mover mover;
    mover_make(crowd, candidates, move, scratch, &mover);
    const Profile *profile = mover.profile;
    bool flies = profile->mode == SIDLE_FLY;
    peer->flags = PEER_COLLIDES | (mover.grounded && !flies ? PEER_FLAT : 0) |
                  (mover.grounded || flies || vec3_is_zero(fall_gravity(&mover)) ? 0 : PEER_FALLS);
    set_square(mover.frame, peer);
    peer->center = mover.frame->center;
    peer->wish = wish_of(&mover, move);
    peer->carried = vec3(0, 0, 0);
    if (mover.grounded && anything_moves(&mover))
    {
        peer->carried = vec3_scale(mover.carried_over, mover.dt);
    }
    peer->up = mover.up;
    peer->least = profile->least;
    peer->push = profile->recovery_speed * profile->least * mover.dt;
    peer->reach = larger(vec3_length(peer->wish), peer->push);
    peer->comfort = profile->comfort * profile->least;
    peer->inverse_mass = move->mass > 0 ? 1 / (double)move->mass : 1;
    peer->id = move->id;
    peer->collides_with = move->collides_with_agents ? move->collides_with_agents : UINT32_MAX;
    peer->member_of = move->member_of ? move->member_of : UINT32_MAX;
    peer->group = move->group;
    peer->profile = move->profile;
    Vec3 half = vec3_add(mover.frame->extent, mover.frame->core_extent);
    double soft = larger(peer->comfort, (PEER_HARD + PEER_SOFT) * peer->least) / 2;
    double free = peer->reach + vec3_length(peer->carried) + soft;
    peer->half[0] = half.x + free;
    peer->half[1] = half.y + free;
    peer->half[2] = half.z + free;
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
    uint32_t found = candidates_contacts(mover.candidates, mover.position, reach, hits, WALL_CONTACTS);
    uint32_t count = 0;
    for (uint32_t i = 0; i < found && count < PEER_WALLS; ++i)
    {
        count = add_peer_wall(&mover, &hits[i], is_flat, walls, count);
    }
    return count;
}
