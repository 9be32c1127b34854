/* A hashed grid of agents. The edges of its cells are powers of two, a level for each, so that agents of any size find their
 * neighbours in a few cells. Cells that are neighbours along x are neighbours in memory.
 *
 * Agents count themselves into their buckets with atomic additions; the order within a bucket depends on the schedule, and
 * nothing depends on it. */
#include "crowd/peers.h"

#include <string.h>

#define LEAST_LEVEL (-12) /* 2^-12 units: below twice the smallest radius with its skin */

static uint32_t bucket_count(uint32_t count)
{
    uint32_t buckets = 64;
    while (buckets < 2 * count)
    {
        buckets *= 2;
    }
    return buckets;
}

size_t sidle_peers_grid_bytes(uint32_t count)
{
    size_t n = count;
    return MEMORY_LINES(sizeof(Peers)) + MEMORY_LINES(n * sizeof(Peer)) +
           MEMORY_LINES((bucket_count(count) + 1) * sizeof(uint32_t)) + MEMORY_LINES(n * sizeof(PeerEntry));
}

size_t sidle_peers_bytes(uint32_t count)
{
    size_t n = count;
    return sidle_peers_grid_bytes(count) + MEMORY_LINES(n * PEER_PAIRS * sizeof(Pair)) +
           MEMORY_LINES(n * PEER_WALLS * sizeof(PeerWall)) + 6 * MEMORY_LINES(n) +
           2 * MEMORY_LINES(n * sizeof(PeerMove));
}

static void *cut(char **memory, size_t bytes)
{
    void *piece = *memory;
    *memory += MEMORY_LINES(bytes);
    return piece;
}

Peers *sidle_peers_place_grid(uint32_t count, const int8_t stretch[3], void *memory)
{
    size_t n = count;
    char *at = memory;
    Peers *peers = cut(&at, sizeof *peers);
    *peers = (Peers){.count = count, .bucket_mask = bucket_count(count) - 1};
    memcpy(peers->stretch, stretch, sizeof peers->stretch);
    peers->list = cut(&at, n * sizeof(Peer));
    peers->starts = cut(&at, (bucket_count(count) + 1) * sizeof(uint32_t));
    peers->entries = cut(&at, n * sizeof(PeerEntry));
    memset(peers->starts, 0, (bucket_count(count) + 1) * sizeof(uint32_t));
    return peers;
}

Peers *sidle_peers_place(uint32_t count, const int8_t stretch[3], void *memory)
{
    size_t n = count;
    Peers *peers = sidle_peers_place_grid(count, stretch, memory);
    char *at = (char *)memory + sidle_peers_grid_bytes(count);
    peers->pairs = cut(&at, n * PEER_PAIRS * sizeof(Pair));
    peers->walls = cut(&at, n * PEER_WALLS * sizeof(PeerWall));
    peers->lower_count = cut(&at, n);
    peers->higher_count = cut(&at, n);
    peers->wall_count = cut(&at, n);
    for (int i = 0; i < 2; ++i)
    {
        peers->moves[i] = cut(&at, n * sizeof(PeerMove));
        peers->changed[i] = cut(&at, n);
    }
    peers->corrected = cut(&at, n);
    memset(peers->lower_count, 0, n);
    memset(peers->higher_count, 0, n);
    memset(peers->corrected, 0, n);
    memset(peers->wall_count, WALLS_UNKNOWN, n);
    return peers;
}

