/* An epoch: instances as they were committed and the tree over them. Immutable. */
#ifndef WORLD_SNAPSHOT_H
#define WORLD_SNAPSHOT_H

#include "sidle/world.h"

#include "base/bounds.h"
#include "base/fp_environment.h"
#include "base/reference.h"
#include "mesh/mesh.h"

typedef struct Placed /* an instance in an epoch */
{
    sidle_mesh *mesh; /* retained; NULL for a slot without an instance */
    Vec3 position;    /* at the end of the epoch's motion, like the next two */
    Mat3 linear;      /* stored displacement -> world: rotation diag(scale) */
    Mat3 inverse;     /* back */
    Vec3 scale;
    sidle_pose from, to;
    uint64_t key;
    uint32_t generation, member_of, flags;
    uint32_t next_free; /* of a slot without an instance */
    bool moves;
    bool rested, changed; /* in a world's table: rested in the last commit; was placed elsewhere since */
} Placed;

struct sidle_snapshot
{
    Reference reference;
    sidle_allocator allocator;
    uint64_t epoch;
    uint64_t
        resting; /* the same in snapshots whose instances that rest are the same, and in no others of this process;
                         never 0 */
    Placed *placed; /* by slot */
    uint32_t placed_count;
    uint32_t *present; /* the slots that hold something to hit; behind `placed` */
    uint32_t present_count;
    uint32_t moving_count; /* of them, those that move in this epoch */
    BvhNode *nodes;        /* leaves are slots; boxes relative to origin */
    uint32_t node_count;
    Vec3 origin;
    double doubt; /* by which rounding to double may move a side of such a box before it is rounded outward */
};

/* Fills position, linear, inverse and scale. */
void placed_set(Placed *placed, Vec3 position, sidle_quat rotation, Vec3 scale);

/* The instance at a time of the epoch's motion, 0 to 1: itself, or filled into `between` with the position on
 * the straight line and the rotation by normalised interpolation. */
const Placed *placed_at(const Placed *placed, double time, Placed *between);

/* The box around an instance in all of its motion, world space. */
void placed_bounds(const Placed *placed, Vec3 *low, Vec3 *high);

/* Makes an epoch of a world's instance table. `resting`: that of the snapshot before, or 0 if resting instances have
 * changed. Returns MEMORY, or INCOMPLETE if the jobs did not run every range once. */
sidle_status snapshot_create(const sidle_allocator *allocator, uint64_t epoch, const Placed *placed,
                             uint32_t count, uint64_t resting, const sidle_jobs *jobs, sidle_snapshot **out);

/* True if the id is alive here. */
static inline bool snapshot_has(const sidle_snapshot *snapshot, sidle_instance id)
{
    return id.generation && id.index < snapshot->placed_count &&
           snapshot->placed[id.index].generation == id.generation && snapshot->placed[id.index].mesh;
}

#endif
