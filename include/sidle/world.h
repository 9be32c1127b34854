/* A world: meshes placed as instances. A commit publishes all changes as a new immutable epoch. Ticks and casts run on
 * snapshots of epochs.
 *
 * Threads: one at a time changes a world or takes a snapshot; any number use, retain and release snapshots. */
#ifndef SIDLE_WORLD_H
#define SIDLE_WORLD_H

#include "sidle/base.h"
#include "sidle/jobs.h"
#include "sidle/mesh.h"

/* [Limit] instances of a world. */
#define SIDLE_MAX_INSTANCES 0x100000u

typedef struct sidle_world sidle_world;
typedef struct sidle_snapshot sidle_snapshot;

/* An id. Zero: none. */
typedef struct sidle_instance
{
    uint32_t index, generation;
} sidle_instance;

enum /* sidle_instance_desc.flags */
{
    /* The engine moves it as an agent: blocked agents report SIDLE_REASON_AGENT. */
    SIDLE_INSTANCE_AGENT = 1,
    /* As SIDLE_PROFILE_ONE_SIDED, of its triangles; in casts, too. For closed meshes that move: agents that they press can leave. */
    SIDLE_INSTANCE_ONE_SIDED = 2,
    /* Its mesh encloses a solid, for sidle_place_inside and _find_free. sidle_mesh_is_closed says so, _add does not ask. No heightfield. */
    SIDLE_INSTANCE_CLOSED = 4
};

/* Optional. */
typedef struct sidle_world_desc
{
    size_t size;
    uint64_t epoch; /* of a saved world's last snapshot: the first commit makes the next one */
} sidle_world_desc;

typedef struct sidle_instance_desc
{
    size_t size;
    sidle_mesh *mesh; /* retained */
    sidle_pose pose;  /* zero: the identity */
    /* Chosen by the caller, reported in contacts. Ties between hits go to the lower key, then the lower index. */
    uint64_t key;
    uint32_t member_of; /* layers, a bit each; 0: layer 1 */
    uint32_t flags;     /* SIDLE_INSTANCE_... */
    /* The parts of a vehicle, what a person carries: see ignored_group. 0: none; not UINT32_MAX. */
    uint32_t group;
} sidle_instance_desc;

/* MEMORY. */
SIDLE_API sidle_status sidle_world_create(const sidle_world_desc *desc, const sidle_allocator *allocator,
                                          sidle_world **out);
SIDLE_API void sidle_world_destroy(sidle_world *world); /* snapshots stay valid */

/* From the next commit on. NOT_FINITE, LIMIT, MEMORY, UNSUPPORTED (a closed heightfield); STALE (_remove). */
SIDLE_API sidle_status sidle_world_add(sidle_world *world, const sidle_instance_desc *desc,
                                       sidle_instance *out);
SIDLE_API sidle_status sidle_world_remove(sidle_world *world, sidle_instance instance);

/* Moves an instance in the next epoch, where it carries and pushes agents. `from`: NULL, where it stands. The path is
 * straight, the rotation takes the shorter arc, the scale is `to`'s. A second _move before the commit prolongs the first.
 * _loop moves it by the same motion again, without a jump back (escalators, wheels), `from` not NULL: before each commit. _teleport carries no agent. NOT_FINITE, LIMIT, STALE, MEMORY. */
SIDLE_API sidle_status sidle_world_move(sidle_world *world, sidle_instance instance, const sidle_pose *from,
                                        const sidle_pose *to);
SIDLE_API sidle_status sidle_world_loop(sidle_world *world, sidle_instance instance, const sidle_pose *from,
                                        const sidle_pose *to);
SIDLE_API sidle_status sidle_world_teleport(sidle_world *world, sidle_instance instance,
                                            const sidle_pose *pose);

/* The instance has another mesh from the next commit on, at the pose where it then is or arrives; the old one is released when no
 * epoch has it. LIMIT, STALE, MEMORY, UNSUPPORTED. */
SIDLE_API sidle_status sidle_world_replace(sidle_world *world, sidle_instance instance, sidle_mesh *mesh);

/* What _add was given, at its present pose. The mesh is not retained. STALE. */
SIDLE_API sidle_status sidle_world_get(const sidle_world *world, sidle_instance instance,
                                       sidle_instance_desc *out);

/* The instance of a key (the lowest index), and the one after an instance (zero: the first). Restored bodies need the
 * `ground` that _find returns for `ground_key`. */
SIDLE_API sidle_instance sidle_world_find(const sidle_world *world, uint64_t key);
SIDLE_API sidle_instance sidle_world_next(const sidle_world *world, sidle_instance instance);

/* The last failure of _add, _move, _loop, _teleport or _replace, until the next one. index: of the instance. */
SIDLE_API const sidle_error *sidle_world_error(const sidle_world *world);

/* Publishes all changes as a new epoch; without any the last one stays. An instance that moved rests in the next
 * epoch, which is a change, too.
 * A failure keeps the changes. Cost (bench/commit_cost): .5 microseconds a change; O(n log n) in instances at first and after many additions,
 * through jobs from 2048 on. MEMORY, INCOMPLETE. */
SIDLE_API sidle_status sidle_world_commit(sidle_world *world, const sidle_jobs *jobs);

/* The last epoch, retained; empty before the first commit. */
SIDLE_API sidle_status sidle_world_snapshot(sidle_world *world, sidle_snapshot **out);
SIDLE_API void sidle_snapshot_retain(sidle_snapshot *snapshot);
SIDLE_API void sidle_snapshot_release(sidle_snapshot *snapshot);
SIDLE_API uint64_t
sidle_snapshot_epoch(const sidle_snapshot *snapshot); /* before the first commit the desc's */

#endif
