/* One ray in progress. It walks the trees of the instances as other casts do (caster.h), and tests leaves in the stored
 * space of each instance.
 *
 *     rays.inl  from a request to a hit: instances, trees, and several rays in flight
 *     ray.inl   the triangles of a leaf, in lanes, and one of them in double */
#ifndef QUERY_RAY_H
#define QUERY_RAY_H

#include "sidle/query.h"

#include "mesh/field.h"
#include "query/caster.h"

/* A ray in the stored space of an instance, seen along its longest axis: that is the third in `axis`, and the other two are
 * sheared so that the ray is the third. Lengths along it are shares of the path. */
typedef struct Ray
{
    double center[4]; /* of stored space, with a spare */
    uint32_t axis[3];
    double slope[2], length, sign; /* of the path: of two axes to the third; the third's size and sign */
    double margin;                 /* by which float can misplace a corner along the ray */
    float high[4], low[4];         /* `center`: its float, and what that leaves */
    float lane_slope[2], lane_inverse, lane_begin, lane_end; /* the last two: of the path, with the margin */
} Ray;

/* The best hit so far. */
typedef struct RayHit
{
    bool found;
    double time;              /* share of the path; until a hit is found, all of it */
    Vec3 normal;              /* in stored space, of any length */
    const Placed *placed;     /* as in the snapshot */
    const LeafPacket *packet; /* of the triangle, or of its copy that was found last */
    uint32_t local, triangle;
    uint16_t surface;
    bool is_named; /* the last two are known */
} RayHit;

typedef struct RayCaster
{
    const sidle_snapshot *snapshot;
    sidle_cast_hit *out; /* NULL: no ray */
    Filter filter;
    uint32_t ignored_surfaces;
    bool is_any;     /* any hit will do */
    Vec3 from, path; /* world */

    const Placed *placed; /* the instance that is walked */
    const Field *field;   /* its heightfield, or NULL */
    bool one_sided;       /* in that instance */
    Ray ray;
    float share; /* best.time, rounded up; below 0 if the search is over */
    RayHit best;
    Copy late; /* as of a Caster */
    const Placed *late_placed;
    Trace instances, triangles; /* the walks; if both are empty, the ray is done */
} RayCaster;

#endif
