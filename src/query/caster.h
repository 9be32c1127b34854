/* One cast in progress. The frame in which triangles are tested is one of two.
 *
 * Where an instance leaves a ball a ball, the frame has the axes of the instance's stored space and the radius
 * as its unit: a vertex needs no rotation. This is most casts, so they make no other frame.
 * Else it is ellipsoid space turned so that the path is the z axis: the direction has no rounding error. The frame of a
 * capsule is turned around the core alone, which stays the y axis, so that the path lies in its yz plane. A ray's frame is
 * sheared so that the path is the z axis.
 *
 *     caster.inl  a request becomes a caster, a caster an answer
 *     walk.inl    trees: instances, leaves, triangles, nearest first, step by step
 *     leaf.inl    the triangles of a leaf against a ball, in lanes        ball.inl  a triangle, in double
 *     ray.inl     triangles against a ray                                 capsule.inl, sweep.inl  a capsule
 *     flight.inl  several casts in flight, so that one works while others wait for memory
 *     batch.c     the public calls
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

/* Of the box around a ball's path in the frame, and of those of triangles, float moves a side by less than 8 u of
 * where it lies. */
#define LEAF_BOX_GROWTH (1 + 0x1p-20)

/* Radii: up to here the box of a path is hardly larger than the ball, so that the order of its few leaves does not
 * matter. */
#define SHORT_PATH 1

#define CAST_ROW_STRIDE 48 /* batch_row_stride(CAST_CAPACITY), or more */

typedef struct CastScratch /* of a thread, on its stack: triangles of a step of rays and capsules */
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

/* What of a triangle a lane is hit at. */
enum LeafFeature
{
    LEAF_EDGE = 0,   /* 3: the one from corner i on */
    LEAF_CORNER = 3, /* 3 */
    LEAF_FACE = 6,
    LEAF_ANY = 7 /* double has to find it */
};

typedef struct Caster
{
    const sidle_snapshot *snapshot;
    Candidates *candidates; /* of rays and capsules */
    Filter filter;
    bool is_ray, is_capsule, is_sphere;
    bool is_aimed; /* the frame is made */
    bool is_short; /* a ball on a path of at most SHORT_PATH */
    bool has_box;  /* it has entered an instance and waits for its leaves (cast_group) */
    Bounds box;    /* then: of its path, in stored space */

    Frame frame;           /* of a ball its centre and radii only, until it is aimed */
    Vec3 displacement;     /* world */
    double length;         /* of the path, in the frame */
    double inverse_length; /* 0 if there is no path */
    float share;           /* of the path up to caster_limit, as walks count: caster_shorten */
    PackRules rules;       /* of a ball */

    const Placed *placed; /* the instance that is walked; NULL: none yet, or between two */
    uint32_t slot;        /* its own */
    PackTransform transform;
    /* A ball, also one with different radii: */
    bool is_even;   /* the frame has the axes of stored space */
    double scale;   /* then: from stored space to the frame */
    Vec3 center;    /* then: of the ball, in stored space */
    Vec3 direction; /* of the path in the frame, unit; of a capsule, too */
    float lane_direction[3],
        lane_excess; /* its direction as lanes see it, and what rounding adds to its square */
    /* All else: */
    View view;
    float box_room;    /* of a ball: how far around its centre boxes of triangles in the frame matter */
    double half_width; /* of the tube in the frame that triangles matter in */
    double margin;     /* how much farther along the path */
    bool at_origin;    /* these leaves may touch the shape where it starts */

    Best best;
    double answer;  /* a ball's best: what its lane has answered */
    Candidate copy; /* the best, or the last triangle that was found to be a copy of it: packet and local */
    bool best_is_even; /* and whether its contact has the axes of its instance's stored space */

    Trace instances, triangles; /* the walks; instances.top 0 and no `placed`: done */
} Caster;

/* Once for a caster. Each has BVH_STACK_SIZE entries; `instances` may be NULL if only one instance is present. */
static inline void caster_use_stacks(Caster *caster, TraceEntry *triangles, TraceEntry *instances)
{
    caster->triangles.stack = triangles;
    caster->instances.stack = instances;
}

/* Fills a caster at the beginning of its walk. */
static inline void caster_begin(Caster *caster, const sidle_snapshot *snapshot, double time,
                                const sidle_cast *cast, Candidates *candidates);
static void caster_answer(const Caster *caster, sidle_cast_hit *out);

static void caster_begin_walk(Caster *caster);
static void caster_enter(Caster *caster, uint32_t slot);

/* Goes on with the walk until leaves have been looked at or `visits` nodes of a mesh's tree. False: it is
 * done. */
static bool caster_step(Caster *caster, uint32_t visits);

/* The two halves of a short step: of several casts all look before one of them moves on (kernels.h). */
static void caster_look(Caster *caster);
static bool caster_move_on(Caster *caster);

/* The frame of a ball that some instance leaves no ball. */
static void caster_aim(Caster *caster);

/* What the triangles in caster->candidates do to caster->best. */
static void caster_test(Caster *caster);
static void caster_test_capsule(Caster *caster);
static void caster_test_ray(Caster *caster);

/* The same of a leaf's triangles and a ball. `at_origin`: it may touch the ball where it starts. */
static void caster_test_leaf(Caster *caster, const LeafPacket *packet, bool at_origin);

/* The same of one triangle that its lane says overlaps the ball at the start, or is hit at `time`; and of those
 * in `bits`, from triangle `first` on, which float does not serve. */
static void caster_take_overlap(Caster *caster, const LeafPacket *packet, uint32_t local, double distance2);
static void caster_take_hit(Caster *caster, const LeafPacket *packet, uint32_t local, double time,
                            enum LeafFeature feature);
static void caster_take_exactly(Caster *caster, const LeafPacket *packet, uint32_t first, uint32_t bits,
                                bool at_origin);

/* How far along the path anything can still be the first hit. */
static inline double caster_limit(const Caster *caster)
{
    return caster->best.overlaps ? 0 : caster->best.found ? caster->best.time : caster->length;
}

/* To be called where the limit has come nearer. */
static inline void caster_shorten(Caster *caster)
{
    caster->share = round_up(caster_limit(caster) * caster->inverse_length);
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
