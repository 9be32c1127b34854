/* The search for pairs: which neighbours each agent has, and where its pairs lie. */
#include "crowd/peers.h"

#include <string.h>

static bool is_lower(const Neighbour *a, const Neighbour *b)
{
    return a->id < b->id || (a->id == b->id && a->agent < b->agent);
}

static void sort_by_id(PeerNear *near)
{
    for (uint32_t i = 1; i < near->count; ++i)
    {
        Neighbour moved = near->list[i];
        uint32_t at = i;
        for (; at > 0 && is_lower(&moved, &near->list[at - 1]); --at)
        {
            near->list[at] = near->list[at - 1];
        }
        near->list[at] = moved;
    }
}

/* Drops the farthest of more than PEER_SIDE, of equal ones the highest id. Returns the count. */
static uint32_t keep_nearest(Pair *list, float *ranks, uint32_t count)
{
    for (; count > PEER_SIDE; --count)
    {
        uint32_t farthest = 0;
        for (uint32_t i = 1; i < count; ++i)
        {
            farthest = ranks[i] >= ranks[farthest] ? i : farthest;
        }
        memmove(&list[farthest], &list[farthest + 1], (count - 1 - farthest) * sizeof *list);
        memmove(&ranks[farthest], &ranks[farthest + 1], (count - 1 - farthest) * sizeof *ranks);
    }
    return count;
}

/* The most by which the gains of agents differ from 1. With equal gains, agents on an exact circle all take the same path. They
 * block one another as the stones of an arch do. */
#define UNEVEN .1

static float gain_of(uint64_t id)
{
    return (float)(1 + UNEVEN * ((double)(id_mix(id) >> 32) * 0x1p-31 - 1)); /* mutant: even_gains */
}

static void set_row(const Peer *peer, PeerRow *row)
{
    *row = (PeerRow){.gain = gain_of(peer->id),
                     .wall_count = (peer->flags & PEER_CLEAR) ? 0 : WALLS_UNKNOWN,
                     .waits = peer->flags & PEER_WAITS};
    if (peer->flags & PEER_FLAT)
    {
        Vec3 up = peer->shape->up;
        row->up[0] = (float)up.x;
        row->up[1] = (float)up.y;
        row->up[2] = (float)up.z;
    }
}

/* Agents whose pairs are described together, and pairs after which no further agent is taken. */
#define BATCH_AGENTS 32
#define BATCH_PAIRS  64

/* Agents side by side. An agent describes its pairs with higher ids. Of lower ids it keeps those that come nearest, which the mirror
 * phase describes. */
typedef struct FindBatch
{
    Peers *peers;
    pairs_fn *describe;
    uint32_t part;
    uint32_t first; /* where the next pairs go */
    uint32_t agent_count, count;
    struct
    {
        uint32_t place, lower_count, higher_end;
    } agents[BATCH_AGENTS];
    uint32_t lower[BATCH_AGENTS][PEER_SIDE];
    /* Pairs with higher ids. */
    uint32_t low[BATCH_PAIRS + PEER_NEAR], high[BATCH_PAIRS + PEER_NEAR];
    float ranks[BATCH_PAIRS + PEER_NEAR];
    bool is_pair[BATCH_PAIRS + PEER_NEAR];
    Pair made[BATCH_PAIRS + PEER_NEAR];
} FindBatch;

static void batch_add(FindBatch *batch, uint32_t place)
{
    PeerNear near;
    Pair lower[PEER_NEAR];
    float ranks[PEER_NEAR];
    uint32_t lower_count = 0, at = batch->agent_count++;
    const Peers *peers = batch->peers;
    const Neighbour self = {.id = peers->placed[place].id, .agent = peer_agent_at(peers, place)};
    sidle_peers_near(peers, place, &near);
    if (near.count > PEER_SIDE)
    {
        sidle_peers_rank(peers, place, &near);
    }
    sort_by_id(&near);
    for (uint32_t i = 0; i < near.count; ++i)
    {
        const Neighbour *other = &near.list[i];
        if (is_lower(other, &self))
        {
            ranks[lower_count] = other->rank;
            lower[lower_count++] = (Pair){.other = other->place};
        }
        else
        {
            batch->low[batch->count] = place;
            batch->ranks[batch->count] = other->rank;
            batch->high[batch->count++] = other->place;
        }
    }
    lower_count = keep_nearest(lower, ranks, lower_count);
    for (uint32_t i = 0; i < lower_count; ++i)
    {
        batch->lower[at][i] = lower[i].other;
    }
    batch->agents[at].place = place;
    batch->agents[at].lower_count = lower_count;
    batch->agents[at].higher_end = batch->count;
}

/* Most pairs: of agents that have one shape and do not fall. */
static bool is_ordinary(const Peer *low, const Peer *high)
{
    return low->shape == high->shape && low->shape->is_diagonal &&
           !((low->flags | high->flags) & (PEER_FALLS | PEER_STANDS));
}

static void describe_alone(FindBatch *batch, uint32_t i)
{
    const Peer *placed = batch->peers->placed;
    batch->is_pair[i] =
        sidle_pair_make(&placed[batch->low[i]], &placed[batch->high[i]], batch->high[i], &batch->made[i]);
}

