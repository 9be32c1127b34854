#include "support/capsule_checker.h"

#include "support/oracle_core.h"
#include "support/precise.h"

#include <stdio.h>

/* ---- queries ---- */

void draw_turn(Vector axis, Vector row[3])
{
    Vector size = vector(fabs(axis.x), fabs(axis.y), fabs(axis.z));
    bool x_is_least = size.x <= size.y && size.x <= size.z;
    Vector other = x_is_least ? vector(1, 0, 0) : size.y <= size.z ? vector(0, 1, 0) : vector(0, 0, 1);
    row[1] = vector_unit(axis);
    row[2] = vector_unit(vector_cross(other, row[1]));
    row[0] = vector_cross(row[1], row[2]);
}

static Vector turned(const Vector row[3], Vector v)
{
    return vector(vector_dot(row[0], v), vector_dot(row[1], v), vector_dot(row[2], v));
}

Query query_turned(const Query *query, const Vector row[3])
{
    Query out = *query;
    out.origin = turned(row, query->origin);
    out.direction = vector_unit(turned(row, query->direction));
    for (uint32_t i = 0; i < 3 * query->count; ++i)
    {
        out.triangles[i / 3][i % 3] = turned(row, query->triangles[i / 3][i % 3]);
    }
    return out;
}

static Vector draw_axis(Random *random, const Vector v[3])
{
    if (!random_chance(random, 0.4))
    {
        return random_direction(random);
    }
    Vector edge = vector_unit(vector_sub(v[1], v[0])), other = vector_unit(vector_sub(v[2], v[0]));
    const Vector special[6] = {vector(0, 1, 0),
                               vector(1, 0, 0),
                               vector(0, 0, 1),
                               edge,
                               vector_unit(vector_add(edge, other)),
                               vector_unit(vector_cross(edge, other))};
    Vector axis = special[random_below(random, 6)];
    axis = vector_length(axis) > 0.5 ? axis : vector(0, 1, 0);
    /* nearly so, too */
    return random_chance(random, 0.5)
               ? axis
               : vector_unit(vector_along(axis, random_scale(random, 1e-8, 0.1), random_direction(random)));
}

/* A query's path is that of a ball that comes close; the centre of the capsule is anywhere along its core, which
 * is turned to the y axis. */
Query capsule_query(Random *random, bool in_float, Vector *core)
{
    Query query = query_drawn(random);
    Vector row[3];
    draw_turn(draw_axis(random, query.triangles[0]), row);
    *core = vector(0, (double)(float)random_scale(random, random_chance(random, 0.1) ? 1e-6 : 0.01, 4.0), 0);
    query = query_turned(&query, row);
    query.origin = vector_along(query.origin, random_between(random, -1.0, 1.0), *core);
    return in_float ? query_in_float(&query) : query;
}

/* ---- checks ---- */

double capsule_size(const Query *query, uint32_t triangle, Vector core)
{
    double size = query_reach(query);
    for (int i = 0; i < 6; ++i)
    {
        Vector v = vector_along(query->triangles[triangle][i % 3], i < 3 ? 1.0 : -1.0, core);
        size = fmax(size, vector_length(v));
    }
    return size;
}

double height_over_longest(const Vector v[3])
{
    double longest = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        longest = fmax(longest, vector_distance(v[i], v[(i + 1) % 3]));
    }
    Vector area = vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0]));
    return longest > 0.0 ? vector_length(area) / longest : 0.0;
}

/* Lower than THIN_HEIGHT, give or take: the triangle may have no face. */
static bool is_thin(const Vector v[3])
{
    return height_over_longest(v) < 1.01 * THIN_HEIGHT;
}

