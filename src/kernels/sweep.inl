/* The swept ball against LANE_COUNT triangles at a time.
 *
 * K. Fauerby, "Improved Collision detection and Response", 2003, chapter 3, computed differently
 * (docs/numerics.md says why, line by line): time is arc length along a unit direction; the roots come from
 * the closest approach of the path instead of b^2 - 4ac; the point-in-triangle test uses edge functions of
 * in-plane normals instead of a Gram determinant; a ball that starts inside R hits at once if, and only if,
 * it moves further in; both sides count.
 *
 * Two passes. The first needs neither a root nor an edge: planes, a cull, and faces. Its earliest hit
 * shortens the path for the second, edges and corners, which few lanes survive to. All that a lane answers
 * depends on that lane and on the earliest face hit of the whole batch, never on its neighbours in the block:
 * so every width gives the same bits. */

typedef struct Sweep /* a query in lanes */
{
    LaneVec3 origin, direction;
    Lanes length, radius, radius2, cull2, graze_depth;
} Sweep;

typedef struct Path /* how the plane and the edge functions of a face run along the path */
{
    Lanes distance, rate; /* signed distance from the plane at the origin, and per length */
    Lanes edge[3], edge_rate[3];
} Path;

static inline Sweep sweep_set(const SweepQuery *query)
{
    Vec3 o = query->origin, d = query->direction;
    Real radius = (Real)query->radius, cull = (Real)(query->radius + query->slack);
    return (Sweep){
        .origin = lane3_set((Real)o.x, (Real)o.y, (Real)o.z),
        .direction = lane3_set((Real)d.x, (Real)d.y, (Real)d.z),
        .length = lanes_set((Real)query->length),
        .radius = lanes_set(radius),
        .radius2 = lanes_set(radius * radius),
        .cull2 = lanes_set(cull * cull),
        .graze_depth = lanes_set((Real)query->slack),
    };
}

static inline void path_to_plane(const Face *face, const Sweep *sweep, Path *path)
{
    path->distance = lanes_sub(lane3_dot(face->normal, sweep->origin), face->plane);
    path->rate = lane3_dot(face->normal, sweep->direction);
}

static inline void path_to_edges(const Face *face, const Sweep *sweep, Path *path)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        path->edge[i] = lanes_sub(lane3_dot(face->inward[i], sweep->origin), face->offset[i]);
        path->edge_rate[i] = lane3_dot(face->inward[i], sweep->direction);
    }
}

/* What the cull radius squared leaves over the least distance s from the plane along the path: negative where
 * the plane stays too far away. NaN where the lane is none. */
static inline Lanes rest_over_plane(const Path *path, const Sweep *sweep, Lanes length)
{
    Lanes zero = lanes_set(0);
    Lanes end = lanes_add(path->distance, lanes_mul(path->rate, length));
    Lanes nearest = lanes_min(lanes_abs(path->distance), lanes_abs(end));
    Lanes least = lanes_select(lanes_less_equal(lanes_mul(path->distance, end), zero), zero, nearest);
    return lanes_sub(sweep->cull2, lanes_mul(least, least));
}

/* Lanes that the path can touch at all. With s the least distance from the plane and E_i / |e_i| the greatest
 * signed distance inside edge i along the path, a point of the path is at least sqrt(s^2 + E_i^2 / e_i^2)
 * away where E_i < 0. No root, no division; phrased so that NaN is out. */
static inline Mask path_reaches(const Face *face, const Path *path, Lanes rest2, Lanes length)
{
    Lanes zero = lanes_set(0);
    Mask reaches = lanes_less_equal(zero, rest2);
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes far = lanes_max(path->edge[i], lanes_add(path->edge[i], lanes_mul(path->edge_rate[i], length)));
        Mask inside = lanes_less_equal(zero, far);
        Mask near = lanes_less_equal(lanes_mul(far, far), lanes_mul(rest2, face->e2[i]));
        reaches = mask_and(reaches, mask_or(inside, near));
    }
    return reaches;
}

/* Loads a block as far as needed and finds the lanes that the path can touch: in most blocks the planes alone
 * tell that there are none. */
static inline Mask path_enters(Real *block, const Sweep *sweep, Lanes length, Face *face, Path *path)
{
    face_load_plane(block, face);
    path_to_plane(face, sweep, path);
    Lanes rest2 = rest_over_plane(path, sweep, length);
    Mask enters = lanes_less_equal(lanes_set(0), rest2);
    if (mask_bits(enters))
    {
        face_load_edges(block, face);
        path_to_edges(face, sweep, path);
        enters = path_reaches(face, path, rest2, length);
    }
    return enters;
}

