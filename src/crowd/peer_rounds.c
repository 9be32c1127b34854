/* All displacements at once: Jacobi rounds towards gaps that neighbours want, then limits that no gap can be closed beyond.
 *
 * The rounds push neighbours out of the soft zone, share corrections by mass and by right of way, and keep to the walls near.
 * They only propose: what they leave undone, the limits forbid. An agent may approach a neighbour only into the gap that exists
 * at the beginning of the tick, and the two divide it beforehand. So separate agents do not come to overlap, whatever the world
 * does to either. */
#include "crowd/peers.h"

/* Least length of a normal's horizontal part that corrects an agent on the ground: 17 degrees. Neighbours that are steeper are
 * above or below. */
#define LEAST_FLAT .3

/* Smallest radii by which two may overlap and still limit one another. Deeper, every direction would be forbidden, and fifty
 * agents in one place would stay there. */
#define DEEP .25

/* Share of the fastest wish around below which a corrected displacement is no motion: agents that press stand still. */
#define HARDLY_MOVES .01

/* Hard gaps within which two agents are in contact. */
#define TOUCHES 2

/* Passes over the walls of an agent: two walls and their corner. */
#define WALL_PASSES 3

static Vec3 normal_of(const float normal[3])
{
    return vec3((double)normal[0], (double)normal[1], (double)normal[2]);
}

/* The direction along which a pair corrects this agent. */
static Vec3 free_part(const Peer *peer, Vec3 n)
{
    return (peer->flags & PEER_FLAT) ? vec3_add_scaled(n, peer->up, -vec3_dot(n, peer->up)) : n;
}

void peers_keep_off_walls(Peers *peers, uint32_t round, uint32_t agent)
{
    Vec3 *move = &peers->moves[(round + 1) % 2][agent], carried = peers->list[agent].carried;
    Vec3 own = vec3_sub(*move, carried);
    const PeerWall *walls = peers->walls + (size_t)agent * PEER_WALLS;
    uint32_t count = peers->wall_count[agent];
    for (int pass = 0; pass < WALL_PASSES && count > 0; ++pass)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            Vec3 n = normal_of(walls[i].normal);
            double into = -larger((double)walls[i].gap, 0) - vec3_dot(own, n);
            own = into > 0 ? vec3_add_scaled(own, n, into) : own;
        }
    }
    *move = vec3_add(own, carried);
}

/* Adds the mean of what the pairs ask for that are not yet content. Returns false if all are. */
static bool correct(const Peers *peers, uint32_t agent, const Vec3 *moves, Vec3 *corrected)
{
    const Peer *peer = &peers->list[agent];
    const Pair *pairs = peers->pairs + (size_t)agent * PEER_PAIRS;
    Vec3 move = moves[agent], sum = {0, 0, 0};
    uint32_t active = 0;
    for (uint32_t i = 0; i < peers->pair_count[agent]; ++i)
    {
        Vec3 n = normal_of(pairs[i].normal);
        double missing = (double)pairs[i].need - vec3_dot(n, vec3_sub(moves[pairs[i].other], move));
        Vec3 free = free_part(peer, n);
        double free2 = vec3_length2(free);
        if (missing > 0 && free2 >= LEAST_FLAT * LEAST_FLAT)
        {
            sum = vec3_add_scaled(sum, free, -(double)pairs[i].share * missing / free2);
            active += 1;
        }
    }
    *corrected = active > 0 ? vec3_add_scaled(move, sum, 1 / (double)active) : move;
    return active > 0;
}

bool peers_relax(Peers *peers, uint32_t round, uint32_t agent)
{
    return peers->pair_count[agent] > 0 &&
           correct(peers, agent, peers->moves[round % 2], &peers->moves[(round + 1) % 2][agent]);
}

