/* A capsule against LANE_COUNT triangles at a time, one lane a triangle: culling and feature tests.
 *
 * The capsule is a ball moved along its core, the segment from -core to core on the y axis. It touches a triangle
 * where its centre is R away from the Minkowski sum of triangle and core, a prism. That prism is never built.
 * Each of its features is solved in the plane in which it is simple, from the data of the triangle alone
 * (n: normal, a_i: inward normal of edge i within the plane, b_i: its direction, c: the core):
 *
 *   cap       The triangle moved to the end of the core. Only the end that is nearest to the plane can touch
 *             first. That is a ball against the face.
 *   side i    Edge i swept along the core, a parallelogram. Seen along the edge it is the segment from -w to w
 *             with w = (n.c, a_i.c), so its distance and its ends are dot products in that plane.
 *   rim i     Edge i moved to one end of the core: a circle in the same plane, a ball against an edge.
 *   post j    Corner j swept along the core: a circle in the xz plane, again a ball against an edge, which is
 *             the core.
 *   tip j     Corner j moved to one end of the core: a ball against a corner.
 *
 *             n                                    x: the capsule's centre, seen along edge i
 *             |      w                  x          R w: the side and its rims are a stadium
 *             |    ,'
 *             |  ,'
 *   a_i ------+--
 *           ,'
 *        -w
 *
 * Each of rim and tip exists at both ends of the core. Side i and rim i together are a stadium in their plane. A path
 * enters it once: at the side, or at the rim of the end at which the path enters the side's strip. Likewise for a post
 * and its tips. So one of the two ends is tested. Each feature is a part of the prism, so the earliest hit of all
 * features is the first contact.
 *
 * K. Fauerby, "Improved Collision detection and Response", 2003, covers ellipsoids only. The tests of balls are those
 * of features.inl, which states how they differ from the paper. */

/* A query in lanes. */
typedef struct CoreSweep
{
    Sweep ball;
    Lanes core; /* half of its length */
} CoreSweep;

/* The half core on the axes of a face. */
typedef struct Lean
{
    Lanes n, a[3];
} Lean;

static inline CoreSweep core_sweep_set(const SweepQuery *query, double core, double depth)
{
    return (CoreSweep){sweep_set(query, depth), lanes_set((Real)core)};
}

/* Negates a in lanes where s is negative. NaN counts as positive, since the sign of a NaN differs between compilers. */
static inline Lanes turn_where_negative(Lanes a, Lanes s)
{
    return lanes_select(lanes_less(s, lanes_set(0)), lanes_negate(a), a);
}

static inline void lean_of(const Face *face, const CoreSweep *sweep, Lean *lean)
{
    lean->n = lanes_mul(face->normal.y, sweep->core);
    for (uint32_t i = 0; i < 3; ++i)
    {
        lean->a[i] = lanes_mul(face->inward[i].y, sweep->core);
    }
}

/* The path of one end of the core. `end`: the lean for the positive end, minus the lean for the negative one. */
static inline Path path_of_end(const Path *path, const Lean *end)
{
    Path moved = *path;
    moved.distance = lanes_add(path->distance, end->n);
    for (uint32_t i = 0; i < 3; ++i)
    {
        moved.edge[i] = lanes_add(path->edge[i], end->a[i]);
    }
    return moved;
}

/* ---- culling ---- */

/* As rest_over_plane, for the nearest point of the core. */
static inline Lanes core_rest_over_plane(const Path *path, Lanes lean, const CoreSweep *sweep, Lanes length)
{
    Lanes end = lanes_add(path->distance, lanes_mul(path->rate, length));
    Lanes low = lanes_min(path->distance, end), high = lanes_max(path->distance, end);
    Lanes least = lanes_sub(lanes_max(low, lanes_negate(high)), lanes_abs(lean));
    least = lanes_max(lanes_set(0), least); /* keeps NaN, which the caller's compare culls */
    return lanes_sub(sweep->ball.cull2, lanes_mul(least, least));
}

/* The sign of the result is that of the end of the core that is nearest to the plane. */
static inline Lanes nearest_end(const Path *path, const Lean *lean)
{
    return turn_where_negative(lanes_negate(path->distance), lean->n);
}

/* As path_reaches, for the innermost point of the part of the core that is within the cull radius of the plane. If the
 * whole core stays on one side, that part is its nearest end, and from there as many halves of the core as lead out of the
 * radius. The slack is added once more, for the rounding of their height. */
