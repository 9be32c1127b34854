/* Contacts of two shapes, proven by their support functions alone: a plane with the reported normal separates the shapes until t, and
 * the reported point belongs to both at t. A search for separating planes proves misses and overlaps. */
#include "sidle/agents.h"
#include "support/queries.h"
#include "support/random.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>

enum
{
    PAIRS = 2000,
    STARTS = 24
};

#define EXACT 1e-9 /* of the sizes, as the header says */

typedef struct Solid
{
    Vector center, radii, axis[3];
    double core;
    bool is_box; /* `radii`: half its edges */
} Solid;

static double size_of(const Solid *solid)
{
    return fmax(solid->radii.x, fmax(solid->radii.y, solid->radii.z)) + solid->core;
}

static Solid solid_of(Vector center, sidle_quat q, const sidle_shape *shape)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double n = x * x + y * y + z * z + w * w, s = n > 0 ? 2 / n : 0;
    return (Solid){center,
                   {(double)shape->radii.x, (double)shape->radii.y, (double)shape->radii.z},
                   {vector(1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
                    vector(s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
                    vector(s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y))},
                   (double)shape->half_height,
                   false};
}

/* How far a solid reaches along n from its centre. */
static double support(const Solid *solid, Vector n)
{
    double x = solid->radii.x * vector_dot(n, solid->axis[0]),
           y = solid->radii.y * vector_dot(n, solid->axis[1]),
           z = solid->radii.z * vector_dot(n, solid->axis[2]);
    if (solid->is_box)
    {
        return fabs(x) + fabs(y) + fabs(z);
    }
    return sqrt(x * x + y * y + z * z) + solid->core * fabs(vector_dot(n, solid->axis[1]));
}

/* The distance from the surface in units of the least radius; below 0: inside. */
static double level_at(const Solid *solid, Vector point)
{
    Vector away = vector_sub(point, solid->center);
    double y = vector_dot(away, solid->axis[1]);
    y -= fmax(-solid->core, fmin(y, solid->core));
    Vector share = {vector_dot(away, solid->axis[0]) / solid->radii.x, y / solid->radii.y,
                    vector_dot(away, solid->axis[2]) / solid->radii.z};
    return vector_length(share) - 1;
}

static double least_radius(const Solid *solid)
{
    return fmin(solid->radii.x, fmin(solid->radii.y, solid->radii.z));
}

typedef struct Pair
{
    Solid asked, agent;
    Vector path;
    bool is_point;
    double allowed; /* length */
} Pair;

/* The gap that planes with the normal n leave between the agent and the whole path. */
static double gap_along(const Pair *pair, Vector n)
{
    Vector away = vector_sub(pair->asked.center, pair->agent.center);
    double asked = pair->is_point ? 0 : support(&pair->asked, n);
    return vector_dot(n, away) + fmin(0, vector_dot(n, pair->path)) - support(&pair->agent, n) - asked;
}

typedef struct Climb
{
    double step, last; /* lengths of the first and the last steps */
    double shrink;
    int tries; /* directions of a step */
} Climb;

/* The largest gap, by steps across n; ends above `enough`. Their directions turn by the golden angle, so that some of them follow any
 * ridge. */
static double climb_by(const Pair *pair, Vector n, Climb steps, double enough)
{
    double best = gap_along(pair, n), angle = 0, step = steps.step;
    while (step > steps.last && best <= enough)
    {
        Vector a = vector_unit(vector_cross(n, fabs(n.x) < .7 ? vector(1, 0, 0) : vector(0, 1, 0))),
               b = vector_cross(n, a);
        bool climbs = false;
        for (int i = 0; i < steps.tries && !climbs; ++i)
        {
            angle += 2.39996322972865;
            Vector next = vector_along(vector_along(n, step * cos(angle), a), step * sin(angle), b);
            double gap = gap_along(pair, vector_unit(next));
            if (gap > best)
            {
                best = gap;
                n = vector_unit(next);
                climbs = true;
            }
        }
        step *= climbs ? 2 : steps.shrink;
    }
    return best;
}

static double climb(const Pair *pair, Vector n, double step, double last, double enough)
{
    return climb_by(pair, n, (Climb){step, last, .6, 8}, enough);
}

/* That of normals beside one that is rounded to floats. A narrow ridge needs more steps, to come as near to `expected` as is allowed. */
static double gap_beside(const Pair *pair, Vector n, double expected)
{
    double gap = climb(pair, vector_unit(n), 4e-7, 1e-13, INFINITY);
    bool stops_early = gap < expected - pair->allowed;
    return stops_early ? fmax(gap, climb_by(pair, vector_unit(n), (Climb){4e-7, 1e-14, .9, 64}, INFINITY))
                       : gap;
}

