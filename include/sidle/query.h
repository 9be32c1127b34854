/* Questions to a world: what does a ball, an ellipsoid, a capsule or a ray meet first on a straight way?
 *
 * Casts move nothing and keep nothing. An answer depends on the snapshot, the motion time and the cast alone:
 * not on the other casts of a batch, their order, threads or lanes. Balls, ellipsoids and capsules are swept
 * as agents are (K. Fauerby, "Improved Collision detection and Response", 2003, chapter 3, made robust;
 * docs/numerics.md has the error law), but without a skin: they meet things at their own radius. Rays are
 * watertight (S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection", 2013): none slips through
 * between two triangles of a mesh that share their edge.
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

/* [Limit] casts of one batch; bytes of stack that a cast or a task of a batch takes. */
#define SIDLE_MAX_CASTS  0x10000000u
#define SIDLE_CAST_STACK 0x10000u

enum /* sidle_cast.flags */
{
    SIDLE_CAST_ONE_SIDED = 1 /* a triangle is ignored if the origin lies behind its plane; one lower than .014
                                radii has no back, but for rays */
};

typedef struct sidle_cast
{
    sidle_position origin;   /* of the centre; [Limit] |coordinate| <= SIDLE_MAX_COORDINATE */
    sidle_quat rotation;     /* of the shape; zero: identity */
    sidle_vec3 displacement; /* the whole way; zero only asks for an overlap; [Limit] as origin */
    sidle_shape shape;       /* within the limits of a profile's, or all 0: a ray */
    sidle_instance ignore;   /* none: meets all */
    uint32_t collides_with;  /* instance layers it meets; 0: all */
    uint32_t flags;
} sidle_cast;

enum /* sidle_cast_hit.hit */
{
    SIDLE_CAST_MISS = 0,    /* nothing in the way; everything else is 0 */
    SIDLE_CAST_HIT = 1,     /* the first thing in the way; touching it at the very end counts, to rounding */
    SIDLE_CAST_OVERLAP = 2, /* begins closer than its radius to something: the deepest contact, at t 0 */
    SIDLE_CAST_INVALID = 3  /* in a batch: sidle_cast_closest would refuse it; everything else is 0 */
};

typedef struct sidle_cast_hit
{
    double t;              /* share of the displacement, 0 to 1 */
    sidle_position point;  /* on the triangle */
    sidle_vec3 normal;     /* unit, against the motion; of an overlap: towards the centre's side */
    uint32_t hit;          /* SIDLE_CAST_... */
    uint64_t instance_key; /* sidle_instance_desc.key */
    sidle_instance instance;
    uint32_t triangle;         /* index in the mesh's desc */
    uint16_t surface, feature; /* SIDLE_FEATURE_...; a ray always meets a face */
} sidle_cast_hit;

/* The first thing that one cast meets; of several at the same time the one with the lower (instance key,
 * triangle). Triangles without an area are met by balls and ellipsoids as the segment or the point that they
 * are, and by rays not at all (but where rounding gives them an area). Whether a way meets what it touches
 * exactly where it begins or ends, at t 0 or 1, is a matter of rounding.
 *
 * `motion_time`, 0 to 1: where in the epoch's motion instances stand; 0 means at its end, as 1 does.
 *
 * ARGUMENT (a null pointer, a negative radius, only some radii 0, a ray with a half_height, an unknown flag,
 * a motion time outside its range), NOT_FINITE, LIMIT, UNSUPPORTED (an impossible SIDLE_LANES); `out` stays
 * untouched then. Cost: a quarter of a microsecond to one, O(log n) in triangles; half as much again for a
 * capsule. Every leaf of the tree that the shape enters before its hit is tested: where n triangles lie in one place,
 * that is n / 8 leaves, at .2 microseconds each for a ball. */
SIDLE_API sidle_status sidle_cast_closest(const sidle_snapshot *snapshot, float motion_time,
                                          const sidle_cast *cast, sidle_cast_hit *out);

typedef struct sidle_cast_batch_desc
{
    size_t size;
    const sidle_snapshot *snapshot;
    const sidle_jobs *jobs; /* NULL: on this thread; ignored by _begin */
    float motion_time;      /* as above */
    uint32_t lanes;         /* triangles at a time, as in sidle_crowd_desc; never changes a result */
    const sidle_cast *casts;
    size_t cast_stride; /* bytes; 0: tightly packed */
    uint32_t count;
    sidle_cast_hit *hits; /* count, in the order of the casts; may not overlap them */
    size_t hit_stride;
} sidle_cast_batch_desc;

/* sidle_cast_closest for each cast, several in flight. A cast that cannot be answered gets
 * SIDLE_CAST_INVALID, the others run. Casts of one place should stand together: they share what the caches
 * hold.
 *
 * ARGUMENT, LIMIT, UNSUPPORTED (lanes that cannot run here) for the batch as a whole; `hits` stay untouched
 * then. BUSY: its jobs have not run each task once. */
SIDLE_API sidle_status sidle_cast_batch(const sidle_cast_batch_desc *batch);

/* The same as an L2 work of one phase. `batch`, its arrays and the snapshot stay valid and unchanged until
 * _end, which says BUSY if not each task has run once (the hits are then incomplete). */
SIDLE_API sidle_status sidle_cast_batch_begin(const sidle_cast_batch_desc *batch, uint32_t worker_count,
                                              sidle_work *work);
SIDLE_API sidle_status sidle_cast_batch_end(sidle_work *work);

/* The width that a batch with these lanes runs with; 0: it cannot run here. */
SIDLE_API uint32_t sidle_cast_lanes(uint32_t lanes);

#ifdef __cplusplus
}
#endif

#endif
