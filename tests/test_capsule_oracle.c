/* Capsules against oracles that search along core and path: what an accepted path comes close to, what a hit
 * touches, how far things are. SIDLE_QUERIES says how many. */
#include "narrow/candidates.h"
#include "support/law.h"
#include "support/oracle_core.h"
#include "support/queries.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>

typedef struct CapsuleJudge
{
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
static Query capsule_query(Random *random, Vector *core)
{
    Query query = query_drawn(random);
    Vector row[3];
    draw_turn(draw_axis(random, query.triangles[0]), row);
    *core = vector(0, (double)(float)random_scale(random, random_chance(random, 0.1) ? 1e-6 : 0.01, 4.0), 0);
    query.origin = vector_along(turned(row, query.origin), random_between(random, -1.0, 1.0), *core);
    query.direction = vector_unit(turned(row, query.direction));
    for (uint32_t i = 0; i < 3 * query.count; ++i)
    {
        query.triangles[i / 3][i % 3] = turned(row, query.triangles[i / 3][i % 3]);
    }
    return query_in_float(&query);
}

/* S of a prism. */
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

static void take_flatter(const Vector side[3], Vector part[3], double *least)
{
    double own = oracle_roundness(side);
    if (height_over_longest(side) > 0.99 * THIN_HEIGHT && own < *least)
    {
        *least = own;
        for (int corner = 0; corner < 3; ++corner)
        {
            part[corner] = side[corner];
        }
    }
}

/* Half of a side of the prism, cut as the library cuts it. */
static void half_side(const Vector v[3], int edge, Vector core, Vector side[3])
{
    Vector from = v[edge], to = v[(edge + 1) % 3];
    bool falls = vector_dot(vector_sub(to, from), core) > 0.0;
    side[0] = vector_along(falls ? to : from, -1.0, core);
    side[1] = vector_along(falls ? from : to, -1.0, core);
    side[2] = vector_along(falls ? from : to, 1.0, core);
}

static bool has_thin_part(const Vector v[3], Vector core)
{
    bool is_thin = height_over_longest(v) < 1.01 * THIN_HEIGHT;
    for (int i = 0; i < 3; ++i)
    {
        Vector side[3];
        half_side(v, i, core, side);
        is_thin = is_thin || height_over_longest(side) < 1.01 * THIN_HEIGHT;
    }
    return is_thin;
}

/* The flattest of the prism's faces: K of any of them is at most max(6, 1 / kappa). What is lower than
 * THIN_HEIGHT has no face. */
static const Vector *flattest_part(const Vector v[3], Vector core, Vector part[3])
{
    const Vector round[3] = {vector(0, 0, 0), vector(1, 0, 0), vector(0, 1, 0)};
    double least = 2.0;
    take_flatter(round, part, &least);
    take_flatter(v, part, &least);
    for (int i = 0; i < 3; ++i)
    {
        Vector side[3];
        half_side(v, i, core, side);
        take_flatter(side, part, &least);
    }
    return part;
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
    Vector part[3];
    double depth = radius - nearest.distance;
    if (depth > 0.0)
    {
        double touch = first_touch(query, v, core, nearest.time);
        depth -= fmin(query_graze_depth(query), GRAZE_SLOPE * (nearest.time - touch));
        depth -= has_thin_part(v, core) ? THIN_HEIGHT * THIN_HEIGHT / 8.0 * 1.01 : 0.0;
    }
    if (!law_keeps(&judge->kept, ORACLE_FACE, flattest_part(v, core, part), prism_size(query, triangle, core),
                   depth))
    {
        complain(judge, query, triangle, core, "an accepted path is too deep", depth);
    }
}

static void judge_hit(CapsuleJudge *judge, const Query *query, Vector core, const Hit *hit)
{
    uint32_t triangle = hit->candidate;
    const Vector *v = query->triangles[triangle];
    Vector center = vector_along(query->origin, hit->contact.t, query->direction), part[3];
    OracleCore there = oracle_core(v, core, center);
    double size = prism_size(query, triangle, core), excess = there.distance - query_radius(query);
    if (!law_keeps(&judge->touched, ORACLE_FACE, flattest_part(v, core, part), size, excess))
    {
        complain(judge, query, triangle, core, "a hit touches nothing", excess);
    }
    Vector point = vector(hit->contact.point.x, hit->contact.point.y, hit->contact.point.z);
    double off = oracle_closest(v, point).distance,
           allowed = law_bound(&judge->touched, ORACLE_FACE, part, size);
    const Vector spot[3] = {point, point, point};
    double far = fabs(oracle_core(spot, core, center).distance - there.distance);
    /* What it grazed on its way may be nearer, by as much as a graze may. */
    double grazed = fmin(query_graze_depth(query), GRAZE_SLOPE * hit->contact.t);
    grazed += has_thin_part(v, core) ? THIN_HEIGHT * THIN_HEIGHT / 8.0 * 1.01 : 0.0;
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

/* The answer of lanes of this width, as narrow/ gives it. False: float does not serve a triangle of the query. */
static bool answer_of(const Kernels *kernels, const Query *query, Vector core, bool *is_hit, Hit *hit)
{
    Filled filled;
    filled_set_core(&filled, kernels, query, NULL, core.y);
    Candidates candidates = {
        .kernels = kernels, .wide = filled.batch, .list = filled.candidates, .core = core.y};
    SweepQuery asked = query_for_kernels(query);
    *is_hit = filled.exact_count == 0 && candidates_sweep(&candidates, &asked, hit);
    return filled.exact_count == 0;
}

static void judge_query(CapsuleJudge *judge, const Query *query, Vector core, const Kernels *kernels)
{
    Hit hit;
    bool is_hit;
    if (!answer_of(kernels, query, core, &is_hit, &hit))
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

Test(capsule_oracle, swept_capsules_keep_the_error_law)
{
    Random random = random_seeded(301);
    CapsuleJudge judge = {.kept = {.roundoff = 0x1p-24}, .touched = {.roundoff = 0x1p-24}};
    uint32_t count = query_count(20000);
    for (uint32_t i = 0; i < count; ++i)
    {
        Vector core;
        Query query = capsule_query(&random, &core);
        judge_query(&judge, &query, core, &kernels_4);
    }
    printf("capsules: %llu hits, %llu misses, %llu left to double lanes\n", (unsigned long long)judge.hits,
           (unsigned long long)judge.misses, (unsigned long long)judge.left_to_double);
    law_print(&judge.kept, "  kept on the way");
    law_print(&judge.touched, "  touched at the hit");
    cr_expect_eq(judge.wrong, 0, "%u answers break the law", judge.wrong);
    cr_expect(judge.hits > count / 10 && judge.misses > count / 20, "too one-sided to show anything");
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
    CapsuleJudge judge = {.kept = {.roundoff = 0x1p-24}, .touched = {.roundoff = 0x1p-24}};
    judge_query(&judge, &query, vector(-0x1.3812b4p-7, 0x1.480d0cp-8, 0x1.79b56ep-9), &kernels_4);
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
        Query query = capsule_query(&random, &core);
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
        Query query = capsule_query(&random, &core);
        Hit first = {.candidate = 0};
        bool first_is_hit = false;
        for (uint32_t w = 0; w < width_count; ++w)
        {
            Hit hit = {.candidate = 0};
            bool is_hit;
            answer_of(widths[w], &query, core, &is_hit, &hit);
            cr_assert(w == 0 || same_hit(first_is_hit, &first, is_hit, &hit), "%u lanes differ, query %u",
                      widths[w]->lane_count, i);
            first = hit;
            first_is_hit = is_hit;
        }
    }
}
