/* A world: meshes placed as instances. Changes gather up and become visible with a commit, which publishes a
 * new immutable epoch; ticks run on snapshots of epochs and keep theirs, so any tick may run again on any
 * kept snapshot.
 *
 * Threads: one thread at a time changes a world or takes a snapshot of it; snapshots are read by any number of
 * threads, retained and released from any thread. */
#ifndef SIDLE_WORLD_H
#define SIDLE_WORLD_H

#include "sidle/base.h"
#include "sidle/jobs.h"
#include "sidle/mesh.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* [Limit] instances of one world. */
#define SIDLE_MAX_INSTANCES 0x100000u

typedef struct sidle_world sidle_world;
typedef struct sidle_snapshot sidle_snapshot;

typedef struct sidle_instance /* an id; all zero means none */
{
    uint32_t index, generation;
} sidle_instance;

enum /* sidle_instance_desc.flags */
{
    /* Stands for an agent that something else moves: a player, a vehicle. Says SIDLE_REASON_AGENT to whom it
     * stands in the way. */
    SIDLE_INSTANCE_AGENT = 1
};

typedef struct sidle_world_desc
{
    size_t size;
} sidle_world_desc;

typedef struct sidle_instance_desc
{
    size_t size;
    sidle_mesh *mesh; /* retained */
    sidle_pose pose;  /* zero: at the origin, unrotated, scale 1; [Limit] each |scale| from 1e-6 to 1e6 */
    uint64_t key; /* the caller's own identity of this instance: comes back in contacts and breaks ties; the
                     same for two instances is allowed, ties then go by their places in the world, lower
                     sidle_instance.index first: the order of adding, while none has been removed */
    uint32_t member_of; /* layers this instance is in; 0: layer 1 */
    uint32_t flags;     /* SIDLE_INSTANCE_...; ARGUMENT for any other */
} sidle_instance_desc;

SIDLE_API sidle_status sidle_world_create(const sidle_world_desc *desc, const sidle_allocator *allocator,
                                          sidle_world **out);
SIDLE_API void sidle_world_destroy(sidle_world *world); /* NULL is allowed; kept snapshots stay valid */

/* ARGUMENT, NOT_FINITE, LIMIT (also when a scale is 0 or a place lies beyond SIDLE_MAX_COORDINATE),
 * MEMORY. */
SIDLE_API sidle_status sidle_world_add(sidle_world *world, const sidle_instance_desc *desc,
                                       sidle_instance *out);
SIDLE_API sidle_status sidle_world_remove(sidle_world *world, sidle_instance instance);

/* Motion over the interval that the next commit publishes: `from` at 0, `to` at 1; a tick says which part it
 * covers (sidle_tick_desc.motion_begin, motion_end), and what moves carries and pushes agents by that part.
 * Positions move straight, rotations turn the shorter way. A rider is carried from `from`: give the pose at
 * which the last commit left the instance. Instances without a move rest. The scale is `to`'s throughout.
 * _teleport places without motion and carries nobody: for a part that wraps round, as an escalator's step that goes from
 * the top back to the bottom. STALE for an id that is gone. */
SIDLE_API sidle_status sidle_world_move(sidle_world *world, sidle_instance instance, const sidle_pose *from,
                                        const sidle_pose *to);
SIDLE_API sidle_status sidle_world_teleport(sidle_world *world, sidle_instance instance,
                                            const sidle_pose *pose);

/* Publishes everything since the last commit as a new epoch: rebuilds the top-level tree, O(n log n) in
 * instances. On failure (MEMORY) the last epoch stays and nothing is lost: commit again. */
SIDLE_API sidle_status sidle_world_commit(sidle_world *world, const sidle_jobs *jobs);

/* The last committed epoch (an empty one before the first commit), retained once for the caller. */
SIDLE_API sidle_status sidle_world_snapshot(sidle_world *world, sidle_snapshot **out);
SIDLE_API void sidle_snapshot_retain(sidle_snapshot *snapshot);
SIDLE_API void sidle_snapshot_release(sidle_snapshot *snapshot);         /* NULL is allowed */
SIDLE_API uint64_t sidle_snapshot_epoch(const sidle_snapshot *snapshot); /* 0 before the first commit */

#ifdef __cplusplus
}
#endif

#endif
