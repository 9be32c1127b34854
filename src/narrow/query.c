/* The questions: float lanes and double lanes answer together, the winner's contact comes in double. */
#include "narrow/candidates.h"

static Vec3 read_corner(const Batch *batch, const Kernels *kernels, uint32_t lane, uint32_t field)
{
    return vec3(batch_read(batch, kernels, lane, field), batch_read(batch, kernels, lane, field + 1),
                batch_read(batch, kernels, lane, field + 2));
}

/* exact_of ascends. */
static uint32_t exact_lane(const Candidates *c, uint32_t candidate)
{
    uint32_t low = 0, high = c->exact.count;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        *(c->exact_of[middle] <= candidate ? &low : &high) = middle;
    }
    return low;
}

void candidates_corners(const Candidates *c, uint32_t candidate, Vec3 corners[3])
{
    const Batch *batch = &c->wide;
    const Kernels *kernels = c->kernels;
    uint32_t lane = candidate;
    if (c->list[candidate].exact)
    {
        batch = &c->exact;
        kernels = &kernels_1d;
        lane = exact_lane(c, candidate);
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        corners[i] = read_corner(batch, kernels, lane, FIELD_V0 + 3 * i);
    }
}

static SweepAnswer earlier(const Candidates *c, SweepAnswer a, SweepAnswer b)
{
    if (a.t != b.t || a.candidate == NO_HIT || b.candidate == NO_HIT)
    {
        return b.t < a.t ? b : a;
    }
    return candidate_before(&c->list[b.candidate], &c->list[a.candidate]) ? b : a;
}

static void count_batch(const Candidates *c, const Kernels *kernels, const Batch *batch,
                        const SweepQuery *query)
{
    if (c->core > 0)
    {
        kernels->core_count(batch, query, c->core, c->stats);
    }
    else
    {
        kernels->count(batch, query, c->stats);
    }
}

static void count_question(const Candidates *c, const SweepQuery *query)
{
    count_batch(c, c->kernels, &c->wide, query);
    if (c->exact.count > 0)
    {
        uint32_t lanes = c->stats->lanes;
        count_batch(c, &kernels_1d, &c->exact, query);
        c->stats->lanes = lanes; /* of the wide kernels alone: double lanes serve all of them */
    }
    ++c->stats->sweeps;
}

static void count_hit(const Candidates *c, uint16_t feature)
{
    c->stats->hit_face += feature == SIDLE_FEATURE_FACE;
    c->stats->hit_edge += feature == SIDLE_FEATURE_EDGE;
    c->stats->hit_vertex += feature == SIDLE_FEATURE_VERTEX;
}

/* How far beyond a float lane's time a path may go on to the time that double sees: on a shallow path that
 * may be radii, and no lane was asked for what lies between. What the lanes' error law leaves of the room
 * that is kept for it (constants.h) is as much as the others may be entered by. */
static double room_beyond(const Candidates *c, uint32_t candidate)
{
    double left = (FLOAT_ERROR_FACTOR - LAW_FACTOR) * FLOAT_ROUNDOFF;
    return c->list[candidate].exact ? INFINITY
                                    : left * batch_read(&c->wide, c->kernels, candidate, FIELD_SIZE);
}

/* In double. What only float sees, or so early, is within the error law: the contact is where the ball then
 * is. */
static KernelContact contact_of_answer(const Candidates *c, const SweepQuery *query, SweepAnswer answer)
{
    Vec3 corners[3];
    candidates_corners(c, answer.candidate, corners);
    KernelContact seen;
    bool is_seen = contact_of_sweep(corners, query, &seen);
    if (is_seen && !(seen.t > answer.t + room_beyond(c, answer.candidate)))
    {
        return seen;
    }
    Vec3 center = vec3_add_scaled(query->origin, query->direction, answer.t);
    KernelContact then = contact_of_closest(corners, center, query->origin);
    then.t = answer.t;
    then.normal = is_seen ? seen.normal : then.normal;
    return then;
}

/* As contact_of_answer. Kept apart: a capsule's lanes cost balls their inlining. */
static __attribute__((noinline)) KernelContact capsule_contact(const Candidates *c, const SweepQuery *query,
                                                               SweepAnswer answer)
{
    Vec3 corners[3];
    candidates_corners(c, answer.candidate, corners);
    KernelContact seen;
    if (contact_of_core_sweep(corners, query, c->core, &seen) &&
        !(seen.t > answer.t + room_beyond(c, answer.candidate)))
    {
        return seen;
    }
    Vec3 center = vec3_add_scaled(query->origin, query->direction, answer.t);
    KernelContact then = contact_of_core(corners, c->core, center);
    then.t = answer.t;
    return then;
}