/* 2^exponent */
static double power_of_two(int32_t exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The level whose cells are as wide as the narrowest side of a peer's box, or up to half narrower. */
static int32_t level_of(const Peer *peer)
{
    double side = 2 * lesser(lesser(peer->half[0], peer->half[1]), peer->half[2]);
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    int32_t level = (int32_t)(bits >> 52) - 1023 - LEAST_LEVEL;
    return level < 0 ? 0 : level < PEER_LEVELS ? level : PEER_LEVELS - 1;
}

/* The low 32 bits, which differ among the cells near an agent. */
static int32_t cell_at(double coordinate, double cells_per_unit)
{
    double scaled = coordinate * cells_per_unit;
    int64_t cell = (int64_t)scaled;
    return (int32_t)(uint32_t)(uint64_t)(cell - ((double)cell > scaled));
}

/* Cells are longer along an axis along which the shapes are. */
static double cells_per_unit(const Peers *peers, int32_t level, int axis)
{
    return power_of_two(-(level + LEAST_LEVEL + peers->stretch[axis]));
}

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* Of the cell with x = 0. */
static uint32_t row_bucket(int32_t level, int32_t y, int32_t z)
{
    return mix((uint32_t)level + 0x9E3779B9u * mix((uint32_t)y + 0x85EBCA6Bu * mix((uint32_t)z)));
}

/* Doubles that are not negative compare as their bits do. */
static void raise_to(double *most, double value)
{
    uint64_t bits, *at = (uint64_t *)most, known = __atomic_load_n(at, __ATOMIC_RELAXED);
    memcpy(&bits, &value, sizeof bits);
    while (known < bits &&
           !__atomic_compare_exchange_n(at, &known, bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    {
    }
}

void sidle_peers_enter(Peers *peers, uint32_t agent)
{
    Peer *peer = &peers->list[agent];
    int32_t level = peer->level = level_of(peer);
    const double center[3] = {peer->center.x, peer->center.y, peer->center.z};
    for (int axis = 0; axis < 3; ++axis)
    {
        peer->cell[axis] = cell_at(center[axis], cells_per_unit(peers, level, axis));
    }
    peer->bucket =
        (row_bucket(level, peer->cell[1], peer->cell[2]) + (uint32_t)peer->cell[0]) & peers->bucket_mask;
    peer->rank = __atomic_fetch_add(&peers->starts[peer->bucket + 1], 1, __ATOMIC_RELAXED);
    for (int axis = 0; axis < 3; ++axis)
    {
        raise_to(&peers->half[level][axis], peer->half[axis]);
    }
    if (!(__atomic_load_n(&peers->levels, __ATOMIC_RELAXED) >> level & 1))
    {
        __atomic_fetch_or(&peers->levels, UINT32_C(1) << level, __ATOMIC_RELAXED);
    }
}

/* Counts become places. */
void sidle_peers_scan(Peers *peers)
{
    for (uint32_t bucket = 0; bucket <= peers->bucket_mask; ++bucket)
    {
        peers->starts[bucket + 1] += peers->starts[bucket];
    }
}

void sidle_peers_fill(Peers *peers, uint32_t begin, uint32_t end)
{
    for (uint32_t agent = begin; agent < end; ++agent)
    {
        const Peer *peer = &peers->list[agent];
        uint32_t at = (peer->flags & PEER_COLLIDES) ? peers->starts[peer->bucket] + peer->rank : peers->count;
        if (at < peers->count) /* always, unless a task has run twice */
        {
            PeerEntry *entry = &peers->entries[at];
            *entry = (PeerEntry){.center = peer->center, .index = agent, .level = peer->level};
            for (int axis = 0; axis < 3; ++axis)
            {
                entry->half[axis] = (float)(peer->half[axis] * (1 + 0x1p-23));
                entry->cell[axis] = peer->cell[axis];
            }
        }
    }
}

/* ---- searches ---- */

typedef struct Search
{
    const Peers *peers;
    Vec3 center;
    const double *half;
    peer_visit_fn *visit;
    void *context;
} Search;

static inline void visit(const Search *search, const PeerEntry *entry)
{
    Vec3 away = vec3_sub(entry->center, search->center);
    bool overlaps = (fabs(away.x) <= search->half[0] + (double)entry->half[0]) &
                    (fabs(away.y) <= search->half[1] + (double)entry->half[1]) &
                    (fabs(away.z) <= search->half[2] + (double)entry->half[2]);
    if (overlaps && entry->index < search->peers->count)
    {
        search->visit(search->context, entry->index, entry->center);
    }
}

static void visit_all(const Search *search, int32_t level)
{
    const Peers *peers = search->peers;
    uint32_t end = peers->starts[peers->bucket_mask + 1];
    for (uint32_t i = 0; i < end && i < peers->count; ++i)
    {
        if (peers->entries[i].level == level)
        {
            visit(search, &peers->entries[i]);
        }
    }
}

/* The entries of the buckets [first, first + width), of which some belong to other rows. */
static void visit_buckets(const Search *search, int32_t level, const int32_t cell[3], uint32_t first,
                          uint32_t width)
{
    const Peers *peers = search->peers;
    uint32_t end = peers->starts[first + width];
    for (uint32_t i = peers->starts[first]; i < end && i < peers->count; ++i)
    {
        const PeerEntry *entry = &peers->entries[i];
        if ((entry->cell[1] == cell[1]) & (entry->cell[2] == cell[2]) & (entry->level == level))
        {
            visit(search, entry);
        }
    }
}

/* Cells along x from cell[0] on; no more than there are buckets, or some would be seen twice. */
static void visit_row(const Search *search, int32_t level, const int32_t cell[3], uint32_t width)
{
    uint32_t buckets = search->peers->bucket_mask + 1;
    uint32_t first = (row_bucket(level, cell[1], cell[2]) + (uint32_t)cell[0]) & search->peers->bucket_mask;
    uint32_t straight = width < buckets - first ? width : buckets - first;
    visit_buckets(search, level, cell, first, straight);
    if (straight < width)
    {
        visit_buckets(search, level, cell, 0, width - straight);
    }
}

static void visit_level(const Search *search, int32_t level)
{
    const double center[3] = {search->center.x, search->center.y, search->center.z};
    const Peers *peers = search->peers;
    double cells = 1;
    int32_t first[3];
    uint32_t widths[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double scale = cells_per_unit(peers, level, axis);
        double reach = (search->half[axis] + peers->half[level][axis]) * (1 + 0x1p-20);
        first[axis] = cell_at(center[axis] - reach, scale);
        cells *= 2 * reach * scale + 2;
        widths[axis] = (uint32_t)cell_at(center[axis] + reach, scale) - (uint32_t)first[axis] + 1;
    }
    if (cells > (double)peers->bucket_mask) /* a giant among many small agents */
    {
        visit_all(search, level);
        return;
    }
    for (uint32_t z = 0; z < widths[2]; ++z)
    {
        for (uint32_t y = 0; y < widths[1]; ++y)
        {
            int32_t cell[3] = {first[0], (int32_t)((uint32_t)first[1] + y),
                               (int32_t)((uint32_t)first[2] + z)};
            visit_row(search, level, cell, widths[0]);
        }
    }
}

void sidle_peers_visit(const Peers *peers, Vec3 center, const double half[3], peer_visit_fn *function,
                       void *context)
{
    Search search = {peers, center, half, function, context};
    for (uint32_t levels = peers->levels; levels; levels &= levels - 1)
    {
        visit_level(&search, __builtin_ctz(levels));
    }
}

/* ---- the nearest ---- */

static bool is_nearer(const PeerNear *near, uint32_t i, double distance2, uint64_t id)
{
    return distance2 < near->distance2[i] || (distance2 == near->distance2[i] && id < near->id[i]);
}

/* Keeps the nearest, whatever the order in which they come. */
static void keep(PeerNear *near, uint32_t index, uint64_t id, double distance2)
{
    uint32_t at = near->count;
    if (near->count < PEER_NEAR)
    {
        near->count += 1;
    }
    else
    {
        at = 0;
        for (uint32_t i = 1; i < PEER_NEAR; ++i)
        {
            at = is_nearer(near, i, near->distance2[at], near->id[at]) ? at : i;
        }
        if (!is_nearer(near, at, distance2, id))
        {
            return;
        }
    }
    near->index[at] = index;
    near->id[at] = id;
    near->distance2[at] = distance2;
}

typedef struct NearSearch
{
    const Peers *peers;
    uint32_t agent;
    PeerNear *out;
} NearSearch;

static void consider(void *context, uint32_t index, Vec3 center)
{
    const NearSearch *search = context;
    const Peer *peer = &search->peers->list[search->agent], *other = &search->peers->list[index];
    if (index != search->agent && peers_may_collide(peer, other))
    {
        double size = peer->least + other->least;
        double distance2 = vec3_length2(vec3_sub(center, peer->center));
        keep(search->out, index, other->id, distance2 / (size * size));
    }
}

void sidle_peers_near(const Peers *peers, uint32_t agent, PeerNear *out)
{
    const Peer *peer = &peers->list[agent];
    NearSearch search = {peers, agent, out};
    out->count = 0;
    sidle_peers_visit(peers, peer->center, peer->half, consider, &search);
}
