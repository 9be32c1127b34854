/* All displacements at once: Jacobi rounds towards gaps that neighbours want, then limits that no gap can be closed beyond.
 *
 * The rounds push neighbours out of the soft zone, share corrections by mass and by precedence, and keep to the walls near.
 * They only propose: what they leave undone, the limits forbid. An agent may approach a neighbour only into the gap that exists
 * at the beginning of the tick, and the two divide it beforehand. So separate agents do not come to overlap, unless the world
 * pushes one. */
#include "crowd/peers.h"

#include "simd/float4.h"

#include <string.h>

/* Share of the fastest wish around below which a corrected displacement is no motion: agents that press stand still. */
#define HARDLY_MOVES .01

/* Share of the fastest wish around below which a displacement that is no advance is no motion, either, in a crowd. Without it agents
 * rock to and fro, a crowd around one place rotates, and those that stand in a crowd that pushes creep until it slips. One neighbour
 * alone is no crowd: two head on slide past. */
#define HARDLY_BACK .1

/* Hard gaps within which two agents are in contact. */
#define TOUCHES 2

/* Share of its wish that an agent has to lose to a neighbour for a contact with it. */
#define LEAST_PRESSED .01

/* Places that a round corrects before it keeps them off walls: those of a task. */
#define ROUND_PLACES 256

/* Passes over the walls of an agent: two walls and their corner. */
#define WALL_PASSES 3

static Vec3 normal_of(const float normal[3])
{
    return vec3((double)normal[0], (double)normal[1], (double)normal[2]);
}

static Vec3 move_of(PeerMove move)
{
    return vec3((double)move.x, (double)move.y, (double)move.z);
}

/* The pairs and displacements of one agent in one round. */
typedef struct Round
{
    const Pair *pairs;
    uint32_t count;
    const PeerMove *from;
    PeerMove *to;
    const uint8_t *was_changed;
    uint8_t *changed;
} Round;

/* Whether the last round changed an agent or a neighbour. If not, this round would not, either: both buffers are equal. */
static inline bool is_restless(const Round *round, uint32_t place)
{
    bool restless = round->was_changed[place];
    for (uint32_t i = 0; i < round->count && !restless; ++i)
    {
        restless = round->was_changed[pair_other(&round->pairs[i])];
    }
    return restless;
}

/* Adds the mean of what the pairs ask for that are not yet content to a displacement. Returns false if all are. Only the loop has a
 * branch: others would often be mispredicted. */
static inline bool correct(const PeerRow *row, const Round *round, Float4 move, Float4 *out)
{
    const Float4 zero = float4_all(0), one = float4_all(1);
    Float4 sum = zero, active = zero;
    for (uint32_t i = 0; i < round->count; ++i)
    {
        const Pair *pair = &round->pairs[i];
        Float4 normal = float4_load(pair),
               away = float4_sub(float4_load(&round->from[pair_other(pair)]), move);
        Float4 missing = float4_all(pair->need - float4_dot3(normal, away));
        Float4 misses = float4_less(zero, missing);
        missing = float4_and(misses, float4_mul(missing, float4_all(pair->scale)));
        sum = float4_add(sum, float4_mul(normal, missing));
        active = float4_add(active, float4_and(misses, one));
    }
    /* One neighbour alone corrects without gain. Of two agents head on, one would push the other back. */
    Float4 in_full = float4_min(active, float4_all(row->in_full)), up = float4_load(row);
    Float4 gain = float4_div(float4_mul(float4_all(row->gain), in_full), active);
    gain = float4_select(float4_less(one, active), gain, one); /* mutant: uneven_pairs */
    Float4 mean = float4_mul(sum, gain);
    mean = float4_sub(mean, float4_mul(up, float4_all(float4_dot3(mean, up))));
    *out = float4_select(float4_less(zero, active), float4_first3(float4_add(move, mean)), move);
    return float4_first(active) > 0;
}

/* Whether the wish of an agent may lead into a wall: in the air, where that contact stops its velocity. One that overlaps another may not
 * land on it. */
