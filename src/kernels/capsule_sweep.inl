/* The swept capsule against LANE_COUNT triangles at a time. The two passes are those of sweep.inl: planes, culling and
 * caps first, then sides, rims, posts and tips of the remaining lanes. */

FORCE_INLINE Lanes core_rims(Real *block, const CoreSweep *sweep, Mask *unsure)
{
    Lanes first = lanes_set((Real)INFINITY);
    Face face;
    Path path;
    Lean lean;
    LaneVec3 v[3];
    core_path_kept(block, sweep, &face, &path, &lean);
    corners_load(block, v);
    face_load_rims(block, &face);
#pragma GCC unroll 3 /* clang reads it, too */
    for (uint32_t i = 0; i < 3; ++i)
    {
        LaneVec3 p = lane3_sub(v[i], sweep->ball.origin);
        first = core_edge(&face, &path, &lean, i, p, sweep, unsure, first);
        first = core_corner(p, sweep, hidden_depth(face.size), unsure, first);
    }
    return lanes_select(lanes_less_equal(first, sweep->ball.length), first, lanes_set((Real)INFINITY));
}

static __attribute__((noinline)) Lanes core_rims_exact(Real *block, const CoreSweep *sweep)
{
    return core_rims(block, sweep, NULL);
}

static inline Lanes core_rims_of(Real *block, const CoreSweep *sweep, Mask asked)
{
    Mask unsure = lanes_less(lanes_set(0), lanes_set(0));
    Lanes first = core_rims(block, sweep, &unsure);
    return mask_bits(mask_and(unsure, asked)) ? core_rims_exact(block, sweep) : first;
}

/* ---- capsules that begin inside ---- */

static inline Vec3 core_read(Real *block, uint32_t field, uint32_t lane)
{
    return vec3((double)field_at(block, field)[lane], (double)field_at(block, field + 1)[lane],
                (double)field_at(block, field + 2)[lane]);
}

/* held_or_free for a capsule, in double. A capsule that begins inside the radius is held, at time 0, only if it
 * approaches the closest point by more than a graze. A core that crosses the triangle is free to leave. Returns the
 * lane's time. */
static double core_held_or_free(Real *block, uint32_t lane, const SweepQuery *query, double core,
                                double depth)
{
    double t = (double)field_at(block, FIELD_ANSWER)[lane];
    Vec3 corners[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        corners[i] = core_read(block, FIELD_V0 + 3 * i, lane);
    }
    KernelContact closest = sidle_contact_of_core(corners, core, query->origin);
    if (t > 0 && closest.t > query->radius)
    {
        return t;
    }
    double error = LAW_FACTOR * REAL_ROUNDOFF * (double)field_at(block, FIELD_SIZE)[lane];
    double approach = -vec3_dot(closest.normal, query->direction);
    bool held = approach > GRAZE_SLOPE || approach * query->length > depth;
    /* mutant: held_by_crossing */
    return held && closest.t > larger(error, NO_DIRECTION) ? 0 : (double)INFINITY;
}

/* Applies core_held_or_free to the lanes in `inside`, whose hits are in FIELD_ANSWER. */
static __attribute__((noinline)) Lanes core_leave_freely(Real *block, const SweepQuery *query, double core,
                                                         double depth, uint32_t inside)
{
    Real *answer = field_at(block, FIELD_ANSWER);
    for (; inside; inside &= inside - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(inside);
        answer[lane] = (Real)core_held_or_free(block, lane, query, core, depth);
    }
    return lanes_load(answer);
}

/* ---- passes ---- */

/* The query of both passes. */
typedef struct CoreQuery
{
    const SweepQuery *query;
    double core, depth;
    CoreSweep sweep;
} CoreQuery;

static inline CoreQuery core_query(const SweepQuery *query, double core, double depth)
{
    return (CoreQuery){query, core, depth, core_sweep_set(query, core, depth)};
}

/* Planes and caps of the lanes within `limit`. Returns each lane's time, or infinity. */
static inline Lanes core_block_faces(Real *block, const CoreQuery *asked, Lanes limit)
{
    const CoreSweep *sweep = &asked->sweep;
    Lanes never = lanes_set((Real)INFINITY);
    Real *answer = field_at(block, FIELD_ANSWER);
    Face face;
    Path path;
    Lean lean;
    Mask late, alive = core_enters(block, sweep, limit, &face, &path, &lean);
    lanes_store(answer, never);
    if (!mask_bits(alive))
    {
        return never;
    }
    Lanes t = lanes_select(alive, core_face(&face, &path, &lean, sweep, &late), never);
    uint32_t inside = mask_bits(lanes_less_equal(t, lanes_set(0)));
    Mask pending = mask_and(alive, lanes_less_equal(never, t));
    if (inside)
    {
        lanes_store(answer, t);
        t = core_leave_freely(block, asked->query, asked->core, asked->depth, inside);
    }
    if (mask_bits(pending))
    {
        pending = mask_and(pending, core_passes_sides(&path, &lean, sweep, limit));
        path_keep(block, &path);
    }
    Lanes mark = lanes_select(late, lanes_set(ANSWER_LATE), lanes_set(ANSWER_PENDING));
    lanes_store(answer, lanes_select(pending, mark, t));
    return t;
}

