/* The contact of a single corner or edge, or of a wall, against the whole triangle: its closest point at that time, and its sweep. */
#include "kernels/core_contact.h"
#include "support/capsule_checker.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

/* Of S. At the least approach of .01 the time errs by 50 times the error of a square, which is a few 2^-53 S. Sweeps
 * of whole needles err by more: 1.1e-12 S was the worst of 60,000 queries. */
#define TOLERANCE 1e-11

typedef struct Tally
{
    uint32_t hits, plain, walls, ends, misnamed, apart, elsewhere, turned, leaving, inside, other_time;
} Tally;

/* `core`: half of it, along the y axis; 0: a ball. */
typedef struct Asked
{
    SweepQuery query;
    Vec3 v[3];
    double core, allowed;
} Asked;

static KernelContact closest_of(const Asked *asked, Vec3 center)
{
    return asked->core > 0 ? sidle_contact_of_core(asked->v, asked->core, center)
                           : sidle_contact_of_closest(asked->v, center, vec3(0, 0, 0));
}

static bool sweep_of(const Asked *asked, KernelContact *out)
{
    return asked->core > 0 ? sidle_contact_of_core_sweep(asked->v, &asked->query, asked->core, out)
                           : sidle_contact_of_sweep(asked->v, &asked->query, out);
}

static bool plain_of(const Asked *asked, double time, KernelContact *out)
{
    RimPath path = {asked->query.direction, asked->query.length, asked->query.radius};
    return asked->core > 0 ? contact_of_core(asked->v, asked->core, path, time, out)
                           : contact_of_rim(asked->v, path, time, out);
}

/* The distance to a convex body is convex along the path: the hit is the first if the ball touches there, approaches, and was
 * outside before. */
static void check_plain(const Asked *asked, const KernelContact *rim, Tally *tally)
{
    Vec3 origin = vec3(0, 0, 0), center = vec3_scale(asked->query.direction, rim->t);
    double allowed = asked->allowed, radius = asked->query.radius;
    KernelContact closest = closest_of(asked, center), before = closest_of(asked, origin);
    KernelContact at_point = sidle_contact_of_closest(asked->v, rim->point, origin);
    Vec3 away = vec3_sub(center, rim->point);
    away.y -= fmax(-asked->core, fmin(away.y, asked->core)); /* from the core */
    tally->apart += !(fabs(closest.t - radius) <= allowed);
    tally->elsewhere += !(at_point.t <= allowed && fabs(vec3_length(away) - radius) <= allowed);
    tally->turned += !(vec3_length(vec3_sub(rim->normal, vec3_normalize(away))) <= allowed);
    tally->leaving += !(vec3_dot(rim->normal, asked->query.direction) < 0) ||
                      !(rim->t > 0 && rim->t <= asked->query.length);
    tally->inside += !(before.t > radius - allowed);
}

static bool is_at_corner(const Asked *asked, Vec3 point)
{
    bool is = false;
    for (uint32_t i = 0; i < 3; ++i)
    {
        is |= !(vec3_length2(vec3_sub(asked->v[i], point)) > 0);
    }
    return is;
}

static void check_feature(const Asked *asked, const KernelContact *whole, const KernelContact *rim,
                          Tally *tally)
{
    bool at_corner = is_at_corner(asked, rim->point), is_wall = rim->feature == SIDLE_FEATURE_FACE;
    tally->walls += is_wall;
    tally->ends += rim->feature == SIDLE_FEATURE_EDGE && at_corner;
    tally->misnamed += (rim->feature == SIDLE_FEATURE_VERTEX && !at_corner) ||
                       (whole && asked->core > 0 && is_wall != (whole->feature == SIDLE_FEATURE_FACE));
}

/* `time`: at which the nearest feature is sought, as a share of the path; NaN: that of the hit. */
static void check(const Asked *asked, double time, Tally *tally)
{
    KernelContact whole, rim;
    double length = asked->query.length;
    bool is_hit = sweep_of(asked, &whole);
    bool counts = is_hit && whole.t > 0 && (whole.feature != SIDLE_FEATURE_FACE || asked->core > 0);
    double at = isnan(time) ? counts ? whole.t : length : time * length;
    tally->hits += counts;
    if (plain_of(asked, at, &rim))
    {
        tally->plain += 1;
        /* At the very end of the path rounding decides. */
        tally->other_time += !(fabs(rim.t - (is_hit ? whole.t : length)) <= asked->allowed);
        check_plain(asked, &rim, tally);
        check_feature(asked, is_hit ? &whole : NULL, &rim, tally);
    }
}

