/* What a tick of colliding agents keeps, cut from one piece of memory. */
#include "crowd/peers.h"

#include <string.h>

static uint32_t bucket_count(uint32_t count)
{
    uint32_t buckets = 64;
    while (buckets < 2 * count)
    {
        buckets *= 2;
    }
    return buckets;
}

/* From a row to the next along z, as a share of all buckets: the root of them for a square crowd. So rows that one search visits
 * lie near one another in memory, and the agents of the next row find them in the processor's cache. The share is 1 / (rows +
 * .618): where rows go round all buckets, they fall between those of the turns before. */
static uint32_t row_step_of(uint32_t buckets)
{
    uint32_t rows = 1u << (__builtin_ctz(buckets) / 2);
    return (uint32_t)(0x1p32 / ((double)rows + .618));
}

/* Whole tasks. */
static uint32_t part_places_of(uint32_t count)
{
    uint32_t tasks = count / PEER_FIND_PLACES + 1;
    return (tasks / PEER_PARTS + 1) * PEER_FIND_PLACES;
}

size_t sidle_peers_grid_bytes(uint32_t count)
{
    size_t n = count;
    return MEMORY_LINES(sizeof(Peers)) + MEMORY_LINES(n * sizeof(Peer)) + MEMORY_LINES(n * sizeof(PeerSeat)) +
           MEMORY_LINES(n * sizeof(PeerShape)) + MEMORY_LINES((bucket_count(count) + 1) * sizeof(uint32_t)) +
           MEMORY_LINES(n * sizeof(PeerEntry));
}

size_t sidle_peers_bytes(uint32_t count)
{
    size_t n = count;
    return sidle_peers_grid_bytes(count) + MEMORY_LINES(n * sizeof(AgentGaps)) +
           MEMORY_LINES(n * sizeof(Peer)) + MEMORY_LINES(n * sizeof(PeerRow)) +
           MEMORY_LINES(n * PEER_PAIRS * sizeof(Pair)) + MEMORY_LINES(n * PEER_WALLS * sizeof(PeerWall)) +
           MEMORY_LINES(PEER_PARTS * sizeof(PeerPart)) + 2 * MEMORY_LINES(n) +
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
    peers->bucket_shift = 32 - (uint32_t)__builtin_ctz(bucket_count(count));
    peers->row_step = row_step_of(bucket_count(count));
    memcpy(peers->stretch, stretch, sizeof peers->stretch);
    peers->list = cut(&at, n * sizeof(Peer));
    peers->seats = cut(&at, n * sizeof(PeerSeat));
    peers->shapes = cut(&at, n * sizeof(PeerShape));
    peers->starts = cut(&at, (bucket_count(count) + 1) * sizeof(uint32_t));
    peers->entries = cut(&at, n * sizeof(PeerEntry));
    memset(peers->starts, 0, (bucket_count(count) + 1) * sizeof(uint32_t));
    memset(peers->entries, 0, n * sizeof(PeerEntry));
    return peers;
}

Peers *sidle_peers_place(uint32_t count, const int8_t stretch[3], void *memory)
{
    size_t n = count;
    Peers *peers = sidle_peers_place_grid(count, stretch, memory);
    char *at = (char *)memory + sidle_peers_grid_bytes(count);
    peers->gaps = cut(&at, n * sizeof(AgentGaps));
    peers->placed = cut(&at, n * sizeof(Peer));
    peers->rows = cut(&at, n * sizeof(PeerRow));
    peers->pairs = cut(&at, n * PEER_PAIRS * sizeof(Pair));
    peers->walls = cut(&at, n * PEER_WALLS * sizeof(PeerWall));
    peers->part_places = part_places_of(count);
    peers->parts = cut(&at, PEER_PARTS * sizeof(PeerPart));
    memset(peers->parts, 0, PEER_PARTS * sizeof(PeerPart));
    for (int i = 0; i < 2; ++i)
    {
        peers->moves[i] = cut(&at, n * sizeof(PeerMove));
        peers->changed[i] = cut(&at, n);
    }
    return peers;
}
