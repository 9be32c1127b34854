/* One cast under way. Its frame is ellipsoid space turned so that the way is the z axis: the whole cast is a
 * tube around that axis, which a box fits tightly, and the direction has no rounding error. The frame of a capsule
 * is turned around the core alone, which stays the y axis, so that the way lies in its yz plane.
 *
 *     caster.c  a request becomes a caster, a caster an answer
 *     walk.c    trees: instances, leaves, triangles, nearest first, step by step
 *     ball.c    triangles against a ball          ray.c    triangles against a ray
 *     batch.c   the public calls; several casts in flight, so that one works while others wait for memory
 *
 * What makes an answer independent of the trees and of the order in which they are walked: a triangle's own
 * time depends on the triangle and the cast alone; whatever is left out, by a box or by the limit of the
 * moment, is proven to be later than the best so far; times are compared in double and ties go to the lower
 * identity. */
#ifndef QUERY_CASTER_H
#define QUERY_CASTER_H

#include "sidle/query.h"

#include "narrow/questions.h"
#include "narrow/view.h"
#include "query/cast.h"

/* Leaves that one step of a walk looks at, and their triangles: what is found in them may spare all the
 * rest. */
#define CAST_LEAVES   2
#define CAST_CAPACITY (CAST_LEAVES * PACKET_TRIANGLES)

_Static_assert(CAST_CAPACITY % 16 == 0, "whole blocks");

/* Float serves a lane whose error is below this share of the radius, the others are answered in double; and
 * everything left out early is left out with this much room: an eighth of the default skin of agents. */
#define CAST_SLACK (.02 * SLACK_OF_SKIN)

/* append.inl brings a corner into the frame with an error of at most 6.1 u per coordinate of what its
 * products add up to (view_size): 2.1 for the two subtractions, 1 for the rounded matrix, 1 for the product,
 * 2 for the sums. */
#define PACK_ERROR (8 * FLOAT_ROUNDOFF)

#define CAST_ROW_STRIDE 48 /* batch_row_stride(CAST_CAPACITY), or more */

typedef struct CastScratch /* of a thread, on its stack: for the triangles of one step */
{
    _Alignas(64) float wide[CAST_CAPACITY * FIELD_COUNT];
    _Alignas(64) float rows[9 * CAST_ROW_STRIDE];
    _Alignas(64) double exact[CAST_CAPACITY * FIELD_COUNT];
    Candidate list[CAST_CAPACITY];
    uint32_t exact_of[CAST_CAPACITY];
    Candidates candidates; /* cut out of the above */
} CastScratch;

static void cast_scratch_set(CastScratch *scratch, const Kernels *kernels);

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
    Candidates *candidates;
    Filter filter;
    bool is_ray, is_capsule;

    Frame frame;
    Vec3 displacement; /* world */
    double length;     /* of the path in the frame */
    Vec3 direction;    /* of the path in the frame: its z axis, or a capsule's own */
    PackRules rules;

    const Placed *placed; /* the instance that is walked; NULL: none yet, or between two */
    View view;            /* of it, and what follows from that */
    PackTransform transform;
    double half_width; /* of the tube in the frame that triangles matter in */
    double margin;     /* how much farther along the way */
    bool at_origin;    /* these leaves may touch the shape where it starts */

    Best best;
    Trace instances, triangles; /* the walks; instances.top 0 and no `placed`: done */
} Caster;

/* Fills a caster at the beginning of its walk. `kernels` as in the scratch. */
static void caster_begin(Caster *caster, const sidle_snapshot *snapshot, double time, const sidle_cast *cast,
                         Candidates *candidates);
static void caster_answer(const Caster *caster, sidle_cast_hit *out);

static void caster_begin_walk(Caster *caster);
static void caster_enter(Caster *caster, uint32_t slot);

/* Goes on with the walk until leaves have been looked at or `visits` nodes of a mesh's tree. False: it is
 * done. */
static bool caster_step(Caster *caster, uint32_t visits);

/* What the triangles in caster->candidates do to caster->best. */
static void caster_test(Caster *caster);
static void caster_test_ball(Caster *caster);
static void caster_test_capsule(Caster *caster);
static void caster_test_ray(Caster *caster);

/* How far along the way anything is still of interest. */
static inline double caster_limit(const Caster *caster)
{
    return caster->best.overlaps ? 0 : caster->best.found ? caster->best.time : caster->length;
}

/* Of the lanes that are hit on the way, those that may be the first: take(lane's candidate, its time) in that
 * order. */
typedef void take_hit_fn(Caster *caster, const SweepQuery *exact, uint32_t candidate, double time);
static void caster_sweep(Caster *caster, take_hit_fn *take);

/* True if (time, who) comes before what is best so far. */
static inline bool caster_prefers(const Caster *caster, double time, const Candidate *who)
{
    const Best *best = &caster->best;
    return !best->found || time < best->time || (time <= best->time && candidate_before(who, &best->who));
}

static inline bool vec3_is_even(Vec3 a)
{
    return a.x == a.y && a.y == a.z;
}

/* By time; a handful at a time. */
static void lane_times_sort(LaneTime *times, uint32_t count);

#endif
