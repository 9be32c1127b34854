/* An epoch: the committed instances and the tree over them. Immutable. */
#ifndef WORLD_SNAPSHOT_H
#define WORLD_SNAPSHOT_H

#include "sidle/world.h"

#include "base/bounds.h"
#include "base/fp_environment.h"
#include "base/reference.h"
#include "mesh/mesh.h"

/* An instance in an epoch. Position and matrices are those at the end of the epoch's motion. */
typedef struct Placed
{
    sidle_mesh *mesh; /* retained; NULL for a slot without an instance */
    Vec3 position;
    Mat3 linear;  /* stored displacement -> world: rotation diag(scale) */
    Mat3 inverse; /* world displacement -> stored */
    Vec3 scale;
    sidle_pose from, to;
    uint64_t key;
    uint32_t generation, member_of, flags;
    uint32_t next_free; /* of a slot without an instance */
    bool moves;
    bool rested, changed; /* in a world's table: at rest in the last commit; pose changed since then */
} Placed;

struct sidle_snapshot
{
    Reference reference;
    sidle_allocator allocator;
    uint64_t epoch;
    /* Serial number of the set of resting instances. Snapshots of this process share it if, and only if, those are the
     * same. Never 0. */
    uint64_t resting;
    Placed *placed; /* by slot */
    uint32_t placed_count;
    uint32_t *present; /* the slots with triangles; in the memory of `placed` */
    uint32_t present_count;
    uint32_t moving_count; /* slots with triangles that move in this epoch */
    BvhNode *nodes;        /* leaves are slots; boxes relative to origin */
    uint32_t node_count;
    Vec3 origin;
    double doubt; /* error of a side of such a box in double, before it is rounded outward */
};

/* Fills position, linear, inverse and scale. */
void sidle_placed_set(Placed *placed, Vec3 position, sidle_quat rotation, Vec3 scale);

/* Returns the instance at a time of the epoch's motion, 0 to 1. Before the end it is written to `between`, with the
 * position on the straight line and the rotation by normalised interpolation. */
const Placed *sidle_placed_at(const Placed *placed, double time, Placed *between);

/* The box around all of an instance's motion, in the world. */
void sidle_placed_bounds(const Placed *placed, Vec3 *low, Vec3 *high);

/* Makes a snapshot of a world's table. `resting`: that of the snapshot before, or 0 if the resting instances have
 * changed. Returns MEMORY, or INCOMPLETE if the jobs have not run every range once. */
sidle_status sidle_snapshot_create(const sidle_allocator *allocator, uint64_t epoch, const Placed *placed,
                                   uint32_t count, uint64_t resting, const sidle_jobs *jobs,
                                   sidle_snapshot **out);

/* Returns true if the instance exists in this snapshot. */
static inline bool snapshot_has(const sidle_snapshot *snapshot, sidle_instance id)
{
    return id.generation && id.index < snapshot->placed_count &&
           snapshot->placed[id.index].generation == id.generation && snapshot->placed[id.index].mesh;
}

#endif
