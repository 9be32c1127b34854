/* A hashed grid of agents. The edges of its cells are powers of two, a level for each, so that agents of any size find their
 * neighbours in a few cells. Cells that are neighbours along x are neighbours in memory.
 *
 * Agents count themselves into their buckets with atomic additions; the order within a bucket depends on the schedule, and
 * nothing depends on it. */
#include "crowd/peers.h"

#include "base/atomic_raise.h"
#include "base/inlining.h"
#include "simd/float4.h"

#include <string.h>

#define LEAST_LEVEL (-12) /* 2^-12 units: below twice the smallest radius with its skin */

/* Agents from the prefetch of a bucket to its addition. The bucket is often in another processor's cache. */
#define COUNTED_AT_ONCE 32u

/* Cells along an axis of one search: rows have tags of 8 bits an axis. */
#define MOST_ROWS 250.

/* 2^exponent */
static double power_of_two(int32_t exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The level whose cells are as wide as the narrowest side of a box, or up to half narrower. */
static int32_t level_of(Vec3 half)
{
    double side = 2 * vec3_min_component(half);
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    int32_t level = (int32_t)(bits >> 52) - 1022 - LEAST_LEVEL;
    return level < 0 ? 0 : level < PEER_LEVELS ? level : PEER_LEVELS - 1;
}

/* The low 32 bits, which differ among the cells near an agent. Ground at a height of 0 lies in the middle of a cell. */
static int32_t cell_at(double coordinate, double cells_per_unit)
{
    double scaled = coordinate * cells_per_unit + .5;
    int64_t cell = (int64_t)scaled;
    return (int32_t)(uint32_t)(uint64_t)(cell - ((double)cell > scaled));
}

/* Cells are longer along an axis along which the shapes are. */
static double cells_per_unit(const Peers *peers, int32_t level, int axis)
{
    return power_of_two(-(level + LEAST_LEVEL + peers->stretch[axis]));
}

/* Of the cell with x = 0: the high bits of a sum that spreads rows evenly, as multiples of irrational numbers do. */
static uint32_t row_bucket(const Peers *peers, int32_t level, int32_t y, int32_t z)
{
    uint32_t sum = (uint32_t)y * 0xD1B54A33u + (uint32_t)z * peers->row_step + (uint32_t)level * 0x8CB92BA7u;
    return sum >> peers->bucket_shift;
}

/* Rounded up, so that the box of floats around the rounded centre contains the box of doubles, also after the subtraction of two
 * centres: rounding takes 2^-24 of each centre and of each half, and the factors are four and eight times as large. */
static void set_box(Vec3 center, Vec3 half, PeerEntry *entry)
{
    const double at[3] = {center.x, center.y, center.z}, halves[3] = {half.x, half.y, half.z};
    for (int axis = 0; axis < 3; ++axis)
    {
        entry->center[axis] = (float)at[axis];
        entry->half[axis] = (float)(halves[axis] * (1 + 0x1p-21) + fabs(at[axis]) * 0x1p-22);
    }
}

/* With what stands behind, in the spare. */
static Float4 entry_center(const PeerEntry *entry)
{
    return float4_load(entry);
}

static Float4 entry_half(const PeerEntry *entry)
{
    return float4_load(entry->half);
}

/* Differs among the rows that one search visits on one level: fewer than 256 along an axis. */
static uint32_t row_tag(int32_t level, int32_t y, int32_t z)
{
    return PEER_BITS | ((uint32_t)level & 63) << 16 | ((uint32_t)y & 255) << 8 | ((uint32_t)z & 255);
}

void sidle_peers_enter(Peers *peers, uint32_t agent, Vec3 half, double height)
{
    PeerSeat *seat = &peers->seats[agent];
    Vec3 at = peers->list[agent].center;
    int32_t level = level_of(half), cell[3];
    const double center[3] = {at.x, at.y, at.z};
    set_box(at, half, &seat->entry);
    for (int axis = 0; axis < 3; ++axis)
    {
        cell[axis] = cell_at(center[axis], cells_per_unit(peers, level, axis));
        atomic_raise(&peers->half[level][axis], (double)seat->entry.half[axis]);
    }
    atomic_raise(&peers->tallest[level], height);
    seat->entry.row = row_tag(level, cell[1], cell[2]);
    seat->entry.index = PEER_BITS + agent;
    seat->bucket = (row_bucket(peers, level, cell[1], cell[2]) + (uint32_t)cell[0]) & peers->bucket_mask;
    __builtin_prefetch(&peers->starts[seat->bucket + 1], 1);
    if (!(__atomic_load_n(&peers->levels, __ATOMIC_RELAXED) >> level & 1))
    {
        __atomic_fetch_or(&peers->levels, UINT32_C(1) << level, __ATOMIC_RELAXED);
    }
}

void sidle_peers_count_one(Peers *peers, uint32_t agent)
{
    PeerSeat *seat = &peers->seats[agent];
    if (peers->list[agent].flags & PEER_COLLIDES)
    {
        seat->rank = __atomic_fetch_add(&peers->starts[seat->bucket + 1], 1, __ATOMIC_RELAXED);
    }
}

void sidle_peers_count(Peers *peers, uint32_t begin, uint32_t agent, uint32_t end)
{
    uint32_t first = agent - agent % COUNTED_AT_ONCE, last = agent + 1;
    if (last != end && last % COUNTED_AT_ONCE != 0)
    {
        return;
    }
    for (uint32_t i = first > begin ? first : begin; i < last; ++i)
    {
        sidle_peers_count_one(peers, i);
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
        uint32_t at = peer_place(peers, agent);
        if (at < peers->count)
        {
            peers->entries[at] = peers->seats[agent].entry;
        }
    }
}

/* ---- searches ---- */

typedef void range_fn(void *context, const PeerRange *range);

typedef struct Search
{
    const Peers *peers;
    const PeerEntry *box;
    Vec3 center;
    const Vec3 *up; /* NULL: boxes that overlap; or centres, with heights along up */
    range_fn *look;
    void *context;
} Search;

FORCE_INLINE void look_at(const Search *search, uint32_t first, uint32_t end, uint32_t row, uint32_t mask)
{
    uint32_t count = search->peers->count;
    PeerRange range = {first, end < count ? end : count, row, mask};
    search->look(search->context, &range);
}

/* The cells from x on; no more than there are buckets, or some would be seen twice. Some of the entries belong to other rows. */
FORCE_INLINE void visit_row(const Search *search, int32_t level, int32_t x, int32_t y, int32_t z,
                            uint32_t width)
{
    const uint32_t *starts = search->peers->starts;
    uint32_t mask = search->peers->bucket_mask, row = row_tag(level, y, z);
    uint32_t first = (row_bucket(search->peers, level, y, z) + (uint32_t)x) & mask, left = mask + 1 - first;
    look_at(search, starts[first], starts[first + (width < left ? width : left)], row, UINT32_MAX);
    if (width > left)
    {
        look_at(search, starts[0], starts[width - left], row, UINT32_MAX);
    }
}

FORCE_INLINE void visit_level(const Search *search, int32_t level)
{
    const Peers *peers = search->peers;
    const double center[3] = {search->center.x, search->center.y, search->center.z};
    const double *up = search->up ? &search->up->x : NULL;
    double cells = 1, widest = 0;
    int32_t first[3];
    uint32_t widths[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double scale = cells_per_unit(peers, level, axis);
        double other = up ? fabs(up[axis]) * peers->tallest[level] : peers->half[level][axis];
        double reach = ((double)search->box->half[axis] + other) * (1 + 0x1p-20);
        double width = 2 * reach * scale + 2;
        first[axis] = cell_at(center[axis] - reach, scale);
        widths[axis] = (uint32_t)cell_at(center[axis] + reach, scale) - (uint32_t)first[axis] + 1;
        cells *= width;
        widest = larger(widest, width);
    }
    if (cells > (double)peers->bucket_mask || widest > MOST_ROWS) /* a giant among many small agents */
    {
        look_at(search, 0, peers->starts[peers->bucket_mask + 1], row_tag(level, 0, 0), row_tag(63, 0, 0));
        return;
    }
    for (uint32_t z = 0; z < widths[2]; ++z)
    {
        for (uint32_t y = 0; y < widths[1]; ++y)
        {
            visit_row(search, level, first[0], (int32_t)((uint32_t)first[1] + y),
                      (int32_t)((uint32_t)first[2] + z), widths[0]);
        }
    }
}

FORCE_INLINE void visit_levels(Search search)
{
    for (uint32_t levels = search.peers->levels; levels; levels &= levels - 1)
    {
        visit_level(&search, __builtin_ctz(levels));
    }
}

/* Ranges before they are looked at: most searches have fewer. */
#define RANGES_AT_ONCE 32

typedef struct Ranges
{
    peer_range_fn *look;
    void *context;
    uint32_t count;
    PeerRange list[RANGES_AT_ONCE];
} Ranges;

static void look_at_ranges(Ranges *ranges)
{
    ranges->look(ranges->context, ranges->list, ranges->count);
    ranges->count = 0;
}

FORCE_INLINE void list_range(void *context, const PeerRange *range)
{
    Ranges *ranges = context;
    ranges->list[ranges->count] = *range;
    ranges->count += range->first < range->end;
    if (ranges->count == RANGES_AT_ONCE)
    {
        look_at_ranges(ranges);
    }
}

void sidle_peers_look(const Peers *peers, Vec3 center, Vec3 half, Vec3 up, peer_range_fn *look, void *context)
{
    PeerEntry box = {.row = 0};
    Ranges ranges; /* its list needs no zeros */
    ranges.look = look;
    ranges.context = context;
    ranges.count = 0;
    set_box(center, half, &box);
    visit_levels((Search){peers, &box, center, &up, list_range, &ranges});
    look_at_ranges(&ranges);
}

/* ---- the nearest ---- */

/* Many agents may stand around an agent, and few on its path. Centres nearer than the radii come first, as agents in one spot have to
 * come apart. */
static float rank_of(const Peer *peer, const Peer *other)
{
    double size = peer->shape->least + other->shape->least, size2 = size * size;
    Vec3 away = vec3_sub(other->center, peer->center), path = vec3_sub(peer_path(other), peer_path(peer));
    double away2 = vec3_length2(away), path2 = vec3_length2(path), closing = -vec3_dot(away, path);
    if (away2 < size2)
    {
        return (float)(away2 / size2);
    }
    double t = closing > 0 ? lesser(closing / path2, 1) : 0; /* mutant: nearest_at_start */
    return (float)(1 + vec3_length2(vec3_add_scaled(away, path, t)) / size2);
}

void sidle_peers_rank(const Peers *peers, uint32_t place, PeerNear *near)
{
    for (uint32_t i = 0; i < near->count; ++i)
    {
        near->list[i].rank = rank_of(&peers->placed[place], &peers->placed[near->list[i].place]);
    }
}

static bool is_nearer(const Neighbour *a, const Neighbour *b)
{
    return a->rank < b->rank ||
           (a->rank == b->rank && (a->id < b->id || (a->id == b->id && a->agent < b->agent)));
}

/* The place of the farthest, in a full list. */
static uint32_t farthest(const PeerNear *near)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < PEER_NEAR; ++i)
    {
        at = is_nearer(&near->list[i], &near->list[at]) ? at : i;
    }
    return at;
}

