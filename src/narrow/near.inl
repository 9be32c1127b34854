/* What is near a point: distances and contacts, of balls and of capsules. */
#include "narrow/questions.h"

static double lanes_distance(const Candidates *c, Vec3 point, double radius)
{
    double least2 = closest_batch(&c->wide, point, radius);
    if (c->exact.count > 0)
    {
        double exact2 = kernels_1d.closest(&c->exact, point, radius);
        least2 = exact2 < least2 ? exact2 : least2;
    }
    return sqrt(least2);
}

#define LEAST_CLOSE .1  /* of the radius; below, it is the core that is asked for */
#define CLOSER      .5  /* as many times as far is looked next */
#define MOST_CLOSE  512 /* all are looked at, if they are no more, where the nearest turn out to be farther */

/* By which share of itself rounding may raise the square of a lane's bound: 8 u. The bound's own error, some 8 u S, is
 * below the slack, 16 u S. */
#define BOUND_GROWTH 0x1p-20

typedef struct NearLanes /* the lanes of a batch that core_near has marked */
{
    const Candidates *candidates;
    const Batch *batch;
    const Kernels *kernels;
    Vec3 center;
    uint32_t lane, count; /* lane: the next one; count: 0 if none is to be looked at */
    double within;        /* those that are nearer are marked */
    double most2;         /* of the bound in their FIELD_ANSWER */
    uint32_t marked, all; /* how many are, and some more; and in the whole radius */
} NearLanes;

static uint32_t mark_near(const Candidates *c, const Batch *batch, Vec3 center, double radius)
{
    const Kernels *kernels = batch == &c->exact ? &kernels_1d : c->kernels;
    double reach = radius + (double)c->rules.slack; /* float lanes err by less than the slack */
    return batch->count > 0 ? kernels->core_near(batch, center, reach, c->core) : 0;
}

/* Skips the lanes that are farther than `within`. */
static void cull_farther(NearLanes *near, double within)
{
    double most = larger(within, 0) + (double)near->candidates->rules.slack;
    near->most2 = most * most * (1 + BOUND_GROWTH);
}

/* All within `radius`. */
static NearLanes capsule_near(const Candidates *c, const Batch *batch, Vec3 center, double radius)
{
    uint32_t marked = mark_near(c, batch, center, radius);
    NearLanes near = {.candidates = c,
                      .batch = batch,
                      .kernels = batch == &c->exact ? &kernels_1d : c->kernels,
                      .center = center,
                      .count = marked ? batch->count : 0,
                      .within = radius,
                      .marked = marked,
                      .all = marked};
    cull_farther(&near, radius);
    return near;
}

/* Those that are nearest, where more than MAX_CLOSE are within `radius`. */
static NearLanes capsule_nearest(const Candidates *c, const Batch *batch, Vec3 center, double radius)
{
    NearLanes near = capsule_near(c, batch, center, radius);
    while (near.marked > MAX_CLOSE && near.within > 0)
    {
        double within = near.within > radius * LEAST_CLOSE ? near.within * CLOSER : 0;
        uint32_t all = near.all;
        near = capsule_near(c, batch, center, within);
        near.all = all;
    }
    return near;
}

