/* What each of two neighbours has to know of the other. Both agents of a pair compute the same bits: the pair is seen from the
 * lower id. */
#include "crowd/couple.inl"

/* Smallest radii by which two may overlap and still limit one another. Deeper, every direction would be forbidden, and fifty
 * agents in one place would stay there. */
#define DEEP .25

/* Cosine from up within which a normal leads to a head that one may stand on: 45.6 degrees, a little more than the default max_slope_cos,
 * which decides. */
#define STEEP .7

/* Corrections that are added up for an agent that overlaps another on the ground. It has many neighbours at once, and by the mean
 * of what they ask for the innermost would long stay. In the air they would hold one another up. */
#define OVERLAP_GAIN 12

/* e^y for y in [-6, 6], within a third and strictly growing, of arithmetic that is the same everywhere: f(y) / f(-y). */
static double grow(double y)
{
    double f = 1 + y / 16;
    f *= f;
    f *= f;
    return f * f;
}

/* The share of the lower id in corrections: by mass, and more for the agent behind unless both move freely. */
static double share_of_low(const Couple *couple)
{
    const Peer *a = couple->low, *b = couple->high;
    double fastest = larger((double)a->speed, (double)b->speed);
    Vec3 flat = vec3_without(couple->away, a->shape->up);
    double length = vec3_length(flat), ahead = 0;
    if (fastest > STANDING * a->shape->least && length > COINCIDENT * a->shape->least)
    {
        ahead = vec3_dot(flat, vec3_add(a->wish, b->wish)) / (fastest * length);
    }
    double held_up = 1 - lesser((double)a->flow, (double)b->flow);
    double y = 2 * PRECEDENCE * sqrt(fabs(ahead) / 2) * held_up; /* at most 5; mutant: no_precedence */
    y = ahead < 0 ? -y : y;
    double low = (double)a->inverse_mass * grow(y), high = (double)b->inverse_mass * grow(-y);
    return low + high > 0 ? low / (low + high) : .5;
}

/* The gap that the pair keeps when it can. Fast agents would cross a narrow zone in one tick. */
static double soft_gap(const Peer *a, const Peer *b, double hard)
{
    double comfort = (a->shape->comfort + b->shape->comfort) / 2,
           mean = (a->shape->least + b->shape->least) / 2;
    double stride = lesser(((double)a->stride + (double)b->stride) / 2, PEER_SOFT * mean);
    return larger(comfort, comfort > 0 ? hard + stride : hard);
}

static Vec3 rounded(Vec3 n)
{
    return vec3((double)(float)n.x, (double)(float)n.y, (double)(float)n.z);
}

/* Whether the upper one may stand on the other: it keeps no gap beyond the hard one, or that would push it off. */
static bool stands_on(const Couple *couple, Vec3 n)
{
    double rise = vec3_dot(n, couple->low->shape->up);
    const Peer *upper = rise > 0 ? couple->high : couple->low;
    return (upper->flags & PEER_STANDS) && fabs(rise) > STEEP; /* mutant: pushed_off_heads */
}

/* Where two are to touch later in the tick, the normal can show an overlap although they are apart now. The normal of where they
 * are shows the gap then. */
static Vec3 better_at_start(const Couple *couple, Vec3 n, double *gap)
{
    Vec3 other = rounded(normal_at(couple, couple->core, true));
    double others_gap = gap_along(couple, other);
    n = others_gap > *gap ? other : n;
    *gap = larger(others_gap, *gap);
    return n;
}

/* Two on the ground that overlap, one above the other: nothing moves them along up, so they come apart across it. */
static bool are_stacked(const Couple *couple, Vec3 n)
{
    bool are_flat = couple->low->flags & couple->high->flags & PEER_FLAT;
    Vec3 flat = vec3_without(n, couple->low->shape->up);
    return are_flat && vec3_length2(flat) < PEER_LEAST_FLAT * PEER_LEAST_FLAT && !stands_on(couple, n);
}

static Vec3 normal_of(const Pair *pair)
{
    return vec3((double)pair->normal[0], (double)pair->normal[1], (double)pair->normal[2]);
}