static bool may_hit_walls(const Peers *peers, uint32_t place)
{
    uint32_t count;
    const Pair *pairs = peer_pairs(peers, place, &count);
    bool is_flat = peers->placed[place].flags & PEER_FLAT;
    return !is_flat && !pairs_overlap(pairs, count); /* mutant: walls_in_the_air */
}

/* The agent's own displacement, without what carries it, leads no deeper into a wall than the gap to it. */
static Float4 keep_off_walls(const Peers *peers, uint32_t place, const PeerMove *move)
{
    const PeerWall *walls = peers->walls + (size_t)place * PEER_WALLS;
    uint32_t count = peers->rows[place].wall_count;
    if (count == 0) /* its search has found none */
    {
        return float4_load(move);
    }
    const Peer *peer = &peers->placed[place];
    Vec3 carried = peer->carried, own = vec3_sub(move_of(*move), carried);
    bool is_into = true, may_land = may_hit_walls(peers, place);
    for (int pass = 0; pass < WALL_PASSES && is_into; ++pass)
    {
        is_into = false;
        for (uint32_t i = 0; i < count; ++i)
        {
            Vec3 n = normal_of(walls[i].normal);
            double most = larger((double)walls[i].gap, may_land ? -vec3_dot(peer->wish, n) : 0);
            double into = -most - vec3_dot(own, n);
            own = into > 0 ? vec3_add_scaled(own, n, into) : own;
            is_into |= into > 0;
        }
    }
    own = vec3_add(own, carried);
    return float4_set((float)own.x, (float)own.y, (float)own.z, 0);
}

/* `is_final`: no wall changes it afterwards. */
static inline void set_move(Peers *peers, const Round *round, uint32_t place, Float4 move, bool is_final)
{
    /* Compared as it is computed: a load that follows a store of a part of it waits for that. */
    bool is_changed = !float4_is_same(move, float4_load(&round->from[place])) & is_final;
    float4_store(&round->to[place], move);
    round->changed[place] = is_changed;
    peers->rows[place].is_corrected |= is_changed;
}

/* Of places whose agents are corrected and may be near walls. */
typedef struct AtWalls
{
    uint32_t count, unknown_count;
    uint32_t places[ROUND_PLACES], unknown[ROUND_PLACES];
} AtWalls;

/* No longer than the agent can move. */
static Vec3 within_reach(const Peer *peer, Vec3 own)
{
    double length = vec3_length(own), reach = peer_reach(peer);
    return length > reach ? vec3_scale(own, reach / length) : own;
}

/* Corrections that add up can ask for more than an agent can move: neighbours need not yield to that. */
static OUT_OF_LINE Float4 hasty_move(const Peer *peer, Float4 move)
{
    PeerMove asked;
    float4_store(&asked, move);
    Vec3 own = within_reach(peer, vec3_sub(move_of(asked), peer->carried)); /* mutant: pushes_ahead */
    own = vec3_add(own, peer->carried);
    return float4_set((float)own.x, (float)own.y, (float)own.z, 0);
}

/* The round among agents alone. Those that may be near walls are left to be kept off them. */
static void correct_all(Peers *peers, Round *round, bool is_first, uint32_t begin, uint32_t end, AtWalls *at)
{
    at->count = at->unknown_count = 0;
    for (uint32_t place = begin; place < end; ++place)
    {
        const PeerRow *row = &peers->rows[place];
        round->pairs = peer_pairs(peers, place, &round->count);
        round->changed[place] = 0;
        /* A deferred agent stays where it is, or the rounds would let it push others. */
        /* mutant: deferred_pushes */
        if (round->count == 0 || row->waits || !(is_first || is_restless(round, place)))
        {
            continue;
        }
        Float4 move;
        bool is_corrected = correct(row, round, float4_load(&round->from[place]), &move);
        if (row->in_full > 1)
        {
            move = hasty_move(&peers->placed[place], move);
        }
        /* Walls also stop those that no neighbour corrects. Else an agent behind one at a wall would walk into its gap, be pushed back
         * in the next tick, and so on for ever. */
        const Peer *peer = &peers->placed[place];
        bool is_stopped = is_first & (peer->speed > 0) & (peer->flow <= 0); /* mutant: walls_stop_none */
        bool at_walls = (is_corrected | is_stopped) & (row->wall_count > 0);
        at->places[at->count] = place;
        at->count += at_walls;
        at->unknown[at->unknown_count] = place;
        at->unknown_count += at_walls & (row->wall_count == WALLS_UNKNOWN);
        set_move(peers, round, place, move, !at_walls);
    }
}

