/* The kernels of the library: one table of functions for each width. narrow/, query/ and crowd/ see kernels only
 * through this header. */
#ifndef KERNELS_KERNELS_H
#define KERNELS_KERNELS_H

#include "base/bounds.h"
#include "base/vector.h"
#include "bvh/node.h"
#include "kernels/batch.h"
#include "kernels/constants.h"
#include "sidle/crowd.h"
#include "sidle/query.h"
#include "sidle/stats.h"
#include "wide/choose.h"

/* Finds the leaves of a tree whose boxes overlap a box, and writes their words without BVH_LEAF, at most `capacity` of
 * them. Returns their number; if that exceeds `capacity`, some are missing. */
typedef uint32_t collect_fn(const BvhNode *nodes, uint32_t root, const Bounds *box, uint32_t *leaves,
                            uint32_t capacity);

/* From an instance's stored space to ellipsoid space: matrix * (v - center). */
typedef struct PackTransform
{
    float matrix[9];
    float doubt[3];        /* of each row: the error of a corner per unit of its distance (row_doubt) */
    float high[4], low[4]; /* the centre in stored space: its leading float and the rest */
    uint64_t key;
    uint32_t instance;
    bool mirrored; /* the winding is reversed */
    bool is_diagonal;
} PackTransform;

typedef struct PackRules
{
    float reach_length; /* of the longest path swept, for the lanes' size S */
    float slack;        /* delta / 8 */
    float condition;    /* error of a packed corner in u S (view_condition); 0: 1 */
    float core;         /* half of a capsule's core, a part of S; 0: a ball */
    float path[3];      /* unit; the first path from the origin, for Batch.is_reached */
    float path_length;
    float path_cull; /* a ball's radius on that path, plus the slack */
    bool one_sided;  /* cull triangles whose back faces the origin */
} PackRules;

/* The origins of candidates, by lane: kernels/corners.h. All arrays hold 8 more than the batch. */
typedef struct Origins
{
    uint32_t *leaf, *triangle, *tag;
} Origins;

/* Appends the triangles of leaves (from collect_fn, of the mesh with these packets) that overlap the reach, a box in
 * ellipsoid space. Returns false if the batch is full. */
typedef bool append_fn(const uint8_t *packets, const uint32_t *leaves, uint32_t count,
                       const PackTransform *transform, const Bounds *reach, Batch *batch,
                       Candidate *candidates);

/* Pads the batch and computes what depends on triangle and shape alone. Lanes that need double are blanked and listed
 * in `exact_of`, in ascending order. Returns their number; the setup of double lanes lists none. `exact_of` holds as
 * many entries as the batch. */
typedef uint32_t setup_fn(Batch *batch, const PackRules *rules, uint32_t *exact_of);

/* A ball of this radius, from `origin` along `direction` (unit) for `length`. */
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
    bool is_face;       /* t > 0, and only the face of this candidate is hit at t */
    bool is_tied;       /* several lanes hit at t; FIELD_ANSWER has all times */
} SweepAnswer;

/* Returns the earliest hit of a batch, with ties by candidate_before. `lanes_of` maps lanes to candidates; NULL is the
 * identity. */
typedef SweepAnswer sweep_fn(const Batch *batch, const SweepQuery *query, const Candidate *candidates,
                             const uint32_t *lanes_of);

/* sweep_fn for a capsule whose core reaches `core` from the centre to either side along the y axis. */
typedef SweepAnswer core_sweep_fn(const Batch *batch, const SweepQuery *query, double core,
                                  const Candidate *candidates, const uint32_t *lanes_of);

/* Writes a lower bound of the squared distance from such a core around `point` into FIELD_ANSWER, or infinity for
 * triangles that cannot be within `radius`. Returns how many are within the bound. */
typedef uint32_t core_near_fn(const Batch *batch, Vec3 point, double radius, double core);

/* Writes the squared distance of each triangle from `point` into FIELD_ANSWER, or infinity if it is farther than
 * `radius`. Returns the least. */
