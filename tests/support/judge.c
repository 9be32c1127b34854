#include "support/judge.h"

#include "support/precise.h"
#include "support/shrink.h"

#include <pthread.h>
#include <stdio.h>

Judge judge_with(double roundoff)
{
    return (Judge){.kept = {.roundoff = roundoff}, .touched = {.roundoff = roundoff}};
}

/* ---- what is told of a failure ---- */

/* Asks the same kernels again. */
static bool still_fails(const Query *query, const void *context)
{
    const Filled *before = context;
    Judge judge = judge_with(before->kernels == &sidle_kernels_1d ? 0x1p-53 : 0x1p-24);
    Filled filled;
    judge.quiet = true;
    filled_set(&filled, before->kernels, query, NULL);
    judge_answer(&judge, query, &filled, filled_sweep(&filled, query));
    return judge.wrong > 0;
}

static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER; /* one at a time */

/* The first few are told in full, the rest are counted. */
static void complain(Judge *judge, const Query *query, const Filled *filled, uint32_t triangle,
                     const char *what, double figure)
{
    if (judge->wrong++ >= 8 || judge->quiet)
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
static bool is_tight(Judge *judge, const Vector v[3], double difference, double bound, double size)
{
    double error = oracle_error(v, size);
    bool asks = difference + error > 0.25 * bound && difference - error < 4.0 * bound && precise_available();
    judge->precise += asks;
    return asks;
}

/* What the way may gain in depth as a mere graze: GRAZE_SLOPE on the way from the first contact to the
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
#define STEEPEST_SHARE 64 /* shallower paths than this to one are judged as if they were not */

static bool is_over_face(const Law *law, const Query *query, uint32_t triangle, Vector place)
{
    const Vector *v = query->triangles[triangle];
    Vector normal = vector_unit(vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0])));
    Vector foot = vector_along(place, -vector_dot(normal, vector_sub(place, v[0])), normal);
    double approach = fmax(fabs(vector_dot(normal, query->direction)), 1.0 / STEEPEST_SHARE);
    double bound = law_bound(law, ORACLE_FACE, v, query_size(query, triangle));
    return oracle_closest(v, foot).distance <= bound / approach;
}

/* The feature that answers for a triangle at a place of the path: where a cap is low, its face is met though
 * an edge is as near. */
static OracleFeature answering(const Law *law, const Query *query, uint32_t triangle, Vector place)
{
    bool is_face = is_over_face(law, query, triangle, place);
    return is_face ? ORACLE_FACE : oracle_closest(query->triangles[triangle], place).feature;
}

/* What a ball that begins inside may still sink. It is held if the nearest point lies ahead, and which point
 * is nearest is only known so well: a triangle lower than THIN_HEIGHT has no face but only edges, which are
 * up to half its height aside; and of points whose distances differ by no more than an answer may err, any
 * may be told, by Pythagoras (the triangle is convex) up to sqrt(2 distance error + error^2) aside. So the
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

/* On the way [0, t] no triangle comes closer than the radius or, if the ball begins inside, than it was. */
static void judge_way(Judge *judge, const Query *query, const Filled *filled, uint32_t triangle, double t)
{
    const Vector *v = query->triangles[triangle];
    double begin = oracle_closest(v, query->origin).distance, radius = query_radius(query);
    if (begin - t >= radius)
    {
        return;
    }
    OracleApproach nearest = oracle_approach(v, query->origin, query->direction, t);
    Vector place = vector_along(query->origin, nearest.time, query->direction);
    OracleFeature feature = answering(&judge->kept, query, triangle, place);
    double size = query_size(query, triangle), floor = fmin(begin, radius);
    double thin = query_thin_height(query, triangle, judge->kept.roundoff);
    double depth = floor - nearest.distance;
    if (is_tight(judge, v, depth, law_bound(&judge->kept, feature, v, size), size))
    {
        depth = precise_depth(v, query->origin, query->direction, t, radius);
    }
    depth -= sunk(thin);
    if (depth > 0.0)
    {
        double left_out = graze(query, triangle, nearest, floor);
        judge->grazes += depth > law_bound(&judge->kept, feature, v, size) && depth <= left_out;
        depth -= left_out;
        depth -= unsure(&judge->kept, query, triangle, begin, nearest.time);
    }
    if (!law_keeps(&judge->kept, feature, v, size, depth))
    {
        complain(judge, query, filled, triangle, "an accepted path is too deep", depth);
    }
}

/* At the hit the winner is touched, unless the ball began inside it: then it is held at once or never, for on a
 * straight path its distance falls from the beginning or not at all. */
static void judge_hit(Judge *judge, const Query *query, const Filled *filled, SweepAnswer answer)
{
    const Vector *v = query->triangles[answer.candidate];
    OracleClosest begin = oracle_closest(v, query->origin);
    double size = query_size(query, answer.candidate), radius = query_radius(query);
    double thin = query_thin_height(query, answer.candidate, judge->touched.roundoff);
    double inside = radius - begin.distance;
    if (answer.t == 0.0 && inside > 0.0)
    {
        judge->begun_inside += 1;
        return;
    }
    if (inside - sunk(thin) > law_bound(&judge->touched, begin.feature, v, size))
    {
        complain(judge, query, filled, answer.candidate, "what it began inside holds it later", inside);
    }
    Vector place = vector_along(query->origin, answer.t, query->direction);
    double excess = oracle_closest(v, place).distance - radius;
    OracleFeature feature = answering(&judge->touched, query, answer.candidate, place);
    if (is_tight(judge, v, excess, law_bound(&judge->touched, feature, v, size), size))
    {
        excess = precise_excess_at(v, query->origin, query->direction, answer.t, radius);
    }
    if (!law_keeps(&judge->touched, feature, v, size, excess))
    {
        complain(judge, query, filled, answer.candidate, "a hit touches nothing", excess);
    }
}

void judge_answer(Judge *judge, const Query *query, const Filled *filled, SweepAnswer answer)
{
    bool is_hit = answer.candidate != NO_HIT;
    judge->hits += is_hit;
    judge->misses += !is_hit;
    for (uint32_t lane = 0; lane < query->count; ++lane)
    {
        if (!filled->candidates[lane].exact)
        {
            judge_way(judge, query, filled, filled->candidates[lane].triangle,
                      is_hit ? answer.t : query->length);
        }
    }
    if (is_hit)
    {
        judge_hit(judge, query, filled, answer);
    }
}

void judge_add(Judge *judge, const Judge *other)
{
    law_add(&judge->kept, &other->kept);
    law_add(&judge->touched, &other->touched);
    judge->hits += other->hits;
    judge->misses += other->misses;
    judge->begun_inside += other->begun_inside;
    judge->grazes += other->grazes;
    judge->precise += other->precise;
    judge->wrong += other->wrong;
}

void judge_print(const Judge *judge, const char *what)
{
    printf("%s: %llu hits, %llu misses, %llu begun inside, %llu grazes, %llu too tight for double\n", what,
           (unsigned long long)judge->hits, (unsigned long long)judge->misses,
           (unsigned long long)judge->begun_inside, (unsigned long long)judge->grazes,
           (unsigned long long)judge->precise);
    law_print(&judge->kept, "  kept on the way");
    law_print(&judge->touched, "  touched at the hit");
}
