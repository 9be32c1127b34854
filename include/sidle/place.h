/* What is at a place: triangles that a shape overlaps, the closest triangle, and what holds it.
 *
 * Tests run in double. They count both sides of triangles, and triangles without an area as edges or points. If shapes touch
 * within rounding, either answer is possible.
 *
 * Threads: any number of calls on one snapshot. Nothing is allocated. A call takes at most SIDLE_CAST_STACK of stack. */
#ifndef SIDLE_PLACE_H
#define SIDLE_PLACE_H

#include "sidle/base.h"
#include "sidle/crowd.h"
#include "sidle/world.h"

enum /* sidle_place.flags */
{
    SIDLE_PLACE_BOX = 1 /* shape.radii are half the edges of a box */
};

typedef struct sidle_place
{
    sidle_position center;
    sidle_quat rotation; /* of the shape */
    sidle_shape shape;   /* zero: a point */
    sidle_instance ignore;
    uint32_t collides_with; /* layers of instances, and of agents where they count; 0: all */
    uint32_t flags;
    uint32_t ignored_surfaces, ignored_group; /* as of a move */
} sidle_place;

typedef struct sidle_overlap
{
    uint64_t instance_key;
    sidle_instance instance;
    uint32_t triangle; /* index in the mesh's desc */
    uint16_t surface;
} sidle_overlap;

/* Lists the triangles that a shape overlaps, the first `capacity` in order of (instance key, triangle, instance). `count`: of all.
 * Without a list it counts no further than `capacity`, if that is not 0: 1 asks whether the place is free. A point overlaps nothing. `motion_time`: as in
 * sidle_cast_closest. NOT_FINITE, LIMIT. Cost: .6 microseconds if it is free. */
SIDLE_API sidle_status sidle_place_overlaps(const sidle_snapshot *snapshot, float motion_time,
                                            const sidle_place *place, sidle_overlap *list, uint32_t capacity,
                                            uint32_t *count);

typedef struct sidle_closest
{
    uint32_t found; /* 0: nothing within the distance, and all other fields are 0 */
    /* From the surface of the shape. Negative: it overlaps, and would not if it moved that far along the normal. */
    double distance;
    sidle_position point; /* on the triangle */
    sidle_vec3 normal;    /* unit, from the point to the shape */
    uint64_t instance_key;
    sidle_instance instance;
    uint32_t triangle;
    uint16_t surface, feature; /* SIDLE_FEATURE_... */
} sidle_closest;

/* The triangle closest to a shape; ties go to the first in that order. NOT_FINITE, LIMIT. Cost: 2.5 microseconds for a ball within 4 m,
 * for an ellipsoid three times that, for a capsule with elliptic ends seven times. */
SIDLE_API sidle_status sidle_place_closest(const sidle_snapshot *snapshot, float motion_time,
                                           const sidle_place *place, float max_distance, sidle_closest *out);

typedef struct sidle_inside
{
    uint32_t found; /* 0: the place is outside of all, and all other fields are 0 */
    uint64_t instance_key;
    sidle_instance instance;
} sidle_inside;

/* The instance with SIDLE_INSTANCE_CLOSED that holds the place's center: a camera in a wall, an agent in a rock. Of several, the first in
 * order of (key, index). A cavity is outside; the direction of the faces does not matter. An instance is skipped if the line from the place
 * up along y of its mesh crosses an ignored surface. NOT_FINITE, LIMIT. Cost: up to that of two rays. */
SIDLE_API sidle_status sidle_place_inside(const sidle_snapshot *snapshot, float motion_time,
                                          const sidle_place *place, sidle_inside *out);

typedef struct sidle_place_batch_desc
{
    size_t size;
    const sidle_snapshot *snapshot;
    const sidle_jobs *jobs;
    float motion_time, max_distance; /* below 0: `found` is whether it overlaps */
    const sidle_place *places;
    size_t place_stride;
    sidle_closest *closest; /* refused places: found is SIDLE_CAST_INVALID */
    size_t closest_stride;
    uint32_t count;
} sidle_place_batch_desc;

/* As sidle_cast_batch. */
SIDLE_API sidle_status sidle_place_batch(const sidle_place_batch_desc *batch);
SIDLE_API sidle_status sidle_place_batch_begin(const sidle_place_batch_desc *batch, uint32_t worker_count,
                                               sidle_work *work);
SIDLE_API sidle_status sidle_place_batch_end(sidle_work *work);

typedef struct sidle_free_desc
{
    size_t size;
    sidle_place place; /* no box; the place to begin from */
    float radius;      /* of the search [units]; [Limit] 1e4 */
    float clearance;   /* added to the radii [smallest radii], at most 1; 0: .02 */
    /* With `drop` above 0, a place counts if ground that is no steeper lies within it below; the shape is then put on it, which may be
     * beyond the radius. */
    float drop;          /* [units]; at most 1e4 */
    sidle_vec3 up;       /* zero: y */
    float max_slope_cos; /* 0: 45 degrees */
    /* NULL, or agents that a free place does not overlap either, but for one of this id (or NULL). */
    const struct sidle_agents *agents;
    const uint64_t *ignored_agent;
} sidle_free_desc;

/* Finds a free place near another: to spawn, teleport, leave a vehicle. A free place is returned as it is, else usually the nearest
 * (within a tenth in test_find_free). `found`: 0 if none is within the radius, or found in 384 tries. Places inside are not free: see
 * sidle_place_inside. UNSUPPORTED (boxes, points), NOT_FINITE, LIMIT. Cost (sidle_bench): 7 to 11 microseconds, with `drop` up to
 * three times as much; .3 milliseconds in a crowd of one person a square metre, where most places are taken. */
SIDLE_API sidle_status sidle_place_find_free(const sidle_snapshot *snapshot, float motion_time,
                                             const sidle_free_desc *desc, sidle_position *center,
                                             uint32_t *found);

/* Crouch, stand up: the place's center with another shape that keeps the lowest point along `up` (zero: y). `fits`: 0 if it is larger
 * and overlaps something by more than .001 radii. UNSUPPORTED (boxes, points), NOT_FINITE, LIMIT. */
SIDLE_API sidle_status sidle_place_resize(const sidle_snapshot *snapshot, float motion_time,
                                          const sidle_place *place, const sidle_shape *shape, sidle_vec3 up,
                                          sidle_position *center, uint32_t *fits);

/* Triggers: compares the sorted lists of two moments. Writes the entries only in `before` (left), only in `now` (entered), and in both
 * (stayed; as in `now`). Triangles of a key are one unless
 * `by_triangle` is set, so give each trigger a key. A shape wholly inside a mesh overlaps no triangle: see sidle_place_inside. `out` holds before_count + now_count. Returns how many. */
enum /* sidle_overlap_event.kind */
{
    SIDLE_OVERLAP_ENTERED = 1,
    SIDLE_OVERLAP_STAYED = 2,
    SIDLE_OVERLAP_LEFT = 3
};

typedef struct sidle_overlap_event
{
    sidle_overlap overlap;
    uint32_t kind; /* SIDLE_OVERLAP_... */
} sidle_overlap_event;

SIDLE_API uint32_t sidle_overlaps_diff(const sidle_overlap *before, uint32_t before_count,
                                       const sidle_overlap *now, uint32_t now_count, uint32_t by_triangle,
                                       sidle_overlap_event *out);

#endif