/* Keeps the nearest, whatever the order in which they come. */
static OUT_OF_LINE void replace_farthest(const Peers *peers, uint32_t place, PeerNear *near, Neighbour found)
{
    if (near->list[0].rank == UNRANKED)
    {
        sidle_peers_rank(peers, place, near);
    }
    uint32_t at = farthest(near);
    found.rank = rank_of(&peers->placed[place], &peers->placed[found.place]);
    if (is_nearer(&found, &near->list[at]))
    {
        near->list[at] = found;
    }
}

/* Agents whose boxes overlap, before they are looked at more closely. */
#define FOUND_AT_ONCE 32

typedef struct NearSearch
{
    const Peers *peers;
    uint32_t place;
    PeerNear *out;
    uint32_t found, list[FOUND_AT_ONCE];
} NearSearch;

FORCE_INLINE void consider(const NearSearch *search, uint32_t place)
{
    const Peers *peers = search->peers;
    const Peer *peer = &peers->placed[search->place], *other = &peers->placed[place];
    if (peers_may_collide(peer->layers, other->layers))
    {
        PeerNear *near = search->out;
        Neighbour found = {other->id, peer_agent_at(peers, place), place, UNRANKED};
        if (near->count == PEER_NEAR)
        {
            replace_farthest(peers, search->place, near, found);
            return;
        }
        near->list[near->count++] = found;
    }
}

