/* Casts: the first hit of a shape or a ray along a straight path.
 *
 * Shapes are swept as agents are, without a skin (errors: docs/numerics.md). Rays are watertight (S. Woop, C. Benthin, I.
 * Wald, "Watertight Ray/Triangle Intersection", 2013): none passes between two triangles of a mesh that share an edge.
 *
 * Threads: any number of calls on one snapshot. Nothing is allocated. A result depends on the snapshot, the motion time
 * and the cast alone. */
#ifndef SIDLE_QUERY_H
#define SIDLE_QUERY_H

#include "sidle/base.h"
#include "sidle/crowd.h"
#include "sidle/jobs.h"
#include "sidle/world.h"

/* [Limit] casts of a batch; bytes of stack of a cast or of a batch's task. */
#define SIDLE_MAX_CASTS  0x10000000u
#define SIDLE_CAST_STACK 0x10000u

#define SIDLE_MOTION_BEGIN (-1.0f) /* a motion_time */

enum /* sidle_cast.flags */
{
    /* Ignore a triangle if the origin lies behind its plane. For shapes, see SIDLE_PROFILE_ONE_SIDED. */
    SIDLE_CAST_ONE_SIDED = 1
};

typedef struct sidle_cast
{
    sidle_position origin;   /* of the centre */
    sidle_quat rotation;     /* of the shape */
    sidle_vec3 displacement; /* zero: overlap only; [Limit] SIDLE_MAX_COORDINATE */
    sidle_shape shape;       /* zero: a ray */
    sidle_instance ignore;   /* zero: none */
    uint32_t collides_with;  /* layers of instances; 0: all */
    uint32_t flags;
} sidle_cast;

enum /* sidle_cast_hit.hit */
{
    SIDLE_CAST_MISS = 0, /* all other fields are 0 */
    SIDLE_CAST_HIT = 1,
    SIDLE_CAST_OVERLAP = 2, /* the start overlaps: the deepest contact, at t 0 */
    SIDLE_CAST_INVALID = 3  /* in batches, where sidle_cast_closest would fail; all other fields are 0 */
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

/* Finds the first hit of a cast. Ties go to the lower (instance key, triangle). Rays do not hit degenerate triangles.
 * Rounding decides about a touch exactly at t 0 or 1.
 *
 * `motion_time`: time in the epoch's motion, 0 to 1. 0 means the end, as 1 does; SIDLE_MOTION_BEGIN the exact beginning.
 *
 * NOT_FINITE, LIMIT, UNSUPPORTED (SIDLE_LANES). Cost: .25 to 1 microseconds, O(log n) in triangles, half as much again for
 * a capsule. n triangles in one place cost n / 8 leaves of .2 microseconds. */
SIDLE_API sidle_status sidle_cast_closest(const sidle_snapshot *snapshot, float motion_time,
                                          const sidle_cast *cast, sidle_cast_hit *out);

typedef struct sidle_cast_batch_desc
{
    size_t size;
    const sidle_snapshot *snapshot;
    const sidle_jobs *jobs; /* ignored by _begin */
    float motion_time;      /* as above */
    uint32_t lanes;         /* as in sidle_crowd_desc */
    const sidle_cast *casts;
    size_t cast_stride;
    uint32_t count;
    sidle_cast_hit *hits; /* of each cast; must not overlap them */
    size_t hit_stride;
} sidle_cast_batch_desc;

/* Runs sidle_cast_closest for each cast, several interleaved: fastest if neighbours in the array are close in space.
 * LIMIT, UNSUPPORTED (lanes), INCOMPLETE. */
SIDLE_API sidle_status sidle_cast_batch(const sidle_cast_batch_desc *batch);

/* The same as work for the caller's scheduler. `batch`, its arrays and the snapshot must stay valid and unchanged until
 * _end. */
SIDLE_API sidle_status sidle_cast_batch_begin(const sidle_cast_batch_desc *batch, uint32_t worker_count,
                                              sidle_work *work);
SIDLE_API sidle_status sidle_cast_batch_end(sidle_work *work);

/* The width of a batch with these lanes; 0: unsupported. */
SIDLE_API uint32_t sidle_cast_lanes(uint32_t lanes);

#endif
