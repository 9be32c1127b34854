/* Two shapes without triangles: an agent, and a point, ball, ellipsoid or capsule that may move.
 *
 * The distance between the two is that of a point from an ellipsoid swept along up to two segments, the cores of both, less a radius.
 * It needs no approximation of a surface: the asked shape becomes a ball in its own space (or is one), where the agent's ellipsoid is
 * another ellipsoid. */
#ifndef QUERY_PAIR_H
#define QUERY_PAIR_H

#include "narrow/frame.h"

/* An agent's shape. */
typedef struct PairShape
{
    Vec3 center;
    Mat3 axes; /* columns: its own axes, world */
    Vec3 radii;
    double core; /* half of a capsule's core, along its y */
} PairShape;

/* A question, prepared once for many agents. */
typedef struct PairQuery
{
    Frame frame; /* of the asked shape; of a point, the radii are 1 */
    bool is_point, is_round, is_box;
    Vec3 path; /* world */
} PairQuery;

typedef struct PairContact
{
    double t; /* of a hit: share of the path */
    /* Between the surfaces; below 0: minus the shortest displacement that ends an overlap, along the normal. */
    double distance;
    Vec3 point;    /* on the agent's surface; of a cast's overlap, on its core; world */
    Vec3 normal;   /* unit, from the agent to the shape, world; of a cast's overlap towards the centre */
    bool overlaps; /* at the start */
} PairContact;

/* The first contact of a shape on its path, or the overlap at its start. At the contact the gap is at most 1e-9 of the sizes of the two.
 * A graze that is no deeper is a hit or none. */
bool sidle_pair_cast(const PairQuery *query, const PairShape *agent, PairContact *out);

/* Where the distance is above `most`, the answer may be any distance above it. */
void sidle_pair_closest(const PairQuery *query, const PairShape *agent, double most, PairContact *out);

/* The same for boxes and for shapes that are not round. */
void sidle_pair_closest_by_planes(const PairQuery *query, const PairShape *agent, double most,
                                  PairContact *out);

bool sidle_pair_overlaps(const PairQuery *query, const PairShape *agent);

/* `box`: the frame whose units are half the edges. */
bool sidle_pair_box_overlaps(const Frame *box, const PairShape *agent);

/* A ray: in closed form. */
bool sidle_pair_ray(const PairQuery *query, const PairShape *agent, PairContact *out);

/* The gap that planes with this normal (unit, from the agent to the shape, world) leave between the two at the start. */
double sidle_pair_gap_along(const PairQuery *query, const PairShape *agent, Vec3 normal);

/* Of an overlap: the nearest point of the agent's core, and the direction from there to the centre. */
void sidle_pair_describe_overlap(const PairQuery *query, const PairShape *agent, PairContact *out);

#endif
