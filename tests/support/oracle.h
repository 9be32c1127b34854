/* The oracles: exact to a few ulps of double, slow, and written from the definitions alone, so that they share
 * no formula with the kernels. All work on degenerate triangles too, which are segments or points. */
#ifndef TESTS_SUPPORT_ORACLE_H
#define TESTS_SUPPORT_ORACLE_H

#include "support/vector.h"

#include <stdbool.h>

typedef enum OracleFeature
{
    ORACLE_FACE,
    ORACLE_EDGE,
    ORACLE_VERTEX
} OracleFeature;

typedef struct OracleClosest
{
    Vector point; /* on the triangle */
    double distance;
    OracleFeature feature;
    int index; /* of the edge (i to i + 1) or of the vertex; 0 for the face */
} OracleClosest;

/* O1: the point of the triangle nearest to a point. */
OracleClosest oracle_closest(const Vector vertices[3], Vector point);

typedef struct OracleSweep
{
    bool hit;
    bool begins_inside; /* the start is closer than the radius: hit at time 0 */
    double time;        /* distance along the path */
    OracleClosest at;   /* at that time; for a miss, at the end */
} OracleSweep;

/* O2: first time a ball comes as close as its radius, to 1e-9 of distance, by conservative advancement: a
 * ball that is d away may move by d. `direction` is unit. */
OracleSweep oracle_sweep(const Vector vertices[3], Vector start, Vector direction, double length,
                         double radius);

typedef struct OracleApproach
{
    double distance; /* the least one along the path */
    double time;     /* a place where it is taken */
} OracleApproach;

/* O3: the least distance along a straight path. Distance to a convex set is convex along a line, so golden
 * section finds it. */
OracleApproach oracle_approach(const Vector vertices[3], Vector start, Vector direction, double length);

/* The place in [low, high] where a convex function is least, by golden section: after these steps, or at 1e-15 of
 * the width. */
typedef double OracleFunction(const void *context, double place);
double oracle_least(OracleFunction *function, const void *context, double low, double high, int steps);

typedef struct OracleTouch
{
    double time;
    double approach; /* by how much the distance falls per length there; 0 or less: it does not fall */
} OracleTouch;

/* When the distance first falls to the radius, on a path that begins no closer and comes closer by `until`;
 * by bisection, since the distance falls until its least. */
OracleTouch oracle_touch(const Vector vertices[3], Vector start, Vector direction, double until,
                         double radius);

/* |N| / (|A| |B|) of the two shortest edges: the sine that says how far float can trust the face; 0 if
 * degenerate. */
double oracle_roundness(const Vector vertices[3]);

/* By what O1 and O3 err at most where nothing is farther from the origin than `size`: a few ulps of that, and
 * more on slivers, whose normal is a difference of almost equal products. tests/test_precise_oracle.c holds
 * them to it. */
double oracle_error(const Vector vertices[3], double size);

#endif