/* Not a mere graze: approach is -n.d at the contact, left the rest of the path. */
static inline Mask counts(Lanes approach, Lanes left, const Sweep *sweep)
{
    return mask_or(lanes_less(lanes_set((Real)GRAZE_SLOPE), approach),
                   lanes_less(sweep->graze_depth, lanes_mul(approach, left)));
}

/* Time of the face hit, infinity for none. */
static inline Lanes sweep_face(const Face *face, const Path *path, const Sweep *sweep)
{
    Lanes zero = lanes_set(0), never = lanes_set((Real)INFINITY);
    Lanes height = lanes_abs(path->distance);
    Lanes approach = lanes_select(lanes_less(path->distance, zero), path->rate, lanes_negate(path->rate));
    Mask hit = lanes_less(zero, approach);
    Lanes gap = lanes_max(lanes_sub(height, sweep->radius), zero);
    Lanes t = lanes_div(gap, safe_denominator(hit, approach));
    hit = mask_and(hit, lanes_less_equal(t, sweep->length));
    hit = mask_and(hit, counts(approach, lanes_sub(sweep->length, t), sweep));
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes edge = lanes_add(path->edge[i], lanes_mul(path->edge_rate[i], t));
        Lanes growth2 = lanes_mul(lanes_set((Real)(FACE_GROWTH * FACE_GROWTH)), face->e2[i]);
        hit = mask_and(
            hit, mask_or(lanes_less_equal(zero, edge), lanes_less_equal(lanes_mul(edge, edge), growth2)));
    }
    return lanes_select(hit, t, never);
}

/* p: the corner relative to the path's origin. */
static inline Lanes sweep_corner(LaneVec3 p, const Sweep *sweep)
{
    Lanes zero = lanes_set(0), never = lanes_set((Real)INFINITY);
    Lanes k = lane3_dot(p, sweep->direction);
    LaneVec3 q = lane3_sub_scaled(p, sweep->direction, k); /* closest approach of the path */
    Lanes h = lanes_sub(sweep->radius2, lane3_dot(q, q));
    Lanes p2 = lane3_dot(p, p);
    Lanes c = lanes_sub(p2, sweep->radius2);
    Mask hit = mask_and(lanes_less_equal(zero, h), lanes_less(zero, k));
    Lanes root = lanes_sqrt(lanes_max(h, zero));
    Lanes t = lanes_div(lanes_max(c, zero), safe_denominator(hit, lanes_add(k, root)));
    /* n.d at the contact is -root/R from outside; from inside, where t is 0, it is -k/|p|. */
    Mask outside = lanes_less(zero, c);
    Lanes slope = lanes_div(lanes_select(outside, root, k),
                            lanes_select(outside, sweep->radius, safe_denominator(hit, lanes_sqrt(p2))));
    hit = mask_and(hit, lanes_less_equal(t, sweep->length));
    hit = mask_and(hit, counts(slope, lanes_sub(sweep->length, t), sweep));
    return lanes_select(hit, t, never);
}

/* p: the edge's first end relative to the path's origin; e: the edge. The corner's formula in the plane
 * across it. */
static inline Lanes sweep_edge(LaneVec3 p, LaneVec3 e, Lanes e2, const Sweep *sweep)
{
    Lanes zero = lanes_set(0), one = lanes_set(1), never = lanes_set((Real)INFINITY);
    Mask has_length = lanes_less(zero, e2); /* else it is a corner, and asked as one */
    Lanes length2 = safe_denominator(has_length, e2);
    Lanes la = lanes_div(lane3_dot(e, sweep->direction), length2);
    Lanes mu = lanes_div(lane3_dot(e, p), length2);
    LaneVec3 across = lane3_sub_scaled(sweep->direction, e, la);
    LaneVec3 pp = lane3_sub_scaled(p, e, mu);
    Lanes a2 = lane3_dot(across, across);
    Lanes k2 = lane3_dot(pp, across);
    Mask hit = mask_and(has_length, mask_and(lanes_less(zero, k2), lanes_less(zero, a2)));
    Lanes ta = lanes_div(k2, safe_denominator(hit, a2));
    LaneVec3 w = lane3_sub_scaled(pp, across, ta);
    Lanes h = lanes_sub(sweep->radius2, lane3_dot(w, w));
    hit = mask_and(hit, lanes_less_equal(zero, h));
    Lanes root = lanes_sqrt(lanes_mul(a2, lanes_max(h, zero)));
    Lanes p2 = lane3_dot(pp, pp);
    Lanes c = lanes_sub(p2, sweep->radius2);
    Lanes t = lanes_div(lanes_max(c, zero), safe_denominator(hit, lanes_add(k2, root)));
    Lanes f = lanes_sub(lanes_mul(t, la), mu);
    hit = mask_and(hit, mask_and(lanes_less_equal(zero, f), lanes_less_equal(f, one)));
    Mask outside = lanes_less(zero, c);
    Lanes slope = lanes_div(lanes_select(outside, root, k2),
                            lanes_select(outside, sweep->radius, safe_denominator(hit, lanes_sqrt(p2))));
    hit = mask_and(hit, lanes_less_equal(t, sweep->length));
    hit = mask_and(hit, counts(slope, lanes_sub(sweep->length, t), sweep));
    return lanes_select(hit, t, never);
}