void sidle_peers_round(Peers *peers, uint32_t number, uint32_t begin, uint32_t end, peer_walls_fn *find_walls,
                       void *context)
{
    uint32_t now = number % 2, next = (number + 1) % 2;
    Round round = {.from = peers->moves[now],
                   .to = peers->moves[next],
                   .was_changed = peers->changed[now],
                   .changed = peers->changed[next]};
    AtWalls at;
    for (uint32_t last; begin < end; begin = last)
    {
        last = end - begin < ROUND_PLACES ? end : begin + ROUND_PLACES;
        correct_all(peers, &round, number == 0, begin, last, &at);
        find_walls(context, at.unknown, at.unknown_count);
        for (uint32_t i = 0; i < at.count; ++i)
        {
            uint32_t place = at.places[i];
            set_move(peers, &round, place, keep_off_walls(peers, place, &round.to[place]), true);
        }
    }
}

/* The fastest wish of an agent and its neighbours; 0 where it overlaps one, which goes on however slow it is. */
static double fastest_around(const Peers *peers, uint32_t place)
{
    float fastest = peers->placed[place].speed;
    uint32_t count;
    const Pair *pairs = peer_pairs(peers, place, &count);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (pairs[i].other & PAIR_OVERLAPS)
        {
            return 0;
        }
        float other = peers->placed[pair_other(&pairs[i])].speed;
        fastest = other > fastest ? other : fastest;
    }
    return (double)fastest;
}

static bool hardly_moves(const Peers *peers, uint32_t place, Vec3 own)
{
    const Peer *peer = &peers->placed[place];
    double length = vec3_length(own), fastest = fastest_around(peers, place);
    double speed = lesser(peer_reach(peer), fastest), ahead = vec3_dot(own, peer->wish);
    uint32_t count;
    peer_pairs(peers, place, &count);
    bool is_back = count > 1 && length < HARDLY_BACK * speed &&
                   ahead <= 0;                         /* mutant: walks_round_none, moves_slowly_on */
    return is_back || length < HARDLY_MOVES * fastest; /* mutant: never_rests, rocks */
}

static Vec3 settled(const Peers *peers, uint32_t place, Vec3 own)
{
    const Peer *peer = &peers->placed[place];
    bool rests = !(peer->flags & PEER_FALLS) && hardly_moves(peers, place, own);
    return rests ? vec3(0, 0, 0) : within_reach(peer, own);
}

