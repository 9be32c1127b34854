/* Capsules against oracles that search along core and path: what an accepted path comes close to, what a hit
 * touches, how far things are. SIDLE_QUERIES says how many. */
#include "narrow/candidates.h"
#include "support/law.h"
#include "support/oracle_core.h"
#include "support/precise.h"
#include "support/queries.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>

typedef struct CapsuleJudge
{
    const Kernels *kernels;
    bool raw; /* judges the lanes' own times, else the answers of narrow/ */
    Law kept, touched;
    uint64_t hits, misses, left_to_double, crossed;
    uint32_t wrong;
} CapsuleJudge;

/* Rows: x, y and z after the turn that makes `axis` the y axis. Exact where it is an axis already. */
static void draw_turn(Vector axis, Vector row[3])
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

static Query query_turned(const Query *query, const Vector row[3])
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
static Query capsule_query(Random *random, bool in_float, Vector *core)
{
    Query query = query_drawn(random);
    Vector row[3];
    draw_turn(draw_axis(random, query.triangles[0]), row);
    *core = vector(0, (double)(float)random_scale(random, random_chance(random, 0.1) ? 1e-6 : 0.01, 4.0), 0);
    query = query_turned(&query, row);
    query.origin = vector_along(query.origin, random_between(random, -1.0, 1.0), *core);
    return in_float ? query_in_float(&query) : query;
}

/* S: of the triangle's corners, at both ends of the core. */
static double prism_size(const Query *query, uint32_t triangle, Vector core)
{
    double size = query_reach(query);
    for (int i = 0; i < 6; ++i)
    {
        Vector v = vector_along(query->triangles[triangle][i % 3], i < 3 ? 1.0 : -1.0, core);
        size = fmax(size, vector_length(v));
    }
    return size;
}

static double height_over_longest(const Vector v[3])
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

static CapsuleJudge judge_of(const Kernels *kernels, bool raw)
{
    double roundoff = kernels == &kernels_1d ? 0x1p-53 : 0x1p-24;
    return (CapsuleJudge){
        .kernels = kernels, .raw = raw, .kept = {.roundoff = roundoff}, .touched = {.roundoff = roundoff}};
}

/* The distance of the core less the radius, with more digits where double does not tell. */
static double excess_at(const CapsuleJudge *judge, const Query *query, const Vector v[3], Vector core,
                        double t)
{
    Vector center = vector_along(query->origin, t, query->direction);
    double excess = oracle_core(v, core, center).distance - query_radius(query);
    if (judge->kernels == &kernels_1d && precise_available() && fabs(excess) < 1e-9)
    {
        excess =
            precise_approach(v, vector_sub(center, core), vector(0, 1, 0), 2.0 * core.y, query_radius(query));
    }
    return excess;
}

