/* Agents that collide with one another. A tick with SIDLE_TICK_AGENTS_COLLIDE runs these phases before the moves:
 *
 *     describe ─► wake ─► scan ─► fill ─► find pairs ─► mirror ─► relax (PEER_ROUNDS times) ─► settle ─► divide gaps ─► move
 *     peers.inl  sleep.c  └ peer_grid.c ┘  peer_find.c └ peer_pairs.c └─────────── peer_rounds.c ────────────────────┘  limits.inl
 *
 * Describe reads each request, but those of agents at rest; wake reads those that something new is near. Scan and fill sort the agents into a grid. From there on an agent has a place: agents near one
 * another are near in memory, in whatever order the caller has them. Find pairs keeps the neighbours that an agent can
 * reach in this tick. The rounds correct all displacements at once so that neighbours keep their distance. Then each pair divides
 * its gap. A move slides among the triangles and, as further planes, the limits of these gaps.
 *
 * Every phase writes disjoint ranges. Sums over neighbours run in the order of their ids, so the result depends on the set of
 * requests alone. */
#ifndef CROWD_PEERS_H
#define CROWD_PEERS_H

#include "base/memory.h"
#include "base/vector.h"
#include "crowd/agent.h"

/* [Limit] neighbours of one agent of lower ids, and of higher: the nearest count. Equal radii have 6 around them when packed,
 * 11 to 28 in a jam. */
#define PEER_SIDE  24
#define PEER_PAIRS (2 * PEER_SIDE)
/* [Limit] walls of one agent that the rounds respect. */
#define PEER_WALLS 4

#define WALLS_UNKNOWN UINT8_MAX

/* Jacobi rounds. With 4 or 6 some doors jam, with 12 or 16 nothing improves (docs/tuning.md). */
#define PEER_ROUNDS 8

/* Gap that neighbours keep in any case, of the mean of their smallest radii. */
#define PEER_HARD .02

/* And the most that the soft zone takes beyond that because of speed. */
#define PEER_SOFT .25

/* [seconds] Beyond the hard gap the soft zone is as wide as an agent walks in this time, a common tick. Were it the tick itself, crowds
 * would shake if ticks changed their length. */
#define PEER_SOFT_TIME (1. / 60)

/* Radii beyond the rest shell within which a wall counts for the rounds. */
#define PEER_WALL_REACH .05

#define PEER_LEVELS 32 /* of the grid: edges of cells are powers of two */

enum PeerFlags
{
    PEER_COLLIDES = 1, /* valid, and takes part */
    PEER_FLAT = 2,     /* on the ground: corrected horizontally */
    PEER_FALLS = 4,    /* in the air, under gravity */
    PEER_WAITS = 8,    /* deferred: does not move in this tick */
    PEER_CLEAR = 16,   /* near no wall */
    PEER_CALM = 32,    /* no moving instance carries it or is near */
    PEER_STANDS = 64   /* stands on others */
};

/* An agent in the grid: its box in float, which contains the box in double. */
typedef struct PeerEntry
{
    float center[3];
    uint32_t row; /* of cells along x; differs among those of one search */
    float half[3];
    uint32_t index; /* plus PEER_BITS */
} PeerEntry;

_Static_assert(sizeof(PeerEntry) == 32, "two to a cache line");

/* Selects the agents that collide. */
typedef struct PeerLayers
{
    uint32_t collides_with, member_of, group;
} PeerLayers;

/* Whether the layers and groups of two agents let them notice each other. */
static inline bool peers_may_collide(PeerLayers a, PeerLayers b)
{
    return (a.collides_with & b.member_of) && (b.collides_with & a.member_of) &&
           (a.group == 0 || a.group != b.group);
}

/* An agent as its neighbours see it. The first cache line chooses neighbours, the second describes pairs. */
typedef struct Peer
{
    Vec3 center;
    uint64_t id;
    PeerLayers layers;
    uint32_t flags;
    const PeerShape *shape;
    float inverse_mass;
    float height; /* by how much ground can raise or lower it in this tick, at most */

    Vec3 wish;    /* its own displacement of this tick; of a falling agent its fall */
    Vec3 carried; /* what moving ground adds */
    float speed;  /* length of the wish, rounded up */
    float stride; /* the part of PEER_SOFT_TIME of it */
    float push;   /* length of the longest push in a tick */
    float flow;   /* 0: held up in the last tick; 1: moved freely */
} Peer;

