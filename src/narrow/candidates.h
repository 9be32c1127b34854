/* The triangles near one agent, gathered once and packed into its ellipsoid space, and the questions the
 * response asks of them. One of these per worker: it is all the scratch memory that moving an agent takes. */
#ifndef NARROW_CANDIDATES_H
#define NARROW_CANDIDATES_H

#include "kernels/kernels.h"
#include "narrow/frame.h"
#include "narrow/leaf_cache.h"
#include "world/snapshot.h"

typedef struct Candidates
{
    const Kernels *kernels;
    uint32_t capacity;
    Batch wide, exact;   /* float lanes; double lanes for what float does not serve */
    Candidate *list;     /* by lane of `wide` */
    uint32_t *exact_of;  /* by lane of `exact`: the candidate */
    uint32_t *leaves;    /* of the tree walk */
    uint32_t *instances; /* of the top-level walk */
    sidle_stats *stats;  /* NULL: nobody counts */
    PackRules rules;     /* of the last gather */
    double core;         /* half of a capsule's, along the y axis; 0: a ball */
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

bool filter_takes(const Filter *filter, const sidle_snapshot *snapshot, uint32_t slot);

/* Makes what append_fn has left in `wide` ready for questions, and packs `exact`, which must be empty. */
void candidates_finish(Candidates *candidates, const sidle_snapshot *snapshot, const Frame *frame,
                       const PackRules *rules, double time);

/* False: more than capacity; then the content is of no use. `cache`: the agent's, or NULL. */
bool candidates_gather(Candidates *candidates, const sidle_snapshot *snapshot, const Frame *frame,
                       const Reach *reach, const Filter *filter, LeafCache *cache);

/* The instances whose boxes, which hold all of their motion in the epoch, meet a reach: into
 * candidates->instances, in no order. More than capacity: some are missing. */
uint32_t candidates_instances(const Candidates *candidates, const sidle_snapshot *snapshot,
                              const Frame *frame, const Reach *reach);

/* Asks the memory for what a gather with this cache will read. */
void candidates_prefetch(const LeafCache *cache, const sidle_snapshot *snapshot);

typedef struct Hit
{
    KernelContact contact; /* ellipsoid space; t: the length to the contact of a sweep, the distance of a
                              closest point */
    uint32_t candidate;
} Hit;

bool candidates_sweep(const Candidates *candidates, const SweepQuery *query, Hit *out);

/* The distance to the nearest candidate within radius; infinity if there is none. Of a capsule it is negative
 * where a triangle crosses the core. */
double candidates_distance(const Candidates *candidates, Vec3 point, double radius);

/* The contacts within radius, up to capacity of them, nearest first where there are more. */
uint32_t candidates_contacts(const Candidates *candidates, Vec3 point, double radius, Hit *out,
                             uint32_t capacity);

/* All candidates within radius of a point, in no order; the array is valid until the next gather. */
const uint32_t *candidates_within(const Candidates *candidates, Vec3 point, double radius, uint32_t *count);

/* False for one that the filter's one-sidedness leaves out. */
bool candidates_counts(const Candidates *candidates, uint32_t candidate);

/* Ellipsoid space, in the order of the (unmirrored) front. */
void candidates_corners(const Candidates *candidates, uint32_t candidate, Vec3 corners[3]);

/* True if a segment passes through any candidate. */
bool candidates_block_segment(const Candidates *candidates, Vec3 from, Vec3 to);

#endif
