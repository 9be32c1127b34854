/* The triangles around a place. */
#ifndef QUERY_PLACE_H
#define QUERY_PLACE_H

#include "sidle/place.h"

#include "kernels/kernels.h"
#include "narrow/frame.h"
#include "world/snapshot.h"

/* Above the rounding of distances, so that of several triangles at one distance none is culled. */
#define CULL_GROWTH (1 + 1e-9)

/* The region: the box around the frame's unit ball (or box, or capsule), enlarged. */
typedef struct Around
{
    const sidle_snapshot *snapshot;
    const Frame *frame;
    double time; /* of the epoch's motion */
    uint32_t collides_with, ignored_surfaces;
    sidle_instance ignore;
    uint32_t ignored_group; /* placed_group_ignored */
    const Placed *only;     /* NULL, or the one instance that counts */
    bool is_box;
    bool is_path; /* the region is what the shape, or a ray, passes along `path` (world) */
    Vec3 path;
} Around;

typedef struct AroundTriangle
{
    Vec3 corners[3]; /* in the frame, counter-clockwise seen from the unmirrored front */
    Candidate candidate;
    uint32_t generation; /* of the instance */
    bool is_one_sided;   /* the instance is */
} AroundTriangle;

/* Called for each triangle whose leaf overlaps the region. It may reduce `reach`, and returns false to end the visit. */
typedef bool around_fn(void *context, const AroundTriangle *triangle, double *reach);

/* `reach`: by which the region exceeds the shape, world. Triangles come in no order, and some from beyond it. */
void sidle_around_visit(const Around *around, double reach, around_fn *take, void *context);

/* Whether an instance is not filtered out. */
static inline bool around_includes(const Around *around, const Placed *placed)
{
    bool ignored =
        (around->ignore.generation == placed->generation && around->ignore.index == placed->slot) ||
        around->ignored_group == placed->group;
    bool counts = !around->only || around->only == placed;
    return (placed->member_of & around->collides_with) && !ignored && counts;
}

/* The first closed instance that holds a point (world), in order of (key, slot); NULL: none. */
const Placed *sidle_around_holder(const Around *around, Vec3 point);

/* Whether a segment passes a box, or touches it within rounding. */
bool sidle_path_hits_box(Vec3 from, Vec3 along, Vec3 low, Vec3 high);

/* Returns SIDLE_OK if the place is valid. */
sidle_status sidle_place_check(const sidle_place *place);

/* The region of a place, and its frame. */
Around sidle_around_of(const sidle_snapshot *snapshot, float motion_time, const sidle_place *place,
                       Frame *frame);

/* The first overlaps in order. */
typedef struct OverlapList
{
    sidle_overlap *list; /* NULL: counts */
    uint32_t capacity, count, kept;
} OverlapList;

/* Returns false if the count is all that is asked for, and high enough. */
bool sidle_overlap_list_take(OverlapList *to, const sidle_overlap *overlap);

typedef struct Nearest
{
    const Frame *frame;
    double radius; /* of the shape, in units of the frame: 1, or 0 for a point */
    double unit;   /* of the frame, world */
    bool found;
    KernelContact contact;
    AroundTriangle triangle;
} Nearest;

/* An around_fn that keeps the closest triangle within reach; of several the first in order. */
bool sidle_take_nearer(void *nearest, const AroundTriangle *triangle, double *reach);

#endif