/* Beside a long path the planes that separate are parallel to it: their normals lie on a circle. */
static double climb_on_circle(const Pair *pair, Random *random)
{
    Vector a = vector_unit(vector_cross(pair->path, random_direction(random))),
           b = vector_unit(vector_cross(pair->path, a));
    double best = -INFINITY, angle = 0;
    for (int i = 0; i < STARTS; ++i)
    {
        double turned = 2 * 3.14159265358979 * i / (int)STARTS,
               gap = gap_along(pair, vector_along(vector_scale(a, cos(turned)), sin(turned), b));
        angle = gap > best ? turned : angle;
        best = fmax(gap, best);
    }
    for (double step = .2; step > 1e-11; step *= .7)
    {
        for (int side = -1; side <= 1; side += 2)
        {
            double turned = angle + side * step,
                   gap = gap_along(pair, vector_along(vector_scale(a, cos(turned)), sin(turned), b));
            angle = gap > best ? turned : angle;
            best = fmax(gap, best);
        }
    }
    return best;
}

static double largest_gap(const Pair *pair, Random *random)
{
    Vector away = vector_sub(pair->asked.center, pair->agent.center);
    away = vector_length(away) > 0 ? away : random_direction(random);
    double best = climb(pair, vector_unit(away), .5, 1e-10, 0);
    best = fmax(best, climb(pair, vector_unit(vector_add(away, pair->path)), .5, 1e-10, 0));
    if (best <= 0 && vector_length(pair->path) > 0)
    {
        best = fmax(best, climb_on_circle(pair, random));
    }
    for (int i = 0; i < STARTS && best <= 0; ++i)
    {
        best = fmax(best, climb(pair, random_direction(random), .5, 1e-10, 0));
    }
    return best;
}

/* ---- shapes ---- */

static sidle_shape shape_drawn(Random *random, int kind, double size)
{
    float r = (float)size;
    float flat = (float)(size * random_scale(random, .0101, 1)),
          deep = (float)(size * random_scale(random, .1, 1));
    float core = (float)(size * random_scale(random, .01, kind == 3 ? 1 : 4));
    const sidle_shape shapes[4] = {
        {{r, r, r}, 0}, {{flat, r, deep}, 0}, {{r, r, r}, core}, {{r, deep, flat}, fminf(core, 90 * flat)}};
    return shapes[kind];
}

static sidle_quat quat_drawn(Random *random)
{
    Vector a = random_direction(random);
    sidle_quat turned = {(float)a.x, (float)a.y, (float)a.z, (float)random_between(random, -1, 1)};
    return random_chance(random, .3) ? (sidle_quat){0, 0, 0, 0} : turned;
}

typedef struct Question
{
    sidle_cast cast;
    sidle_move move;
    sidle_profile profile;
} Question;

/* The path passes the agent about as closely as the two are large. */
static Question drawn(Random *random, int i)
{
    Question q = {.profile = {.size = sizeof q.profile}, .move = {.id = 7}};
    double size = random_scale(random, .1, 3), far = i % 4 == 0 ? 1e5 : 0;
    q.profile.shape = shape_drawn(random, i % 4, size);
    int kind = i / 4 % 5;
    q.cast.shape =
        kind < 4 ? shape_drawn(random, kind, random_scale(random, .1, 3)) : (sidle_shape){{0, 0, 0}, 0};
    q.cast.rotation = quat_drawn(random);
    q.move.rotation = quat_drawn(random);
    Vector at = vector_scale(random_direction(random), far), target = at, by = random_direction(random);
    double both = size + (double)q.profile.shape.half_height + (double)q.cast.shape.radii.x,
           length = random_scale(random, .01, 100);
    target = vector_along(target, both * random_between(random, 0, 1.5), random_direction(random));
    Vector from = vector_along(target, -length * random_between(random, -.1, 1.2), by);
    q.move.body.center = (sidle_position){at.x, at.y, at.z};
    q.cast.origin = (sidle_position){from.x, from.y, from.z};
    q.cast.displacement =
        (sidle_vec3){(float)(length * by.x), (float)(length * by.y), (float)(length * by.z)};
    if (random_chance(random, .1))
    {
        q.cast.displacement = (sidle_vec3){0, 0, 0};
    }
    return q;
}

