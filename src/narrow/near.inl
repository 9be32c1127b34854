/* Distances and contacts near a point, of balls and of capsules. */
#include "narrow/questions.h"

static const Kernels *kernels_of(const Candidates *c, const Batch *batch)
{
    return batch == &c->exact ? &sidle_kernels_1d : c->kernels;
}

static uint32_t candidate_at(const Candidates *c, const Batch *batch, uint32_t lane)
{
    return batch == &c->exact ? c->exact_of[lane] : lane;
}

/* Of the batch that answers for the candidate. */
static double field_of(const Candidates *c, uint32_t candidate, uint32_t field)
{
    bool exact = is_exact(c, candidate);
    const Batch *batch = exact ? &c->exact : &c->wide;
    return batch_read(batch, kernels_of(c, batch), exact ? exact_lane(c, candidate) : candidate, field);
}

/* Writes squared distances within the radius to FIELD_ANSWER, infinity beyond. Returns the least. */
static double mark_within(const Candidates *c, Vec3 point, double radius)
{
    double least2 = closest_batch(&c->wide, point, radius);
    return c->exact.count > 0 ? lesser(least2, sidle_kernels_1d.closest(&c->exact, point, radius)) : least2;
}

static bool candidates_are_near(const Candidates *c, double radius)
{
    double reach = radius + (double)c->rules.slack; /* float lanes err by less than the slack */
    return c->exact.count > 0 || batch_is_near(&c->wide, (Real)reach, (Real)c->core);
}

#define LEAST_CLOSE .1 /* of the radius: below this only the core is tested */
#define CLOSER      .5 /* factor from one radius to the next */
/* The most lanes of which all are tested if none of the nearest is within the smaller radius. */
#define MOST_CLOSE 512

/* The lanes of a batch that core_near has marked. */
typedef struct NearLanes
{
    const Candidates *candidates;
    const Batch *batch;
    Vec3 center;
    uint32_t lane, count; /* the next lane; the number of lanes, 0 if none is marked */
    double within;        /* lanes within this distance are marked */
    double most2;         /* largest bound in FIELD_ANSWER that is not skipped */
    uint32_t marked, all; /* upper bounds of the lanes within `within`, and within the whole radius */
} NearLanes;

static uint32_t mark_near(const Candidates *c, const Batch *batch, Vec3 center, double radius)
{
    double reach = radius + (double)c->rules.slack; /* float lanes err by less than the slack */
    return batch->count > 0 ? kernels_of(c, batch)->core_near(batch, center, reach, c->core) : 0;
}

/* Skips the lanes that are farther than `within`. */
static void cull_farther(NearLanes *near, double within)
{
    double most = larger(within, 0) + (double)near->candidates->rules.slack;
    near->most2 = most * most * (1 + BOUND_GROWTH);
}

/* Marks all lanes within `radius`. */
static NearLanes capsule_near(const Candidates *c, const Batch *batch, Vec3 center, double radius)
{
    uint32_t marked = mark_near(c, batch, center, radius);
    NearLanes near = {.candidates = c,
                      .batch = batch,
                      .center = center,
                      .count = marked ? batch->count : 0,
                      .within = radius,
                      .marked = marked,
                      .all = marked};
    cull_farther(&near, radius);
    return near;
}

/* Steps between a distance within which no lane is, and one with too many. They resolve a sixty-fourth of the radius. */
#define BISECTIONS 5

/* Marks the lanes within `radius`, or if there are more than MAX_CLOSE, within a smaller distance: one with some lanes, unless
 * nearly all are equally near. */
static NearLanes capsule_nearest(const Candidates *c, const Batch *batch, Vec3 center, double radius)
{
    NearLanes near = capsule_near(c, batch, center, radius);
    uint32_t all = near.marked;
    double most = radius;
    while (near.marked > MAX_CLOSE && near.within > 0)
    {
        most = near.within;
        near = capsule_near(c, batch, center, most > radius * LEAST_CLOSE ? most * CLOSER : 0);
    }
    /* mutant: buried_for_ever */
    for (int i = 0; i < BISECTIONS && near.marked == 0 && all > MOST_CLOSE; ++i)
    {
        NearLanes wider = capsule_near(c, batch, center, (near.within + most) / 2);
        most = wider.marked > MAX_CLOSE ? wider.within : most;
        near = wider.marked > MAX_CLOSE ? near : wider;
    }
    near.all = all;
    return near;
}

