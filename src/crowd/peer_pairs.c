/* The pairs of neighbours: which there are, and what each of the two has to know of the other. Both agents of a pair compute the
 * same bits: the pair is seen from the lower id. */
#include "crowd/couple.inl"

#include <string.h>

/* The exponent of precedence. Of two that walk one behind the other the agent behind takes e^5 = 150 times the share of the
 * agent ahead. The exponent grows with the square root of the lead: of two almost side by side in a door, one has to yield. */
#define PRECEDENCE 2.5

/* e^y for y in [-6, 6], within a third and strictly growing, of arithmetic that is the same everywhere: f(y) / f(-y). */
static double grow(double y)
{
    double f = 1 + y / 16;
    f *= f;
    f *= f;
    return f * f;
}

/* The share of the lower id in corrections: by mass, and more for the agent behind. */
static double share_of_low(const Couple *couple)
{
    const Peer *a = couple->low, *b = couple->high;
    double fastest = larger(a->speed, b->speed);
    Vec3 flat = vec3_add_scaled(couple->away, a->up, -vec3_dot(couple->away, a->up));
    double length = vec3_length(flat), ahead = 0;
    if (fastest > 1e-9 * a->least && length > COINCIDENT * a->least)
    {
        ahead = vec3_dot(flat, vec3_add(a->wish, b->wish)) / (fastest * length);
    }
    double y = 2 * PRECEDENCE * sqrt(fabs(ahead) / 2); /* at most 5 */
    y = ahead < 0 ? -y : y;                            /* mutant: no_precedence */
    double low = a->inverse_mass * grow(y), high = b->inverse_mass * grow(-y);
    return low + high > 0 ? low / (low + high) : .5;
}

/* The gap that the pair keeps when it can. At low tick rates the zone is as wide as a tick's displacement, or agents would
 * cross it in one. */
static double soft_gap(const Peer *a, const Peer *b, double hard)
{
    double comfort = (a->comfort + b->comfort) / 2, mean = (a->least + b->least) / 2;
    double tick = lesser((a->speed + b->speed) / 2, PEER_SOFT * mean);
    return larger(comfort, comfort > 0 ? hard + tick : hard);
}

static Vec3 rounded(Vec3 n)
{
    return vec3((double)(float)n.x, (double)(float)n.y, (double)(float)n.z);
}

/* Where two are to touch later in the tick, the normal can show an overlap although they are apart now. The normal of where they
 * are shows the gap then. */
static Vec3 better_at_start(const Couple *couple, Vec3 n, double *gap)
{
    Vec3 other = rounded(normal_at(couple, couple->core));
    double others_gap = gap_along(couple, other);
    n = others_gap > *gap ? other : n;
    *gap = larger(others_gap, *gap);
    return n;
}

static void set_step(const Peer *self, Pair *pair)
{
    Vec3 n = vec3((double)pair->normal[0], (double)pair->normal[1], (double)pair->normal[2]);
    Vec3 along = peer_part_along(self, n);
    double along2 = vec3_length2(along);
    double scale = along2 >= PEER_LEAST_FLAT * PEER_LEAST_FLAT ? -(double)pair->share / along2 : 0;
    pair->step[0] = (float)(along.x * scale);
    pair->step[1] = (float)(along.y * scale);
    pair->step[2] = (float)(along.z * scale);
}

/* Describes a pair as its lower id sees it; returns false if the two cannot touch in this tick. */
static bool make_pair(const Peer *low, const Peer *high, uint32_t other, Pair *pair)
{
    Couple couple = couple_of(low, high);
    double hard = PEER_HARD * (low->least + high->least) / 2, soft = soft_gap(low, high, hard);
    double most = low->reach + high->reach + soft;
    if (gap_along(&couple, vec3_normalize(couple.away)) > most) /* cheap, and as good as any */
    {
        return false;
    }
    Vec3 n = rounded(normal_at(&couple, contact_place(&couple)));
    double gap = gap_along(&couple, n);
    if (gap < 0) /* mutant: one_normal */
    {
        n = better_at_start(&couple, n, &gap);
    }
    if (gap > most)
    {
        return false;
    }
    *pair = (Pair){.normal = {(float)n.x, (float)n.y, (float)n.z},
                   .need = (float)lesser(soft - gap, lesser(low->push, high->push)),
                   .gap = (float)gap,
                   .slack = (float)larger(gap - hard, 0),
                   .share = (float)share_of_low(&couple),
                   .other = other};
    set_step(low, pair);
    return true;
}

