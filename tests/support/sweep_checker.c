#include "support/sweep_checker.h"

#include "support/precise.h"
#include "support/shrink.h"

#include <pthread.h>
#include <stdio.h>

SweepChecker sweep_checker_of(double roundoff)
{
    return (SweepChecker){.kept = {.roundoff = roundoff}, .touched = {.roundoff = roundoff}};
}

/* ---- reports of failures ---- */

/* Asks the same kernels again. */
static bool still_fails(const Query *query, const void *context)
{
    const Filled *before = context;
    SweepChecker checker = sweep_checker_of(before->kernels == &sidle_kernels_1d ? 0x1p-53 : 0x1p-24);
    Filled filled;
    checker.quiet = true;
    filled_set(&filled, before->kernels, query, NULL);
    sweep_check(&checker, query, &filled, filled_sweep(&filled, query));
    return checker.wrong > 0;
}

static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER; /* one at a time */

/* The first few are printed in full, the rest are counted. */
static void complain(SweepChecker *checker, const Query *query, const Filled *filled, uint32_t triangle,
                     const char *what, double figure)
{
    if (checker->wrong++ >= 8 || checker->quiet)
    {
        return;
    }
    pthread_mutex_lock(&telling);
    printf("WRONG: %s by %.6g:", what, figure);
    query_print(query, triangle);
    Query shrunk = *query;
    if (shrink_query(&shrunk, triangle, still_fails, filled))
    {
        printf("  shrunk:");
        query_print(&shrunk, 0);
    }
    else
    {
        printf("  it fails only together with the other %u of its batch\n", query->count - 1);
    }
    fflush(stdout);
    pthread_mutex_unlock(&telling);
}

/* ---- the verdict ---- */

/* Double gives a verdict that might be another, or the worst so far: O4 decides. */
static bool is_tight(SweepChecker *checker, const Vector v[3], double difference, double bound, double size)
{
    double error = oracle_error(v, size);
    bool asks = difference + error > 0.25 * bound && difference - error < 4.0 * bound && precise_available();
    checker->precise += asks;
    return asks;
}

/* What the path may gain in depth as a mere graze: GRAZE_SLOPE on the path from the first contact to the
 * deepest place, and a share of the skin in all. */
static double graze(const Query *query, uint32_t triangle, OracleApproach nearest, double floor)
{
    const Vector *v = query->triangles[triangle];
    OracleTouch touch = oracle_touch(v, query->origin, query->direction, nearest.time, floor);
    return fmin(query_graze_depth(query), GRAZE_SLOPE * (nearest.time - touch.time));
}

/* The ball is over the face, or no farther beside it than its error: the normals of the edges in the plane
 * err with the normal of the plane; and what the plane errs in height, the time of a touch errs by over the
 * approach, and with the time the place along the path. */
#define STEEPEST_SHARE 64 /* shallower paths than this to one are checked as if they were not */

static bool is_over_face(const Law *law, const Query *query, uint32_t triangle, Vector place)
{
    const Vector *v = query->triangles[triangle];
    Vector normal = vector_unit(vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0])));
    Vector foot = vector_along(place, -vector_dot(normal, vector_sub(place, v[0])), normal);
    double approach = fmax(fabs(vector_dot(normal, query->direction)), 1.0 / STEEPEST_SHARE);
    double bound = law_bound(law, ORACLE_FACE, v, query_size(query, triangle));
    return oracle_closest(v, foot).distance <= bound / approach;
}

/* The feature that answers for a triangle at a place of the path: where a sliver is low, its face is hit though
 * an edge is as near. */
static OracleFeature answering(const Law *law, const Query *query, uint32_t triangle, Vector place)
{
    bool is_face = is_over_face(law, query, triangle, place);
    return is_face ? ORACLE_FACE : oracle_closest(query->triangles[triangle], place).feature;
}

/* What a ball that begins inside may still sink. It is held if the nearest point lies ahead, and which point
 * is nearest is only known so well: a triangle lower than THIN_HEIGHT has no face but only edges, which are
 * up to half its height aside; and of points whose distances differ by no more than an answer may err, any
 * may be reported, by Pythagoras (the triangle is convex) up to sqrt(2 distance error + error^2) aside. So the
 * ball may approach at a rate of aside / distance and, the distance to what is convex being convex along the
 * path, never faster. */
static double unsure(const Law *law, const Query *query, uint32_t triangle, double begin, double time)
{
    double error = law_bound(law, ORACLE_FACE, query->triangles[triangle], query_size(query, triangle));
    if (begin >= query_radius(query) + error)
    {
        return 0.0;
    }
    double thin = query_thin_height(query, triangle, law->roundoff);
    double aside = 0.5 * thin + sqrt(error * (2.0 * begin + error));
    return aside * time < begin * begin ? aside * time / begin : begin;
}

