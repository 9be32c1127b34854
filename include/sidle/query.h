/* Casts: the first hit of a shape or ray along a straight path.
 *
 * Shapes are swept as agents are, without a skin (docs/numerics.md). Rays are watertight within a mesh (S. Woop, C. Benthin,
 * I. Wald, "Watertight Ray/Triangle Intersection", 2013).
 *
 * Threads: any number of calls on one snapshot. Nothing is allocated. */
#ifndef SIDLE_QUERY_H
#define SIDLE_QUERY_H

#include "sidle/base.h"
#include "sidle/crowd.h"
#include "sidle/jobs.h"
#include "sidle/world.h"

#define SIDLE_MAX_CASTS  0x10000000u /* [Limit] of a batch */
#define SIDLE_CAST_STACK 0x10000u    /* bytes of stack that a cast or a batch's task takes */

#define SIDLE_MOTION_BEGIN (-1.0f) /* a motion_time */

enum /* sidle_cast.flags */
{
    SIDLE_CAST_ONE_SIDED = 1, /* as SIDLE_PROFILE_ONE_SIDED */
    SIDLE_CAST_ANY = 2 /* stops at any hit or overlap, which is faster: SIDLE_CAST_HIT, all other fields 0 */
};

typedef struct sidle_cast
{
    sidle_position origin;   /* of the centre */
    sidle_quat rotation;     /* of the shape */
    sidle_vec3 displacement; /* zero: overlap only; [Limit] SIDLE_MAX_COORDINATE */
    sidle_shape shape;       /* zero: a ray */
    sidle_instance ignore;
    uint32_t collides_with; /* layers of instances; 0: all */
    uint32_t flags;
    uint32_t ignored_surfaces, ignored_group; /* as of a move */
} sidle_cast;

enum /* sidle_cast_hit.hit */
{
    SIDLE_CAST_MISS = 0, /* all other fields are 0 */
    SIDLE_CAST_HIT = 1,
    SIDLE_CAST_OVERLAP = 2, /* the start overlaps: the deepest contact, at t 0 */
    SIDLE_CAST_INVALID = 3  /* in batches, where sidle_cast_closest would fail; else as MISS */
};

typedef struct sidle_cast_hit
{
    double t;             /* share of the displacement, 0 to 1 */
    sidle_position point; /* on the triangle */
    sidle_vec3 normal;    /* unit, against the motion; of overlaps towards the centre */
    uint32_t hit;         /* SIDLE_CAST_... */
    uint64_t instance_key;
    sidle_instance instance;
    uint32_t triangle;         /* index in the mesh's desc */
    uint16_t surface, feature; /* SIDLE_FEATURE_...; rays hit faces only */
} sidle_cast_hit;

/* Ties go to the lower (instance key, triangle). Rays do not hit degenerate triangles.
 *
 * `motion_time`: in the epoch's motion, 0 to 1. 0 means the end, as 1 does; SIDLE_MOTION_BEGIN the exact beginning.
 *
 * NOT_FINITE, LIMIT, UNSUPPORTED (SIDLE_LANES). Cost: .25 to 1 microseconds, O(log n) in triangles, half as much again for
 * a capsule. */
SIDLE_API sidle_status sidle_cast_closest(const sidle_snapshot *snapshot, float motion_time,
                                          const sidle_cast *cast, sidle_cast_hit *out);

/* The shares of the triangle's vertices, in the desc's order, in a point on it, for texture coordinates and the like: 1 in sum. Of hits,
 * contacts, closest points. INDEX (no such triangle within .01 units), NOT_FINITE, LIMIT, STALE. Cost: a microsecond. */
SIDLE_API sidle_status sidle_triangle_weights(const sidle_snapshot *snapshot, float motion_time,
                                              sidle_instance instance, uint32_t triangle,
                                              sidle_position point, float weights[3]);

/* Lists all triangles on a path, each as if it were alone: the first `capacity` by t, then by (instance key, triangle). A shape's list begins with its
 * closest hit. `count`: of all. A ray's point on an edge counts for both triangles. UNSUPPORTED (shapes: SIDLE_LANES). Cost: 4 microseconds for a ball along 5 m. */
SIDLE_API sidle_status sidle_cast_all(const sidle_snapshot *snapshot, float motion_time,
                                      const sidle_cast *cast, sidle_cast_hit *list, uint32_t capacity,
                                      uint32_t *count);

typedef struct sidle_cast_batch_desc
{
    size_t size;
    const sidle_snapshot *snapshot;
    const sidle_jobs *jobs; /* ignored by _begin */
    float motion_time;
    uint32_t lanes; /* as in sidle_crowd_desc */
    const sidle_cast *casts;
    size_t cast_stride;
    uint32_t count;
    sidle_cast_hit *hits; /* must not overlap casts */
    size_t hit_stride;
} sidle_cast_batch_desc;

/* Runs sidle_cast_closest for each cast: fastest if neighbours in the array are close. LIMIT, UNSUPPORTED
 * (lanes), INCOMPLETE. */
SIDLE_API sidle_status sidle_cast_batch(const sidle_cast_batch_desc *batch);

/* The same at level L2 (sidle/jobs.h). */
SIDLE_API sidle_status sidle_cast_batch_begin(const sidle_cast_batch_desc *batch, uint32_t worker_count,
                                              sidle_work *work);
SIDLE_API sidle_status sidle_cast_batch_end(sidle_work *work);

/* The width used; 0: unsupported. */
SIDLE_API uint32_t sidle_cast_lanes(uint32_t lanes);

#endif