static inline Mask core_reaches(const Path *path, const Lean *lean, Lanes rest2, const Sweep *ball,
                                Lanes length)
{
    Lanes zero = lanes_set(0), whole = lanes_set(2), far[3], side = nearest_end(path, lean);
    Lanes room = lanes_add(rest2, lanes_sub(ball->cull2, ball->radius2));
    Lanes part = lanes_min(lanes_div(room, lanes_mul(ball->radius, lanes_abs(lean->n))), whole);
    part = lanes_select(lanes_less(rest2, ball->cull2), part, whole); /* mutant: crossing_core_culled */
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes end = turn_where_negative(lean->a[i], side);
        far[i] = lanes_max(path->edge[i], lanes_add(path->edge[i], lanes_mul(path->edge_rate[i], length)));
        far[i] = lanes_add(lanes_add(far[i], end), lanes_mul(lanes_max(lanes_negate(end), zero), part));
    }
    return lanes_less_equal(most_outside2(far), rest2);
}

/* The lanes whose path comes within the cull radius of the plane of each side. All distances are times |w|. */
static inline Mask core_passes_sides(const Path *path, const Lean *lean, const CoreSweep *sweep, Lanes length)
{
    Lanes zero = lanes_set(0), n2 = lanes_mul(lean->n, lean->n);
    Mask passes = lanes_less_equal(zero, zero);
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes out = lanes_sub(lanes_mul(path->distance, lean->a[i]), lanes_mul(path->edge[i], lean->n));
        Lanes rate = lanes_sub(lanes_mul(path->rate, lean->a[i]), lanes_mul(path->edge_rate[i], lean->n));
        out = turn_where_negative(out, lean->n);
        rate = turn_where_negative(rate, lean->n);
        Lanes least = lanes_max(lanes_min(out, lanes_add(out, lanes_mul(rate, length))), zero);
        Lanes w2 = lanes_add(n2, lanes_mul(lean->a[i], lean->a[i]));
        passes =
            mask_and(passes, lanes_less_equal(lanes_mul(least, least), lanes_mul(sweep->ball.cull2, w2)));
    }
    return passes;
}

/* Returns the lanes that the path can hit, without the cull by sides. Loads edges only if a plane is in reach. */
static inline Mask core_enters(Real *block, const CoreSweep *sweep, Lanes length, Face *face, Path *path,
                               Lean *lean)
{
    face_load_plane(block, face);
    path_to_plane(face, &sweep->ball, path);
    Lanes rest2 = core_rest_over_plane(path, lanes_mul(face->normal.y, sweep->core), sweep, length);
    Mask enters = lanes_less_equal(lanes_set(0), rest2);
    if (mask_bits(enters))
    {
        face_load_edges(block, face);
        path_to_edges(face, &sweep->ball, path);
        lean_of(face, sweep, lean);
        enters = core_reaches(path, lean, rest2, &sweep->ball, length);
    }
    return enters;
}

static inline void core_path_kept(Real *block, const CoreSweep *sweep, Face *face, Path *path, Lean *lean)
{
    path_kept(block, path);
    face->normal = lane3_load(field_at(block, FIELD_N));
    face_load_edges(block, face);
    lean_of(face, sweep, lean);
}

/* The lanes in `asked` that the path reaches within `length`. */
static inline Mask core_still_reaches(Real *block, const CoreSweep *sweep, Lanes length, Mask asked)
{
    Face face;
    Path path;
    Lean lean;
    core_path_kept(block, sweep, &face, &path, &lean);
    Lanes rest2 = core_rest_over_plane(&path, lean.n, sweep, length);
    asked = mask_and(asked, lanes_less_equal(lanes_set(0), rest2));
    if (mask_bits(asked))
    {
        asked = mask_and(asked, core_reaches(&path, &lean, rest2, &sweep->ball, length));
        asked = mask_and(asked, core_passes_sides(&path, &lean, sweep, length));
    }
    return asked;
}

/* ---- caps ---- */

/* The path of the end of the core that is nearest to the plane. `beside`: the lanes whose core crosses the plane and
 * therefore hits no cap first. */
static inline Path path_of_nearest_end(const Path *path, const Lean *lean, Mask *beside)
{
    Lean end;
    Lanes side = nearest_end(path, lean);
    end.n = turn_where_negative(lean->n, side);
    for (uint32_t i = 0; i < 3; ++i)
    {
        end.a[i] = turn_where_negative(lean->a[i], side);
    }
    *beside = lanes_less(lanes_abs(path->distance), lanes_abs(lean->n));
    return path_of_end(path, &end);
}

static inline Lanes core_face(const Face *face, const Path *path, const Lean *lean, const CoreSweep *sweep,
                              Mask *late)
{
    Mask beside;
    Path end = path_of_nearest_end(path, lean, &beside);
    Lanes t = sweep_face(face, &end, &sweep->ball, late);
    *late = mask_without(*late, beside);
    return lanes_select(beside, lanes_set((Real)INFINITY), t);
}