_Static_assert(offsetof(Peer, wish) == 64 && sizeof(Peer) == 128, "two cache lines");

/* Where an agent is in the grid. */
typedef struct PeerSeat
{
    PeerEntry entry; /* the shape and what it can reach in this tick */
    uint32_t bucket, rank;
} PeerSeat;

/* Its displacement with what moving ground adds. */
static inline Vec3 peer_path(const Peer *peer)
{
    return vec3_add(peer->wish, peer->carried);
}

/* How far an agent moves at most in this tick, without what carries it and without its height. */
static inline double peer_reach(const Peer *peer)
{
    return (peer->flags & PEER_WAITS) ? 0 : (double)(peer->speed > peer->push ? peer->speed : peer->push);
}

/* Added to integers beside floats: as a float, too, they are ordinary numbers, which cost least. */
#define PEER_BITS 0x40000000u

/* A neighbour, as the agent that keeps it sees it. */
typedef struct Pair
{
    float normal[3]; /* towards the neighbour, unit */
    float need;      /* by how much the gap should grow in this tick; negative: it may shrink */
    float
        scale; /* a correction moves the agent by this along the normal, for a missing length of 1; 0: never */
    float share;    /* of a correction that this agent takes */
    float slack;    /* by how much the gap may shrink in any case; negative: closer than the hard gap */
    uint32_t other; /* the place of the neighbour, and PairFlags */
} Pair;

_Static_assert(sizeof(Pair) == sizeof(AgentGap), "a gap takes the place of its pair");

enum PairFlags
{
    PAIR_OVERLAPS = 0x40000000,
    PAIR_IS_DEEP = 0x20000000, /* by more than DEEP */
    PAIR_OTHER = SIDLE_MAX_AGENTS - 1
};

static inline uint32_t pair_other(const Pair *pair)
{
    return pair->other & PAIR_OTHER;
}

static inline bool pairs_overlap(const Pair *pairs, uint32_t count)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        flags |= pairs[i].other;
    }
    return flags & PAIR_OVERLAPS;
}

/* A displacement during the rounds. */
typedef struct PeerMove
{
    float x, y, z, zero;
} PeerMove;

/* A wall that an agent is close to. */
typedef struct PeerWall
{
    float normal[3]; /* unit, away from the wall; horizontal for agents on the ground */
    float gap;
} PeerWall;

/* What the rounds read of an agent. */
typedef struct PeerRow
{
    float up[3];     /* unit; zero for agents that are not on the ground */
    float gain;      /* factor of its corrections, if several neighbours correct it */
    float in_full;   /* so many corrections are added up; of more, the mean counts so often */
    uint32_t middle; /* of its pairs: the first of higher ids */
    uint8_t lower_count, higher_count, wall_count;
    bool waits;
    bool is_corrected, is_divided;
} PeerRow;

/* Places of one task of sidle_peers_find, at most, which begins at a multiple of them. */
#define PEER_FIND_PLACES 64

#define PEER_PARTS 16

/* The pairs of `part_places` places, which lie side by side: far from the pairs that other processors write. */
typedef struct PeerPart
{
    _Alignas(64) uint32_t pair_count; /* atomic, in a cache line of its own */
} PeerPart;

/* In one piece of scratch. */
typedef struct Peers
{
    uint32_t count, bucket_mask, bucket_shift, row_step;
    uint32_t part_places;
    /* By agent. */
    Peer *list;
    PeerSeat *seats;
    PeerShape *shapes; /* of agents that are rotated or have an up of their own */
    AgentGaps *gaps;   /* of agents without a place: none */
    /* By bucket, one more: the place of its first agent. */
    uint32_t *starts;
    /* By place. */
    PeerEntry *entries; /* zeros: no agent */
    Peer *placed;
    PeerRow *rows;
    /* Room for PEER_PAIRS each; those of an agent side by side, in order of id. In the end the agent's gaps lie there. */
    Pair *pairs;
    PeerWall *walls;             /* PEER_WALLS each */
    PeerPart *parts;             /* PEER_PARTS */
    PeerMove *moves[2];          /* displacements, before and after a round */
    uint8_t *changed[2];         /* whether the round before, and this one, changed it */
    double half[PEER_LEVELS][3]; /* the largest box of a level */
    double tallest[PEER_LEVELS]; /* of a level: the largest height that was given */
    uint32_t levels;             /* bits: in use */
    int8_t stretch[3];           /* of the cells, as powers of two */
} Peers;

