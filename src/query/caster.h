/* One cast of a shape in progress (rays: ray.h). Triangles are tested in one of two frames.
 *
 * For a ball in a uniformly scaled instance, the frame has the axes of the instance's stored space, and the radius as
 * its unit. Vertices need no rotation. Most casts are of this kind and make no other frame. All others are
 * tested in ellipsoid space, turned so that the path is the z axis and the direction has no rounding error. The frame
 * of a capsule is turned around the core alone, which stays the y axis, so that the path lies in its yz plane.
 *
 *     caster.inl  from a request to a caster, and from a caster to a hit
 *     walk.inl    trees: instances, leaves, triangles, nearest first, step by step
 *     square.inl  the leaves of heightfields
 *     copies.inl  triangles stored more than once
 *     leaf.inl    the triangles of a leaf against a ball, in lanes        ball.inl  a triangle, in double
 *     capsule.inl, sweep.inl  a capsule
 *     flight.inl  several casts in flight, so that one works while others wait for memory
 *     batch.c     the public calls
 *
 * A hit does not depend on the trees, nor on the order in which they are walked. A triangle's time depends on the
 * triangle and the cast alone. Whatever a box or the current limit culls is proven to be later than the best hit so
 * far. Times are compared in double, and ties go to the lower identity. */
#ifndef QUERY_CASTER_H
#define QUERY_CASTER_H

#include "sidle/query.h"

#include "kernels/core_contact.h"
#include "narrow/questions.h"
#include "narrow/view.h"
#include "query/cast.h"

/* Leaves that one step of a walk tests, and their triangles. Few, since a hit in them can cull all the rest. */
#define CAST_LEAVES   2
#define CAST_CAPACITY (CAST_LEAVES * PACKET_TRIANGLES)

_Static_assert(CAST_CAPACITY % 16 == 0, "whole blocks");

/* Radii. Lanes whose error can exceed this are tested in double, and every cull keeps this margin. An eighth of the
 * default skin of agents. */
#define CAST_SLACK (.02 * SLACK_OF_SKIN)

/* The error of a corner that append.inl brings into the frame, per coordinate and view_size, is at most 6.1 u. The
 * two subtractions have 2.1 u, the rounded matrix 1 u, the product 1 u and the sums 2 u. */
#define PACK_ERROR (8 * FLOAT_ROUNDOFF)

/* Float moves a side of a ball's or a triangle's box in the frame by less than 8 u of its coordinate; 2^-20 is 16 u. */
#define LEAF_BOX_GROWTH (1 + 0x1p-20)

/* Radii. The box of a shorter path is hardly larger than the ball's, so that the order of its few leaves is no gain. */
#define SHORT_PATH 1

/* Bytes of trees that stay in the second-level cache. Below this, casts run one after the other: branch prediction of
 * one walk is better than that of several. */
#define NEAR_CACHES 0x180000

#define CAST_ROW_STRIDE 48 /* batch_row_stride(CAST_CAPACITY), or more */

/* The triangles of one step of a capsule; on the thread's stack. */
typedef struct CastScratch
{
    _Alignas(64) float wide[CAST_CAPACITY * FIELD_COUNT];
    _Alignas(64) float rows[9 * CAST_ROW_STRIDE];
    _Alignas(64) double exact[CAST_CAPACITY * FIELD_COUNT];
    Candidate list[CAST_CAPACITY];
    uint32_t exact_of[CAST_CAPACITY];
    Candidates candidates; /* points into the arrays above */
} CastScratch;

static void cast_scratch_set(CastScratch *scratch, const Kernels *kernels);

/* The best hit so far. */
typedef struct Best
{
    /* If `overlaps`, `contact` is the closest point at the origin, and `time` its distance. */
    bool found, overlaps;
    double time;           /* length of the path to the hit, in the frame */
    KernelContact contact; /* in the frame; t: length of the path to the contact */
    Candidate candidate;   /* breaks ties */
} Best;

/* A triangle of a packet. */
typedef struct Copy
{
    const LeafPacket *packet; /* NULL: made for one test alone */
    uint8_t local;
} Copy;

/* The feature of a triangle that a lane reports as hit. */
enum LeafFeature
{
    LEAF_EDGE = 0,   /* + i: the edge from corner i */
    LEAF_CORNER = 3, /* + i */
    LEAF_FACE = 6,
    LEAF_ANY = 7 /* unknown: sidle_contact_of_sweep finds it in double */
};

/* A vector that is stored at once, with a spare. */
typedef union SparedVec3
{
    Vec3 at;
    double each[4];
} SparedVec3;

