/* Casts: the first hit of a ball, an ellipsoid, a capsule or a ray along a straight path.
 *
 * A result depends on the snapshot, the motion time and the cast alone: not on other casts, their order, threads or
 * lanes. Shapes are swept as agents are (K. Fauerby, "Improved Collision detection and Response", 2003, chapter 3; error
 * law in docs/numerics.md), without a skin. Rays are watertight (S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle
 * Intersection", 2013): none passes between two triangles of a mesh that share an edge.
 *
 * Threads: any number of casts and batches at once on one snapshot. Nothing is allocated. */
#ifndef SIDLE_QUERY_H
#define SIDLE_QUERY_H

#include "sidle/base.h"
#include "sidle/crowd.h"
#include "sidle/jobs.h"
#include "sidle/world.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* [Limit] casts of a batch; bytes of stack of a cast or of a batch's task. */
#define SIDLE_MAX_CASTS  0x10000000u
#define SIDLE_CAST_STACK 0x10000u

#define SIDLE_MOTION_BEGIN (-1.0f) /* a motion_time */

enum /* sidle_cast.flags */
{
    /* Ignore a triangle if the origin lies behind its plane. For shapes, triangles lower than .014 radii have no back. */
    SIDLE_CAST_ONE_SIDED = 1
};

typedef struct sidle_cast
{
    sidle_position origin;   /* of the centre; [Limit] SIDLE_MAX_COORDINATE */
    sidle_quat rotation;     /* of the shape; zero: identity */
    sidle_vec3 displacement; /* zero: overlap only; [Limit] SIDLE_MAX_COORDINATE */
    sidle_shape shape;       /* all 0: a ray; else as in a profile */
    sidle_instance ignore;   /* zero: none */
    uint32_t collides_with;  /* layers of instances; 0: all */
    uint32_t flags;
} sidle_cast;

enum /* sidle_cast_hit.hit */
{
    SIDLE_CAST_MISS = 0,    /* no hit; all other fields are 0 */
    SIDLE_CAST_HIT = 1,     /* the first hit */
    SIDLE_CAST_OVERLAP = 2, /* the start overlaps: the deepest contact, at t 0 */
    SIDLE_CAST_INVALID = 3  /* batches only: sidle_cast_closest would fail; all other fields are 0 */
};

typedef struct sidle_cast_hit
{
    double t;              /* share of the displacement, 0 to 1 */
    sidle_position point;  /* on the triangle */
    sidle_vec3 normal;     /* unit, against the motion; of an overlap: towards the centre */
    uint32_t hit;          /* SIDLE_CAST_... */
    uint64_t instance_key; /* sidle_instance_desc.key */
    sidle_instance instance;
    uint32_t triangle;         /* index in the mesh's desc */
    uint16_t surface, feature; /* SIDLE_FEATURE_...; rays hit faces only */
} sidle_cast_hit;

/* Finds the first hit of a cast. Ties go to the lower (instance key, triangle). Shapes hit degenerate triangles as
 * segments or points; rays do not hit them. Rounding decides about a touch exactly at t 0 or 1.
 *
 * `motion_time`: time in the epoch's motion at which instances are tested, 0 to 1. 0 means the end, as 1 does;
 * SIDLE_MOTION_BEGIN the exact beginning.
 *
 * ARGUMENT, NOT_FINITE, LIMIT, UNSUPPORTED (SIDLE_LANES). Cost: .25 to 1 microseconds, O(log n) in triangles, half as
 * much again for a capsule. n triangles in one place cost n / 8 leaves at .2 microseconds each. */
SIDLE_API sidle_status sidle_cast_closest(const sidle_snapshot *snapshot, float motion_time,
                                          const sidle_cast *cast, sidle_cast_hit *out);

typedef struct sidle_cast_batch_desc
{
    size_t size;
    const sidle_snapshot *snapshot;
    const sidle_jobs *jobs; /* NULL: on this thread; ignored by _begin */
    float motion_time;      /* as above */
    uint32_t lanes;         /* as in sidle_crowd_desc */
    const sidle_cast *casts;
    size_t cast_stride; /* bytes; 0: tightly packed */
    uint32_t count;
    sidle_cast_hit *hits; /* count, in the order of the casts; must not overlap them */
    size_t hit_stride;
} sidle_cast_batch_desc;

/* Runs sidle_cast_closest for each cast, several interleaved. Invalid casts get SIDLE_CAST_INVALID; the others run.
 * Neighbouring casts should be close in space. ARGUMENT, LIMIT, UNSUPPORTED (lanes), INCOMPLETE. */
SIDLE_API sidle_status sidle_cast_batch(const sidle_cast_batch_desc *batch);

/* The same as work for the caller's scheduler, in one phase. `batch`, its arrays and the snapshot must stay valid and
 * unchanged until _end, which returns INCOMPLETE if a task has not run once. */
SIDLE_API sidle_status sidle_cast_batch_begin(const sidle_cast_batch_desc *batch, uint32_t worker_count,
                                              sidle_work *work);
SIDLE_API sidle_status sidle_cast_batch_end(sidle_work *work);

/* The width that a batch with these lanes uses; 0: unsupported. */
SIDLE_API uint32_t sidle_cast_lanes(uint32_t lanes);

#ifdef __cplusplus
}
#endif

#endif
