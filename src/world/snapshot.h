/* An epoch: the committed instances and the tree over them. Immutable. Its arrays are those of other epochs, too. */
#ifndef WORLD_SNAPSHOT_H
#define WORLD_SNAPSHOT_H

#include "sidle/world.h"

#include "base/bounds.h"
#include "base/fp_environment.h"
#include "base/reference.h"
#include "mesh/mesh.h"
#include "world/store.h"

/* No instance is in it; 0 is the group of an instance that is in none. */
#define NO_GROUP UINT32_MAX

/* An instance in an epoch. Position and matrices are those at the end of the epoch's motion. */
typedef struct Placed
{
    sidle_mesh *mesh; /* retained; NULL: none */
    Vec3 position;
    Mat3 linear;  /* stored displacement -> world: rotation diag(scale) */
    Mat3 inverse; /* world displacement -> stored */
    Vec3 scale;
    uint64_t key;
    uint32_t generation, member_of, flags;
    uint32_t slot, group;
    bool moves;
    bool is_plain;                     /* `linear` is the identity */
    bool is_even;                      /* the scale is the same on all axes, but for its signs */
    double box_center[4], box_half[4]; /* around all of its motion, in the world */
    sidle_pose from, to;
} Placed;

/* A set of resting instances before this epoch's, and the box around all that has changed since. */
typedef struct Recent
{
    uint64_t resting;
    Vec3 low, high; /* world */
} Recent;

/* Commits that one set of resting instances is compared over. */
#define RECENT_SETS 8

/* The slots of a page, each with the index of its Placed. Index 0: no instance. */
#define PAGE_BITS  8
#define PAGE_SLOTS (1u << PAGE_BITS)
#define NO_PLACED  0

struct sidle_snapshot
{
    Reference reference;
    Reference memory; /* of this structure: one of all snapshot references, one of the world */
    sidle_allocator allocator;
    uint64_t epoch;
    /* Serial number of the set of resting instances. Snapshots of this process share it if, and only if, those are the
     * same. Never 0. */
    uint64_t resting;
    Recent recent[RECENT_SETS]; /* the newest last */
    uint32_t recent_count;
    const Placed *all_placed;
    const uint32_t **pages;            /* by slot / PAGE_SLOTS: indices of all_placed */
    uint32_t page_count, placed_count; /* slots */
    uint32_t present_count;            /* instances with triangles */
    uint32_t moving_count;             /* instances with triangles that move in this epoch */
    uint32_t closed_count;             /* instances with triangles and SIDLE_INSTANCE_CLOSED */
    uint32_t only;                     /* if present_count is 1: its slot */
    uint64_t mesh_bytes;               /* of all instances with triangles */
    const BvhNode *nodes;              /* leaves are indices of all_placed; boxes relative to origin */
    uint32_t root;
    Vec3 origin;
    double doubt;     /* error of a side of such a box in double, before it is rounded outward */
    Block *blocks[3]; /* of all_placed, pages and nodes */
};

static inline const Placed *snapshot_placed(const sidle_snapshot *snapshot, uint32_t slot)
{
    return &snapshot->all_placed[snapshot->pages[slot >> PAGE_BITS][slot & (PAGE_SLOTS - 1)]];
}

/* Whether the resting instances in a box are those of another epoch, whose serial is given. May return false for the same ones. */
static inline bool snapshot_rests_alike(const sidle_snapshot *snapshot, uint64_t resting, Vec3 center,
                                        Vec3 half)
{
    for (uint32_t i = 0; i < snapshot->recent_count; ++i)
    {
        const Recent *recent = &snapshot->recent[i];
        if (recent->resting == resting)
        {
            Vec3 below = vec3_sub(vec3_sub(center, half), recent->high),
                 above = vec3_sub(recent->low, vec3_add(center, half));
            return vec3_max_component(below) > 0 || vec3_max_component(above) > 0;
        }
    }
    return snapshot->resting == resting;
}

/* Returns false after the last release. */
static inline bool snapshot_is_in_use(sidle_snapshot *snapshot)
{
    return reference_is_held(&snapshot->reference);
}

/* The group that a request ignores, as it is compared with Placed.group. */
static inline uint32_t placed_group_ignored(uint32_t given)
{
    return given ? given : NO_GROUP;
}

static inline bool placed_can_be_hit(const Placed *placed)
{
    return placed->mesh && placed->mesh->node_count > 0;
}

/* Fills position, linear, inverse and scale. */
void sidle_placed_set(Placed *placed, Vec3 position, sidle_quat rotation, Vec3 scale);

/* Fills box_center and box_half. */
void sidle_placed_set_box(Placed *placed);

/* Returns the instance at a time of the epoch's motion, 0 to 1. Before the end it is written to `between`, with the
 * position on the straight line and the rotation by normalised interpolation. */
const Placed *sidle_placed_at(const Placed *placed, double time, Placed *between);

/* A new serial number of a set of resting instances. */
uint64_t sidle_snapshot_serial(void);

/* Makes an empty snapshot, which the caller fills. NULL without memory. */
sidle_snapshot *sidle_snapshot_create(const sidle_allocator *allocator, uint32_t page_count);

/* Releases the world's part of the memory. */
void sidle_snapshot_forget(sidle_snapshot *snapshot);

/* Returns true if the instance exists in this snapshot. */
static inline bool snapshot_has(const sidle_snapshot *snapshot, sidle_instance id)
{
    return id.generation && id.index < snapshot->placed_count &&
           snapshot_placed(snapshot, id.index)->generation == id.generation &&
           snapshot_placed(snapshot, id.index)->mesh;
}

#endif