/* How far an upright agent is from where the last search for walls around it began [its radii]. Returns false if none holds. */
static inline bool peer_moved_since_search(const TriangleCache *cache, const sidle_snapshot *snapshot,
                                           const sidle_move *move, Vec3 inverse_radii, Vec3 *moved)
{
    const Clearing *clearing = &cache->clearing;
    Vec3 from = vec3(clearing->center[0], clearing->center[1], clearing->center[2]);
    *moved = vec3_mul(vec3_sub(vec3_from_position(move->body.center), from), inverse_radii);
    return cache->agent == move->id && cache->resting == snapshot->resting &&
           clearing->profile == move->profile;
}

/* How far around its rest shell an agent looks for walls [its radii]: within a ball, and no farther along each axis than here. */
typedef struct WallReach
{
    double ball;
    Vec3 low, high; /* along the negative and the positive axes */
} WallReach;

static inline WallReach wall_reach_around(double ball)
{
    return (WallReach){ball, vec3(ball, ball, ball), vec3(ball, ball, ball)};
}

/* Whether no wall is within reach of an agent that has moved by so much since that search [its radii]. */
static inline bool peer_is_clear_after(const Clearing *clearing, Vec3 moved, WallReach reach)
{
    const float *room = clearing->room;
    double x = lesser((double)room[0] + moved.x - reach.low.x, (double)room[1] - moved.x - reach.high.x);
    double y = lesser((double)room[2] + moved.y - reach.low.y, (double)room[3] - moved.y - reach.high.y);
    double z = lesser((double)room[4] + moved.z - reach.low.z, (double)room[5] - moved.z - reach.high.z);
    return vec3_length(moved) < (double)clearing->within - reach.ball && lesser(x, lesser(y, z)) > 0;
}

/* Least length of a normal's horizontal part that corrects an agent on the ground: 17 degrees. Neighbours that are steeper
 * are above or below. */
#define PEER_LEAST_FLAT .3

/* The direction along which a pair corrects this agent. */
static inline Vec3 peer_part_along(const Peer *peer, Vec3 n)
{
    Vec3 up = peer->shape->up;
    return (peer->flags & PEER_FLAT) ? vec3_without(n, up) : n;
}

static inline bool peer_place_is_taken(const Peers *peers, uint32_t place)
{
    return peers->entries[place].row != 0;
}

static inline uint32_t peer_agent_at(const Peers *peers, uint32_t place)
{
    return peers->entries[place].index - PEER_BITS;
}

/* The pairs of the agent at a place in order of id. */
static inline const Pair *peer_pairs(const Peers *peers, uint32_t place, uint32_t *count)
{
    const PeerRow *row = &peers->rows[place];
    *count = (uint32_t)row->lower_count + row->higher_count;
    return peers->pairs + (row->middle - row->lower_count);
}

/* Bytes for so many agents; sidle_peers_place cuts them up and clears what a tick counts in. _grid: only `list`, `seats`,
 * `shapes`, `starts` and `entries`, for searches. */
size_t sidle_peers_bytes(uint32_t count);
size_t sidle_peers_grid_bytes(uint32_t count);
Peers *sidle_peers_place(uint32_t count, const int8_t stretch[3], void *memory);
Peers *sidle_peers_place_grid(uint32_t count, const int8_t stretch[3], void *memory);

/* The phases; [begin, end): agents until they are filled in, then places. peer_grid.c */
/* After its Peer is written. `half`: of the box that holds the shape and what it can reach in this tick. `height`: for
 * sidle_peers_look. */
