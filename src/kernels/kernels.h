/* The wide half of the library behind one table of functions per width. What narrow/ and crowd/ see of it. */
#ifndef KERNELS_KERNELS_H
#define KERNELS_KERNELS_H

#if defined(__x86_64__)
#define KERNELS_HAVE_8 /* and 16: ask kernels_select what runs */
#endif

#include "base/bounds.h"
#include "base/vector.h"
#include "bvh/node.h"
#include "kernels/batch.h"
#include "kernels/constants.h"
#include "sidle/crowd.h"
#include "sidle/query.h"
#include "sidle/stats.h"

/* Leaves (their words without BVH_LEAF) of a tree whose boxes meet a box; at most capacity of them are
 * written. Returns how many there are; more than capacity means that some are missing. */
typedef uint32_t collect_fn(const BvhNode *nodes, const Bounds *box, uint32_t *leaves, uint32_t capacity);

/* How one instance's stored space becomes ellipsoid space: matrix * (v - center). */
typedef struct PackTransform
{
    float matrix[9];
    float doubt[3];        /* of each row: how far a corner may err, per unit of its distance (row_doubt) */
    float high[4], low[4]; /* the centre in stored space: its leading float and the rest */
    uint64_t key;
    uint32_t instance;
    bool mirrored;    /* the winding turns over */
    bool is_diagonal; /* all of the matrix but its diagonal is 0 */
} PackTransform;

typedef struct PackRules
{
    float reach_length; /* of the longest path swept, for the lanes' size S */
    float slack;        /* delta / 8 */
    float condition; /* of the transforms (view_condition): how much larger than u S a packed corner errs; 0:
                        1 */
    bool one_sided;  /* leave out triangles that show the origin their back */
    float core;      /* half of a capsule's core, which counts for S; 0: a ball */
    float near;      /* finish_fn reports whether anything may be so near to the origin */
} PackRules;

/* Where candidates come from, by lane: kernels/corners.h. All have room for 8 more than the batch. */
typedef struct Origins
{
    uint32_t *leaf, *triangle, *tag;
} Origins;

/* Appends the triangles of leaves (as collect_fn wrote them, of the mesh with these packets) that meet the
 * reach, a box in ellipsoid space. False: the batch is full. */
typedef bool append_fn(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                       const PackTransform *transform, const Bounds *reach, Batch *batch,
                       Candidate *candidates);

/* Pads, and computes what depends on triangle and shape alone. Lanes that need double are blanked and listed, in
 * ascending order; returns how many. `exact_of`: room for the batch; the double lanes' own finish lists none. */
typedef uint32_t finish_fn(Batch *batch, const PackRules *rules, uint32_t *exact_of);

/* The unit ball, swollen to `radius`, from origin along direction (unit) for length. */
typedef struct SweepQuery
{
    Vec3 origin, direction;
    double length, radius, slack;
} SweepQuery;

#define NO_HIT UINT32_MAX

typedef struct SweepAnswer
{
    double t;           /* INFINITY: none */
    uint32_t candidate; /* NO_HIT: none */
    bool is_face;       /* the face of this candidate alone is hit, and later than at once */
    bool is_tied;       /* of sweep_lanes: other lanes, too, hit at t; FIELD_ANSWER has all times */
} SweepAnswer;

/* The earliest hit of a batch; ties by candidate_before. `lanes_of` maps lanes to candidates; NULL: the
 * identity. */
typedef SweepAnswer sweep_fn(const Batch *batch, const SweepQuery *query, const Candidate *candidates,
                             const uint32_t *lanes_of);

/* The same of a capsule whose core reaches `core` from the centre to either side along the y axis. */
typedef SweepAnswer core_sweep_fn(const Batch *batch, const SweepQuery *query, double core,
                                  const Candidate *candidates, const uint32_t *lanes_of);

/* Marks the triangles that may be within `radius` of such a core around `point`, and some more: a lower bound of the
 * squared distance in the blocks' FIELD_ANSWER, infinity for all other lanes. Returns how many. */