void sidle_peers_settle(Peers *peers, uint32_t begin, uint32_t end)
{
    for (uint32_t place = begin; place < end; ++place)
    {
        PeerMove *move = &peers->moves[(PEER_ROUNDS + 1) % 2][place];
        if (peers->rows[place].is_corrected)
        {
            Vec3 carried = peers->placed[place].carried;
            Vec3 own = vec3_sub(move_of(peers->moves[PEER_ROUNDS % 2][place]), carried);
            own = vec3_add(settled(peers, place, own), carried);
            *move = (PeerMove){(float)own.x, (float)own.y, (float)own.z, 0};
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
    /* What the other has no use for, too. */
    return gap - part > others ? gap - others : part; /* mutant: gap_twice */
}

/* Whether an agent presses on a neighbour: if it moved as it wishes, it would come closer than the pair should. */
static bool presses(const Peer *peer, Vec3 others_move, Vec3 towards, double need)
{
    double wish = vec3_dot(peer->wish, towards);
    double grows = vec3_dot(vec3_sub(others_move, peer->carried), towards) - wish;
    return wish > 0 && need - grows > LEAST_PRESSED * (double)peer->speed; /* mutant: silent_press */
}

/* A contact: the two are close, or one of them presses on the other. */
static bool is_contact(const Peer *peer, Vec3 move, const Peer *other, Vec3 others_move, const Pair *pair)
{
    Vec3 n = normal_of(pair->normal);
    double hard = PEER_HARD * (peer->shape->least + other->shape->least) / 2, need = (double)pair->need;
    return (double)pair->slack <= (TOUCHES - 1) * hard || presses(peer, others_move, n, need) ||
           presses(other, move, vec3_scale(n, -1), need);
}

/* Returns false if the two overlap too deeply to limit one another. `own`: the agent's displacement from where moving ground has taken
 * it. What remains of the gap after that is divided between such displacements. */
static bool gap_of(const Peers *peers, uint32_t place, Vec3 own, const Pair *pair, bool with_touches,
                   AgentGap *out)
{
    const Peer *peer = &peers->placed[place], *other = &peers->placed[pair_other(pair)];
    const PeerMove *moves = peers->moves[(PEER_ROUNDS + 1) % 2];
    if (pair->other & PAIR_IS_DEEP)
    {
        return false;
    }
    Vec3 n = normal_of(pair->normal), others_move = move_of(moves[pair_other(pair)]);
    double closing = vec3_dot(vec3_sub(peer->carried, other->carried), n);
    double approach = larger(vec3_dot(own, n), 0),
           others = larger(vec3_dot(vec3_sub(other->carried, others_move), n), 0);
    double part =
        part_of_gap(larger((double)pair->slack - closing, 0), approach, others, (double)pair->share);
    AgentGap gap = {.normal = {pair->normal[0], pair->normal[1], pair->normal[2]}};
    gap.most = larger(part, 0); /* mutant: gap_in_the_world */
    if (with_touches)
    {
        gap.touches = is_contact(peer, move_of(moves[place]), other, others_move, pair);
        gap.id = other->id;
    }
    *out = gap;
    return true;
}

/* The gaps take the place of the pairs, which no other agent reads. */
static void divide(const Peers *peers, uint32_t place, bool with_touches)
{
    uint32_t count;
    const Peer *peer = &peers->placed[place];
    const Pair *pairs = peer_pairs(peers, place, &count);
    AgentGap *list = (AgentGap *)(void *)pairs;
    AgentGaps gaps = {.list = list, .is_calm = peer->flags & PEER_CALM};
    Vec3 own = vec3_sub(move_of(peers->moves[(PEER_ROUNDS + 1) % 2][place]), peer->carried);
    if (peers->rows[place].is_corrected)
    {
        gaps.correction = vec3_sub(own, peer->wish);
        gaps.is_pushed = vec3_dot(own, peer->wish) <= 0;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        Pair pair = pairs[i];
        gaps.count += gap_of(peers, place, own, &pair, with_touches, &list[gaps.count]);
    }
    peers->gaps[peer_agent_at(peers, place)] = gaps;
}

/* Places from the prefetch of where an agent's gaps are written, which lie in the order of the requests, to the division. */
#define GAPS_AHEAD 4

void sidle_peers_divide(Peers *peers, uint32_t begin, uint32_t end, bool with_touches)
{
    for (uint32_t place = begin; place < end; ++place)
    {
        uint32_t ahead = place + GAPS_AHEAD;
        if (ahead < end && peer_place_is_taken(peers, ahead))
        {
            __builtin_prefetch(&peers->gaps[peer_agent_at(peers, ahead)], 1);
        }
        /* If a task runs twice, gaps lie there already. */
        if (peer_place_is_taken(peers, place) && !peers->rows[place].is_divided)
        {
            peers->rows[place].is_divided = true;
            divide(peers, place, with_touches);
        }
    }
}