static __attribute__((noinline)) bool capsule_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    SweepAnswer answer = c->kernels->core_sweep(&c->wide, query, c->core, c->list, NULL);
    if (c->exact.count > 0)
    {
        answer = earlier(c, answer, kernels_1d.core_sweep(&c->exact, query, c->core, c->list, c->exact_of));
    }
    if (answer.candidate != NO_HIT)
    {
        *out = (Hit){capsule_contact(c, query, answer), answer.candidate};
    }
    return answer.candidate != NO_HIT;
}

static bool ball_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    SweepAnswer answer = c->kernels->sweep(&c->wide, query, c->list, NULL);
    if (c->exact.count > 0)
    {
        answer = earlier(c, answer, kernels_1d.sweep(&c->exact, query, c->list, c->exact_of));
    }
    if (answer.candidate == NO_HIT)
    {
        return false;
    }
    out->candidate = answer.candidate;
    out->contact = contact_of_answer(c, query, answer);
    return true;
}

bool candidates_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    if (c->stats)
    {
        count_question(c, query);
    }
    bool is_hit = c->core > 0 ? capsule_sweep(c, query, out) : ball_sweep(c, query, out);
    if (is_hit && c->stats)
    {
        count_hit(c, out->contact.feature);
    }
    return is_hit;
}

static double lanes_distance(const Candidates *c, Vec3 point, double radius)
{
    double least2 = c->kernels->closest(&c->wide, point, radius);
    if (c->exact.count > 0)
    {
        double exact2 = kernels_1d.closest(&c->exact, point, radius);
        least2 = exact2 < least2 ? exact2 : least2;
    }
    return sqrt(least2);
}

typedef struct Near /* the lanes of a batch that core_near has marked */
{
    const Candidates *candidates;
    const Batch *batch;
    const Kernels *kernels;
    Vec3 center;
    uint32_t lane, count; /* lane: the next one; count: 0 if none is marked */
} Near;

static Near capsule_near(const Candidates *c, const Batch *batch, Vec3 center, double radius)
{
    const Kernels *kernels = batch == &c->exact ? &kernels_1d : c->kernels;
    double reach = radius + (double)c->rules.slack; /* float lanes err by less than the slack */
    bool any = batch->count > 0 && kernels->core_near(batch, center, reach, c->core);
    return (Near){c, batch, kernels, center, 0, any ? batch->count : 0};
}

/* The contact of the next triangle; false: there is none left. */
static bool next_near(Near *near, Hit *out)
{
    while (near->lane < near->count)
    {
        uint32_t lane = near->lane++;
        if (batch_read(near->batch, near->kernels, lane, FIELD_ANSWER) < (double)INFINITY)
        {
            const Candidates *c = near->candidates;
            Vec3 corners[3];
            out->candidate = near->batch == &c->exact ? c->exact_of[lane] : lane;
            candidates_corners(c, out->candidate, corners);
            out->contact = contact_of_core(corners, c->core, near->center);
            return true;
        }
    }
    return false;
}

static __attribute__((noinline)) double capsule_distance(const Candidates *c, Vec3 center, double radius)
{
    double least = INFINITY;
    const Batch *batches[2] = {&c->wide, &c->exact};
    for (int i = 0; i < 2; ++i)
    {
        Hit hit;
        for (Near near = capsule_near(c, batches[i], center, radius); next_near(&near, &hit);)
        {
            least = lesser(least, hit.contact.t);
        }
    }
    return least <= radius ? least : INFINITY;
}

double candidates_distance(const Candidates *c, Vec3 point, double radius)
{
    return c->core > 0 ? capsule_distance(c, point, radius) : lanes_distance(c, point, radius);
}

typedef struct ContactList
{
    Hit *hits;
    uint32_t count, capacity;
} ContactList;

/* Sorted by distance, equal ones by identity: which ones a full list keeps does not depend on the gather's
 * order. Nor on copies: of one contact with several triangles it has the first. */
static bool hit_before(const Candidates *c, const Hit *a, const Hit *b)
{
    return a->contact.t != b->contact.t ? a->contact.t < b->contact.t
                                        : candidate_before(&c->list[a->candidate], &c->list[b->candidate]);
}

/* To a float: copies whose corners are in another order differ in the last bits of double. Equal floats are an
 * equivalence, which nearness is not, so what is kept does not depend on the order either. */