typedef uint32_t core_near_fn(const Batch *batch, Vec3 point, double radius, double core);

/* Squared distances from `point` to every triangle of a batch that is not farther than radius (the others:
 * infinity) into the blocks' FIELD_ANSWER. Returns the least. */
typedef double closest_fn(const Batch *batch, Vec3 point, double radius);

typedef struct TraceEntry
{
    float time;
    uint32_t child; /* as in a node */
} TraceEntry;

/* A walk in progress of a tree with a box that moves along a segment: src/query/walk.inl begins it. Times are
 * shares of the segment. */
typedef struct Trace
{
    const BvhNode *nodes;
    const char *leaves; /* where leaf n is read: leaves + n * leaf_unit */
    size_t leaf_unit;
    float inverse[3];                /* 1 / the segment */
    float near_side[3], far_side[3]; /* of the moving box: what meets a node's box first, and last */
    uint32_t near_at[3], far_at[3];  /* the node's planes on those sides, as an offset in floats */
    float first;                     /* the least time of the leaves found last */
    uint32_t top;
    uint32_t seen;                       /* by trace_look: the children met of the node on top, a bit each */
    _Alignas(64) float times[BVH_WIDTH]; /* and when */
    TraceEntry *stack;                   /* BVH_STACK_SIZE */
} Trace;

/* The next leaves (as collect_fn writes them), nearest first as far as a walk from node to node can know,
 * that are met before `limit`: at most capacity, and those that are found within so many visits of nodes.
 * trace->top 0: there are no more. */
typedef uint32_t trace_fn(Trace *trace, float limit, uint32_t visits, uint32_t *leaves, uint32_t capacity);

/* Goes on until a leaf within `limit` is on top of the stack, or, after so many visits of nodes, a node; or
 * nothing is left. The memory has been asked for what is on top. */
typedef void walk_fn(Trace *trace, float limit, uint32_t visits);

/* The first half of a visit of the node on top of the stack, without a branch that depends on the node: of several
 * walks, all look before one of them moves on (trace_stack.inl), so that none waits for the others' nodes. A leaf on
 * top is for the caller to take away. */
typedef void look_fn(Trace *trace, float limit);

#define GROUP_CAPACITY 120 /* nodes, and leaves, of a group */

typedef struct GroupList /* children, each met by the box of one path */
{
    uint32_t child[GROUP_CAPACITY + BVH_WIDTH]; /* as in a node */
    uint8_t path[GROUP_CAPACITY + BVH_WIDTH];
} GroupList;

typedef struct Group /* a walk of several short paths */
{
    GroupList nodes, leaves;
    uint32_t leaf_count;
} Group;

typedef struct GroupPath
{
    const BvhNode *nodes;
    const Bounds *box;
} GroupPath;

/* Finds the leaves of all boxes: into group->leaves. Returns false if nodes or leaves exceed GROUP_CAPACITY. */
typedef bool group_fn(const GroupPath *paths, uint32_t count, Group *group);

typedef struct LaneTime
{
    double t;
    uint32_t lane;
} LaneTime;

/* Every lane that is hit before `limit` in one of the two passes: faces, then the edges and corners of those
 * lanes that had no hit in the first. The second takes the path as the first has left it in the batch: it asks the
 * same query, only `limit` may be nearer, and nothing else is asked in between. `out` has room for the batch.
 * Returns how many. */
typedef uint32_t cast_fn(const Batch *batch, const SweepQuery *query, double limit, LaneTime *out);

/* The same of a capsule, as core_sweep_fn has it. */
typedef uint32_t core_cast_fn(const Batch *batch, const SweepQuery *query, double core, double limit,
                              LaneTime *out);

/* Every lane that the z axis pierces between begin and end, with the least z of its corners. A batch needs no
 * finish for it. */
typedef uint32_t ray_fn(Batch *batch, double begin, double end, LaneTime *out);