static __attribute__((noinline)) Lanes core_late_faces(Real *block, const CoreSweep *sweep)
{
    Face face;
    Path path;
    Lean lean;
    Mask beside;
    core_path_kept(block, sweep, &face, &path, &lean);
    face_load_plane(block, &face);
    Path end = path_of_nearest_end(&path, &lean, &beside);
    Lanes t = sweep_late_face(&face, &end, &sweep->ball);
    return lanes_select(beside, lanes_set((Real)INFINITY), t);
}

/* ---- sides ---- */

/* A side in the plane normal to its edge. Distances are times |w|, and positions along w and along the edge times
 * w^2. All rates are per length of the path. So t is the only quotient. If the core is nearly parallel to the edge, w
 * is rounding. The side is then that of a slightly turned core, whose points differ by no more than rounding. */
typedef struct Side
{
    Mask exists;
    Lanes w, w2;
    Lanes outside, approach;   /* of the strip of half width R around the line of w */
    Lanes t;                   /* when the path enters the strip */
    Lanes along, along_rate;   /* position on w, from the edge: outside the side above w2 and below -w2 */
    Lanes before, before_rate; /* distance of the core's contact before the edge's first end */
    Lanes end;                 /* `before` at the other end of the edge */
} Side;

FORCE_INLINE Side side_of(const Path *path, const Lean *lean, uint32_t i, Lanes lean_along, const Rim *rim,
                          const Sweep *sweep)
{
    Lanes zero = lanes_set(0), n = lean->n, a = lean->a[i];
    Side side;
    side.w2 = lanes_add(lanes_mul(n, n), lanes_mul(a, a));
    side.w = lanes_sqrt(side.w2);
    side.exists = lanes_less(shortest_edge2(), side.w2);
    Lanes out = lanes_sub(lanes_mul(path->distance, a), lanes_mul(path->edge[i], n));
    Lanes rate = lanes_sub(lanes_mul(path->rate, a), lanes_mul(path->edge_rate[i], n));
    side.outside = lanes_sub(lanes_abs(out), lanes_mul(sweep->radius, side.w));
    side.approach = turn_where_negative(lanes_negate(rate), out);
    side.t = lanes_div(side.outside, side.approach);
    side.t = lanes_select(lanes_less_equal(side.outside, zero), zero, side.t);
    Lanes begin = lanes_add(lanes_mul(path->distance, n), lanes_mul(path->edge[i], a));
    side.along_rate = lanes_add(lanes_mul(path->rate, n), lanes_mul(path->edge_rate[i], a));
    side.along = lanes_add(begin, lanes_mul(side.along_rate, side.t));
    Lanes center = lanes_sub(rim->mu, lanes_mul(side.t, rim->la));
    side.before = lanes_add(lanes_mul(center, side.w2), lanes_mul(side.along, lean_along));
    side.before_rate = lanes_sub(lanes_mul(side.along_rate, lean_along), lanes_mul(rim->la, side.w2));
    side.end = lanes_mul(rim->end, side.w2);
    return side;
}

/* A path can enter the strip just outside the side so shallowly that rounding hides it from the tests of rims and
 * posts. If it reaches the side no deeper than that, it hits the side at that time. This is sweep_late_face of
 * features.inl with four bounds. */
FORCE_INLINE Lanes late_side(const Side *side, Lanes hidden, const Sweep *sweep)
{
    Lanes zero = lanes_set(0), wait = zero;
    const Lanes inside[4] = {lanes_sub(side->w2, side->along), lanes_add(side->w2, side->along),
                             lanes_negate(side->before), lanes_sub(side->before, side->end)};
    const Lanes rate[4] = {lanes_negate(side->along_rate), side->along_rate, lanes_negate(side->before_rate),
                           side->before_rate};
    Mask hit = mask_and(side->exists, lanes_less(zero, side->approach));
    for (uint32_t i = 0; i < 4; ++i)
    {
        Mask outside = lanes_less(inside[i], zero), turns_in = lanes_less(zero, rate[i]);
        Lanes own =
            lanes_select(mask_and(outside, turns_in), lanes_div(lanes_negate(inside[i]), rate[i]), zero);
        wait = lanes_max(own, wait);
        hit = mask_and(hit, mask_or(lanes_less_equal(zero, inside[i]), turns_in));
    }
    for (uint32_t i = 0; i < 4; ++i) /* a bound that held at first must still hold */
    {
        Lanes later = lanes_add(inside[i], lanes_mul(rate[i], wait));
        hit = mask_and(hit, mask_or(lanes_less_equal(zero, later), lanes_less(inside[i], zero)));
    }
    Lanes tolerance = lanes_mul(hidden, side->w), t = lanes_add(side->t, wait);
    Mask at_once = lanes_less_equal(wait, zero),
         shallow = lanes_less_equal(lanes_negate(tolerance), side->outside);
    hit = mask_and(hit, mask_or(at_once, shallow));
    hit = mask_and(hit, lanes_less_equal(lanes_mul(side->approach, wait), tolerance));
    hit = mask_and(hit, lanes_less_equal(t, sweep->length));
    hit = mask_and(hit, counts(lanes_div(side->approach, side->w), lanes_sub(sweep->length, t), sweep));
    return lanes_select(hit, t, lanes_set((Real)INFINITY));
}