/* Sides, rims, posts and tips of the pending lanes within `best`. `is_nearer`: `best` is below the limit of the first
 * pass. */
static inline Lanes core_block_edges(Real *block, const CoreQuery *asked, Lanes best, bool is_nearer)
{
    const CoreSweep *sweep = &asked->sweep;
    Lanes zero = lanes_set(0), never = lanes_set((Real)INFINITY);
    Real *answer = field_at(block, FIELD_ANSWER);
    Lanes t = lanes_load(answer);
    Mask pending = lanes_less(t, zero), late = lanes_less(t, lanes_set(ANSWER_PENDING));
    if (!mask_bits(pending))
    {
        return t;
    }
    t = lanes_select(pending, never, t);
    if (is_nearer)
    {
        pending = core_still_reaches(block, sweep, best, pending);
    }
    if (mask_bits(pending))
    {
        Lanes first = core_rims_of(block, sweep, pending);
        if (mask_bits(mask_and(late, pending)))
        {
            first = lanes_min(core_late_faces(block, sweep), first);
        }
        t = lanes_select(pending, first, t);
        Mask hit = mask_and(pending, lanes_less(first, never)),
             begun = mask_and(hit, lanes_less_equal(first, zero));
        /* mutant: capsule_held_later */
        uint32_t inside = mask_bits(mask_or(begun, core_still_reaches(block, sweep, zero, hit)));
        lanes_store(answer, t);
        return inside ? core_leave_freely(block, asked->query, asked->core, asked->depth, inside) : t;
    }
    lanes_store(answer, t);
    return t;
}

static SweepAnswer core_sweep_lanes(const Batch *batch, const SweepQuery *query, double core)
{
    CoreQuery asked = core_query(query, core, query->slack * GRAZE_OF_SLACK);
    Lanes earliest = lanes_set((Real)INFINITY), length = asked.sweep.ball.length;
    uint32_t blocks = block_count(batch);
    for (uint32_t block = 0; block < blocks; ++block)
    {
        earliest = lanes_min(core_block_faces(block_at(batch, block), &asked, length), earliest);
    }
    Real first_face = lanes_least(earliest);
    bool is_nearer = first_face < (Real)query->length;
    Lanes best = is_nearer ? lanes_set(first_face) : length;
    for (uint32_t block = 0; block < blocks; ++block)
    {
        earliest = lanes_min(core_block_edges(block_at(batch, block), &asked, best, is_nearer), earliest);
    }
    return answer_of(batch, lanes_least(earliest), first_face);
}

static SweepAnswer core_sweep_batch(const Batch *batch, const SweepQuery *query, double core,
                                    const Candidate *candidates, const uint32_t *lanes_of)
{
    return answer_named(batch, core_sweep_lanes(batch, query, core), candidates, lanes_of);
}

/* ---- casts ---- */

/* The passes of a cast are those of a sweep, with two differences. All lanes that can still be the first hit are returned, because a
 * cast compares them in double. The passes are separate calls, because the hits of faces lower the limit for the edges.
 *
 * The limit only culls. A lane's time, and its feature, are those of the whole path, so that they do not depend on the order in which
 * a tree is walked. */

static uint32_t note_times(Lanes times, Mask hit, uint32_t block, LaneTime *out)
{
    uint32_t bits = mask_bits(hit), count = 0;
    if (!bits)
    {
        return 0;
    }
    _Alignas(64) Real each[LANE_COUNT];
    lanes_store(each, times);
    for (; bits; bits &= bits - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(bits);
        out[count++] = (LaneTime){(double)each[lane], block * LANE_COUNT + lane};
    }
    return count;
}

static uint32_t core_cast_faces(const Batch *batch, const SweepQuery *query, double core, double limit,
                                LaneTime *out)
{
    CoreQuery asked = core_query(query, core, 0);
    Lanes end = lanes_min(lanes_set((Real)round_up(limit)), asked.sweep.ball.length);
    uint32_t count = 0;
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        Lanes times = core_block_faces(block_at(batch, block), &asked, end);
        count += note_times(times, lanes_less_equal(times, end), block, out + count);
    }
    return count;
}

static uint32_t core_cast_edges(const Batch *batch, const SweepQuery *query, double core, double limit,
                                LaneTime *out)
{
    CoreQuery asked = core_query(query, core, 0);
    Lanes end = lanes_min(lanes_set((Real)round_up(limit)), asked.sweep.ball.length);
    uint32_t count = 0;
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        Real *at = block_at(batch, block);
        Mask pending = lanes_less(lanes_load(field_at(at, FIELD_ANSWER)), lanes_set(0));
        if (mask_bits(pending))
        {
            Lanes times = core_block_edges(at, &asked, end, true);
            Mask hit = mask_and(pending, lanes_less_equal(times, end));
            count += note_times(times, hit, block, out + count);
        }
    }
    return count;
}