/* Adds to stats what a sweep of this batch does with its lanes (tested to full_price, lanes). Leaves nothing
 * in the batch that a sweep would read. */
typedef void count_fn(const Batch *batch, const SweepQuery *query, sidle_stats *stats);

/* The same of a capsule's sweep. */
typedef void core_count_fn(const Batch *batch, const SweepQuery *query, double core, sidle_stats *stats);

/* Many things of one kind as their owner keeps them: an array a number, that of thing i at `stride` bytes
 * after that of thing i - 1. Triangles: V0.x V0.y V0.z V1.x ...; boxes: three of min, three of max. */
typedef struct Pairs
{
    const float *fields[9];
    size_t stride;
    uint32_t count;
} Pairs;

/* A ray along the z axis after shearing: x -= shear[0] z, y -= shear[1] z. `fields` come in the same order of
 * axes. */
typedef struct PairRay
{
    float origin[3], shear[2];
} PairRay;

typedef struct PairBall
{
    float center[3], radius;
} PairBall;

/* Sets the bits of what the ray's whole line pierces, of what it meets of the ball, of what meets the box: in
 * words of 32 that are 0 before. Doubts: neither hit nor miss in float, and its distance is worth nothing if
 * it is one of a shape that float cannot hold. `distances` are those of the triangles from the centre. */
typedef void pierce_pairs_fn(const Pairs *pairs, const PairRay *ray, uint32_t *hits);
typedef void closest_pairs_fn(const Pairs *pairs, const PairBall *ball, uint32_t *hits, uint32_t *doubts,
                              float *distances);
typedef void overlap_pairs_fn(const Pairs *pairs, const Bounds *box, uint32_t *hits);

/* One agent, one tick: crowd/agent.h. */
struct AgentScratch;
struct Candidates;
typedef void move_fn(const sidle_crowd *crowd, struct Candidates *candidates, const sidle_move *move,
                     struct AgentScratch *scratch, sidle_result *result);

/* An agent as its neighbours see it, and the walls near it: crowd/peers.h. */
struct Peer;
struct PeerWall;
typedef void peer_fn(const sidle_crowd *crowd, struct Candidates *candidates, const sidle_move *move,
                     struct AgentScratch *scratch, struct Peer *peer);
typedef uint32_t walls_fn(const sidle_crowd *crowd, struct Candidates *candidates, const sidle_move *move,
                          struct AgentScratch *scratch, struct PeerWall *walls);

/* Casts `begin` to `end` - 1 of a batch, and one alone: query/flight.inl. */
typedef void cast_many_fn(const sidle_cast_batch_desc *desc, uint32_t begin, uint32_t end);
typedef void cast_one_fn(const sidle_snapshot *snapshot, double time, const sidle_cast *cast,
                         sidle_cast_hit *out);

/* Parts of a move, for tests: narrow/questions.h. The gather writes all of the list. */
struct Frame;
struct Reach;
struct Filter;
struct TriangleCache;
typedef bool gather_fn(struct Candidates *candidates, const sidle_snapshot *snapshot,
                       const struct Frame *frame, const struct Reach *reach, const struct Filter *filter,
                       struct TriangleCache *cache);
struct Hit;
typedef bool ask_candidates_fn(const struct Candidates *candidates, const SweepQuery *query, struct Hit *out);
typedef void corners_fn(const struct Candidates *candidates, uint32_t candidate, Vec3 corners[3]);