static void describe_four(FindBatch *batch, const uint32_t which[4])
{
    const Peer *placed = batch->peers->placed, *low[4], *high[4];
    Pair made[4];
    for (int lane = 0; lane < 4; ++lane)
    {
        low[lane] = &placed[batch->low[which[lane]]];
        high[lane] = &placed[batch->high[which[lane]]];
    }
    FourPairs answer = batch->describe(low, high, made);
    for (uint32_t lane = 0; lane < 4; ++lane)
    {
        uint32_t i = which[lane];
        if (answer.open >> lane & 1)
        {
            describe_alone(batch, i);
            continue;
        }
        batch->is_pair[i] = answer.pairs >> lane & 1;
        batch->made[i] = made[lane];
        batch->made[i].other = batch->high[i];
    }
}

static void batch_describe(FindBatch *batch)
{
    const Peer *placed = batch->peers->placed;
    uint32_t which[4], waiting = 0;
    for (uint32_t i = 0; i < batch->count; ++i)
    {
        if (!is_ordinary(&placed[batch->low[i]], &placed[batch->high[i]]))
        {
            describe_alone(batch, i);
            continue;
        }
        which[waiting++] = i;
        if (waiting == 4)
        {
            describe_four(batch, which);
            waiting = 0;
        }
    }
    if (waiting > 0)
    {
        for (uint32_t lane = waiting; lane < 4; ++lane)
        {
            which[lane] = which[0];
        }
        describe_four(batch, which);
    }
}

/* The pairs of an agent lie behind those of the agent before. */
static uint32_t lay_out(FindBatch *batch, uint32_t at, uint32_t begin)
{
    Peers *peers = batch->peers;
    uint32_t place = batch->agents[at].place, lower_count = batch->agents[at].lower_count, higher_count = 0;
    const Peer *peer = &peers->placed[place];
    float ranks[PEER_NEAR];
    Pair higher[PEER_NEAR], *pairs = peers->pairs + batch->first;
    for (uint32_t i = 0; i < lower_count; ++i)
    {
        pairs[i].other = batch->lower[at][i];
    }
    for (uint32_t i = begin; i < batch->agents[at].higher_end; ++i)
    {
        higher[higher_count] = batch->made[i];
        ranks[higher_count] = batch->ranks[i];
        higher_count += batch->is_pair[i];
    }
    for (uint32_t i = 0; higher_count > PEER_SIDE && i < higher_count; ++i)
    {
        ranks[i] = higher[i].slack < 0 ? higher[i].slack : ranks[i]; /* those that are too close come first */
    }
    higher_count = keep_nearest(higher, ranks, higher_count);
    memcpy(pairs + lower_count, higher, higher_count * sizeof *higher);
    PeerRow *row = &peers->rows[place];
    set_row(peer, row);
    row->middle = batch->first + lower_count;
    row->lower_count = (uint8_t)lower_count;
    row->higher_count = (uint8_t)higher_count;
    Vec3 path = peer_path(peer);
    peers->moves[0][place] = peers->moves[1][place] =
        (PeerMove){(float)path.x, (float)path.y, (float)path.z, 0};
    batch->first += lower_count + higher_count;
    return batch->agents[at].higher_end;
}

/* The pairs of the batch, as lay_out keeps them. */
static uint32_t count_pairs(const FindBatch *batch)
{
    uint32_t count = 0, i = 0;
    for (uint32_t at = 0; at < batch->agent_count; ++at)
    {
        uint32_t higher_count = 0;
        for (; i < batch->agents[at].higher_end; ++i)
        {
            higher_count += batch->is_pair[i];
        }
        count += batch->agents[at].lower_count + (higher_count < PEER_SIDE ? higher_count : PEER_SIDE);
    }
    return count;
}

/* Room for pairs behind those of all batches of the part so far. Nothing depends on where they are. */
static uint32_t take_room(const FindBatch *batch, uint32_t count)
{
    const Peers *peers = batch->peers;
    uint32_t part_begin = batch->part * peers->part_places, left = peers->count - part_begin;
    uint32_t places = left < peers->part_places ? left : peers->part_places;
    uint32_t taken = __atomic_fetch_add(&peers->parts[batch->part].pair_count, count, __ATOMIC_RELAXED);
    bool fits = (uint64_t)taken + count <= (uint64_t)places * PEER_PAIRS;
    return part_begin * PEER_PAIRS + (fits ? taken : 0); /* beyond only if a task has run twice */
}

static void batch_end(FindBatch *batch)
{
    uint32_t begin = 0;
    batch_describe(batch);
    batch->first = take_room(batch, count_pairs(batch));
    for (uint32_t at = 0; at < batch->agent_count; ++at)
    {
        begin = lay_out(batch, at, begin);
    }
    batch->agent_count = batch->count = 0;
}

void sidle_peers_find(Peers *peers, uint32_t begin, uint32_t end, pairs_fn *describe)
{
    FindBatch batch; /* its lists need no zeros */
    batch.peers = peers;
    batch.describe = describe;
    batch.part = begin / peers->part_places;
    batch.agent_count = batch.count = 0;
    for (uint32_t place = begin; place < end; ++place)
    {
        if (!peer_place_is_taken(peers, place))
        {
            peers->rows[place] = (PeerRow){.lower_count = 0}; /* no pairs */
            continue;
        }
        batch_add(&batch, place);
        if (batch.agent_count == BATCH_AGENTS || batch.count >= BATCH_PAIRS)
        {
            batch_end(&batch);
        }
    }
    batch_end(&batch);
}