void sidle_peers_enter(Peers *peers, uint32_t agent, Vec3 half, double height);
/* After each agent of [begin, end), entered or not. */
void sidle_peers_count(Peers *peers, uint32_t begin, uint32_t agent, uint32_t end);
void sidle_peers_count_one(Peers *peers, uint32_t agent);
void sidle_peers_scan(Peers *peers);
void sidle_peers_fill(Peers *peers, uint32_t begin, uint32_t end);

/* Places of `entries`, of which those that peer_range_has accepts count. */
typedef struct PeerRange
{
    uint32_t first, end;
    uint32_t row, mask;
} PeerRange;

static inline bool peer_range_has(const PeerRange *range, uint32_t row)
{
    return (row & range->mask) == range->row;
}

/* Calls `look` with ranges that hold every agent whose centre is in the box around `center` after a shift along up of no more than
 * its height, and others near it, in no order and at most once. */
typedef void peer_range_fn(void *context, const PeerRange *ranges, uint32_t count);
void sidle_peers_look(const Peers *peers, Vec3 center, Vec3 half, Vec3 up, peer_range_fn *look,
                      void *context);

/* The place of an agent in `entries`; the count if it has none. */
static inline uint32_t peer_place(const Peers *peers, uint32_t agent)
{
    const PeerSeat *seat = &peers->seats[agent];
    bool collides = peers->list[agent].flags & PEER_COLLIDES;
    uint32_t at = collides ? peers->starts[seat->bucket] + seat->rank : peers->count;
    return at < peers->count ? at : peers->count; /* beyond only if a task has run twice */
}

#define PEER_NEAR 64

typedef struct Neighbour
{
    uint64_t id;
    uint32_t agent, place;
    float rank; /* the lower, the sooner it is kept; UNRANKED until sidle_peers_rank */
} Neighbour;

/* The agents whose boxes overlap that of an agent, in no order; the nearest where there are more than fit. */
typedef struct PeerNear
{
    uint32_t count;
    Neighbour list[PEER_NEAR];
} PeerNear;

void sidle_peers_near(const Peers *peers, uint32_t place, PeerNear *out);

#define UNRANKED (-1.0f)

/* Sets the ranks, which matter where an agent has more neighbours than it keeps. */
void sidle_peers_rank(const Peers *peers, uint32_t place, PeerNear *near);

/* peer_find.c. `describe`: kernels->pairs. */
void sidle_peers_find(Peers *peers, uint32_t begin, uint32_t end, pairs_fn *describe);
/* peer_pairs.c. The lower id of a pair describes it for both; sidle_peers_mirror takes that over for the higher.
 * _make: describes a pair as its lower id sees it; returns false if the two cannot touch in this tick. */
bool sidle_pair_make(const Peer *low, const Peer *high, uint32_t other, Pair *pair);
void sidle_peers_mirror(Peers *peers, uint32_t begin, uint32_t end);

/* peer_rounds.c. A round reads moves[round % 2] and writes the other. Calls find_walls for agents that a neighbour has
 * corrected and whose wall_count is WALLS_UNKNOWN. */
typedef void peer_walls_fn(void *context, const uint32_t *places, uint32_t count);
void sidle_peers_round(Peers *peers, uint32_t round, uint32_t begin, uint32_t end, peer_walls_fn *find_walls,
                       void *context);
/* Reads moves[PEER_ROUNDS % 2], writes the final displacements to the other: moves[1]. */
void sidle_peers_settle(Peers *peers, uint32_t begin, uint32_t end);
/* Writes the gaps of the agents at these places. `with_touches`: and which of them are contacts. */
void sidle_peers_divide(Peers *peers, uint32_t begin, uint32_t end, bool with_touches);

/* Prefetches the gaps of the agent after the next. */
FORCE_INLINE void peers_prefetch_gaps(const Peers *peers, uint32_t agent, uint32_t end)
{
    if (agent + 2 < end && peers->gaps[agent + 2].count > 0)
    {
        const AgentGaps *gaps = &peers->gaps[agent + 2];
        const char *line = (const char *)gaps->list, *last = (const char *)(gaps->list + gaps->count);
        for (; line < last; line += 64)
        {
            __builtin_prefetch(line);
        }
    }
}

#endif