/* What is compiled once per width. */
typedef struct Kernels
{
    uint32_t lane_count;
    move_fn *move;
    peer_fn *peer;
    walls_fn *walls;
    cast_many_fn *cast_many;
    cast_one_fn *cast_one;
    gather_fn *gather;
    corners_fn *corners;
    ask_candidates_fn *ask; /* candidates_sweep */
    collect_fn *collect;
    append_fn *append;
    finish_fn *finish;
    sweep_fn *sweep;
    closest_fn *closest;
    cast_fn *cast_faces, *cast_edges;
    ray_fn *ray;
    count_fn *count;
    core_sweep_fn *core_sweep;
    core_near_fn *core_near;
    core_cast_fn *core_cast_faces, *core_cast_edges;
    core_count_fn *core_count;
    pierce_pairs_fn *pierce_pairs;
    closest_pairs_fn *closest_pairs;
    overlap_pairs_fn *overlap_pairs;
} Kernels;

extern const Kernels kernels_1, kernels_4;
#ifdef KERNELS_HAVE_8
extern const Kernels kernels_8, kernels_8m, kernels_16; /* AVX2; AVX-512: eight with its masks, sixteen */
collect_fn collect_leaves_8;
trace_fn trace_leaves_8;
walk_fn trace_walk_8;
look_fn trace_look_8;
group_fn trace_group_8;
#endif

/* The double lanes: no collect and no append, their corners come from narrow/gather.inl. */
extern const Kernels kernels_1d;

/* lanes 0: SIDLE_LANES of the environment when that was first asked for, else eight where they run, else four.
 * NULL: not a width that can run here. */
const Kernels *kernels_select(uint32_t lanes);

/* Whether this processor can. */
bool kernels_run_here(const Kernels *kernels);

/* A field of one lane. */
static inline double batch_read(const Batch *batch, const Kernels *kernels, uint32_t i, uint32_t field)
{
    uint32_t w = kernels->lane_count;
    size_t at = ((size_t)(i / w) * FIELD_COUNT + field) * w + i % w;
    return kernels == &kernels_1d ? ((const double *)batch->blocks)[at]
                                  : (double)((const float *)batch->blocks)[at];
}

/* Bytes of the blocks for `capacity` candidates. */
static inline size_t batch_bytes(const Kernels *kernels, uint32_t capacity)
{
    uint32_t w = kernels->lane_count;
    size_t real = kernels == &kernels_1d ? sizeof(double) : sizeof(float);
    return (size_t)((capacity + w - 1) / w) * w * FIELD_COUNT * real;
}

/* As in finish.inl: what is lower than THIN_HEIGHT has no face. Nothing crosses it, and it has no back, for which
 * side is which would be a matter of rounding. n: its edges' cross product. */
static inline bool triangle_has_face(const Vec3 v[3], Vec3 n)
{
    double longest2 = 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        longest2 = larger(longest2, vec3_length2(vec3_sub(v[(i + 1) % 3], v[i])));
    }
    return vec3_length2(n) > THIN_HEIGHT * THIN_HEIGHT * longest2;
}

/* The contact of one triangle, all in double: kernels/contact.inl. */
typedef struct KernelContact
{
    double t;
    Vec3 point, normal; /* normal: unit, from the triangle to the ball's centre */
    uint16_t feature;   /* SIDLE_FEATURE_... */
} KernelContact;

/* The hit of one triangle; false: in double there is none within the length. */
bool contact_of_sweep(const Vec3 corners[3], const SweepQuery *query, KernelContact *out);

/* The closest point of one triangle to `center`; t is the distance. At a distance below 1e-6 the normal is
 * the face's, on the side of `previous` (its front, if that is the centre itself), or across the edge that is
 * all there is. */
KernelContact contact_of_closest(const Vec3 corners[3], Vec3 center, Vec3 previous);

/* True if a segment passes through a triangle. */
bool segment_meets(const Vec3 corners[3], Vec3 from, Vec3 to);

/* The closest point of one triangle to a capsule's core around `center`; t is the distance. If the core crosses the
 * triangle, t is minus the least way out through the triangle's plane and the normal points that way. */
KernelContact contact_of_core(const Vec3 corners[3], double core, Vec3 center);

/* As contact_of_sweep, for a capsule. */
bool contact_of_core_sweep(const Vec3 corners[3], const SweepQuery *query, double core, KernelContact *out);

#endif