static Pair pair_of(const Question *q)
{
    Vector from = {q->cast.origin.x, q->cast.origin.y, q->cast.origin.z};
    const sidle_position *c = &q->move.body.center;
    Pair pair = {.is_point = !(q->cast.shape.radii.x > 0)};
    pair.asked = solid_of(from, q->cast.rotation, &q->cast.shape);
    pair.agent = solid_of(vector(c->x, c->y, c->z), q->move.rotation, &q->profile.shape);
    pair.path = vector((double)q->cast.displacement.x, (double)q->cast.displacement.y,
                       (double)q->cast.displacement.z);
    pair.allowed = EXACT * (size_of(&pair.asked) + size_of(&pair.agent)) +
                   1e-14 * (vector_length(from) + vector_length(pair.path));
    return pair;
}

static sidle_agents *index_of(const Question *q)
{
    static sidle_agents *agents;
    sidle_agents_desc desc = {
        .size = sizeof desc, .moves = &q->move, .count = 1, .profiles = &q->profile, .profile_count = 1};
    if (!agents)
    {
        demand(sidle_agents_create(NULL, &agents), "sidle_agents_create");
    }
    demand(sidle_agents_build(agents, &desc), "sidle_agents_build");
    return agents;
}

/* Each pair has its own numbers, so that one of a million can be drawn alone. */
static Random random_of_pair(uint64_t seed, int i)
{
    return random_seeded(seed << 32 | (uint32_t)i);
}

/* ---- casts ---- */

