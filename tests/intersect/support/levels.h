/* Two triangles in long numbers, drawings that are hard on purpose, and the levels as printed. */
#ifndef TESTS_SUPPORT_INTERSECT_LEVELS_H
#define TESTS_SUPPORT_INTERSECT_LEVELS_H

#include "sidle/intersect/levels.h"
#include "support/random.h"

typedef struct TrianglePair
{
    Vector a[3], b[3];
} TrianglePair;

/* Lattices, needles, planes that differ by last bits, shared corners, great ratios. No number but 0 is
 * smaller than 1e-60. */
TrianglePair triangles_drawn(Random *random);

typedef struct PreciseCrossing
{
    bool crosses, coplanar, one_point;
    Vector ends[2]; /* rounded once */
} PreciseCrossing;

/* Whether and where two triangles cross: all edges of one against the other, the two points farthest from
 * each other. In one plane only whether; triangles without area cross nothing. */
PreciseCrossing precise_crossing(const TrianglePair *pair);

/* The distance of a point from a segment. */
double precise_from_edge(Vector point, Vector from, Vector to);

/* T. Vik and others, "Collision Detection Algorithm, version 2.1", 2000, levels 3 and 4 as printed: the
 * twelve edges of a box against a triangle. */
bool printed_box_crosses(Vector low, Vector high, const Vector triangle[3]);

/* Level 4: line and plane, then r and t in the projection; inside are r, t >= 0 and r + t < 1. */
bool printed_segment_crosses(Vector from, Vector to, const Vector triangle[3]);

#endif
