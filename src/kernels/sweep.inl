/* The swept ball against LANE_COUNT triangles at a time.
 *
 * K. Fauerby, "Improved Collision detection and Response", 2003, chapter 3, with these departures (docs/numerics.md has
 * the reasons):
 * - Time is arc length along a unit direction.
 * - The roots come from the closest approach of the path instead of b^2 - 4ac.
 * - The point-in-triangle test uses edge functions of in-plane normals instead of a Gram determinant.
 * - A ball that starts inside R hits at time 0 if, and only if, it moves further in.
 * - Both sides of a triangle are hit.
 *
 * There are two passes. The first needs neither a root nor an edge: planes, a cull, and faces. Its earliest hit
 * shortens the path for the second, edges and corners, which few lanes reach. The result of a lane depends on that
 * lane and on the earliest face hit of the whole batch, but not on its neighbours in the block. So every width gives
 * the same bits. */

/* Marks in FIELD_ANSWER between the passes; a time is never negative. */
#define ANSWER_PENDING (-1)
#define ANSWER_LATE    (-2) /* pending, and can hit its face late */

/* Decides the lanes of a ball that begins inside the radius. It is held, at time 0, only if it approaches the closest
 * point by more than a graze. Other features are no criterion: a ball over a face can move away although its path
 * hits an edge, or the cylinder of one, later. The distance is convex along the path, so its first
 * slope bounds the approach.
 *
 * Few blocks need this function, a late face or the exact path. These functions load the block themselves, so that the
 * common path keeps fewer values in registers. */
static __attribute__((noinline)) Lanes held_or_free(Real *block, const Sweep *sweep, Lanes t, Mask inside)
{
    Face face;
    Path path;
    LaneVec3 closest;
    face_load_plane(block, &face);
    face_load_edges(block, &face);
    face_load_rims(block, &face);
    path_to_plane(&face, sweep, &path); /* the first pass has not stored its path yet */
    path_to_edges(&face, sweep, &path);
    Lanes zero = lanes_set(0), distance2 = closest_distance2(block, &face, &path, sweep->origin, &closest);
    Mask begun = lanes_less_equal(t, zero); /* inside, if only by rounding */
    inside = mask_and(inside, mask_or(begun, lanes_less_equal(distance2, sweep->radius2)));
    Lanes distance = lanes_sqrt(distance2), k = lane3_dot(closest, sweep->direction);
    Mask held = counts(lanes_div(k, distance), sweep->length, sweep);
    held = mask_and(held, lanes_less(zero, k));
    /* A centre on the triangle, within rounding, has no direction to it and is free to leave. */
    Lanes error = lanes_mul(lanes_set((Real)(LAW_FACTOR * REAL_ROUNDOFF)), face.size);
    held = mask_and(held, lanes_less(error, distance)); /* mutant: held_by_own_edge */
    return lanes_select(inside, lanes_select(held, zero, lanes_set((Real)INFINITY)), t);
}

/* Applies held_or_free to the lanes in `inside`, those that can begin inside the radius. */
static inline Lanes leave_freely(Real *block, const Sweep *sweep, Lanes t, Mask inside)
{
    return mask_bits(inside) ? held_or_free(block, sweep, t, inside) : t; /* mutant: no_free_exit */
}

/* Planes and faces of the lanes within `limit`. Returns each lane's time, or infinity. */
static inline Lanes sweep_block_faces(Real *block, const Sweep *sweep, Lanes limit)
{
    Lanes never = lanes_set((Real)INFINITY);
    Real *answer = field_at(block, FIELD_ANSWER);
    Face face;
    Path path;
    Mask late, alive = path_enters(block, sweep, limit, &face, &path);
    if (!mask_bits(alive))
    {
        lanes_store(answer, never);
        return never;
    }
    Lanes t = lanes_select(alive, sweep_face(&face, &path, sweep, &late), never);
    t = leave_freely(block, sweep, t, lanes_less_equal(t, lanes_set(0)));
    Mask pending = mask_and(alive, lanes_less_equal(never, t));
    if (mask_bits(pending))
    {
        path_keep(block, &path);
    }
    Lanes mark = lanes_select(late, lanes_set(ANSWER_LATE), lanes_set(ANSWER_PENDING));
    lanes_store(answer, lanes_select(pending, mark, t));
    return t;
}

/* The earliest hit of edges and corners. The roots of the edges are issued first and used last, with the corners in
 * between, since few processors reorder far enough to overlap all six. */
FORCE_INLINE Lanes sweep_rims(Real *block, const Sweep *sweep, Mask *unsure)
{
    Lanes first = lanes_set((Real)INFINITY);
    Face face;
    Path path;
    LaneVec3 v[3];
    Rim rim[3];
    corners_load(block, v);
    face_load_rims(block, &face);
    path_kept(block, &path);
#pragma GCC unroll 3 /* clang reads it, too */
    for (uint32_t i = 0; i < 3; ++i)
    {
        LaneVec3 p = lane3_sub(v[i], sweep->origin);
        rim[i] = rim_of(&face, &path, i, p, sweep);
        first = sweep_corner(p, sweep, unsure, first);
    }
#pragma GCC unroll 3
    for (uint32_t i = 0; i < 3; ++i)
    {
        first = sweep_edge(&rim[i], sweep, unsure, first);
    }
    return lanes_select(lanes_less_equal(first, sweep->length), first, lanes_set((Real)INFINITY));
}