typedef double closest_fn(const Batch *batch, Vec3 point, double radius);

typedef struct TraceEntry
{
    float time;
    uint32_t child; /* as in a node */
} TraceEntry;

/* A walk through a tree with a box that moves along a segment, begun by src/query/walk.inl. Times are fractions of the
 * segment. */
typedef struct Trace
{
    const BvhNode *nodes;
    const char *leaves; /* leaf n is read at leaves + n * leaf_unit */
    size_t leaf_unit;
    /* Of three axes and a spare. */
    float inverse[4];                /* 1 / the segment */
    float near_side[4], far_side[4]; /* sides of the moving box that hit a node's box first, and last */
    uint32_t near_at[4], far_at[4];  /* the node's planes on those sides, as an offset in floats */
    bool is_far;                     /* its nodes and leaves are prefetched */
    uint32_t top;
    uint32_t seen;                       /* by trace_look: a bit for each child that the box hits */
    _Alignas(64) float times[BVH_WIDTH]; /* by trace_look: the times of those */
    TraceEntry *stack;                   /* BVH_STACK_SIZE */
} Trace;

/* Pops the next leaf that the box hits before `limit`: roughly the nearest. Returns false if there is none, and then the stack is
 * empty. */
typedef bool next_fn(Trace *trace, float limit, TraceEntry *leaf);

/* The first half of a visit of the node on top of the stack, without a branch that depends on the node. With several
 * walks, all look before one of them moves on (trace_stack.inl), so that their cache misses overlap. The caller pops a
 * leaf on top. */
typedef void look_fn(Trace *trace, float limit);

#define GROUP_CAPACITY 120 /* nodes and leaves of a group */

/* Children, each with the path whose box overlaps it. */
typedef struct GroupList
{
    uint32_t child[GROUP_CAPACITY + BVH_WIDTH]; /* as in a node */
    uint8_t path[GROUP_CAPACITY + BVH_WIDTH];
} GroupList;

/* A walk of several short paths. */
typedef struct Group
{
    GroupList nodes, leaves;
    uint32_t leaf_count;
} Group;

/* The box of a path: three axes and a spare. */
typedef struct PathBox
{
    float min[4], max[4];
} PathBox;

typedef struct GroupPath
{
    const BvhNode *nodes;
    const PathBox *box;
} GroupPath;

/* Writes the leaves that overlap each box into group->leaves. Returns false if nodes and leaves exceed
 * GROUP_CAPACITY. */
typedef bool group_fn(const GroupPath *paths, uint32_t count, Group *group);

typedef struct LaneTime
{
    double t;
    uint32_t lane;
} LaneTime;

/* One of the two passes of a cast of a capsule with a core as in core_sweep_fn: faces, then the edges and corners of the lanes
 * without a hit of their face. Writes all lanes that are hit before `limit` and returns their number; `out` holds as many as the
 * batch. The second pass continues from the batch as the first has left it, with the same query and a limit that is no larger. */
typedef uint32_t core_cast_fn(const Batch *batch, const SweepQuery *query, double core, double limit,
                              LaneTime *out);

/* Adds the counts of a sweep over this batch to `stats` (tested to full_price, lanes). Later sweeps are not
 * affected. */
typedef void count_fn(const Batch *batch, const SweepQuery *query, sidle_stats *stats);

/* count_fn for a capsule. */
typedef void core_count_fn(const Batch *batch, const SweepQuery *query, double core, sidle_stats *stats);

/* One agent, one tick: crowd/agent.h. */
struct AgentScratch;
struct Candidates;
typedef void move_fn(const sidle_crowd *crowd, struct Candidates *candidates, const sidle_move *move,
                     struct AgentScratch *scratch, sidle_result *result);

/* Whether an agent moves in this tick, an enum Turn: crowd/turns.inl. */
typedef uint32_t turn_fn(const sidle_crowd *crowd, struct Candidates *candidates, const sidle_move *move);