static void set_scale(const Peer *self, Pair *pair)
{
    double along2 = vec3_length2(peer_part_along(self, normal_of(pair)));
    pair->scale = along2 >= PEER_LEAST_FLAT * PEER_LEAST_FLAT ? -pair->share / (float)along2 : 0;
}

static uint32_t flags_of(const Couple *couple, double gap)
{
    double deep = -DEEP * lesser(couple->low->shape->least, couple->high->shape->least);
    return (gap < 0 ? (uint32_t)PAIR_OVERLAPS : 0) | (gap < deep ? (uint32_t)PAIR_IS_DEEP : 0);
}

/* By how much the ground can take two closer along a direction: a step lowers or raises an agent. */
static double closer_by_height(const Peer *low, const Peer *high, Vec3 n)
{
    return (double)low->height * fabs(vec3_dot(n, low->shape->up)) +
           (double)high->height * fabs(vec3_dot(n, high->shape->up));
}

/* Along the line of the centres: a tenth of the cost of the best normal of two that are not alike. */
static bool are_far_apart(const Couple *couple, double most)
{
    Vec3 straight = vec3_normalize(couple->away);
    return gap_along(couple, straight) > most + closer_by_height(couple->low, couple->high, straight);
}

bool sidle_pair_make(const Peer *low, const Peer *high, uint32_t other, Pair *pair)
{
    Couple couple = couple_of(low, high);
    double hard = PEER_HARD * (low->shape->least + high->shape->least) / 2, soft = soft_gap(low, high, hard);
    double most = peer_reach(low) + peer_reach(high) + soft;
    if (!is_alike(low, high) && are_far_apart(&couple, most))
    {
        return false;
    }
    Vec3 n = rounded(normal_at(&couple, contact_place(&couple), false));
    double gap = gap_along(&couple, n);
    if (gap < 0) /* mutant: one_normal */
    {
        n = better_at_start(&couple, n, &gap);
        if (gap < 0 && are_stacked(&couple, n)) /* mutant: stays_stacked */
        {
            n = rounded(aside_of(&couple));
            gap = gap_along(&couple, n);
        }
    }
    if (gap > most + closer_by_height(low, high, n))
    {
        return false;
    }
    soft = stands_on(&couple, n) ? hard : soft;
    *pair = (Pair){.normal = {(float)n.x, (float)n.y, (float)n.z},
                   .need = (float)lesser(soft - gap, lesser((double)low->push, (double)high->push)),
                   .share = (float)share_of_low(&couple),
                   .slack = (float)(gap - hard),
                   .other = other | flags_of(&couple, gap)};
    set_scale(low, pair);
    return true;
}

/* The pair that a lower id has described, or NULL. */
static const Pair *find_described(const Peers *peers, uint32_t low, uint32_t high)
{
    const PeerRow *row = &peers->rows[low];
    const Pair *pairs = peers->pairs + row->middle;
    for (uint32_t i = 0; i < row->higher_count; ++i)
    {
        if (pair_other(&pairs[i]) == high)
        {
            return &pairs[i];
        }
    }
    return NULL;
}

static void mirror_pairs(Peers *peers, uint32_t place)
{
    PeerRow *row = &peers->rows[place];
    Pair *middle = peers->pairs + row->middle, *to = middle;
    for (Pair *from = middle; from > middle - row->lower_count;)
    {
        uint32_t low = pair_other(--from); /* with flags only if a task has run twice */
        const Pair *pair = find_described(peers, low, place);
        if (pair)
        {
            *--to = *pair;
            to->normal[0] = -pair->normal[0];
            to->normal[1] = -pair->normal[1];
            to->normal[2] = -pair->normal[2];
            to->share = 1 - pair->share;
            to->other = low | (pair->other & ~(uint32_t)PAIR_OTHER);
            set_scale(&peers->placed[place], to);
        }
    }
    row->lower_count = (uint8_t)(middle - to);
    bool is_hasty = (peers->placed[place].flags & PEER_FLAT) &&
                    pairs_overlap(to, (uint32_t)row->lower_count + row->higher_count);
    row->in_full = is_hasty ? OVERLAP_GAIN : 1; /* mutant: stays_inside */
}

void sidle_peers_mirror(Peers *peers, uint32_t begin, uint32_t end)
{
    for (uint32_t place = begin; place < end; ++place)
    {
        mirror_pairs(peers, place);
    }
}