static __attribute__((noinline)) Lanes sweep_rims_exact(Real *block, const Sweep *sweep)
{
    return sweep_rims(block, sweep, NULL);
}

static inline Lanes sweep_rims_of(Real *block, const Sweep *sweep, Mask asked)
{
    Mask unsure = lanes_less(lanes_set(0), lanes_set(0));
    Lanes first = sweep_rims(block, sweep, &unsure);
    /* mutant: fast_path_alone */
    return mask_bits(mask_and(unsure, asked)) ? sweep_rims_exact(block, sweep) : first;
}

static __attribute__((noinline)) Lanes sweep_late_faces(Real *block, const Sweep *sweep)
{
    Face face;
    Path path;
    face_load_plane(block, &face);
    path_kept(block, &path);
    return sweep_late_face(&face, &path, sweep);
}

/* Edges, corners and late faces of pending lanes. */
static inline Lanes sweep_pending(Real *block, const Sweep *sweep, const Path *path, Mask pending, Mask late)
{
    Lanes first = sweep_rims_of(block, sweep, pending);
    if (mask_bits(mask_and(late, pending)))
    {
        first = lanes_min(sweep_late_faces(block, sweep), first); /* mutant: no_late_face */
    }
    /* mutant: held_later */
    Mask inside = path_begins_near(path, sweep, lanes_less(first, lanes_set((Real)INFINITY)));
    return leave_freely(block, sweep, first, inside);
}

/* Edges and corners of the pending lanes within `best`. `is_nearer`: `best` is below the limit of the first pass. */
static inline Lanes sweep_block_edges(Real *block, const Sweep *sweep, Lanes best, bool is_nearer)
{
    Lanes never = lanes_set((Real)INFINITY);
    Real *answer = field_at(block, FIELD_ANSWER);
    Lanes t = lanes_load(answer);
    Mask pending = lanes_less(t, lanes_set(0)), late = lanes_less(t, lanes_set(ANSWER_PENDING));
    if (!mask_bits(pending))
    {
        return t;
    }
    t = lanes_select(pending, never, t);
    if (is_nearer)
    {
        pending = mask_and(pending, path_still_reaches(block, sweep, best));
    }
    if (mask_bits(pending))
    {
        Path path;
        path_kept(block, &path);
        t = lanes_select(pending, sweep_pending(block, sweep, &path, pending, late), t);
    }
    lanes_store(answer, t);
    return t;
}

/* The first candidate, by candidate_before, of the lanes that hit at exactly t. `lanes_of` maps lanes to candidates;
 * NULL is the identity. */
static OUT_OF_LINE uint32_t first_at(const Batch *batch, Real t, const Candidate *candidates,
                                     const uint32_t *lanes_of)
{
    uint32_t winner = NO_HIT;
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        Lanes times = lanes_load(field_at(block_at(batch, block), FIELD_ANSWER));
        for (uint32_t bits = mask_bits(lanes_less_equal(times, lanes_set(t))); bits; bits &= bits - 1)
        {
            uint32_t lane = block * LANE_COUNT + (uint32_t)__builtin_ctz(bits);
            uint32_t candidate = lanes_of ? lanes_of[lane] : lane;
            /* mutant: tie_by_place */
            if (winner == NO_HIT || candidate_before(&candidates[candidate], &candidates[winner]))
            {
                winner = candidate;
            }
        }
    }
    return winner;
}

/* `lane`: one that hits at t; `hits`: their number. Negative times of corners, of a path that begins inside, become
 * 0. */
static inline SweepAnswer answer_at(Real t, uint32_t lane, uint32_t hits, Real first_face)
{
    return (SweepAnswer){.t = t < 0 ? 0 : (double)t,
                         .candidate = lane,
                         .is_face = t == first_face && t > 0 && hits == 1,
                         .is_tied = hits > 1};
}

/* The answer of all blocks. If t is infinity, there is no hit. */
static SweepAnswer answer_of(const Batch *batch, Real t, Real first_face)
{
    uint32_t lane = NO_HIT, hits = 0;
    for (uint32_t block = 0; block < block_count(batch) && t < (Real)INFINITY; ++block)
    {
        Lanes times = lanes_load(field_at(block_at(batch, block), FIELD_ANSWER));
        uint32_t bits = mask_bits(lanes_less_equal(times, lanes_set(t)));
        lane = bits && lane == NO_HIT ? block * LANE_COUNT + (uint32_t)__builtin_ctz(bits) : lane;
        hits += (uint32_t)__builtin_popcount(bits);
    }
    return hits > 0 ? answer_at(t, lane, hits, first_face)
                    : (SweepAnswer){.t = (double)INFINITY, .candidate = NO_HIT};
}