/* An agent as its neighbours see it, and the walls near it: crowd/peers.h. */
struct Peer;
struct PeerWall;
struct TriangleCache;
typedef void peer_fn(const sidle_crowd *crowd, struct Candidates *candidates, const sidle_move *move,
                     struct TriangleCache *cache, struct Peer *peer);
typedef uint32_t walls_fn(const sidle_crowd *crowd, struct Candidates *candidates, const sidle_move *move,
                          const struct Peer *peer, double wall_reach, Vec3 aside, struct TriangleCache *cache,
                          struct PeerWall *walls);

/* Whether there is ground beside a walking agent: crowd/beside.inl. */
typedef bool ground_fn(const sidle_crowd *crowd, struct Candidates *candidates, const sidle_move *move,
                       const struct Peer *peer, Vec3 beside, struct TriangleCache *cache);

/* Four pairs of agents at once: crowd/four_pairs.inl. Writes `out` but for `other`, where neither bit is zero. */
struct Pair;
typedef struct FourPairs
{
    uint32_t pairs; /* a bit each: the two can touch in this tick */
    uint32_t open;  /* a bit each: a rare case, to be described alone */
} FourPairs;
typedef FourPairs pairs_fn(const struct Peer *const low[4], const struct Peer *const high[4],
                           struct Pair *out);

/* Casts `begin` to `end` - 1 of a batch, and a single cast: query/flight.inl. */
typedef void cast_many_fn(const sidle_cast_batch_desc *desc, uint32_t begin, uint32_t end);
typedef sidle_status cast_one_fn(const sidle_snapshot *snapshot, double time, const sidle_cast *cast,
                                 sidle_cast_hit *out);

/* The rays of a batch; returns true if it has other casts as well. query/rays.inl */
typedef bool cast_rays_fn(const sidle_cast_batch_desc *desc, uint32_t begin, uint32_t end);

/* Parts of a move, for tests: narrow/questions.h. This gather writes the whole list. */
struct Frame;
struct Reach;
struct Filter;
typedef bool gather_fn(struct Candidates *candidates, const sidle_snapshot *snapshot,
                       const struct Frame *frame, const struct Reach *reach, const struct Filter *filter,
                       struct TriangleCache *cache);
struct Hit;
typedef bool ask_candidates_fn(const struct Candidates *candidates, const SweepQuery *query, struct Hit *out);
typedef void corners_fn(const struct Candidates *candidates, uint32_t candidate, Vec3 corners[3]);

/* How an agent avoids others: crowd/avoid.inl. */
struct Steering;
struct Course;
typedef void avoid_fn(const struct Steering *steering, uint32_t agent, struct Course *out);

/* The functions that are compiled once for each width. */
typedef struct Kernels
{
    uint32_t lane_count;
    move_fn *move;
    turn_fn *turn;
    peer_fn *peer;
    walls_fn *walls;
    ground_fn *ground_beside;
    pairs_fn *pairs;
    avoid_fn *avoid;
    cast_many_fn *cast_many;
    cast_one_fn *cast_one;
    gather_fn *gather;
    corners_fn *corners;
    ask_candidates_fn *ask; /* candidates_sweep */
    collect_fn *collect;
    append_fn *append;
    setup_fn *setup;
    sweep_fn *sweep;
    closest_fn *closest;
    count_fn *count;
    core_sweep_fn *core_sweep;
    core_near_fn *core_near;
    core_cast_fn *core_cast_faces, *core_cast_edges;
    core_count_fn *core_count;
} Kernels;

extern const Kernels sidle_kernels_1, sidle_kernels_4;
#ifdef WIDE_HAS_8
extern const Kernels sidle_kernels_8;                          /* AVX2 */
extern const Kernels sidle_kernels_8_avx512, sidle_kernels_16; /* AVX-512 */
collect_fn sidle_collect_leaves_8;
next_fn sidle_trace_next_8;
look_fn sidle_trace_look_8;
group_fn sidle_trace_group_8;
cast_rays_fn sidle_cast_rays_8;
cast_one_fn sidle_cast_ray_8;
#endif

