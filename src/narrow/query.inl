/* The questions: float lanes and double lanes answer together, the winner's contact comes in double. */
#include "narrow/questions.h"

#include <string.h>

static Vec3 read_corner(const Batch *batch, const Kernels *kernels, uint32_t lane, uint32_t field)
{
    return vec3(batch_read(batch, kernels, lane, field), batch_read(batch, kernels, lane, field + 1),
                batch_read(batch, kernels, lane, field + 2));
}

static const Vec3 *source_corners(const Candidates *c, uint32_t candidate)
{
    return c->prisms.sources[c->list[candidate].source].corners;
}

static void lane_corners(const Candidates *c, uint32_t candidate, Vec3 corners[3])
{
    const Batch *batch = &c->wide;
    const Kernels *kernels = c->kernels;
    uint32_t lane = candidate;
    if (candidate_of(c, candidate)->exact)
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

static void candidates_corners(const Candidates *c, uint32_t candidate, Vec3 corners[3])
{
    if (c->is_capsule)
    {
        memcpy(corners, source_corners(c, candidate), 3 * sizeof *corners);
        return;
    }
    lane_corners(c, candidate, corners);
}

static SweepAnswer earlier(const Candidates *c, SweepAnswer a, SweepAnswer b)
{
    if (a.t != b.t || a.candidate == NO_HIT || b.candidate == NO_HIT)
    {
        return b.t < a.t ? b : a;
    }
    return candidate_before(candidate_of(c, b.candidate), candidate_of(c, a.candidate)) ? b : a;
}

static void count_question(const Candidates *c, const SweepQuery *query)
{
    count_sweep(&c->wide, query, c->stats);
    if (c->exact.count > 0)
    {
        uint32_t lanes = c->stats->lanes;
        kernels_1d.count(&c->exact, query, c->stats);
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
    return candidate_of(c, candidate)->exact ? INFINITY
                                    : left * batch_read(&c->wide, c->kernels, candidate, FIELD_SIZE);
}

/* Of a lane that hit its face: the plane alone, in double from the same corners, since a float normal errs by 1.5e-4
 * where a triangle spans 2,500 radii. False: double does not see the plane approach, or only after `latest`. */
static inline bool face_contact_of(const Vec3 v[3], const SweepQuery *query, double latest, KernelContact *out)
{
    Vec3 n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    n = vec3_scale(n, 1 / vec3_length(n));
    double distance = vec3_dot(n, vec3_sub(query->origin, v[0])), rate = vec3_dot(n, query->direction);
    double side = distance < 0 ? -1 : 1, approach = -side * rate;
    double t = larger(side * distance - query->radius, 0) / approach;
    if (!(approach > 0 && t <= latest))
    {
        return false;
    }
    out->t = t;
    out->normal = vec3_scale(n, side);
    out->point = vec3_add_scaled(query->origin, query->direction, t);
    out->point = vec3_add_scaled(out->point, n, -(distance + rate * t));
    out->feature = SIDLE_FEATURE_FACE;
    return true;
}

/* In double. What only float sees, or so early, is within the error law: the contact is where the ball then
 * is. */
static __attribute__((noinline)) void contact_of_answer(const Candidates *c, const SweepQuery *query,
                                                        SweepAnswer answer, KernelContact *out)
{
    Vec3 corners[3];
    lane_corners(c, answer.candidate, corners);
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

/* Of the only float lane that hit, by its face. */
static inline bool face_contact_of_lane(const Candidates *c, const SweepQuery *query, SweepAnswer answer,
                                        KernelContact *out)
{
    if (!answer.is_face || c->exact.count > 0 || c->is_capsule)
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
    return face_contact_of(v, query, answer.t + left * size, out);
}

static bool candidates_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    if (c->is_capsule)
    {
        prisms_show(c, query->origin);
    }
    if (c->stats)
    {
        count_question(c, query);
    }
    SweepAnswer answer = sweep_lanes(&c->wide, query);
    if (answer.is_tied)
    {
        list_candidates(c);
        answer.candidate = first_at(&c->wide, (Real)answer.t, c->list, NULL);
    }
    if (c->exact.count > 0)
    {
        list_candidates(c);
        answer = earlier(c, answer, kernels_1d.sweep(&c->exact, query, c->list, c->exact_of));
    }
    if (answer.candidate == NO_HIT)
    {
        return false;
    }
    out->candidate = answer.candidate;
    if (!face_contact_of_lane(c, query, answer, &out->contact))
    {
        contact_of_answer(c, query, answer, &out->contact);
    }
    if (c->is_capsule)
    {
        prism_tell(source_corners(c, answer.candidate), c->prisms.core, candidate_of(c, answer.candidate)->part,
                   &out->contact);
    }
    if (c->stats)
    {
        count_hit(c, out->contact.feature);
    }
    return true;
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

/* Lanes tell that nothing is near, which is all that most ticks want to know; unless the tick began inside of
 * a prism, whose faces may be far. */
static bool nothing_is_near(const Candidates *c, Vec3 center, double radius)
{
    if (c->prisms.pierced)
    {
        return false;
    }
    prisms_show(c, center);
    return !(lanes_distance(c, center, radius) < (double)INFINITY);
}

static __attribute__((noinline)) double prisms_distance(const Candidates *c, Vec3 center, double radius)
{
    double least = INFINITY;
    if (nothing_is_near(c, center, radius))
    {
        return least;
    }
    for (uint32_t i = 0; i < c->prisms.count; ++i)
    {
        least = lesser(least, prism_contact(c->prisms.sources[i].corners, c->prisms.core, center).t);
    }
    return least <= radius ? least : INFINITY;
}

static double candidates_distance(const Candidates *c, Vec3 point, double radius)
{
    return c->is_capsule ? prisms_distance(c, point, radius) : lanes_distance(c, point, radius);
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
        insert_contact(c, list, &hit);
    }
}

static __attribute__((noinline)) void collect_prisms(const Candidates *c, Vec3 center, double radius,
                                                     ContactList *list)
{
    if (nothing_is_near(c, center, radius))
    {
        return;
    }
    for (uint32_t i = 0; i < c->prisms.count; ++i)
    {
        const PrismSource *source = &c->prisms.sources[i];
        Hit hit = {prism_contact(source->corners, c->prisms.core, center), source->first};
        if (hit.contact.t <= radius)
        {
            insert_contact(c, list, &hit);
        }
    }
}

static uint32_t candidates_contacts(const Candidates *c, Vec3 point, double radius, Hit *out,
                                    uint32_t capacity)
{
    ContactList list = {out, 0, capacity};
    if (c->is_capsule)
    {
        collect_prisms(c, point, radius, &list);
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

static bool is_within(const PrismSource *source, Vec3 point, double radius)
{
    const Vec3 *v = source->corners;
    Vec3 low = vec3(lesser(v[0].x, lesser(v[1].x, v[2].x)), lesser(v[0].y, lesser(v[1].y, v[2].y)),
                    lesser(v[0].z, lesser(v[1].z, v[2].z)));
    Vec3 high = vec3(larger(v[0].x, larger(v[1].x, v[2].x)), larger(v[0].y, larger(v[1].y, v[2].y)),
                     larger(v[0].z, larger(v[1].z, v[2].z)));
    return vec3_max_component(vec3_sub(low, point)) <= radius &&
           vec3_max_component(vec3_sub(point, high)) <= radius &&
           contact_of_closest(v, point, point).t <= radius;
}

static __attribute__((noinline)) uint32_t list_prisms(const Candidates *c, Vec3 point, double radius)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->prisms.count; ++i)
    {
        if (is_within(&c->prisms.sources[i], point, radius))
        {
            c->leaves[count++] = c->prisms.sources[i].first;
        }
    }
    return count;
}

static const uint32_t *candidates_within(const Candidates *c, Vec3 point, double radius, uint32_t *count)
{
    if (c->is_capsule)
    {
        *count = list_prisms(c, point, radius);
        return c->leaves;
    }
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
    if (c->is_capsule)
    {
        return true; /* those that do not were not packed; a lane may be hidden for other reasons */
    }
    bool exact = candidate_of(c, candidate)->exact;
    const Batch *batch = exact ? &c->exact : &c->wide;
    const Kernels *kernels = exact ? &kernels_1d : c->kernels;
    uint32_t lane = exact ? exact_lane(c, candidate) : candidate;
    return !isnan(batch_read(batch, kernels, lane, FIELD_PLANE));
}

/* T. Moeller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997, as signed volumes: the
 * ends on different sides, and the line inside all three edges. Reaching the triangle counts; a segment that
 * starts on it only leaves it, which is how a centre that lies on a face gets away. */
static bool segment_meets(const Vec3 v[3], Vec3 from, Vec3 to)
{
    Vec3 d = vec3_sub(to, from), n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    double a = vec3_dot(n, vec3_sub(from, v[0])), b = vec3_dot(n, vec3_sub(to, v[0]));
    if (vec3_is_zero(n) || a == 0 || (a > 0 && b > 0) || (a < 0 && b < 0))
    {
        return false;
    }
    double side[3];
    for (int i = 0; i < 3; ++i)
    {
        Vec3 p = vec3_sub(v[i], from), q = vec3_sub(v[(i + 1) % 3], from);
        side[i] = vec3_dot(d, vec3_cross(p, q));
    }
    return (side[0] >= 0 && side[1] >= 0 && side[2] >= 0) || (side[0] <= 0 && side[1] <= 0 && side[2] <= 0);
}

static bool candidates_block_segment(const Candidates *c, Vec3 from, Vec3 to)
{
    for (uint32_t i = 0; c->is_capsule && i < c->prisms.count; ++i)
    {
        if (segment_meets(c->prisms.sources[i].corners, from, to))
        {
            return true;
        }
    }
    for (uint32_t i = 0; i < c->wide.count && !c->is_capsule; ++i)
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
