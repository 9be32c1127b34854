#include "crowd/peer_phases.h"

#include "crowd/contacts.h"
#include "crowd/sleep.h"
#include "crowd/turns.h"
#include "jobs/loop.h"

#include <float.h>

/* 10 to 40 microseconds of work a task. */
static uint32_t agents_per_task(uint32_t phase)
{
    switch (phase)
    {
    case PEER_FIND:
        return PEER_FIND_PLACES;
    case PEER_FILL:
    case PEER_SETTLE:
        return 1024;
    default:
        return 256;
    }
}

void sidle_peer_phase_tasks(uint32_t agents, uint32_t *task_count)
{
    for (uint32_t phase = 0; phase < PEER_PHASES; ++phase)
    {
        task_count[phase] = phase == PEER_SCAN ? 1 : tasks_over(agents, agents_per_task(phase));
    }
}

/* A deferred agent does not move at all, so its neighbours do all that is to be done, but for those of infinite mass. */
static void stand_still(Peer *peer)
{
    peer->wish = peer->carried = vec3(0, 0, 0);
    peer->speed = peer->stride = 0;
    peer->inverse_mass = FLT_MIN; /* mutant: deferred_as_player */
    peer->height = 0;
    peer->flags = (peer->flags & ~(uint32_t)PEER_FALLS) | (uint32_t)PEER_WAITS;
}

/* Half of the box that holds an agent and what it reaches in this tick. */
static Vec3 half_of(const Frame *frame, const Peer *peer)
{
    double soft = larger(peer->shape->comfort, (PEER_HARD + PEER_SOFT) * peer->shape->least) / 2;
    double margin = peer_reach(peer) + vec3_length(peer->carried) + soft;
    Vec3 half = vec3_add(vec3_add(frame->extent, frame->core_extent), vec3(margin, margin, margin));
    return vec3_add_scaled(half, vec3_abs(peer->shape->up), (double)peer->height);
}

/* Agents from the prefetch of a clearing to its use. */
#define CLEARINGS_AHEAD 4

/* Whether an ordinary agent on the ground is known to be far from all walls: most are. The search for walls would say so, too. */
static bool is_known_clear(const sidle_crowd *crowd, const sidle_move *move, uint32_t agent, const Peer *peer)
{
    const Profile *profile = &crowd->profiles[move->profile];
    const sidle_snapshot *snapshot = crowd->tick.desc.snapshot;
    const TriangleCache *cache = (const TriangleCache *)crowd->caches.memory + agent;
    Vec3 moved;
    return peer->shape == &profile->shape && (peer->flags & PEER_FLAT) && snapshot->moving_count == 0 &&
           peer_moved_since_search(cache, snapshot, move, profile->upright.inverse, &moved) &&
           peer_is_clear_after(&cache->clearing, moved, wall_reach_around(PEER_WALL_REACH));
}

static void describe(sidle_crowd *crowd, uint32_t agent, Candidates *candidates)
{
    Peers *peers = crowd->tick.peers;
    Peer *peer = &peers->list[agent];
    uint8_t *turn = &crowd->tick.turns[agent];
    const sidle_move *move = tick_move(&crowd->tick, agent);
    sidle_move whole;
    if (!crowd->tick.has_budget)
    {
        *turn = (uint8_t)turn_by_request(crowd, move, candidates);
    }
    TriangleCache *cache = (TriangleCache *)crowd->caches.memory + agent;
    crowd->kernels->peer(crowd, candidates, move_with_waited(crowd, move, &whole), cache, peer);
    if (*turn == TURN_WAITS)
    {
        stand_still(peer);
    }
    if (peer->flags & PEER_COLLIDES)
    {
        peer->flags |= is_known_clear(crowd, move, agent, peer) ? (uint32_t)PEER_CLEAR : 0;
        sidle_peers_enter(peers, agent, half_of(&candidates->frame, peer), 0);
        sidle_sleep_note(crowd, agent);
    }
}

/* Those that are not as in the last tick. */
static void describe_agents(sidle_crowd *crowd, uint32_t begin, uint32_t end, uint32_t worker)
{
    Candidates candidates;
    crowd_place_candidates(crowd, worker, &candidates);
    const TriangleCache *caches = crowd->caches.memory;
    for (uint32_t agent = begin; agent < end; ++agent)
    {
        if (agent + CLEARINGS_AHEAD < end)
        {
            __builtin_prefetch(&caches[agent + CLEARINGS_AHEAD].clearing);
        }
        if (sidle_sleep_look(crowd, agent))
        {
            crowd->tick.peers->list[agent].flags = 0;
        }
        else
        {
            describe(crowd, agent, &candidates);
        }
        sidle_peers_count(crowd->tick.peers, begin, agent, end);
    }
}

/* Agents that are as in the last tick, without those that sleep. */
static void wake_agents(sidle_crowd *crowd, uint32_t begin, uint32_t end, uint32_t worker)
{
    if (!(crowd->sleep.cell > 0))
    {
        return;
    }
    Candidates candidates;
    crowd_place_candidates(crowd, worker, &candidates);
    bool wakes_all = sidle_sleep_wakes_all(crowd);
    for (uint32_t agent = begin; agent < end; ++agent)
    {
        if (crowd->sleep.states[agent] == SLEEP_SAME && sidle_sleep_wake(crowd, agent, wakes_all))
        {
            describe(crowd, agent, &candidates);
            sidle_peers_count_one(crowd->tick.peers, agent);
        }
    }
}

