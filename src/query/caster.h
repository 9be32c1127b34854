/* One cast under way. Its frame is ellipsoid space turned so that the way is the z axis: the whole cast is a
 * tube around that axis, which a box fits tightly, and the direction has no rounding error.
 *
 *     caster.c  a request becomes a caster, a caster an answer
 *     walk.c    trees: instances, leaves, triangles in chunks, nearest first
 *     ball.c    a chunk against a ball          ray.c    a chunk against a ray
 *
 * What makes an answer independent of the trees and of the order in which they are walked: a triangle's own
 * time depends on the triangle and the cast alone; whatever is left out, by a box or by the limit of the
 * moment, is proven to be later than the best so far; times are compared in double and ties go to the lower
 * identity. */
#ifndef QUERY_CASTER_H
#define QUERY_CASTER_H

#include "sidle/query.h"

#include "narrow/candidates.h"
#include "narrow/view.h"

#define CAST_CAPACITY 64 /* triangles of one chunk: eight full leaves */

/* Float serves a lane whose error is below this share of the radius, the others are answered in double; and
 * everything left out early is left out with this much room: an eighth of the default skin of agents. */
#define CAST_SLACK (.02 * SLACK_OF_SKIN)

/* append.inl brings a corner into the frame with an error of at most 6.1 u per coordinate of what its
 * products add up to (view_size): 2.1 for the two subtractions, 1 for the rounded matrix, 1 for the product,
 * 2 for the sums. */
#define PACK_ERROR (8 * FLOAT_ROUNDOFF)

typedef struct CastScratch /* of a thread, on its stack */
{
    _Alignas(64) float wide[CAST_CAPACITY * FIELD_COUNT];
    _Alignas(64) double exact[CAST_CAPACITY * FIELD_COUNT];
    Candidate list[CAST_CAPACITY];
    uint32_t exact_of[CAST_CAPACITY];
    Trace instances, triangles; /* walks */
} CastScratch;

typedef struct Best /* so far */
{
    bool found, overlaps;  /* overlaps: `contact` is of the origin, and `time` its distance */
    double time;           /* the way to the hit, in the frame; ties are asked of `who` */
    KernelContact contact; /* in the frame; t: where the centre is on the way */
    Candidate who;
} Best;

typedef struct Caster
{
    const sidle_snapshot *snapshot;
    CastScratch *scratch;
    Candidates candidates; /* cut out of the scratch */
    Filter filter;
    bool is_ray;

    Frame frame;
    Vec3 displacement; /* world */
    double length;     /* of the way along the frame's z axis */
    PackRules rules;   /* of a ball */

    bool at_origin; /* of the chunk: a leaf of it may touch the shape where it starts */
    double margin;  /* for a ray: how far corners' z may be off in the instances so far */
    View view;      /* of the instance in `viewed`: the walk's, or the last winner's */
    uint32_t viewed;
    Best best;
} Caster;

/* What is wrong with a cast; SIDLE_OK: nothing. */
sidle_status cast_check(const sidle_cast *cast);

Caster caster_of(const sidle_snapshot *snapshot, const Kernels *kernels, double time, const sidle_cast *cast,
                 CastScratch *scratch);
void caster_answer(const Caster *caster, sidle_cast_hit *out);

void caster_walk(Caster *caster);

/* What the chunk in caster->candidates does to caster->best. */
void caster_test_ball(Caster *caster);
void caster_test_ray(Caster *caster);

/* How far along the way anything is still of interest. */
static inline double caster_limit(const Caster *caster)
{
    return caster->best.overlaps ? 0 : caster->best.found ? caster->best.time : caster->length;
}

/* True if (time, who) comes before what is best so far. */
static inline bool caster_prefers(const Caster *caster, double time, const Candidate *who)
{
    const Best *best = &caster->best;
    return !best->found || time < best->time || (time <= best->time && candidate_before(who, &best->who));
}

/* The corners of a candidate in double. */
void caster_corners(Caster *caster, const Candidate *candidate, Vec3 corners[3]);

/* By time; chunks tell a handful at a time. */
void lane_times_sort(LaneTime *times, uint32_t count);

#endif