/* Replaces the lane of an answer by its candidate, the first by candidate_before if several lanes are tied. */
static inline SweepAnswer answer_named(const Batch *batch, SweepAnswer answer, const Candidate *candidates,
                                       const uint32_t *lanes_of)
{
    if (answer.is_tied)
    {
        answer.candidate = first_at(batch, (Real)answer.t, candidates, lanes_of);
    }
    else if (lanes_of && answer.candidate != NO_HIT)
    {
        answer.candidate = lanes_of[answer.candidate];
    }
    return answer;
}

static inline Sweep sweep_of_hits(const SweepQuery *query)
{
    return sweep_set(query, query->slack * GRAZE_OF_SLACK);
}

/* held_or_free and sweep_pending for the only block. They make the rest of the query's lanes, since most sweeps need half of
 * them. The second reads the path that is stored in the block. */
static OUT_OF_LINE Lanes leave_only_block(Real *block, const SweepQuery *query, Lanes t, Mask inside)
{
    const Sweep sweep = sweep_of_hits(query);
    return leave_freely(block, &sweep, t, inside);
}

static OUT_OF_LINE Lanes sweep_pending_of(Real *block, const SweepQuery *query, Lanes t, Mask pending,
                                          Mask late)
{
    const Sweep sweep = sweep_of_hits(query);
    Path path;
    path_kept(block, &path);
    return lanes_select(pending, sweep_pending(block, &sweep, &path, pending, late), t);
}

/* Both passes over the only block, with nothing stored in between. */
FORCE_INLINE SweepAnswer sweep_only_block(Real *block, const SweepQuery *query)
{
    const Sweep made = sweep_of_hits(query), *sweep = &made;
    SweepAnswer none = {.t = (double)INFINITY, .candidate = NO_HIT};
    Lanes never = lanes_set((Real)INFINITY);
    Face face;
    Path path;
    Mask late, alive = path_enters(block, sweep, sweep->length, &face, &path);
    if (!mask_bits(alive))
    {
        return none;
    }
    Lanes t = lanes_select(alive, sweep_face(&face, &path, sweep, &late), never);
    Mask inside = lanes_less_equal(t, lanes_set(0));
    if (mask_bits(inside))
    {
        t = leave_only_block(block, query, t, inside);
    }
    Real first_face = lanes_least(t);
    Mask pending = mask_and(alive, lanes_less_equal(never, t));
    if (mask_bits(pending))
    {
        Lanes best = lanes_min(lanes_set(first_face), sweep->length);
        pending = mask_and(pending, path_reaches(&path, rest_over_plane(&path, sweep, best), best));
        if (mask_bits(pending))
        {
            path_keep(block, &path);
            t = sweep_pending_of(block, query, t, pending, late);
        }
    }
    Real least = lanes_least(t);
    if (!(least < (Real)INFINITY))
    {
        return none;
    }
    uint32_t bits = mask_bits(lanes_less_equal(t, lanes_set(least))), hits = 1;
    if (bits & (bits - 1))
    {
        lanes_store(field_at(block, FIELD_ANSWER), t);
        hits = 2;
    }
    return answer_at(least, (uint32_t)__builtin_ctz(bits), hits, first_face);
}

static OUT_OF_LINE SweepAnswer sweep_many_blocks(const Batch *batch, const Sweep *sweep, Real length)
{
    Lanes earliest = lanes_set((Real)INFINITY);
    uint32_t blocks = block_count(batch);
    for (uint32_t block = 0; block < blocks; ++block)
    {
        earliest = lanes_min(sweep_block_faces(block_at(batch, block), sweep, sweep->length), earliest);
    }
    Real first_face = lanes_least(earliest);
    bool is_nearer = first_face < length;
    Lanes best = is_nearer ? lanes_set(first_face) : sweep->length;
    for (uint32_t block = 0; block < blocks; ++block)
    {
        earliest = lanes_min(sweep_block_edges(block_at(batch, block), sweep, best, is_nearer), earliest);
    }
    return answer_of(batch, lanes_least(earliest), first_face);
}

/* The earliest hit. `candidate` is a lane, one of several if they are tied. */
FORCE_INLINE SweepAnswer sweep_lanes(const Batch *batch, const SweepQuery *query)
{
    if (block_count(batch) == 1)
    {
        return sweep_only_block(block_at(batch, 0), query);
    }
    const Sweep sweep = sweep_of_hits(query);
    return sweep_many_blocks(batch, &sweep, (Real)query->length);
}

static SweepAnswer sweep_batch(const Batch *batch, const SweepQuery *query, const Candidate *candidates,
                               const uint32_t *lanes_of)
{
    return answer_named(batch, sweep_lanes(batch, query), candidates, lanes_of);
}