static void take_place(Peers *peers, uint32_t agent)
{
    const Peer *peer = &peers->list[agent];
    uint32_t place = peer_place(peers, agent);
    if (place < peers->count)
    {
        peers->placed[place] = *peer;
    }
    else
    {
        peers->gaps[agent] = (AgentGaps){.count = 0}; /* mutant: last_neighbours */
    }
}

typedef struct WallSearch
{
    sidle_crowd *crowd;
    Candidates candidates;
} WallSearch;

/* What a search for walls reads, but for the head of the cache. */
FORCE_INLINE void prefetch_search(const sidle_crowd *crowd, uint32_t place)
{
    uint32_t agent = peer_agent_at(crowd->tick.peers, place);
    const char *request = (const char *)tick_move(&crowd->tick, agent);
    cache_prefetch_triangles((const TriangleCache *)crowd->caches.memory + agent);
    for (size_t at = 0; at < sizeof(sidle_move); at += 64)
    {
        __builtin_prefetch(request + at);
    }
}

FORCE_INLINE void prefetch_head(const sidle_crowd *crowd, uint32_t place)
{
    uint32_t agent = peer_agent_at(crowd->tick.peers, place);
    const TriangleCache *cache = (const TriangleCache *)crowd->caches.memory + agent;
    cache_prefetch_head(cache);
    __builtin_prefetch(&cache->clearing);
}

static void find_walls(void *context, const uint32_t *places, uint32_t count)
{
    WallSearch *search = context;
    sidle_crowd *crowd = search->crowd;
    Peers *peers = crowd->tick.peers;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t place = places[i], agent = peer_agent_at(peers, place);
        TriangleCache *cache = (TriangleCache *)crowd->caches.memory + agent;
        PeerWall *walls = peers->walls + (size_t)place * PEER_WALLS;
        if (i + 2 < count)
        {
            prefetch_head(crowd, places[i + 2]);
        }
        if (i + 1 < count)
        {
            prefetch_search(crowd, places[i + 1]);
        }
        peers->rows[place].wall_count = (uint8_t)crowd->kernels->walls(
            crowd, &search->candidates, tick_move(&crowd->tick, agent), &peers->placed[place],
            PEER_WALL_REACH, vec3(0, 0, 0), cache, walls);
    }
}

static void run_round(sidle_crowd *crowd, uint32_t round, uint32_t begin, uint32_t end, uint32_t worker)
{
    WallSearch search;
    search.crowd = crowd;
    crowd_place_candidates(crowd, worker, &search.candidates);
    sidle_peers_round(crowd->tick.peers, round, begin, end, find_walls, &search);
}

void sidle_peer_phase_run(sidle_crowd *crowd, uint32_t phase, uint32_t task, uint32_t worker)
{
    Peers *peers = crowd->tick.peers;
    uint32_t each = agents_per_task(phase), begin = task * each, end = task_end(task, each, peers->count);
    switch (phase)
    {
    case PEER_SCAN:
        sidle_peers_scan(peers);
        break;
    case PEER_FILL:
        sidle_peers_fill(peers, begin, end);
        for (uint32_t agent = begin; agent < end; ++agent)
        {
            take_place(peers, agent);
        }
        break;
    case PEER_FIND:
        sidle_peers_find(peers, begin, end, crowd->kernels->pairs);
        break;
    case PEER_MIRROR:
        sidle_peers_mirror(peers, begin, end);
        break;
    case PEER_SETTLE:
        sidle_peers_settle(peers, begin, end);
        break;
    case PEER_DIVIDE:
        sidle_peers_divide(peers, begin, end, crowd->tick.reports_touches);
        break;
    case PEER_DESCRIBE:
        describe_agents(crowd, begin, end, worker);
        break;
    case PEER_WAKE:
        wake_agents(crowd, begin, end, worker);
        break;
    default:
        run_round(crowd, phase - PEER_ROUND, begin, end, worker);
        break;
    }
}

bool sidle_peer_phases_run(sidle_crowd *crowd, const sidle_tick_desc *desc)
{
    const sidle_allocator *allocator = &crowd->allocator;
    uint32_t task_count[PEER_PHASES];
    if (!sidle_scratch_reserve(&crowd->peers, allocator, sidle_peers_bytes(desc->count), 1) ||
        !sidle_scratch_reserve(&crowd->caches, allocator, desc->count, sizeof(TriangleCache)) ||
        !sidle_turn_phases_run(crowd, desc))
    {
        return false;
    }
    crowd->tick.peers = sidle_peers_place(desc->count, crowd->stretch, crowd->peers.memory);
    crowd->tick.reports_touches = true;
    sidle_peer_phase_tasks(desc->count, task_count);
    for (uint32_t phase = 0; phase < PEER_PHASES; ++phase)
    {
        for (uint32_t task = 0; task < task_count[phase]; ++task)
        {
            sidle_peer_phase_run(crowd, phase, task, 0);
        }
    }
    return true;
}
