/* The triangles near one agent, gathered once and packed into its ellipsoid space, and the questions the
 * response asks of them. One of these per worker: it is all the scratch memory that moving an agent takes. */
#ifndef NARROW_CANDIDATES_H
#define NARROW_CANDIDATES_H

#include "kernels/kernels.h"
#include "narrow/frame.h"
#include "narrow/triangle_cache.h"
#include "world/snapshot.h"

/* How the stored space of an instance becomes the ellipsoid space of a shape that is not rotated, wherever the agent
 * is: kept by the worker, since it is the same for every agent of a profile. */
typedef struct Mapping
{
    uint64_t resting; /* serial; 0: nothing is kept */
    uint32_t profile; /* as in the frame */
    uint32_t slot;
    bool is_diagonal;              /* the axes of instance, shape and world agree */
    double condition;              /* view_condition */
    double position[4], origin[4]; /* of the instance in the world; of the mesh in its stored space */
    double inverse[3][4];    /* columns: world displacement -> stored space; diagonal: the first alone */
    PackTransform transform; /* its centre is the last agent's */
} Mapping;

#define MAPPINGS 64 /* of a worker; a power of two */

#define DEFAULT_CANDIDATES 4096

/* [Limit] of one gather, beside its capacity: instances whose boxes meet the reach, some .3 us each; and triangles that
 * float does not serve, which take some .2 us in every sweep. */
#define MAX_GATHER_INSTANCES 512
#define MAX_GATHER_EXACT     512

/* Leaves, some .06 us each, that all gathers of a tick which fit look through; an instance that moves counts for
 * SEEN_MOVING. What a cache may know already does not count. */
#define MAX_LEAVES_SEEN 2048
#define SEEN_MOVING     6
#define SEEN_SEARCH     8 /* a search for instances that move */

/* Triangles of a batch near a capsule that are looked at in double, some .2 us each: where there are more, those within
 * a quarter of the radius, and so on, and at last those that cross the core. More of them
 * would not free an agent sooner. */
#define MAX_CLOSE 256

typedef struct Candidates
{
    Mapping *mappings;
    const Kernels *kernels;
    uint32_t capacity;
    uint32_t asked_capacity; /* of the crowd; a replay's captured crowd had less */
    float *rows;             /* of `wide` */
    Batch wide, exact;       /* float lanes; double lanes for what float does not serve */
    Candidate *list;         /* by lane of `wide`: written when it is asked for (candidate_of) */
    Origins origins;         /* by lane of `wide` */
    Run *runs;               /* of lanes that come from one instance, in order */
    uint32_t run_count;
    const sidle_snapshot *snapshot; /* of the last gather */
    /* NULL, or by what a replay renumbers: triangle k of the instance in slot i is numbers[first_number[i] + k]. */
    const uint32_t *numbers, *first_number;
    uint32_t *exact_of;         /* by lane of `exact`: the candidate */
    uint32_t *leaves;           /* of the tree walk */
    uint32_t *instances;        /* of the top-level walk */
    sidle_stats *stats;         /* NULL: nobody counts */
    PackRules rules;            /* of the last gather */
    double core;                /* half of a capsule's, along the y axis; 0: a ball */
    Frame frame;                /* of the agent that moves */
    uint32_t work, leaves_seen; /* that the tick of this agent has taken so far: crowd/work.h */
    uint32_t sweep_work;        /* of one sweep among these candidates */
} Candidates;

/* Bytes for one worker; candidates_place cuts them up. memory is aligned to 64. */
size_t candidates_bytes(const Kernels *kernels, uint32_t capacity);
void candidates_place(Candidates *candidates, const Kernels *kernels, uint32_t capacity, void *memory);

/* Everything that an agent may come to touch: its shape, swollen, moved anywhere within a world ball and then
 * along a world segment. A slide under displacement v stays within the ball over v as its diameter (Thales:
 * every projection of v on a plane or a crease ends on that sphere, and a mix of projections inside it). */
typedef struct Reach
{
    double swell; /* ellipsoid space: 1 + what is kept free + slack */
    Vec3 center;  /* of the ball, relative to the frame's centre */
    double radius;
    Vec3 segment;
    double path;  /* the longest single path, ellipsoid space */
    double slack; /* delta / 8, ellipsoid space */
    double near;  /* ellipsoid space: candidates_are_near is asked about this */
    bool aside;   /* asked once: a cache is not filled for it */
} Reach;

enum FilterMotion
{
    FILTER_ALL = 0,
    FILTER_RESTING, /* instances that do not move in this epoch */
    FILTER_SLOT     /* one instance */
};

typedef struct Filter /* which instances count */
{
    uint32_t collides_with;
    sidle_instance ignore;
    double time; /* of the epoch's motion */
    bool one_sided;
    uint8_t motion; /* FilterMotion */
    uint32_t slot;  /* FILTER_SLOT's */
} Filter;

typedef struct Hit
{
    KernelContact contact; /* ellipsoid space; t: the length to the contact of a sweep, the distance of a
                              closest point */
    uint32_t candidate;
} Hit;

#endif
