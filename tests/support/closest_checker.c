/* Checks the squared distances that the closest-point kernels answer against the oracle and the error law. */
#include "support/closest_checker.h"

#include <math.h>
#include <stdio.h>

static void complain_of_distance(ClosestChecker *checker, const Query *query, uint32_t triangle,
                                 double radius, double answer)
{
    if (checker->wrong++ < 8)
    {
        double distance = oracle_closest(query->triangles[triangle], query->origin).distance;
        printf("WRONG: %.17g for %.17g within %a:", answer, distance, radius);
        query_print(query, triangle);
    }
}

/* Half the longest of the edges that are too short for a direction (SHORTEST_EDGE2): their ends answer for them. */
static double half_of_short_edges(const Vector v[3], double roundoff)
{
    double shortest2 = 1.01 * (roundoff == 0x1p-24 ? SHORTEST_EDGE2 : SHORTEST_EDGE2_DOUBLE), longest = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double length = vector_distance(v[i], v[(i + 1) % 3]);
        longest = length * length <= shortest2 ? fmax(longest, length) : longest;
    }
    return longest / 2.0;
}

/* What the closest point may answer: the distance, or a little more inside a triangle too thin for a face and
 * beside an edge too short for a direction. */
double closest_farthest(const Query *query, uint32_t triangle, double distance, double roundoff)
{
    double half = 0.5 * query_thin_height(query, triangle, roundoff);
    return sqrt(distance * distance + half * half) +
           half_of_short_edges(query->triangles[triangle], roundoff);
}

/* One lane's squared distance: right to the law, and infinite only beyond the radius. */
static void check_lane(ClosestChecker *checker, const Query *query, uint32_t triangle, double radius,
                       double squared)
{
    const Vector *v = query->triangles[triangle];
    OracleClosest closest = oracle_closest(v, query->origin);
    double size = query_size(query, triangle), answer = sqrt(squared);
    double bound = law_bound(&checker->law, closest.feature, v, size);
    double farthest = closest_farthest(query, triangle, closest.distance, checker->law.roundoff);
    bool good;
    if (squared < (double)INFINITY)
    {
        checker->found += 1;
        double error = fmax(closest.distance - answer, answer - farthest);
        good =
            law_keeps(&checker->law, closest.feature, v, size, error) && closest.distance <= radius + bound;
    }
    else
    {
        checker->skipped += 1; /* for its plane, whatever is nearest */
        good = squared > 0.0 && farthest >= radius - law_bound(&checker->law, ORACLE_FACE, v, size);
    }
    if (!good)
    {
        complain_of_distance(checker, query, triangle, radius, answer);
    }
}

/* Asks with the path's start as the point. Returns the least of the lanes' answers. */
double closest_check(ClosestChecker *checker, const Query *query, const Filled *filled, double radius)
{
    double answer = filled->kernels->closest(&filled->batch, vec3_of_vector(query->origin), radius);
    double least = (double)INFINITY;
    for (uint32_t lane = 0; lane < query->count; ++lane)
    {
        double squared = batch_read(&filled->batch, filled->kernels, lane, FIELD_ANSWER);
        if (!filled->candidates[lane].exact)
        {
            check_lane(checker, query, filled->candidates[lane].triangle, radius, squared);
        }
        least = squared < least ? squared : least;
    }
    checker->wrong += !(answer <= least && answer >= least);
    return answer;
}
