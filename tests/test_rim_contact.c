/* The contact of a single corner or edge against the whole triangle: its closest point at that time, and its sweep. */
#include "kernels/rim_contact.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

/* Of S. At a depth of .01 radii the time errs by 50 times the error of a square, which is a few 2^-53 S. Sweeps
 * of whole needles err by more: 1.1e-12 S was the worst of 60,000 queries. */
#define TOLERANCE 1e-11

typedef struct Tally
{
    uint32_t rims, plain, apart, elsewhere, turned, leaving, inside, other_time;
} Tally;

/* The distance to a convex body is convex along the path: the hit is the first if the ball touches there, approaches, and was
 * outside before. */
static void check_plain(const SweepQuery *asked, const Vec3 v[3], const KernelContact *rim, double allowed,
                        Tally *tally)
{
    Vec3 origin = vec3(0, 0, 0), center = vec3_scale(asked->direction, rim->t);
    KernelContact closest = sidle_contact_of_closest(v, center, origin);
    KernelContact before = sidle_contact_of_closest(v, origin, origin);
    KernelContact at_point = sidle_contact_of_closest(v, rim->point, origin);
    Vec3 away = vec3_sub(center, rim->point);
    tally->apart += !(fabs(closest.t - asked->radius) <= allowed);
    tally->elsewhere += !(at_point.t <= allowed && fabs(vec3_length(away) - asked->radius) <= allowed);
    tally->turned += !(vec3_length(vec3_sub(rim->normal, vec3_normalize(away))) <= allowed);
    tally->leaving +=
        !(vec3_dot(rim->normal, asked->direction) < 0) || !(rim->t > 0 && rim->t <= asked->length);
    tally->inside += !(before.t > asked->radius - allowed);
}

/* `time`: at which the nearest feature is sought, as a share of the path; NaN: that of the hit. */
static void check(const Query *query, uint32_t triangle, double time, Tally *tally)
{
    SweepQuery asked = query_for_kernels(query);
    Vec3 v[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        v[i] = vec3_sub(vec3_of_vector(query->triangles[triangle][i]), asked.origin);
    }
    asked.origin = vec3(0, 0, 0);
    KernelContact whole, rim;
    bool is_hit = sidle_contact_of_sweep(v, &asked, &whole);
    bool hits_rim = is_hit && whole.t > 0 && whole.feature != SIDLE_FEATURE_FACE;
    double at = isnan(time) ? hits_rim ? whole.t : asked.length : time * asked.length;
    RimPath path = {asked.direction, asked.length, asked.radius};
    tally->rims += hits_rim;
    if (contact_of_rim(v, path, at, &rim))
    {
        double allowed = TOLERANCE * query_size(query, triangle);
        tally->plain += 1;
        /* At the very end of the path rounding decides. */
        tally->other_time += !(fabs(rim.t - (is_hit ? whole.t : asked.length)) <= allowed);
        check_plain(&asked, v, &rim, allowed, tally);
    }
}

static void conclude(const Tally *tally)
{
    printf("%u hits of rims, %u of one feature\n", tally->rims, tally->plain);
    cr_expect_eq(tally->apart, 0, "%u do not touch", tally->apart);
    cr_expect_eq(tally->elsewhere, 0, "%u do not touch there", tally->elsewhere);
    cr_expect_eq(tally->turned, 0, "%u have another normal", tally->turned);
    cr_expect_eq(tally->leaving, 0, "%u do not approach", tally->leaving);
    cr_expect_eq(tally->inside, 0, "%u begin inside", tally->inside);
    cr_expect_eq(tally->other_time, 0, "%u have another time than the triangle", tally->other_time);
}

static Tally check_queries(uint64_t seed, bool at_hits)
{
    Random random = random_seeded(seed);
    Tally tally = {0};
    uint32_t count = query_count(60000);
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        for (uint32_t triangle = 0; triangle < query.count; ++triangle)
        {
            check(&query, triangle, at_hits ? (double)NAN : random_between(&random, 0, 1), &tally);
        }
    }
    conclude(&tally);
    return tally;
}

Test(rim_contact, is_that_of_the_triangle)
{
    Tally tally = check_queries(410, true);
    cr_expect_gt(tally.plain, tally.rims / 2, "%u of %u", tally.plain, tally.rims);
}

/* Another feature may be the nearest then: there is no answer, or it is still the right one. */
Test(rim_contact, of_a_wrong_time_is_none_or_that_of_the_triangle)
{
    Tally tally = check_queries(411, false);
    cr_expect_gt(tally.plain, tally.rims / 8, "%u of %u", tally.plain, tally.rims);
}