/* The contact of the next triangle; false: there is none left. */
static bool next_near(NearLanes *near, Hit *out)
{
    while (near->lane < near->count)
    {
        uint32_t lane = near->lane++;
        if (batch_read(near->batch, near->kernels, lane, FIELD_ANSWER) <= near->most2)
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

/* The least distance of the marked lanes. */
static double least_distance(NearLanes *near)
{
    double least = INFINITY;
    for (Hit hit; next_near(near, &hit);)
    {
        least = lesser(least, hit.contact.t);
        cull_farther(near, lesser(least, near->within));
    }
    return least;
}

/* The distance of the nearest of a batch; infinity: none is within the radius. Where too many cross the core it is that
 * of one that does; where too many are near of which none is among the nearest, the least that it may be. */
static double nearest_distance(const Candidates *c, const Batch *batch, Vec3 center, double radius)
{
    NearLanes near = capsule_nearest(c, batch, center, radius);
    if (near.marked > MAX_CLOSE)
    {
        return -1;
    }
    double least = least_distance(&near);
    if (near.all > MOST_CLOSE)
    {
        return lesser(least, near.within);
    }
    if (least > near.within && near.within < radius) /* those beyond matter after all */
    {
        near = capsule_near(c, batch, center, lesser(least, radius));
        least = lesser(least, least_distance(&near));
    }
    return least;
}

static OUT_OF_LINE double capsule_distance(const Candidates *c, Vec3 center, double radius)
{
    double least = nearest_distance(c, &c->wide, center, radius);
    least = lesser(least, nearest_distance(c, &c->exact, center, radius));
    return least <= radius ? least : INFINITY;
}

static bool candidates_crowd(const Candidates *c, Vec3 point, double radius)
{
    return mark_near(c, &c->wide, point, radius) > MAX_CLOSE ||
           mark_near(c, &c->exact, point, radius) > MAX_CLOSE;
}

static double candidates_distance(const Candidates *c, Vec3 point, double radius)
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
    return a->contact.t != b->contact.t
               ? a->contact.t < b->contact.t
               : candidate_before(candidate_of(c, a->candidate), candidate_of(c, b->candidate));
}

/* To a float: copies whose corners are in another order differ in the last bits of double. Equal floats are an
 * equivalence, which nearness is not, so what is kept does not depend on the order either. */
static bool is_same_contact(const KernelContact *a, const KernelContact *b)
{
    /* mutant: copies_crowd_out */
    return a->feature == b->feature && (float)a->t == (float)b->t &&
           (float)a->normal.x == (float)b->normal.x && (float)a->normal.y == (float)b->normal.y &&
           (float)a->normal.z == (float)b->normal.z;
}

static void insert_contact(const Candidates *c, ContactList *list, const Hit *hit)
{
    uint32_t at = 0;
    if (list->count == list->capacity && hit->contact.t > list->hits[list->count - 1].contact.t)
    {
        return;
    }
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

/* The distance in float beyond which nothing enters a list: lanes err by less than the slack. */
static double list_within(const Candidates *c, const ContactList *list)
{
    bool is_full = list->count == list->capacity;
    return is_full ? list->hits[list->count - 1].contact.t + (double)c->rules.slack : (double)INFINITY;
}

static void collect_contacts(const Candidates *c, const Batch *batch, const Kernels *kernels, Vec3 point,
                             ContactList *list)
{
    for (uint32_t lane = 0; lane < batch->count; ++lane)
    {
        double distance2 = batch_read(batch, kernels, lane, FIELD_ANSWER), within = list_within(c, list);
        if (!(distance2 < (double)INFINITY) || distance2 > within * within)
        {
            continue;
        }
        Vec3 corners[3];
        Hit hit = {.candidate = batch == &c->exact ? c->exact_of[lane] : lane};
        candidates_corners(c, hit.candidate, corners);
        hit.contact = contact_of_closest(corners, point, point);
        insert_contact(c, list, &hit);
    }
}

/* False: there is none. */
static bool collect_near(const Candidates *c, NearLanes *near, ContactList *list)
{
    bool any = false;
    for (Hit hit; next_near(near, &hit);)
    {
        if (hit.contact.t <= near->within)
        {
            insert_contact(c, list, &hit);
            any = true;
            cull_farther(near, lesser(list_within(c, list), near->within));
        }
    }
    return any;
}

static OUT_OF_LINE void capsule_collect(const Candidates *c, Vec3 center, double radius, ContactList *list)
{
    const Batch *batches[2] = {&c->wide, &c->exact};
    for (int i = 0; i < 2; ++i)
    {
        NearLanes near = capsule_nearest(c, batches[i], center, radius);
        if (near.marked <= MAX_CLOSE && !collect_near(c, &near, list) && near.all <= MOST_CLOSE &&
            near.within < radius)
        {
            near = capsule_near(c, batches[i], center, radius);
            collect_near(c, &near, list);
        }
    }
}

static uint32_t candidates_contacts(const Candidates *c, Vec3 point, double radius, Hit *out,
                                    uint32_t capacity)
{
    ContactList list = {out, 0, capacity};
    if (c->core > 0)
    {
        capsule_collect(c, point, radius, &list);
        return list.count;
    }
    closest_batch(&c->wide, point, radius);
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

static const uint32_t *candidates_within(const Candidates *c, Vec3 point, double radius, uint32_t *count)
{
    closest_batch(&c->wide, point, radius);
    *count = list_met(c, &c->wide, c->kernels, 0);
    if (c->exact.count > 0)
    {
        kernels_1d.closest(&c->exact, point, radius);
        *count = list_met(c, &c->exact, &kernels_1d, *count);
    }
    return c->leaves; /* the walk's list has done its work, and holds as many as there are candidates */
}

static bool candidates_counts(const Candidates *c, uint32_t candidate)
{
    bool exact = is_exact(c, candidate);
    const Batch *batch = exact ? &c->exact : &c->wide;
    const Kernels *kernels = exact ? &kernels_1d : c->kernels;
    uint32_t lane = exact ? exact_lane(c, candidate) : candidate;
    return !isnan(batch_read(batch, kernels, lane, FIELD_PLANE));
}

/* Whether the last question left an answer in a candidate's lane. */
static bool is_marked(const Candidates *c, uint32_t candidate)
{
    if (is_exact(c, candidate))
    {
        uint32_t lane = exact_lane(c, candidate);
        return batch_read(&c->exact, &kernels_1d, lane, FIELD_ANSWER) < (double)INFINITY;
    }
    return batch_read(&c->wide, c->kernels, candidate, FIELD_ANSWER) < (double)INFINITY;
}

static bool candidates_block_segment(const Candidates *c, Vec3 from, Vec3 to)
{
    /* What it meets is no farther from its end than it is long; float lanes err by less than the slack. */
    double near = vec3_length(vec3_sub(to, from)) + (double)c->rules.slack;
    closest_batch(&c->wide, to, near);
    if (c->exact.count > 0)
    {
        kernels_1d.closest(&c->exact, to, near);
    }
    for (uint32_t i = 0; i < c->wide.count; ++i)
    {
        Vec3 corners[3];
        if (is_marked(c, i) && candidates_counts(c, i))
        {
            candidates_corners(c, i, corners);
            if (segment_meets(corners, from, to))
            {
                return true;
            }
        }
    }
    return false;
}