static bool is_same_contact(const KernelContact *a, const KernelContact *b)
{
    return a->feature == b->feature && (float)a->t == (float)b->t &&
           (float)a->normal.x == (float)b->normal.x && (float)a->normal.y == (float)b->normal.y &&
           (float)a->normal.z == (float)b->normal.z;
}

static void insert(const Candidates *c, ContactList *list, const Hit *hit)
{
    uint32_t at = 0;
    while (at < list->count && !is_same_contact(&list->hits[at].contact, &hit->contact))
    {
        at += 1;
    }
    if (at == list->count && list->count < list->capacity)
    {
        list->count += 1;
    }
    else
    {
        at = at < list->count ? at : at - 1;
        if (!hit_before(c, hit, &list->hits[at]))
        {
            return;
        }
    }
    for (; at > 0 && hit_before(c, hit, &list->hits[at - 1]); --at)
    {
        list->hits[at] = list->hits[at - 1];
    }
    list->hits[at] = *hit;
}

static void collect_contacts(const Candidates *c, const Batch *batch, const Kernels *kernels, Vec3 point,
                             ContactList *list)
{
    for (uint32_t lane = 0; lane < batch->count; ++lane)
    {
        if (!(batch_read(batch, kernels, lane, FIELD_ANSWER) < (double)INFINITY))
        {
            continue;
        }
        Vec3 corners[3];
        Hit hit = {.candidate = batch == &c->exact ? c->exact_of[lane] : lane};
        candidates_corners(c, hit.candidate, corners);
        hit.contact = contact_of_closest(corners, point, point);
        insert(c, list, &hit);
    }
}

static __attribute__((noinline)) void capsule_collect(const Candidates *c, Vec3 center, double radius,
                                                      ContactList *list)
{
    const Batch *batches[2] = {&c->wide, &c->exact};
    for (int i = 0; i < 2; ++i)
    {
        Hit hit;
        for (Near near = capsule_near(c, batches[i], center, radius); next_near(&near, &hit);)
        {
            if (hit.contact.t <= radius)
            {
                insert(c, list, &hit);
            }
        }
    }
}

uint32_t candidates_contacts(const Candidates *c, Vec3 point, double radius, Hit *out, uint32_t capacity)
{
    ContactList list = {out, 0, capacity};
    if (c->core > 0)
    {
        capsule_collect(c, point, radius, &list);
        return list.count;
    }
    c->kernels->closest(&c->wide, point, radius);
    collect_contacts(c, &c->wide, c->kernels, point, &list);
    if (c->exact.count > 0)
    {
        kernels_1d.closest(&c->exact, point, radius);
        collect_contacts(c, &c->exact, &kernels_1d, point, &list);
    }
    return list.count;
}

static uint32_t list_met(const Candidates *c, const Batch *batch, const Kernels *kernels, uint32_t count)
{
    for (uint32_t lane = 0; lane < batch->count; ++lane)
    {
        if (batch_read(batch, kernels, lane, FIELD_ANSWER) < (double)INFINITY)
        {
            c->leaves[count++] = batch == &c->exact ? c->exact_of[lane] : lane;
        }
    }
    return count;
}

const uint32_t *candidates_within(const Candidates *c, Vec3 point, double radius, uint32_t *count)
{
    c->kernels->closest(&c->wide, point, radius);
    *count = list_met(c, &c->wide, c->kernels, 0);
    if (c->exact.count > 0)
    {
        kernels_1d.closest(&c->exact, point, radius);
        *count = list_met(c, &c->exact, &kernels_1d, *count);
    }
    return c->leaves; /* the walk's list has done its work, and holds as many as there are candidates */
}

bool candidates_counts(const Candidates *c, uint32_t candidate)
{
    const Batch *batch = c->list[candidate].exact ? &c->exact : &c->wide;
    const Kernels *kernels = c->list[candidate].exact ? &kernels_1d : c->kernels;
    uint32_t lane = c->list[candidate].exact ? exact_lane(c, candidate) : candidate;
    return !isnan(batch_read(batch, kernels, lane, FIELD_PLANE));
}

bool candidates_block_segment(const Candidates *c, Vec3 from, Vec3 to)
{
    for (uint32_t i = 0; i < c->wide.count; ++i)
    {
        Vec3 corners[3];
        candidates_corners(c, i, corners);
        if (candidates_counts(c, i) && segment_meets(corners, from, to))
        {
            return true;
        }
    }
    return false;
}
