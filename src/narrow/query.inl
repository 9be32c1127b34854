/* The questions: float lanes and double lanes answer together, the winner's contact comes in double. */
#include "narrow/questions.h"

#include <string.h>

/* Of a normal along a capsule's core: below it the core lies along the face and touches it with more than an end. Far
 * above what rounding does to a normal. */
#define LEAST_LEAN .01

static Vec3 read_corner(const Batch *batch, const Kernels *kernels, uint32_t lane, uint32_t field)
{
    return vec3(batch_read(batch, kernels, lane, field), batch_read(batch, kernels, lane, field + 1),
                batch_read(batch, kernels, lane, field + 2));
}

static void candidates_corners(const Candidates *c, uint32_t candidate, Vec3 corners[3])
{
    const Batch *batch = &c->wide;
    const Kernels *kernels = c->kernels;
    uint32_t lane = candidate;
    if (is_exact(c, candidate))
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
    return candidate_before(candidate_of(c, b.candidate), candidate_of(c, a.candidate)) ? b : a;
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
    return is_exact(c, candidate) ? INFINITY : left * batch_read(&c->wide, c->kernels, candidate, FIELD_SIZE);
}

/* Of a lane that hit its face: the plane alone, in double from the same corners, since a float normal errs by 1.5e-4
 * where a triangle spans 2,500 radii. `core`: of a capsule, whose nearer end touches. False: double does not see the
 * plane approach, or only after `latest`; or the core lies along the plane, so that no end is the nearer one. */
FORCE_INLINE bool face_contact_of(const Vec3 v[3], const SweepQuery *query, double core, double latest,
                                  KernelContact *out)
{
    Vec3 n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    n = vec3_scale(n, 1 / vec3_length(n));
    double distance = vec3_dot(n, vec3_sub(query->origin, v[0])), rate = vec3_dot(n, query->direction);
    double side = distance < 0 ? -1 : 1, approach = -side * rate, end = n.y * side > 0 ? -core : core;
    double height = core > 0 ? side * distance - fabs(n.y) * core : side * distance;
    double t = larger(height - query->radius, 0) / approach;
    if (!(approach > 0 && t <= latest) || (core > 0 && fabs(n.y) < LEAST_LEAN))
    {
        return false;
    }
    out->t = t;
    out->normal = vec3_scale(n, side);
    Vec3 center = vec3_add_scaled(query->origin, query->direction, t);
    height = distance + rate * t;
    if (core > 0)
    {
        center.y += end;
        height += n.y * end;
    }
    out->point = vec3_add_scaled(center, n, -height);
    out->feature = SIDLE_FEATURE_FACE;
    return true;
}

/* In double. What only float sees, or so early, is within the error law: the contact is where the ball then
 * is. */
static __attribute__((noinline)) void contact_of_answer(const Candidates *c, const SweepQuery *query,
                                                        SweepAnswer answer, KernelContact *out)
{
    Vec3 corners[3];
    candidates_corners(c, answer.candidate, corners);
    KernelContact seen;
    bool is_seen = contact_of_sweep(corners, query, &seen);
    if (is_seen && !(seen.t > answer.t + room_beyond(c, answer.candidate)))
    {
        *out = seen;
        return;
    }
    Vec3 center = vec3_add_scaled(query->origin, query->direction, answer.t);
    *out = contact_of_closest(corners, center, query->origin);
    out->t = answer.t;
    out->normal = is_seen ? seen.normal : out->normal;
}

/* Of the only float lane that hit, by its face. `core`: 0 or c->core, so that a ball's form has none. */
FORCE_INLINE bool face_contact_of_lane(const Candidates *c, const SweepQuery *query, double core,
                                       SweepAnswer answer, KernelContact *out)
{
    if (!answer.is_face || c->exact.count > 0)
    {
        return false;
    }
    uint32_t block = answer.candidate / LANE_COUNT, lane = answer.candidate % LANE_COUNT;
    const float *x = (const float *)c->wide.blocks + (size_t)block * FIELD_COUNT * LANE_COUNT + lane;
    Vec3 v[3];
    for (uint32_t i = 0; i < 3; ++i, x += 3 * LANE_COUNT)
    {
        v[i] = vec3((double)x[0], (double)x[LANE_COUNT], (double)x[2 * LANE_COUNT]);
    }
    double left = (FLOAT_ERROR_FACTOR - LAW_FACTOR) * FLOAT_ROUNDOFF;
    double size = (double)x[(FIELD_SIZE - FIELD_N) * LANE_COUNT];
    return face_contact_of(v, query, core, answer.t + left * size, out);
}

/* Of the lanes that tie at t: ties ask who they are. */
static OUT_OF_LINE void list_hits(const Candidates *c, Real t)
{
    for (uint32_t block = 0; block < block_count(&c->wide) && c->run_count > 0; ++block)
    {
        Lanes times = lanes_load(field_at(block_at(&c->wide, block), FIELD_ANSWER));
        for (uint32_t bits = mask_bits(lanes_less_equal(times, lanes_set(t))); bits; bits &= bits - 1)
        {
            candidate_of(c, block * LANE_COUNT + (uint32_t)__builtin_ctz(bits));
        }
    }
}

/* Lanes are candidates, but ties go by identity. */
static inline SweepAnswer name_lane(const Candidates *c, SweepAnswer answer)
{
    if (answer.is_tied)
    {
        list_hits(c, (Real)answer.t);
        answer.candidate = first_at(&c->wide, (Real)answer.t, c->list, NULL);
    }
    return answer;
}

/* As contact_of_answer. Kept apart: a capsule's lanes cost balls their inlining. */
static OUT_OF_LINE KernelContact capsule_contact(const Candidates *c, const SweepQuery *query,
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

static OUT_OF_LINE bool capsule_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    SweepAnswer answer = name_lane(c, core_sweep_lanes(&c->wide, query, c->core));
    if (c->exact.count > 0)
    {
        list_candidates(c);
        answer = earlier(c, answer, kernels_1d.core_sweep(&c->exact, query, c->core, c->list, c->exact_of));
    }
    if (answer.candidate == NO_HIT)
    {
        return false;
    }
    out->candidate = answer.candidate;
    if (!face_contact_of_lane(c, query, c->core, answer, &out->contact))
    {
        out->contact = capsule_contact(c, query, answer);
    }
    return true;
}

FORCE_INLINE bool ball_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    SweepAnswer answer = name_lane(c, sweep_lanes(&c->wide, query));
    if (c->exact.count > 0)
    {
        answer = earlier(c, answer, kernels_1d.sweep(&c->exact, query, c->list, c->exact_of));
    }
    if (answer.candidate == NO_HIT)
    {
        return false;
    }
    out->candidate = answer.candidate;
    if (!face_contact_of_lane(c, query, 0, answer, &out->contact))
    {
        contact_of_answer(c, query, answer, &out->contact);
    }
    return true;
}

static bool candidates_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
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