/* The law is that of the triangle's face: max(6, 1 / kappa), or 6 if it has none. */
static const Vector *face_of_law(const Vector v[3])
{
    static const Vector round[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    return height_over_longest(v) > 0.99 * THIN_HEIGHT ? v : round;
}

CapsuleChecker capsule_checker_of(const Kernels *kernels, bool raw)
{
    double roundoff = kernels == &sidle_kernels_1d ? 0x1p-53 : 0x1p-24;
    return (CapsuleChecker){
        .kernels = kernels, .raw = raw, .kept = {.roundoff = roundoff}, .touched = {.roundoff = roundoff}};
}

/* The distance of the core less the radius, with more digits where double cannot decide. */
static double excess_at(const CapsuleChecker *checker, const Query *query, const Vector v[3], Vector core,
                        double t)
{
    Vector center = vector_along(query->origin, t, query->direction);
    double excess = oracle_core(v, core, center).distance - query_radius(query);
    if (checker->kernels == &sidle_kernels_1d && precise_available() && fabs(excess) < 1e-9)
    {
        excess =
            precise_approach(v, vector_sub(center, core), vector(0, 1, 0), 2.0 * core.y, query_radius(query));
    }
    return excess;
}

static void complain(CapsuleChecker *checker, const Query *query, uint32_t triangle, Vector core,
                     const char *what, double figure)
{
    if (checker->wrong++ < 8 && !checker->quiet)
    {
        printf("WRONG: %s by %.6g, core %a %a %a:", what, figure, core.x, core.y, core.z);
        query_print(query, triangle);
    }
}

/* When the distance falls to the radius; it does until `until`. */
static double first_touch(const Query *query, const Vector v[3], Vector core, double until)
{
    double low = 0.0, high = until;
    for (int i = 0; i < 50; ++i)
    {
        double middle = (low + high) / 2.0;
        Vector center = vector_along(query->origin, middle, query->direction);
        *(oracle_core(v, core, center).distance > query_radius(query) ? &low : &high) = middle;
    }
    return low;
}

/* On the path [0, t] of a capsule that begins free, no triangle comes closer than the radius. */
static void check_path(CapsuleChecker *checker, const Query *query, uint32_t triangle, Vector core, double t)
{
    const Vector *v = query->triangles[triangle];
    double begin = oracle_core(v, core, query->origin).distance, radius = query_radius(query);
    if (begin < radius || begin - t >= radius)
    {
        return;
    }
    OracleApproach nearest = oracle_core_approach(v, core, query->origin, query->direction, t);
    double depth = -excess_at(checker, query, v, core, nearest.time);
    if (depth > 0.0)
    {
        double touch = first_touch(query, v, core, nearest.time);
        depth -= fmin(query_graze_depth(query), GRAZE_SLOPE * (nearest.time - touch));
        depth -= is_thin(v) ? THIN_HEIGHT * THIN_HEIGHT / 8.0 * 1.01 : 0.0;
    }
    if (!law_keeps(&checker->kept, ORACLE_FACE, face_of_law(v), capsule_size(query, triangle, core), depth))
    {
        complain(checker, query, triangle, core, "an accepted path is too deep", depth);
    }
}

static void check_hit(CapsuleChecker *checker, const Query *query, Vector core, const Hit *hit)
{
    uint32_t triangle = hit->candidate;
    const Vector *v = query->triangles[triangle];
    Vector center = vector_along(query->origin, hit->contact.t, query->direction);
    OracleCore there = oracle_core(v, core, center);
    double size = capsule_size(query, triangle, core),
           excess = excess_at(checker, query, v, core, hit->contact.t);
    if (!law_keeps(&checker->touched, ORACLE_FACE, face_of_law(v), size, excess))
    {
        complain(checker, query, triangle, core, "a hit touches nothing", excess);
    }
    if (checker->raw)
    {
        return;
    }
    Vector point = vector(hit->contact.point.x, hit->contact.point.y, hit->contact.point.z);
    static const Law float_law = {.roundoff =
                                      0x1p-24}; /* places along a face that the core lies on are as good */
    double off = oracle_closest(v, point).distance,
           allowed = law_bound(&float_law, ORACLE_FACE, face_of_law(v), size);
    const Vector spot[3] = {point, point, point};
    double far = fabs(oracle_core(spot, core, center).distance - there.distance);
    /* What it grazed on its path may be nearer, by as much as a graze may. */
    double grazed = fmin(query_graze_depth(query), GRAZE_SLOPE * hit->contact.t);
    grazed += is_thin(v) ? THIN_HEIGHT * THIN_HEIGHT / 8.0 * 1.01 : 0.0;
    if (!(off <= allowed + 1e-6 && far <= grazed + allowed))
    {
        complain(checker, query, triangle, core, "a contact is not on its triangle", fmax(off, far));
    }
}

/* A capsule that begins inside is held at once, if the distance falls by more than a graze, or never. A core that
 * crosses the triangle, or touches it by its distance, is never held. */
static void check_inside(CapsuleChecker *checker, const Query *query, uint32_t triangle, Vector core,
                         bool is_hit, double t)
{
    const Vector *v = query->triangles[triangle];
    double begin = oracle_core(v, core, query->origin).distance, radius = query_radius(query);
    double error =
        law_bound(&checker->kept, ORACLE_FACE, face_of_law(v), capsule_size(query, triangle, core));
    error += is_thin(v) ? THIN_HEIGHT : 0.0;
    if (begin > radius - error || begin < 1e-6 + error)
    {
        return;
    }
    ++checker->begun_inside;
    OracleApproach nearest =
        oracle_core_approach(v, core, query->origin, query->direction, is_hit ? t : query->length);
    double gain = begin - nearest.distance,
           graze = fmax(query_graze_depth(query), GRAZE_SLOPE * query->length);
    if (gain > graze + error)
    {
        complain(checker, query, triangle, core, "it sinks in", gain);
    }
}

/* A capsule that is held by a triangle that it begins inside comes nearer to it: after a small step its distance is not
 * more than it was, but for the curve that a path straight past the triangle is on. */
static void check_held(CapsuleChecker *checker, const Query *query, uint32_t triangle, Vector core, double t)
{
    const Vector *v = query->triangles[triangle];
    double begin = oracle_core(v, core, query->origin).distance, step = fmin(query->length, 1e-3 * begin);
    double error =
        law_bound(&checker->kept, ORACLE_FACE, face_of_law(v), capsule_size(query, triangle, core));
    Vector next = vector_along(query->origin, step, query->direction);
    if (is_thin(v))
    {
        return; /* without a face, its edges alone say what is nearest */
    }
    if (begin < query_radius(query) - error && t > 0.0)
    {
        complain(checker, query, triangle, core, "what it began inside holds it later", t);
    }
    if (t <= 0.0 && oracle_core_crosses(v, core, query->origin))
    {
        complain(checker, query, triangle, core, "a triangle that it crosses holds it", t);
    }
    double more = oracle_core(v, core, next).distance - begin;
    if (t <= 0.0 && more > step * step / begin + 1e-12)
    {
        complain(checker, query, triangle, core, "it may not leave", more);
    }
}

static bool begins_free(const Query *query, Vector core)
{
    for (uint32_t i = 0; i < query->count; ++i)
    {
        if (oracle_core(query->triangles[i], core, query->origin).distance < query_radius(query))
        {
            return false;
        }
    }
    return true;
}

bool capsule_answer(const Kernels *kernels, const Query *query, Vector core, bool raw, bool *is_hit, Hit *hit)
{
    Filled filled;
    filled_set_core(&filled, kernels, query, NULL, core.y);
    static const Placed nowhere;
    uint32_t numbers[FILLED_LANES];
    for (uint32_t i = 0; i < FILLED_LANES; ++i)
    {
        numbers[i] = i;
    }
    LaneRun run = {&nowhere, query->count};
    Candidates candidates = {.kernels = kernels,
                             .wide = filled.batch,
                             .list = filled.candidates,
                             .origins.triangle = numbers,
                             .runs = &run,
                             .run_count = 1,
                             .core = core.y};
    SweepQuery asked = query_for_kernels(query);
    if (filled.exact_count > 0)
    {
        return false;
    }
    if (!raw)
    {
        *is_hit = kernels->ask(&candidates, &asked, hit);
        return true;
    }
    SweepAnswer answer = kernels->core_sweep(&filled.batch, &asked, core.y, filled.candidates, NULL);
    *hit = (Hit){{.t = answer.t}, answer.candidate};
    *is_hit = answer.candidate != NO_HIT;
    return true;
}

void capsule_check(CapsuleChecker *checker, const Query *query, Vector core)
{
    Hit hit;
    bool is_hit;
    if (!capsule_answer(checker->kernels, query, core, checker->raw, &is_hit, &hit))
    {
        ++checker->left_to_double;
        return;
    }
    checker->hits += is_hit;
    checker->misses += !is_hit;
    for (uint32_t i = 0; i < query->count; ++i)
    {
        check_path(checker, query, i, core, is_hit ? hit.contact.t : query->length);
        check_inside(checker, query, i, core, is_hit, hit.contact.t);
    }
    if (is_hit)
    {
        check_held(checker, query, hit.candidate, core, hit.contact.t);
    }
    if (is_hit && begins_free(query, core))
    {
        check_hit(checker, query, core, &hit);
    }
}

void capsule_checker_print(const CapsuleChecker *checker, const char *what)
{
    printf("%s: %llu hits, %llu misses, %llu begun inside, %llu left to double lanes\n", what,
           (unsigned long long)checker->hits, (unsigned long long)checker->misses,
           (unsigned long long)checker->begun_inside, (unsigned long long)checker->left_to_double);
    law_print(&checker->kept, "  kept on the path");
    law_print(&checker->touched, "  touched at the hit");
}