static bool is_lower(const Peers *peers, uint32_t a, uint32_t b)
{
    uint64_t id_a = peers->list[a].id, id_b = peers->list[b].id;
    return id_a < id_b || (id_a == id_b && a < b);
}

/* Inserts a pair in order of id; of more than PEER_SIDE the widest is dropped. Returns the count. */
static uint32_t insert_pair(const Peers *peers, const Pair *pair, Pair *list, uint32_t count)
{
    uint32_t widest = 0;
    for (uint32_t i = 1; i < count && count == PEER_SIDE; ++i)
    {
        widest = list[i].gap >= list[widest].gap ? i : widest; /* of equal ones the highest id */
    }
    if (count == PEER_SIDE)
    {
        bool is_wider = pair->gap > list[widest].gap ||
                        (pair->gap == list[widest].gap && is_lower(peers, list[widest].other, pair->other));
        if (is_wider)
        {
            return count;
        }
        memmove(&list[widest], &list[widest + 1], (--count - widest) * sizeof *list);
    }
    uint32_t at = count;
    for (; at > 0 && is_lower(peers, pair->other, list[at - 1].other); --at)
    {
        list[at] = list[at - 1];
    }
    list[at] = *pair;
    return count + 1;
}

/* The agent describes its pairs with higher ids. For the others it leaves a place, by how near the centres are. */
static void find_pairs(Peers *peers, uint32_t agent)
{
    PeerNear near;
    Pair lower[PEER_SIDE], *middle = peers->pairs + ((size_t)agent * PEER_PAIRS + PEER_SIDE);
    uint32_t lower_count = 0, higher_count = 0;
    sidle_peers_near(peers, agent, &near);
    for (uint32_t i = 0; i < near.count; ++i)
    {
        uint32_t other = near.index[i];
        Pair pair = {.gap = (float)near.distance2[i], .other = other};
        if (is_lower(peers, other, agent))
        {
            lower_count = insert_pair(peers, &pair, lower, lower_count);
        }
        else if (make_pair(&peers->list[agent], &peers->list[other], other, &pair))
        {
            higher_count = insert_pair(peers, &pair, middle, higher_count);
        }
    }
    memcpy(middle - lower_count, lower, lower_count * sizeof *lower);
    peers->lower_count[agent] = (uint8_t)lower_count;
    peers->higher_count[agent] = (uint8_t)higher_count;
}

void sidle_peers_find(Peers *peers, uint32_t begin, uint32_t end)
{
    for (uint32_t agent = begin; agent < end; ++agent)
    {
        if (peers->list[agent].flags & PEER_COLLIDES)
        {
            find_pairs(peers, agent);
        }
    }
}

/* The pair that a lower id has described, or NULL. */
static const Pair *find_described(const Peers *peers, uint32_t low, uint32_t high)
{
    const Pair *pairs = peers->pairs + ((size_t)low * PEER_PAIRS + PEER_SIDE);
    for (uint32_t i = 0; i < peers->higher_count[low]; ++i)
    {
        if (pairs[i].other == high)
        {
            return &pairs[i];
        }
    }
    return NULL;
}

static void mirror_pairs(Peers *peers, uint32_t agent)
{
    Pair *middle = peers->pairs + ((size_t)agent * PEER_PAIRS + PEER_SIDE), *to = middle;
    for (Pair *from = middle; from > middle - peers->lower_count[agent];)
    {
        uint32_t low = (--from)->other;
        const Pair *pair = find_described(peers, low, agent);
        if (pair)
        {
            *--to = *pair;
            to->normal[0] = -pair->normal[0];
            to->normal[1] = -pair->normal[1];
            to->normal[2] = -pair->normal[2];
            to->share = 1 - pair->share;
            to->other = low;
            set_step(&peers->list[agent], to);
        }
    }
    peers->lower_count[agent] = (uint8_t)(middle - to);
}

void sidle_peers_mirror(Peers *peers, uint32_t begin, uint32_t end)
{
    for (uint32_t agent = begin; agent < end; ++agent)
    {
        mirror_pairs(peers, agent);
    }
}