/* The fastest wish of an agent and its neighbours; infinity where it overlaps one, which goes on however slow it is. */
static double fastest_around(const Peers *peers, uint32_t agent)
{
    double fastest2 = vec3_length2(peers->list[agent].wish);
    const Pair *pairs = peers->pairs + (size_t)agent * PEER_PAIRS;
    for (uint32_t i = 0; i < peers->pair_count[agent]; ++i)
    {
        if (pairs[i].gap < 0)
        {
            return 0;
        }
        fastest2 = larger(fastest2, vec3_length2(peers->list[pairs[i].other].wish));
    }
    return sqrt(fastest2);
}

static Vec3 settled(const Peers *peers, uint32_t agent, Vec3 own)
{
    const Peer *peer = &peers->list[agent];
    if (vec3_equal(own, peer->wish))
    {
        return own;
    }
    double length = vec3_length(own);
    if (!(peer->flags & PEER_FALLS) && length < HARDLY_MOVES * fastest_around(peers, agent))
    {
        return vec3(0, 0, 0);
    }
    return length > peer->reach ? vec3_scale(own, peer->reach / length) : own;
}

void peers_settle(Peers *peers, uint32_t begin, uint32_t end)
{
    for (uint32_t agent = begin; agent < end; ++agent)
    {
        if (peers->pair_count[agent] > 0)
        {
            Vec3 carried = peers->list[agent].carried;
            Vec3 own = vec3_sub(peers->moves[PEER_ROUNDS % 2][agent], carried);
            peers->moves[(PEER_ROUNDS + 1) % 2][agent] = vec3_add(settled(peers, agent, own), carried);
        }
    }
}

/* How far an agent may approach: the gap is divided beforehand, so that both may use their parts in full. `approach`: of this
 * agent as it wishes now, and of the other. */
static double part_of_gap(double gap, double approach, double others, double share)
{
    if (approach + others <= gap)
    {
        return approach + (gap - approach - others) / 2;
    }
    if (others == 0)
    {
        return gap;
    }
    if (approach == 0)
    {
        return 0;
    }
    double mine = approach * (1 - share), theirs = others * share;
    double part = mine + theirs > 0 ? gap * mine / (mine + theirs) : gap / 2;
    part = lesser(part, approach);
    return gap - part > others ? gap - others : part; /* what the other has no use for */
}

static bool limit_of(const Peers *peers, uint32_t agent, const Pair *pair, AgentLimit *out)
{
    const Peer *peer = &peers->list[agent], *other = &peers->list[pair->other];
    const Vec3 *moves = peers->moves[(PEER_ROUNDS + 1) % 2];
    Vec3 n = normal_of(pair->normal), free = free_part(peer, n);
    double length = vec3_length(free), gap = (double)pair->gap;
    if (length < LEAST_FLAT || gap < -DEEP * lesser(peer->least, other->least))
    {
        return false;
    }
    double approach = larger(vec3_dot(moves[agent], n), 0),
           others = larger(-vec3_dot(moves[pair->other], n), 0);
    double part = part_of_gap((double)pair->free, approach, others, (double)pair->share);
    *out = (AgentLimit){.normal = vec3_scale(free, 1 / length),
                        .most = larger((part - vec3_dot(peer->carried, n)) / length, 0),
                        .touches = gap <= TOUCHES * PEER_HARD * (peer->least + other->least) / 2,
                        .id = other->id};
    return true;
}

AgentLimits peers_limits(const Peers *peers, uint32_t agent, AgentLimit *list)
{
    const Peer *peer = &peers->list[agent];
    const Pair *pairs = peers->pairs + (size_t)agent * PEER_PAIRS;
    AgentLimits limits = {.list = list};
    if (peers->pair_count[agent] == 0)
    {
        return limits;
    }
    Vec3 own = vec3_sub(peers->moves[(PEER_ROUNDS + 1) % 2][agent], peer->carried);
    limits.correction = vec3_sub(own, peer->wish);
    limits.is_pushed = !vec3_is_zero(limits.correction) && vec3_dot(own, peer->wish) <= 0;
    for (uint32_t i = 0; i < peers->pair_count[agent]; ++i)
    {
        limits.count += limit_of(peers, agent, &pairs[i], &list[limits.count]);
    }
    return limits;
}