/* Between the edges of a triangle without a face the ball sinks a little. */
static double sunk(double thin)
{
    return thin * thin / 8.0;
}

/* On the path [0, t] no triangle comes closer than the radius or, if the ball begins inside, than it was. */
static void check_path(SweepChecker *checker, const Query *query, const Filled *filled, uint32_t triangle,
                       double t)
{
    const Vector *v = query->triangles[triangle];
    double begin = oracle_closest(v, query->origin).distance, radius = query_radius(query);
    if (begin - t >= radius)
    {
        return;
    }
    OracleApproach nearest = oracle_approach(v, query->origin, query->direction, t);
    Vector place = vector_along(query->origin, nearest.time, query->direction);
    OracleFeature feature = answering(&checker->kept, query, triangle, place);
    double size = query_size(query, triangle), floor = fmin(begin, radius);
    double thin = query_thin_height(query, triangle, checker->kept.roundoff);
    double depth = floor - nearest.distance;
    if (is_tight(checker, v, depth, law_bound(&checker->kept, feature, v, size), size))
    {
        depth = precise_depth(v, query->origin, query->direction, t, radius);
    }
    depth -= sunk(thin);
    if (depth > 0.0)
    {
        double grazed = graze(query, triangle, nearest, floor);
        checker->grazes += depth > law_bound(&checker->kept, feature, v, size) && depth <= grazed;
        depth -= grazed;
        depth -= unsure(&checker->kept, query, triangle, begin, nearest.time);
    }
    if (!law_keeps(&checker->kept, feature, v, size, depth))
    {
        complain(checker, query, filled, triangle, "an accepted path is too deep", depth);
    }
}

/* At the hit the winner is touched, unless the ball began inside it: then it is held at once or never, for on a
 * straight path its distance falls from the beginning or not at all. */
static void check_hit(SweepChecker *checker, const Query *query, const Filled *filled, SweepAnswer answer)
{
    const Vector *v = query->triangles[answer.candidate];
    OracleClosest begin = oracle_closest(v, query->origin);
    double size = query_size(query, answer.candidate), radius = query_radius(query);
    double thin = query_thin_height(query, answer.candidate, checker->touched.roundoff);
    double inside = radius - begin.distance;
    if (answer.t == 0.0 && inside > 0.0)
    {
        checker->begun_inside += 1;
        return;
    }
    if (inside - sunk(thin) > law_bound(&checker->touched, begin.feature, v, size))
    {
        complain(checker, query, filled, answer.candidate, "what it began inside holds it later", inside);
    }
    Vector place = vector_along(query->origin, answer.t, query->direction);
    double excess = oracle_closest(v, place).distance - radius;
    OracleFeature feature = answering(&checker->touched, query, answer.candidate, place);
    if (is_tight(checker, v, excess, law_bound(&checker->touched, feature, v, size), size))
    {
        excess = precise_excess_at(v, query->origin, query->direction, answer.t, radius);
    }
    if (!law_keeps(&checker->touched, feature, v, size, excess))
    {
        complain(checker, query, filled, answer.candidate, "a hit touches nothing", excess);
    }
}

void sweep_check(SweepChecker *checker, const Query *query, const Filled *filled, SweepAnswer answer)
{
    bool is_hit = answer.candidate != NO_HIT;
    checker->hits += is_hit;
    checker->misses += !is_hit;
    for (uint32_t lane = 0; lane < query->count; ++lane)
    {
        if (!filled->candidates[lane].exact)
        {
            check_path(checker, query, filled, filled->candidates[lane].triangle,
                       is_hit ? answer.t : query->length);
        }
    }
    if (is_hit)
    {
        check_hit(checker, query, filled, answer);
    }
}

void sweep_checker_add(SweepChecker *checker, const SweepChecker *other)
{
    law_add(&checker->kept, &other->kept);
    law_add(&checker->touched, &other->touched);
    checker->hits += other->hits;
    checker->misses += other->misses;
    checker->begun_inside += other->begun_inside;
    checker->grazes += other->grazes;
    checker->precise += other->precise;
    checker->wrong += other->wrong;
}

void sweep_checker_print(const SweepChecker *checker, const char *what)
{
    printf("%s: %llu hits, %llu misses, %llu begun inside, %llu grazes, %llu too tight for double\n", what,
           (unsigned long long)checker->hits, (unsigned long long)checker->misses,
           (unsigned long long)checker->begun_inside, (unsigned long long)checker->grazes,
           (unsigned long long)checker->precise);
    law_print(&checker->kept, "  kept on the path");
    law_print(&checker->touched, "  touched at the hit");
}