static void prove_contact(Pair pair, const sidle_cast_hit *hit, int i)
{
    Vector n = {(double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z};
    Vector point = {hit->point.x, hit->point.y, hit->point.z};
    cr_expect(hit->t >= 0 && hit->t <= 1 && vector_dot(n, pair.path) <= 0, "pair %d: t %g", i, hit->t);
    cr_expect(fabs(vector_length(n) - 1) < 1e-6);
    pair.asked.center = vector_along(pair.asked.center, hit->t, pair.path);
    pair.path = vector(0, 0, 0);
    double gap = gap_beside(&pair, n, 0);
    cr_expect(fabs(gap) <= pair.allowed, "pair %d: a gap of %g, %g are allowed", i, gap, pair.allowed);
    double level = level_at(&pair.agent, point) * least_radius(&pair.agent);
    cr_expect(fabs(level) <= pair.allowed, "pair %d: the point is %g beside the agent", i, level);
    level = pair.is_point ? vector_length(vector_sub(point, pair.asked.center))
                          : level_at(&pair.asked, point) * least_radius(&pair.asked);
    cr_expect(fabs(level) <= pair.allowed, "pair %d: the point is %g beside the shape", i, level);
}

Test(agent_pairs, each_answer_of_a_cast_is_proven_by_planes)
{
    const int pairs = (int)scene_count(PAIRS);
    int counts[3] = {0, 0, 0};
    for (int i = 0; i < pairs; ++i)
    {
        Random random = random_of_pair(31, i);
        Question q = drawn(&random, i);
        Pair pair = pair_of(&q);
        sidle_cast_hit hit;
        demand(sidle_agents_cast_closest(index_of(&q), &q.cast, NULL, &hit), "sidle_agents_cast_closest");
        counts[hit.hit] += 1;
        if (hit.hit == SIDLE_CAST_HIT)
        {
            prove_contact(pair, &hit, i);
            continue;
        }
        pair.path = hit.hit == SIDLE_CAST_OVERLAP ? vector(0, 0, 0) : pair.path;
        double gap = largest_gap(&pair, &random);
        cr_expect(hit.hit == SIDLE_CAST_OVERLAP ? gap <= pair.allowed : gap >= -pair.allowed,
                  "pair %d: answer %u, and planes leave %g", i, hit.hit, gap);
    }
    cr_expect(counts[0] > pairs / 10 && counts[1] > pairs / 10 && counts[2] > pairs / 20, "%d %d %d",
              counts[0], counts[1], counts[2]);
}

/* ---- places ---- */

/* From the direction between the centres, with steps for a narrow ridge. */
static double gap_by_small_steps(const Pair *pair)
{
    Vector away = vector_sub(pair->asked.center, pair->agent.center);
    return climb_by(pair, vector_unit(away), (Climb){.5, 1e-12, .9, 64}, 0);
}

/* Planes prove that the two overlap, or that they do not. Returns the largest gap that planes leave. */
static double prove_overlap(const Question *q, const sidle_place *place, const Pair *pair, Random *random,
                            int i, uint32_t *count)
{
    demand(sidle_agents_overlaps(index_of(q), place, NULL, NULL, 0, count), "sidle_agents_overlaps");
    double gap = largest_gap(pair, random);
    gap = *count == 0 && gap < -pair->allowed ? gap_by_small_steps(pair) : gap;
    cr_expect(*count ? gap <= pair->allowed : gap >= -pair->allowed, "pair %d: %u, and planes leave %g", i,
              *count, gap);
    return gap;
}

typedef struct Counts
{
    int apart, overlaps;
} Counts;

/* Of a point that follows from planes: the error of a normal is the root of that of its gap. */
#define EXACT_POINT 1e-8

/* The plane with the reported normal leaves the distance and no other leaves more; the point is on the agent, and as near to the shape. */
static void prove_distance(const Question *q, const sidle_place *place, Pair *pair, Random *random, int i,
                           Counts *counts)
{
    uint32_t count;
    double gap = prove_overlap(q, place, pair, random, i, &count);
    sidle_closest closest;
    demand(sidle_agents_closest(index_of(q), place, 1e6f, NULL, &closest), "sidle_agents_closest");
    cr_expect(closest.found && (closest.distance <= 0) == (count > 0), "pair %d: %g", i, closest.distance);
    Vector n = {(double)closest.normal.x, (double)closest.normal.y, (double)closest.normal.z};
    Vector point = {closest.point.x, closest.point.y, closest.point.z};
    if (count == 0)
    {
        Pair beside = *pair;
        beside.agent = (Solid){.center = point, .axis = {n, n, n}};
        double distance = gap_beside(&beside, vector_sub(pair->asked.center, point), closest.distance);
        distance = fmax(distance, gap_beside(&beside, n, closest.distance));
        cr_expect(fabs(distance - closest.distance) <= pair->allowed, "pair %d: the point is %g away, not %g",
                  i, distance, closest.distance);
    }
    else
    {
        cr_expect(gap <= closest.distance + pair->allowed, "pair %d: %g is shorter than %g", i, -gap,
                  -closest.distance);
    }
    gap = gap_beside(pair, n, closest.distance);
    cr_expect(fabs(gap - closest.distance) <= pair->allowed, "pair %d: %.12g, not %.12g", i, gap,
              closest.distance);
    cr_expect(level_at(&pair->agent, point) * least_radius(&pair->agent) <= pair->allowed, "pair %d: beside",
              i);
    counts->apart += count == 0;
    counts->overlaps += count > 0;
}

/* At the same centre, in part with the same axes or the same shape: many displacements are equally short. */
static void stand_in(Random *random, Question *q)
{
    q->cast.origin = q->move.body.center;
    q->cast.rotation = random_chance(random, .5) ? q->move.rotation : q->cast.rotation;
    bool same = q->cast.shape.radii.x > 0 && random_chance(random, .5);
    q->cast.shape = same ? q->profile.shape : q->cast.shape;
}

static Counts prove_distances(uint64_t seed, bool of_boxes)
{
    const int pairs = (int)scene_count(PAIRS);
    Counts counts = {0, 0};
    for (int i = 0; i < pairs; ++i)
    {
        Random random = random_of_pair(seed, i);
        Question q = drawn(&random, i);
        q.cast.displacement = (sidle_vec3){0, 0, 0};
        q.cast.shape = of_boxes ? shape_drawn(&random, 1, random_scale(&random, .1, 3)) : q.cast.shape;
        if (random_chance(&random, .05))
        {
            stand_in(&random, &q);
            q.cast.shape.half_height = of_boxes ? 0 : q.cast.shape.half_height;
        }
        Pair pair = pair_of(&q);
        pair.asked.is_box = of_boxes;
        sidle_place place = {.center = q.cast.origin,
                             .rotation = q.cast.rotation,
                             .shape = q.cast.shape,
                             .flags = of_boxes ? SIDLE_PLACE_BOX : 0};
        prove_distance(&q, &place, &pair, &random, i, &counts);
    }
    return counts;
}

Test(agent_pairs, each_overlap_and_distance_of_a_box_is_proven_by_planes)
{
    Counts counts = prove_distances(33, true);
    int least = (int)scene_count(PAIRS) / 4;
    cr_expect(counts.apart > least && counts.overlaps > least, "%d apart", counts.apart);
}

Test(agent_pairs, each_overlap_and_distance_is_proven_by_planes)
{
    Counts counts = prove_distances(32, false);
    int least = (int)scene_count(PAIRS) / 4;
    cr_expect(counts.apart > least && counts.overlaps > least, "%d apart", counts.apart);
}