/* Marks in FIELD_ANSWER between the passes; a time is never negative. */
#define ANSWER_PENDING (-1)

/* Planes and faces. Returns each lane's time, infinity for none. */
static inline Lanes sweep_block_faces(Real *block, const Sweep *sweep)
{
    Lanes never = lanes_set((Real)INFINITY);
    Real *answer = field_at(block, FIELD_ANSWER);
    Face face;
    Path path;
    Mask alive = path_enters(block, sweep, sweep->length, &face, &path);
    if (!mask_bits(alive))
    {
        lanes_store(answer, never);
        return never;
    }
    Lanes t = lanes_select(alive, sweep_face(&face, &path, sweep), never);
    Mask pending = mask_and(alive, lanes_less_equal(never, t));
    lanes_store(answer, lanes_select(pending, lanes_set(ANSWER_PENDING), t));
    return t;
}

/* Edges and corners of the lanes that are still pending and can be reached before `best`. */
static inline Lanes sweep_block_edges(Real *block, const Sweep *sweep, Lanes best)
{
    Lanes zero = lanes_set(0), never = lanes_set((Real)INFINITY);
    Real *answer = field_at(block, FIELD_ANSWER);
    Lanes t = lanes_load(answer);
    Mask pending = lanes_less(t, zero);
    if (!mask_bits(pending))
    {
        return t;
    }
    Face face;
    Path path;
    pending = mask_and(pending, path_enters(block, sweep, lanes_min(best, sweep->length), &face, &path));
    t = lanes_select(lanes_less(t, zero), never, t);
    if (mask_bits(pending))
    {
        LaneVec3 v[3];
        for (uint32_t i = 0; i < 3; ++i)
        {
            v[i] = lane3_load(field_at(block, FIELD_V0 + 3 * i));
        }
        Lanes first = never;
        for (uint32_t i = 0; i < 3; ++i)
        {
            LaneVec3 p = lane3_sub(v[i], sweep->origin), e = lane3_sub(v[(i + 1) % 3], v[i]);
            first = lanes_min(sweep_edge(p, e, face.e2[i], sweep), first);
            first = lanes_min(sweep_corner(p, sweep), first);
        }
        t = lanes_select(pending, first, t);
    }
    lanes_store(answer, t);
    return t;
}

static Real least_lane(Lanes a)
{
    _Alignas(64) Real each[LANE_COUNT];
    lanes_store(each, a);
    Real least = each[0];
    for (uint32_t i = 1; i < LANE_COUNT; ++i)
    {
        least = each[i] < least ? each[i] : least;
    }
    return least;
}

/* Who hit at exactly the time t; of several the one whose identity comes first. */
static uint32_t find_winner(const Batch *batch, Real t, const Candidate *candidates, const uint32_t *lanes_of)
{
    uint32_t winner = NO_HIT;
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        Lanes times = lanes_load(field_at(block_at(batch, block), FIELD_ANSWER));
        for (uint32_t bits = mask_bits(lanes_less_equal(times, lanes_set(t))); bits; bits &= bits - 1)
        {
            uint32_t lane = block * LANE_COUNT + (uint32_t)__builtin_ctz(bits);
            uint32_t candidate = lanes_of ? lanes_of[lane] : lane;
            if (winner == NO_HIT || candidate_before(&candidates[candidate], &candidates[winner]))
            {
                winner = candidate;
            }
        }
    }
    return winner;
}

static SweepAnswer sweep_batch(const Batch *batch, const SweepQuery *query, const Candidate *candidates,
                               const uint32_t *lanes_of)
{
    Sweep sweep = sweep_set(query);
    Lanes earliest = lanes_set((Real)INFINITY);
    uint32_t blocks = block_count(batch);
    for (uint32_t block = 0; block < blocks; ++block)
    {
        earliest = lanes_min(sweep_block_faces(block_at(batch, block), &sweep), earliest);
    }
    Lanes best = lanes_set(least_lane(earliest));
    for (uint32_t block = 0; block < blocks; ++block)
    {
        earliest = lanes_min(sweep_block_edges(block_at(batch, block), &sweep, best), earliest);
    }
    Real t = least_lane(earliest);
    if (!(t < (Real)INFINITY))
    {
        return (SweepAnswer){(double)INFINITY, NO_HIT};
    }
    return (SweepAnswer){(double)t, find_winner(batch, t, candidates, lanes_of)};
}