static void conclude(const Tally *tally)
{
    printf("%u hits, %u of one feature, %u of them walls\n", tally->hits, tally->plain, tally->walls);
    cr_expect_leq(tally->ends, tally->plain / 1000, "%u corners are called edges", tally->ends);
    cr_expect_eq(tally->misnamed, 0, "%u are of another feature", tally->misnamed);
    cr_expect_eq(tally->apart, 0, "%u do not touch", tally->apart);
    cr_expect_eq(tally->elsewhere, 0, "%u do not touch there", tally->elsewhere);
    cr_expect_eq(tally->turned, 0, "%u have another normal", tally->turned);
    cr_expect_eq(tally->leaving, 0, "%u do not approach", tally->leaving);
    cr_expect_eq(tally->inside, 0, "%u begin inside", tally->inside);
    cr_expect_eq(tally->other_time, 0, "%u have another time than the triangle", tally->other_time);
}

static void check_queries(uint64_t seed, bool at_hits, bool has_core)
{
    Random random = random_seeded(seed);
    Tally tally = {0};
    uint32_t count = query_count(60000);
    for (uint32_t i = 0; i < count; ++i)
    {
        Vector core = {0, 0, 0};
        Query query = has_core ? capsule_query(&random, false, &core) : query_drawn(&random);
        bool is_upright = has_core && random_chance(&random, .3);
        for (uint32_t triangle = 0; triangle < query.count; ++triangle)
        {
            if (is_upright) /* with an edge along the core */
            {
                query.triangles[triangle][2].x = query.triangles[triangle][0].x;
                query.triangles[triangle][2].z = query.triangles[triangle][0].z;
            }
            Asked asked = {query_for_kernels(&query), .core = core.y};
            for (uint32_t corner = 0; corner < 3; ++corner)
            {
                asked.v[corner] =
                    vec3_sub(vec3_of_vector(query.triangles[triangle][corner]), asked.query.origin);
            }
            asked.query.origin = vec3(0, 0, 0);
            asked.allowed =
                TOLERANCE * (has_core ? capsule_size(&query, triangle, core) : query_size(&query, triangle));
            check(&asked, at_hits ? (double)NAN : random_between(&random, 0, 1), &tally);
        }
    }
    conclude(&tally);
    cr_expect_gt(tally.plain, tally.hits / (at_hits ? 2 : 8), "%u of %u", tally.plain, tally.hits);
}

Test(rim_contact, is_that_of_the_triangle)
{
    check_queries(410, true, false);
}

/* Another feature may be the nearest then: there is no answer, or it is still the right one. */
Test(rim_contact, of_a_wrong_time_is_none_or_that_of_the_triangle)
{
    check_queries(411, false, false);
}

Test(rim_contact, of_a_capsule_is_that_of_the_triangle)
{
    check_queries(412, true, true);
}

Test(rim_contact, of_a_capsule_at_a_wrong_time_is_none_or_that_of_the_triangle)
{
    check_queries(413, false, true);
}

/* The middle of the core and the end of an upright edge within its height are equally near. Rounding does not choose between them:
 * the height of a contact decides whether a step is tried. */
Test(rim_contact, of_an_upright_edge_keeps_its_height)
{
    for (uint32_t first = 0; first < 3; ++first)
    {
        uint32_t corners = 0, count = 10000;
        for (uint32_t i = 0; i < count; ++i)
        {
            double x = 2 + 1e-3 * i / 7, z = .25 + 1e-4 * i / 13;
            const Vec3 wall[3] = {{x, -4, z}, {x, .375, z}, {x + 2, .375, z + 1}};
            Asked asked = {{.direction = {1, 0, 0}, .length = 5, .radius = 1}, .core = 1};
            KernelContact rim;
            for (uint32_t corner = 0; corner < 3; ++corner)
            {
                asked.v[corner] = wall[(corner + first) % 3];
            }
            cr_assert(plain_of(&asked, x - 1, &rim));
            corners += rim.feature == SIDLE_FEATURE_VERTEX;
        }
        cr_expect(corners == 0 || corners == count, "%u of %u at the end", corners, count);
    }
}