/* Double lanes, without collect and append: their corners come from narrow/identity.inl. */
extern const Kernels sidle_kernels_1d;

/* Returns the kernels of this width, or NULL if they cannot run here. 0 means SIDLE_LANES of the environment, read at
 * the first call. Without it, 0 means eight lanes if they run here, else four. */
const Kernels *sidle_kernels_select(uint32_t lanes);

/* Returns true if this processor can run the kernels. */
bool sidle_kernels_run_here(const Kernels *kernels);

/* A field of one lane. */
static inline double batch_read(const Batch *batch, const Kernels *kernels, uint32_t i, uint32_t field)
{
    uint32_t w = kernels->lane_count;
    size_t at = ((size_t)(i / w) * FIELD_COUNT + field) * w + i % w;
    return kernels == &sidle_kernels_1d ? ((const double *)batch->blocks)[at]
                                        : (double)((const float *)batch->blocks)[at];
}

/* Bytes of the blocks for `capacity` candidates. */
static inline size_t batch_bytes(const Kernels *kernels, uint32_t capacity)
{
    uint32_t w = kernels->lane_count;
    size_t real = kernels == &sidle_kernels_1d ? sizeof(double) : sizeof(float);
    return (size_t)((capacity + w - 1) / w) * w * FIELD_COUNT * real;
}

static inline double longest_edge2(const Vec3 v[3])
{
    double longest2 = 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        longest2 = larger(longest2, vec3_length2(vec3_sub(v[(i + 1) % 3], v[i])));
    }
    return longest2;
}

/* n: cross product of the triangle's edges. */
static inline bool triangle_is_higher(const Vec3 v[3], Vec3 n, double height)
{
    return vec3_length2(n) > height * height * longest_edge2(v);
}

/* Returns true if the triangle has a face, as in setup.inl: its height is above THIN_HEIGHT. A triangle without a face
 * cannot be crossed and has no back side, since rounding would decide the side. */
static inline bool triangle_has_face(const Vec3 v[3], Vec3 n)
{
    return triangle_is_higher(v, n, THIN_HEIGHT);
}

/* The contact of one triangle, all in double: kernels/contact.inl. */
typedef struct KernelContact
{
    double t;
    Vec3 point, normal; /* normal: unit, from the triangle to the ball's centre */
    uint16_t feature;   /* SIDLE_FEATURE_... */
} KernelContact;

/* The hit of one triangle. Returns false if there is none within the length. */
bool sidle_contact_of_sweep(const Vec3 corners[3], const SweepQuery *query, KernelContact *out);

/* The closest point of one triangle to `center`; t is the distance. At a distance below 1e-6 the normal is the face's,
 * on the side of `previous` (the front side if that is the centre itself). Without a face it is perpendicular to the
 * longest edge. */
KernelContact sidle_contact_of_closest(const Vec3 corners[3], Vec3 center, Vec3 previous);

/* The same of a triangle of any size: it has a face down to a height of FLAT_SINE of its longest edge. */
KernelContact sidle_closest_of_point(const Vec3 corners[3], Vec3 center);
KernelContact sidle_closest_of_core(const Vec3 corners[3], double core, Vec3 center);

/* Returns true if the segment passes through the triangle. */
bool sidle_segment_hits(const Vec3 corners[3], Vec3 from, Vec3 to);

/* The closest point of one triangle to a capsule's core around `center`; t is the distance. If the core crosses the
 * triangle, t is minus the least displacement that moves the core out through the triangle's plane, and the normal is
 * its direction. */
KernelContact sidle_contact_of_core(const Vec3 corners[3], double core, Vec3 center);

/* sidle_contact_of_sweep for a capsule. */
bool sidle_contact_of_core_sweep(const Vec3 corners[3], const SweepQuery *query, double core,
                                 KernelContact *out);

#endif