/* `unsure`: the fast path, as in features.inl; NULL: the exact path. */
FORCE_INLINE Lanes sweep_side(const Side *side, Lanes hidden, const CoreSweep *sweep, Mask *unsure,
                              Lanes first)
{
    Lanes zero = lanes_set(0);
    if (!unsure)
    {
        return lanes_min(late_side(side, hidden, &sweep->ball), first);
    }
    Lanes off_core = lanes_sub(lanes_abs(side->along), side->w2);
    Lanes off_edge = lanes_max(side->before, lanes_sub(side->end, side->before));
    Mask comes = mask_and(side->exists, lanes_less(zero, side->approach));
    /* The wait for an end is at least off_core / |w| or off_edge / |core w|, since rates are at most 1 plus rounding.
     * With twice the hidden depth for rounding, `near` contains all lanes that the exact path can hit. */
    Lanes tolerance = lanes_mul(lanes_add(hidden, hidden), side->w2),
          along = lanes_mul(tolerance, sweep->core);
    Mask near = mask_and(comes, lanes_less_equal(lanes_mul(side->approach, off_core), tolerance));
    near = mask_and(near, lanes_less_equal(lanes_mul(side->approach, off_edge), along));
    Mask plain = lanes_less(lanes_mul(lanes_set((Real)GRAZE_SLOPE), side->w), side->approach);
    plain = mask_and(mask_and(plain, side->exists), lanes_less_equal(lanes_max(off_core, off_edge), zero));
    *unsure = mask_or(*unsure, mask_without(near, plain));
    return lanes_min_where(plain, side->t, first);
}

/* Edge i along the core: its side, and the rim of the end at which the path enters the side's strip. */
FORCE_INLINE Lanes core_edge(const Face *face, const Path *path, const Lean *lean, uint32_t i, LaneVec3 p,
                             const CoreSweep *sweep, Mask *unsure, Lanes first)
{
    const Sweep *ball = &sweep->ball;
    Lanes lean_along = lanes_mul(face->along[i].y, sweep->core), hidden = hidden_depth(face->size);
    Rim rim = {.rate = path->rate,
               .turn = path->edge_rate[i],
               .la = lane3_dot(face->along[i], ball->direction),
               .mu = lane3_dot(face->along[i], p),
               .end = face->end[i],
               .twice_hidden = lanes_mul(lanes_add(ball->radius, ball->radius), hidden)};
    Side side = side_of(path, lean, i, lean_along, &rim, ball);
    first = sweep_side(&side, hidden, sweep, unsure, first);
    rim.height = lanes_sub(path->distance, turn_where_negative(lean->n, side.along));
    rim.inward = lanes_sub(path->edge[i], turn_where_negative(lean->a[i], side.along));
    rim.mu = lanes_add(rim.mu, turn_where_negative(lean_along, side.along));
    rim_across(&rim, ball);
    return sweep_edge(&rim, ball, unsure, first); /* mutant: capsule_without_rims */
}

/* ---- corners ---- */

/* Corner p, relative to the path's origin, along the core: the post, and the tip of the end that the path passes. */
FORCE_INLINE Lanes core_corner(LaneVec3 p, const CoreSweep *sweep, Lanes hidden, Mask *unsure, Lanes first)
{
    const Sweep *ball = &sweep->ball;
    Lanes end = lanes_negate(lanes_add(sweep->core, sweep->core));
    Rim post = {.height = lanes_negate(p.x),
                .rate = ball->direction.x,
                .inward = lanes_negate(p.z),
                .turn = ball->direction.z,
                .la = ball->direction.y,
                .mu = lanes_sub(p.y, sweep->core),
                .end = end,
                .twice_hidden = lanes_mul(lanes_add(ball->radius, ball->radius), hidden)};
    rim_across(&post, ball);
    first = sweep_edge(&post, ball, unsure, first);
    /* The height of the corner above the centre when the path enters the post's cylinder. If the path begins in it, the
     * height at the start is used. */
    Lanes before = lanes_select(lanes_less_equal(post.c, lanes_set(0)), post.mu, post.before);
    Lanes below = lanes_add(before, sweep->core);
    LaneVec3 tip = {p.x, lanes_sub(p.y, turn_where_negative(sweep->core, below)), p.z};
    return sweep_corner(tip, ball, unsure, first);
}
