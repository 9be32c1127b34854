/* The triangles near one agent, gathered once for each step and packed into its ellipsoid space. One for each worker; it is all the
 * scratch memory that a move needs. */
#ifndef NARROW_CANDIDATES_H
#define NARROW_CANDIDATES_H

#include "kernels/kernels.h"
#include "narrow/frame.h"
#include "narrow/triangle_cache.h"
#include "world/snapshot.h"

/* The transform from the stored space of an instance to the ellipsoid space of a shape that is not rotated. Each worker
 * caches it, since it is the same for every agent of a profile, at any position. */
typedef struct Mapping
{
    uint64_t resting; /* serial; 0: empty */
    uint32_t profile; /* as in the frame */
    uint32_t slot;
    bool is_diagonal;              /* the axes of instance, shape and world agree */
    double condition;              /* view_condition */
    double position[4], origin[4]; /* of the instance in the world; of the mesh in its stored space */
    /* Columns of world displacement -> stored space. If is_diagonal, only the first is used: the diagonal. */
    double inverse[3][4];
    PackTransform transform; /* with the centre of the last agent */
} Mapping;

#define MAPPINGS 64 /* of a worker; a power of two */

#define DEFAULT_CANDIDATES 4096

/* [Limit] of one gather: instances whose boxes overlap the reach (moving ones take .3 us each), and triangles that need double (.2 us
 * each in every sweep). */
#define MAX_GATHER_INSTANCES 512
#define MAX_GATHER_EXACT     512

/* [Limit] leaves and resting instances (.05 us each) that the successful gathers of a tick visit, and searches for instances that
 * push an agent. What carries and pushes it has a limit of its own. Leaves and instances that a cache can hold do not count. */
#define MAX_LEAVES_SEEN   2048
#define SEEN_MOVING       6 /* a moving instance in a gather */
#define SEEN_FIELD        2 /* a leaf of a heightfield, which is decoded each time, beside 1 */
#define SEEN_MOVING_FIELD 9 /* likewise, of a moving one, whose triangles are turned in double (.5 us each) */
#define SEEN_SEARCH       8 /* a search */
#define SEEN_LOOKED       3 /* a moving instance in a search: less than its .4 us, since turning ground takes 17 */

/* [Limit] triangles of a batch near a capsule that are tested in double (.2 us each). If there are more, the radius is
 * halved repeatedly, and at last only the core is tested. */
#define MAX_CLOSE 256

/* The lanes from the end of the run before. */
typedef struct LaneRun
{
    const Placed *placed;
    uint32_t end;
} LaneRun;

typedef struct Candidates
{
    Mapping *mappings;
    const Kernels *kernels;
    uint32_t capacity;
    uint32_t asked_capacity; /* of the crowd; in a replay, of the captured crowd */
    /* [Limit] leaves of one gather, and leaves_seen. A replay has none, since its world has other leaves, and its capture lists the
     * gathers that did not fit. */
    uint32_t most_leaves, most_seen;
    Batch wide, exact; /* float lanes; double lanes for triangles that need them */
    Candidate *list;   /* by lane of `wide`; written on request (candidate_of) */
    Origins origins;   /* by lane of `wide` */
    LaneRun *runs;     /* of lanes from one instance, in order */
    uint32_t run_count;
    bool hides_backs; /* some run is of a one-sided instance */
    /* In a replay: triangle k of the instance in slot i has the number numbers[first_number[i] + k]. Else NULL. */
    const uint32_t *numbers, *first_number;
    uint32_t *exact_of;         /* by lane of `exact`: the candidate */
    uint32_t *leaves;           /* of the tree walk */
    uint32_t *instances;        /* of the top-level walk */
    sidle_stats *stats;         /* NULL: no statistics */
    PackRules rules;            /* of the last gather */
    double core;                /* half of a capsule's, along the y axis; 0: a ball */
    Frame frame;                /* of the agent */
    uint32_t work, leaves_seen; /* of this agent's tick so far: crowd/work.h */
    uint32_t sweep_work;        /* of one sweep among these candidates */
} Candidates;

/* Bytes for one worker, and the division of that memory. `memory` is aligned to 64. */
size_t sidle_candidates_bytes(const Kernels *kernels, uint32_t capacity);
void sidle_candidates_place(Candidates *candidates, const Kernels *kernels, uint32_t capacity, void *memory);

/* The region that an agent can reach: its shape, enlarged, moved anywhere within a world ball and then along a world
 * segment. A slide with displacement v stays within the ball that has v as its diameter. (Thales: every projection of
 * v on a plane or a crease ends on that sphere, and a mix of projections inside it.) */
typedef struct Reach
{
    double swell; /* ellipsoid space: 1 + clearance + slack */
    Vec3 center;  /* of the ball, relative to the frame's centre */
    double radius;
    Vec3 segment;
    double path;  /* the longest single path, ellipsoid space */
    double slack; /* delta / 8, ellipsoid space */
    /* Ellipsoid space: the first path, of which a ball of this radius cannot hit what candidates_are_reached culls. */
    Vec3 first; /* unit, or zero */
    double first_length, first_radius;
    bool aside; /* a single query: does not fill the cache */
} Reach;

enum FilterMotion
{
    FILTER_ALL = 0,
    FILTER_RESTING, /* instances that do not move in this epoch */
    FILTER_SLOT     /* one instance */
};

/* Selects instances, and triangles. */
typedef struct Filter
{
    uint32_t collides_with;
    uint32_t ignored_surfaces; /* bits */
    sidle_instance ignore;
    uint32_t ignored_group; /* placed_group_ignored */
    double time;            /* of the epoch's motion */
    bool one_sided;
    uint8_t motion; /* FilterMotion */
    uint32_t slot;  /* of FILTER_SLOT */
} Filter;

typedef struct Hit
{
    /* Ellipsoid space. t: the length of the path to the contact of a sweep, or the distance of a closest point. */
    KernelContact contact;
    uint32_t candidate;
} Hit;

/* Whether a mask of surfaces holds one. */
static inline bool surface_is_in(uint32_t mask, uint32_t surface)
{
    return surface < 32 && (mask >> surface & 1);
}

#endif
