/* One shape against many, in float, as many at a time as the processor's lanes hold: for picking in an
 * editor, for brushes, for crowds of boxes. For triangles that stand in a world use sidle_cast_batch of
 * sidle, which has a tree.
 *
 * The many are in arrays of the caller, one for each number. They need no alignment beyond float and no
 * padding; nothing behind the last is read or written. With a stride the arrays may also be interleaved. An
 * answer depends on the shape and its one partner alone, not on the lanes nor on other partners.
 *
 * Verdicts of `hits` are bits: of number i, bit i % 32 of word i / 32; (count + 31) / 32 words, the rest of
 * the last word is 0. A NaN in a shape, or an infinity except as a box's bound: it hits nothing, and has no
 * time and no distance (INFINITY).
 *
 * Sources: S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection", 2013; C. Ericson, "Real-Time
 * Collision Detection", 2005, sections 4.2.1 and 5.1.5; the kernels share their geometry with those of the
 * sweep and of the casts (src/intersect/pairs.inl, src/wide). Error bounds and cost: docs/intersect/batch.md.
 *
 * Nothing is allocated; any thread. Statuses: ARGUMENT (a null array where count is not 0, no `hits` nor
 * anything else to answer to, a desc too small, a stride that is no multiple of 4, a negative or NaN limit),
 * UNSUPPORTED (lanes that cannot run here); nothing is written then. */
#ifndef SIDLE_INTERSECT_BATCH_H
#define SIDLE_INTERSECT_BATCH_H

#include "sidle/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* sidle_batch_nearest.index where there is none */
#define SIDLE_BATCH_NONE UINT32_MAX

typedef struct sidle_batch_nearest
{
    float value;        /* the least time or distance, of times before they are rounded; none: INFINITY */
    uint32_t index;     /* of several the lowest; none: SIDLE_BATCH_NONE */
    uint32_t hit_count; /* bits set */
} sidle_batch_nearest;

typedef struct sidle_triangle_arrays
{
    const float *corners[3][3]; /* of each corner x, y, z: `count` numbers */
    size_t stride;              /* bytes from a number to that of the next triangle; 0: side by side */
    uint32_t count;
} sidle_triangle_arrays;

typedef struct sidle_box_arrays
{
    const float *min[3], *max[3]; /* x, y, z: `count` numbers each; min > max: empty, hits nothing */
    size_t stride;
    uint32_t count;
} sidle_box_arrays;

typedef struct sidle_ray_triangles_desc
{
    size_t size;
    sidle_triangle_arrays triangles;
    sidle_vec3 origin, direction; /* times count in the direction's length; zero: hits nothing */
    float limit;                  /* the last time that counts; 0: no limit */
    uint32_t lanes;               /* 1, 4, 8, 16, or 0 as in sidle_crowd_desc; never changes a result */
    uint32_t *hits;               /* or NULL */
    float *times;                 /* or NULL: count, INFINITY where there is no hit */
} sidle_ray_triangles_desc;

/* Which triangles a ray hits between its origin and the limit, from either side, when, and which first.
 *
 * Watertight: through an edge that two triangles share with equal corners the ray hits at least one of them.
 * A triangle without area, or seen exactly edge-on, is not hit unless rounding gives it an area; there is no
 * gap between its neighbours then either. A verdict may differ from the exact one where the ray passes the
 * outline closer than 8 u S (u = 2^-24, S the farthest corner's distance from the origin along any axis),
 * times are those of the plane, within the triangle. [Limit] coordinates between 1e-15 and 1e15, or 0.
 * `nearest` may be NULL. */
SIDLE_API sidle_status sidle_batch_ray_triangles(const sidle_ray_triangles_desc *desc,
                                                 sidle_batch_nearest *nearest);

typedef struct sidle_sphere_triangles_desc
{
    size_t size;
    sidle_triangle_arrays triangles;
    sidle_vec3 center;
    float radius; /* 0: a point; negative: hits nothing, distances are written */
    uint32_t lanes;
    uint32_t *hits;
    float *distances; /* or NULL: count, from the centre */
} sidle_sphere_triangles_desc;

/* Which triangles a sphere touches, how far from its centre they are, and which is nearest (of all, touched
 * or not). Verdicts are those of sidle_closest_on_triangle in double; distances err by 64 u S at most, S the
 * farthest corner's distance. Triangles without area are the segments or points that they are. [Limit] as
 * above; a scene scaled by a power of two gets the same bits, its distances scaled. `nearest` may be
 * NULL. */
SIDLE_API sidle_status sidle_batch_sphere_triangles(const sidle_sphere_triangles_desc *desc,
                                                    sidle_batch_nearest *nearest);

typedef struct sidle_box_boxes_desc
{
    size_t size;
    sidle_box_arrays boxes;
    sidle_vec3 min, max; /* of the one */
    uint32_t lanes;
    uint32_t *hits;
} sidle_box_boxes_desc;

/* Which boxes have a point in common with one: exact. `hit_count` may be NULL. */
SIDLE_API sidle_status sidle_batch_box_boxes(const sidle_box_boxes_desc *desc, uint32_t *hit_count);

/* The width that a batch with these lanes runs with; 0: it cannot run here. */
SIDLE_API uint32_t sidle_batch_lanes(uint32_t lanes);

#ifdef __cplusplus
}
#endif

#endif