static void complain(CapsuleJudge *judge, const Query *query, uint32_t triangle, Vector core,
                     const char *what, double figure)
{
    if (judge->wrong++ < 8)
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

/* On the way [0, t] of a capsule that begins free, no triangle comes closer than the radius. */
static void judge_way(CapsuleJudge *judge, const Query *query, uint32_t triangle, Vector core, double t)
{
    const Vector *v = query->triangles[triangle];
    double begin = oracle_core(v, core, query->origin).distance, radius = query_radius(query);
    if (begin < radius || begin - t >= radius)
    {
        return;
    }
    OracleApproach nearest = oracle_core_approach(v, core, query->origin, query->direction, t);
    double depth = -excess_at(judge, query, v, core, nearest.time);
    if (depth > 0.0)
    {
        double touch = first_touch(query, v, core, nearest.time);
        depth -= fmin(query_graze_depth(query), GRAZE_SLOPE * (nearest.time - touch));
        depth -= is_thin(v) ? THIN_HEIGHT * THIN_HEIGHT / 8.0 * 1.01 : 0.0;
    }
    if (!law_keeps(&judge->kept, ORACLE_FACE, face_of_law(v), prism_size(query, triangle, core), depth))
    {
        complain(judge, query, triangle, core, "an accepted path is too deep", depth);
    }
}

static void judge_hit(CapsuleJudge *judge, const Query *query, Vector core, const Hit *hit)
{
    uint32_t triangle = hit->candidate;
    const Vector *v = query->triangles[triangle];
    Vector center = vector_along(query->origin, hit->contact.t, query->direction);
    OracleCore there = oracle_core(v, core, center);
    double size = prism_size(query, triangle, core),
           excess = excess_at(judge, query, v, core, hit->contact.t);
    if (!law_keeps(&judge->touched, ORACLE_FACE, face_of_law(v), size, excess))
    {
        complain(judge, query, triangle, core, "a hit touches nothing", excess);
    }
    if (judge->raw)
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
    /* What it grazed on its way may be nearer, by as much as a graze may. */
    double grazed = fmin(query_graze_depth(query), GRAZE_SLOPE * hit->contact.t);
    grazed += is_thin(v) ? THIN_HEIGHT * THIN_HEIGHT / 8.0 * 1.01 : 0.0;
    if (!(off <= allowed + 1e-6 && far <= grazed + allowed))
    {
        complain(judge, query, triangle, core, "a contact is not on its triangle", fmax(off, far));
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

/* The answer of lanes of this width, as narrow/ gives it or, raw, as the lanes themselves do. False: float does not
 * serve a triangle of the query. */
static bool answer_of(const Kernels *kernels, const Query *query, Vector core, bool raw, bool *is_hit,
                      Hit *hit)
{
    Filled filled;
    filled_set_core(&filled, kernels, query, NULL, core.y);
    Candidates candidates = {
        .kernels = kernels, .wide = filled.batch, .list = filled.candidates, .core = core.y};
    SweepQuery asked = query_for_kernels(query);
    if (filled.exact_count > 0)
    {
        return false;
    }
    if (!raw)
    {
        *is_hit = candidates_sweep(&candidates, &asked, hit);
        return true;
    }
    SweepAnswer answer = kernels->core_sweep(&filled.batch, &asked, core.y, filled.candidates, NULL);
    *hit = (Hit){{.t = answer.t}, answer.candidate};
    *is_hit = answer.candidate != NO_HIT;
    return true;
}

static void judge_query(CapsuleJudge *judge, const Query *query, Vector core)
{
    Hit hit;
    bool is_hit;
    if (!answer_of(judge->kernels, query, core, judge->raw, &is_hit, &hit))
    {
        ++judge->left_to_double;
        return;
    }
    judge->hits += is_hit;
    judge->misses += !is_hit;
    for (uint32_t i = 0; i < query->count; ++i)
    {
        judge_way(judge, query, i, core, is_hit ? hit.contact.t : query->length);
    }
    if (is_hit && begins_free(query, core))
    {
        judge_hit(judge, query, core, &hit);
    }
}

static void judge_many(const Kernels *kernels, bool raw, uint32_t count, const char *what)
{
    Random random = random_seeded(301);
    CapsuleJudge judge = judge_of(kernels, raw);
    for (uint32_t i = 0; i < count; ++i)
    {
        Vector core;
        Query query = capsule_query(&random, kernels != &kernels_1d, &core);
        judge_query(&judge, &query, core);
    }
    printf("%s: %llu hits, %llu misses, %llu left to double lanes\n", what, (unsigned long long)judge.hits,
           (unsigned long long)judge.misses, (unsigned long long)judge.left_to_double);
    law_print(&judge.kept, "  kept on the way");
    law_print(&judge.touched, "  touched at the hit");
    cr_expect_eq(judge.wrong, 0, "%u answers break the law", judge.wrong);
    cr_expect(judge.hits > count / 10 && judge.misses > count / 20, "too one-sided to show anything");
}

Test(capsule_oracle, swept_capsules_keep_the_error_law)
{
    judge_many(&kernels_4, false, query_count(20000), "answers");
}

Test(capsule_oracle, float_lanes_keep_the_error_law)
{
    judge_many(&kernels_4, true, query_count(20000), "float lanes");
}

Test(capsule_oracle, double_lanes_keep_the_error_law)
{
    if (precise_available()) /* double does not judge itself */
    {
        judge_many(&kernels_1d, true, query_count(20000), "double lanes");
    }
}

/* Double sees the shallow touch of the first triangle, which is 14,000 radii long, more than a radius later than
 * float does: the path went on to there, through the second one. */
Test(capsule_oracle, what_stands_between_the_times_of_float_and_double_is_not_passed)
{
    const Query query = {
        .count = 2,
        .origin = {0x1.264312b36b98dp-7, -0x1.3553f7990c4d4p-8, -0x1.6426cfcc9bc61p-9},
        .direction = {-0x1.40cbcf5e37febp-1, -0x1.2c69531288879p-1, -0x1.06a746582051fp-1},
        .length = 0x1.670764d7a335ep+2,
        .skin = 0.1,
        .triangles = {{{0x1.f562f6p+9, -0x1.15f54ep+12, -0x1.082366p+12},
                       {-0x1.15ac2p+11, 0x1.77a30ep+9, 0x1.a05fp+9},
                       {0x1.01c556p+13, -0x1.d5f36cp+10, -0x1.18d62cp+11}},
                      {{-0x1.c2fe2ep-3, -0x1.fb5836p-1, -0x1.7327fap-1},
                       {-0x1.c31b5ep-3, -0x1.fb5534p-1, -0x1.732674p-1},
                       {-0x1.c31b5ep-3, -0x1.fb5534p-1, -0x1.732674p-1}}},
    };
    Vector core = vector(-0x1.3812b4p-7, 0x1.480d0cp-8, 0x1.79b56ep-9), row[3];
    draw_turn(core, row);
    core = vector(0, vector_length(core), 0);
    Query upright = query_turned(&query, row);
    CapsuleJudge judge = judge_of(&kernels_4, false);
    upright = query_in_float(&upright);
    judge_query(&judge, &upright, core);
    cr_expect_eq(judge.hits, 1);
    cr_expect_eq(judge.wrong, 0);
}

/* Distances of triangles to the core at the path's beginning, signed where they cross. */
Test(capsule_oracle, distances_are_those_of_the_core)
{
    Random random = random_seeded(302);
    uint32_t count = query_count(50000), crossed = 0, wrong = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Vector core;
        Query query = capsule_query(&random, true, &core);
        Vec3 corners[3];
        for (int corner = 0; corner < 3; ++corner)
        {
            corners[corner] = vec3_of_vector(query.triangles[0][corner]);
        }
        KernelContact contact = contact_of_core(corners, core.y, vec3_of_vector(query.origin));
        OracleCore truth = oracle_core(query.triangles[0], core, query.origin);
        bool crosses = oracle_core_crosses(query.triangles[0], core, query.origin) &&
                       height_over_longest(query.triangles[0]) > 1.01 * THIN_HEIGHT;
        double size = prism_size(&query, 0, core);
        double more = contact.t - truth.distance, thin = THIN_HEIGHT * THIN_HEIGHT / 2.0;
        bool agrees = contact.t <= 0.0 ? truth.distance <= 1e-9 * size
                                       : more >= -1e-7 - 1e-12 * size &&
                                             more <= 1e-7 + fmin(thin / truth.distance, 0.5 * THIN_HEIGHT);
        crossed += crosses;
        agrees = agrees && (!crosses || contact.t <= 1e-9 * size);
        agrees = agrees && fabs(vec3_length(contact.normal) - 1.0) < 1e-9;
        if (!agrees && wrong++ < 8)
        {
            printf("WRONG: %.9g instead of %.9g, core %a %a %a:", contact.t, truth.distance, core.x, core.y,
                   core.z);
            query_print(&query, 0);
        }
    }
    cr_expect_eq(wrong, 0, "%u distances are wrong", wrong);
    cr_expect(crossed > count / 100, "too tame to show anything");
}

static bool same_hit(bool a_is_hit, const Hit *a, bool b_is_hit, const Hit *b)
{
    return a_is_hit == b_is_hit &&
           (!a_is_hit || (a->candidate == b->candidate && a->contact.t == b->contact.t &&
                          vec3_is_zero(vec3_sub(a->contact.point, b->contact.point)) &&
                          a->contact.feature == b->contact.feature));
}

Test(capsule_oracle, every_width_gives_the_same_bits)
{
    const Kernels *widths[BUILD_COUNT];
    uint32_t width_count = builds_here(widths);
    Random random = random_seeded(303);
    for (uint32_t i = 0; i < 5000; ++i)
    {
        Vector core;
        Query query = capsule_query(&random, true, &core);
        Hit first = {.candidate = 0};
        bool first_is_hit = false;
        for (uint32_t w = 0; w < width_count; ++w)
        {
            Hit hit = {.candidate = 0};
            bool is_hit = false;
            answer_of(widths[w], &query, core, false, &is_hit, &hit);
            cr_assert(w == 0 || same_hit(first_is_hit, &first, is_hit, &hit), "%u lanes differ, query %u",
                      widths[w]->lane_count, i);
            first = hit;
            first_is_hit = is_hit;
        }
    }
}