static void consider_found(const NearSearch *search, uint32_t found)
{
    for (uint32_t i = 0; i < found; ++i)
    {
        __builtin_prefetch(&search->peers->placed[search->list[i]]);
    }
    for (uint32_t i = 0; i < found; ++i)
    {
        consider(search, search->list[i]);
    }
}

/* The boxes overlap along three axes. In the spare the rows differ by nothing: as floats, too, they are the same or not. */
FORCE_INLINE void consider_range(void *context, const PeerRange *range)
{
    NearSearch *search = context;
    const PeerEntry *entries = search->peers->entries, *own = &entries[search->place];
    const Float4 half = entry_half(own), mask = float4_bits(UINT32_MAX, range->mask),
                 center = float4_or(float4_first3(entry_center(own)), float4_bits(0, range->row));
    uint32_t found = search->found, self = search->place;
    for (uint32_t i = range->first; i < range->end; ++i)
    {
        Float4 away = float4_abs(float4_sub(float4_and(entry_center(&entries[i]), mask), center));
        Float4 reach = float4_first3(float4_add(entry_half(&entries[i]), half));
        search->list[found] = i;
        /* No branch: a third of them overlap. */
        found += (float4_less_equal(away, reach) == 15) & (i != self);
        if (found == FOUND_AT_ONCE)
        {
            consider_found(search, found);
            found = 0;
        }
    }
    search->found = found;
}

void sidle_peers_near(const Peers *peers, uint32_t place, PeerNear *out)
{
    NearSearch search; /* its list needs no zeros */
    search.peers = peers;
    search.place = place;
    search.out = out;
    search.found = 0;
    out->count = 0;
    visit_levels(
        (Search){peers, &peers->entries[place], peers->placed[place].center, NULL, consider_range, &search});
    consider_found(&search, search.found);
}