/* Writes the contact of the next marked lane. Returns false if there is none. */
static bool next_near(NearLanes *near, Hit *out)
{
    while (near->lane < near->count)
    {
        uint32_t lane = near->lane++;
        const Candidates *c = near->candidates;
        if (batch_read(near->batch, kernels_of(c, near->batch), lane, FIELD_ANSWER) <= near->most2)
        {
            Vec3 corners[3];
            out->candidate = candidate_at(c, near->batch, lane);
            candidates_corners(c, out->candidate, corners);
            out->contact = sidle_contact_of_core(corners, c->core, near->center);
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

/* The distance of the nearest triangle of a batch, or infinity if none is within the radius. If too many triangles
 * cross the core, it is -1. If too many are near and none is within the smaller distance, it is that distance, a lower
 * bound. */
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
    if (least > near.within && near.within < radius) /* none within the smaller distance: test the others */
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

static uint32_t candidates_around_core(const Candidates *c, Vec3 point, double radius)
{
    return mark_near(c, &c->wide, point, radius) + mark_near(c, &c->exact, point, radius);
}

static double candidates_distance(const Candidates *c, Vec3 point, double radius)
{
    return c->core > 0 ? capsule_distance(c, point, radius) : sqrt(mark_within(c, point, radius));
}

typedef struct ContactList
{
    Hit *hits;
    uint32_t count, capacity;
} ContactList;

/* The order of a contact list: by distance, then by identity. So a full list depends neither on the order of the gather
 * nor on copies: of one contact with several triangles it keeps the first. */
static bool hit_before(const Candidates *c, const Hit *a, const Hit *b)
{
    return a->contact.t != b->contact.t
               ? a->contact.t < b->contact.t
               : candidate_before(candidate_of(c, a->candidate), candidate_of(c, b->candidate));
}

/* Compared in float, since copies with corners in another order differ in the last bits of double. Equality of floats
 * is transitive, unlike nearness, so that the list does not depend on the order. */
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

/* The distance in float beyond which no contact enters the list: lanes err by less than the slack. */
static double list_within(const Candidates *c, const ContactList *list)
{
    bool is_full = list->count == list->capacity;
    return is_full ? list->hits[list->count - 1].contact.t + (double)c->rules.slack : (double)INFINITY;
}

static void collect_contacts(const Candidates *c, const Batch *batch, Vec3 point, ContactList *list)
{
    for (uint32_t lane = 0; lane < batch->count; ++lane)
    {
        double distance2 = batch_read(batch, kernels_of(c, batch), lane, FIELD_ANSWER);
        double within = list_within(c, list);
        if (!(distance2 < (double)INFINITY) || distance2 > within * within)
        {
            continue;
        }
        Vec3 corners[3];
        Hit hit = {.candidate = candidate_at(c, batch, lane)};
        candidates_corners(c, hit.candidate, corners);
        hit.contact = sidle_contact_of_closest(corners, point, point);
        insert_contact(c, list, &hit);
    }
}

/* Returns false if there is none. */
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
    mark_within(c, point, radius);
    collect_contacts(c, &c->wide, point, &list);
    collect_contacts(c, &c->exact, point, &list);
    return list.count;
}

static uint32_t list_marked(const Candidates *c, const Batch *batch, uint32_t count)
{
    for (uint32_t lane = 0; lane < batch->count; ++lane)
    {
        if (batch_read(batch, kernels_of(c, batch), lane, FIELD_ANSWER) < (double)INFINITY)
        {
            c->leaves[count++] = candidate_at(c, batch, lane);
        }
    }
    return count;
}

static const uint32_t *candidates_within(const Candidates *c, Vec3 point, double radius, uint32_t *count)
{
    mark_within(c, point, radius);
    *count = list_marked(c, &c->exact, list_marked(c, &c->wide, 0));
    return c->leaves; /* free after the walk, and as large as the capacity */
}

static bool candidates_counts(const Candidates *c, uint32_t candidate)
{
    return !isnan(field_of(c, candidate, FIELD_PLANE));
}

static bool candidates_block_segment(const Candidates *c, Vec3 from, Vec3 to)
{
    /* A triangle that the segment hits is within its length of its end. Float lanes err by less than the slack. */
    double near = vec3_length(vec3_sub(to, from)) + (double)c->rules.slack;
    mark_within(c, to, near);
    for (uint32_t i = 0; i < c->wide.count; ++i)
    {
        Vec3 corners[3];
        if (field_of(c, i, FIELD_ANSWER) < (double)INFINITY && candidates_counts(c, i))
        {
            candidates_corners(c, i, corners);
            if (sidle_segment_hits(corners, from, to))
            {
                return true;
            }
        }
    }
    return false;
}