/* ---- distances and counts ---- */

/* A lower bound of the squared distance from the core: the larger of two. One is the first corner's distance less its
 * longer edge. The other adds the distances from the plane and, within it, from the edges. */
static inline Lanes core_bound2(Real *block, const Path *path, const Lean *lean, const CoreSweep *sweep)
{
    Lanes inside[3],
        height = lanes_max(lanes_sub(lanes_abs(path->distance), lanes_abs(lean->n)), lanes_set(0));
    for (uint32_t i = 0; i < 3; ++i)
    {
        inside[i] = lanes_add(path->edge[i], lanes_abs(lean->a[i]));
    }
    LaneVec3 first = lane3_load(field_at(block, FIELD_V0)), p = lane3_sub(first, sweep->ball.origin);
    LaneVec3 a = lane3_sub(lane3_load(field_at(block, FIELD_V0 + 3)), first);
    LaneVec3 b = lane3_sub(lane3_load(field_at(block, FIELD_V0 + 6)), first);
    Lanes longer = lanes_sqrt(lanes_max(lane3_dot(a, a), lane3_dot(b, b)));
    p.y = lanes_max(lanes_sub(lanes_abs(p.y), sweep->core), lanes_set(0));
    Lanes bound = lanes_max(lanes_sub(lanes_sqrt(lane3_dot(p, p)), longer), lanes_set(0));
    return lanes_max(lanes_mul(bound, bound), lanes_add(lanes_mul(height, height), most_outside2(inside)));
}

/* Rounding can raise the square of a lane's bound by 8 u of it. The bound's own error, 8 u S, is below the slack, 16 u
 * S, which the radius includes. */
#define BOUND_GROWTH 0x1p-20

static uint32_t core_near_batch(const Batch *batch, Vec3 point, double radius, double core)
{
    SweepQuery query = {point, vec3(0, 0, 0), 0, radius, 0};
    CoreSweep sweep = core_sweep_set(&query, core, 0);
    Lanes zero = lanes_set(0), never = lanes_set((Real)INFINITY);
    Lanes most2 = lanes_set((Real)(radius * radius * (1 + BOUND_GROWTH)));
    uint32_t count = 0;
    for (uint32_t i = 0; i < block_count(batch); ++i)
    {
        Real *block = block_at(batch, i);
        Face face;
        Path path;
        Lean lean;
        Mask near = core_enters(block, &sweep, zero, &face, &path, &lean);
        Lanes bound2 = never;
        if (mask_bits(near))
        {
            near = mask_and(near, core_passes_sides(&path, &lean, &sweep, zero));
            bound2 = core_bound2(block, &path, &lean, &sweep);
            near = mask_and(near, lanes_less_equal(bound2, most2));
        }
        count += (uint32_t)__builtin_popcount(mask_bits(near));
        lanes_store(field_at(block, FIELD_ANSWER), lanes_select(near, bound2, never));
    }
    return count;
}

/* core_block_faces with counters. */
static inline Lanes core_count_faces(Real *block, const CoreQuery *asked, sidle_stats *stats)
{
    const CoreSweep *sweep = &asked->sweep;
    Lanes zero = lanes_set(0), length = sweep->ball.length;
    Face face;
    Path path;
    face_load_plane(block, &face);
    path_to_plane(&face, &sweep->ball, &path);
    Mask present = lanes_less_equal(path.distance, path.distance);
    Lanes lean = lanes_mul(face.normal.y, sweep->core);
    Mask near = lanes_less_equal(zero, core_rest_over_plane(&path, lean, sweep, length));
    Lanes t = core_block_faces(block, asked, length);
    Mask pending = lanes_less(lanes_load(field_at(block, FIELD_ANSWER)), zero);
    Mask alive = mask_or(pending, lanes_less(t, lanes_set((Real)INFINITY)));
    stats->tested += lane_total(present);
    stats->back_facing += lane_total(mask_and(present, lanes_less(zero, path.rate)));
    stats->beyond_plane += lane_total(mask_without(present, near));
    stats->beyond_edges += lane_total(mask_without(near, alive));
    return t;
}

static void core_count_sweep(const Batch *batch, const SweepQuery *query, double core, sidle_stats *stats)
{
    CoreQuery asked = core_query(query, core, query->slack * GRAZE_OF_SLACK);
    Lanes earliest = lanes_set((Real)INFINITY);
    stats->lanes |= LANE_COUNT;
    for (uint32_t i = 0; i < block_count(batch); ++i)
    {
        earliest = lanes_min(core_count_faces(block_at(batch, i), &asked, stats), earliest);
    }
    Lanes best = lanes_min(lanes_set(lanes_least(earliest)), asked.sweep.ball.length);
    for (uint32_t i = 0; i < block_count(batch); ++i)
    {
        Real *block = block_at(batch, i);
        Mask pending = lanes_less(lanes_load(field_at(block, FIELD_ANSWER)), lanes_set(0));
        if (mask_bits(pending))
        {
            stats->full_price += lane_total(core_still_reaches(block, &asked.sweep, best, pending));
        }
    }
}