typedef struct Caster
{
    const sidle_snapshot *snapshot;
    Candidates *candidates; /* of capsules */
    Filter filter;
    uint32_t ignored_surfaces;
    bool is_any; /* any hit will do */
    bool is_ball, is_capsule;
    bool is_aimed; /* the frame is made; of a ball, this happens late */
    bool is_short; /* a ball or an ellipsoid on a path of at most SHORT_PATH */
    bool has_box;  /* it has entered an instance and waits for its leaves (cast_group) */
    PathBox box;   /* if has_box: in stored space */

    SparedVec3 origin, displacement; /* world */
    double radius;                   /* of a ball */
    double length;                   /* of the path, in the frame */
    double limit;                    /* length of the path within which a first hit is still possible */
    double inverse_length;           /* 0 if there is no path */
    float share; /* `limit` as a fraction of the path, rounded up (caster_shorten); unknown while has_box */
    PackRules rules; /* of a ball, `slack`, `condition` and `one_sided` */

    const Placed *placed; /* the instance that is walked; NULL: none */
    uint32_t slot;        /* of `placed` */
    PackTransform transform;
    /* Balls and ellipsoids: */
    bool is_even;         /* the frame has the axes of stored space */
    double scale;         /* if is_even: from stored space to the frame */
    SparedVec3 center;    /* if is_even: of the ball, in stored space */
    SparedVec3 direction; /* of the path in the frame, unit; also of a capsule */
    /* `direction` in float, and the excess of its squared length over 1. */
    float lane_direction[4], lane_excess;
    float box_extent; /* half the box around the centre of a ball that triangles overlap */
    float end;        /* `limit`, rounded up, and at most the whole path in float (shorten_ball) */
    PathBox rest;     /* the box of the path up to there, in the frame */
    /* All other casts: */
    Frame frame; /* if is_aimed */
    View view;
    double half_width; /* of the tube around the path, in the frame */
    bool at_origin;    /* the current leaves can overlap the shape at its start */

    Best best;
    double answer;      /* of a ball: the lane's time or squared distance of `best` */
    Copy copy;          /* `best` or its copy that was found last */
    Copy late;          /* a triangle that is later than `best`, with copies; NULL: none known */
    uint32_t late_slot; /* its instance */
    bool best_is_even;  /* the contact has the axes of its instance's stored space */

    Trace instances, triangles; /* the walks; if instances.top is 0 and `placed` NULL, the cast is done */
} Caster;

/* Called once for a caster. Each stack has BVH_STACK_SIZE entries. `instances` may be NULL if only one instance is
 * present. */
static inline void caster_prepare(Caster *caster, const sidle_snapshot *snapshot, double time,
                                  Candidates *candidates, TraceEntry *triangles, TraceEntry *instances)
{
    caster->snapshot = snapshot;
    caster->candidates = candidates;
    caster->filter = (Filter){.time = time};
    caster->rules.slack = (float)CAST_SLACK;
    caster->triangles.is_far = caster->instances.is_far = snapshot->mesh_bytes > NEAR_CACHES;
    caster->triangles.stack = triangles;
    caster->instances.stack = instances;
}

/* Fills a caster at the beginning of its walk. `is_ball`: cast_is_plain. */
static inline void caster_begin(Caster *caster, const sidle_cast *cast, bool is_ball);
static void caster_answer(Caster *caster, sidle_cast_hit *out);

static void caster_begin_walk(Caster *caster);
static void caster_enter(Caster *caster, const Placed *placed);

/* Tests all leaves of an instance, or enters the next instance. Returns false if the walk is done. */
static bool caster_step(Caster *caster);

/* The two halves of a short step. All casts in flight look at their nodes before one of them moves on (kernels.h). */
static void caster_look(Caster *caster);
static bool caster_move_on(Caster *caster);

/* Makes the frame of a ball, for an instance that is not uniformly scaled. */
static void caster_aim(Caster *caster);

/* Tests the triangles in caster->candidates and updates caster->best. */
static void caster_test(Caster *caster);
static void caster_test_capsule(Caster *caster);

/* Tests a leaf's triangles against a ball. `at_origin`: the leaf can overlap the ball at its start. */
static void caster_test_leaf(Caster *caster, const LeafPacket *packet, bool at_origin);

/* The box, in the frame, that any further hit of a capsule lies in. */
static Bounds caster_reach(const Caster *caster);

/* Test single triangles in double: one whose lane overlaps the ball at its start, one whose lane is hit at `time`,
 * and those in `bits`. `bits`: triangles from `first` on that need double. */
static void caster_take_overlap(Caster *caster, const LeafPacket *packet, uint32_t local, double distance2);
static void caster_take_hit(Caster *caster, const LeafPacket *packet, uint32_t local, double time,
                            enum LeafFeature feature);
static void caster_take_exactly(Caster *caster, const LeafPacket *packet, uint32_t first, uint32_t bits,
                                bool at_origin);

/* excess_of a direction in float. */
static inline float lane_excess_of(Quad d)
{
    double each[4];
    quad_store(each, quad_mul(d, d));
    return (float)(each[0] - 1 + each[1] + each[2]);
}

/* Call this after the limit has come nearer, and before a walk. */
static inline void caster_shorten(Caster *caster)
{
    bool ends = caster->is_any && caster->best.found; /* everything else is too late */
    caster->share = ends ? -1 : round_up(caster->limit * caster->inverse_length);
}

/* The same for a ball in an instance, whose short path has no walk. */
static inline void shorten_ball(Caster *caster)
{
    float limit = round_up(caster->limit), length = (float)caster->length;
    caster->end = limit < length ? limit : length;
    Float4 zero = float4_all(0), extent = float4_all(caster->box_extent);
    Float4 last =
        float4_mul(float4_load(caster->lane_direction), float4_all(caster->end * (float)LEAF_BOX_GROWTH));
    float4_store(caster->rest.min, float4_sub(float4_min(last, zero), extent));
    float4_store(caster->rest.max, float4_add(float4_max(last, zero), extent));
    if (!caster->is_short)
    {
        caster_shorten(caster);
    }
}

/* Returns true if (time, candidate) comes before the best hit so far. */
static inline bool caster_prefers(const Caster *caster, double time, const Candidate *candidate)
{
    const Best *best = &caster->best;
    return !best->found || time < best->time ||
           (time <= best->time && candidate_before(candidate, &best->candidate));
}

/* Sorts a few hits by time. */
static void lane_times_sort(LaneTime *times, uint32_t count);

#endif
