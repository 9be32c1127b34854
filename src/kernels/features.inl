/* Feature tests: the time at which a ball on its path hits the face, an edge or a corner of a triangle, or infinity. If
 * the ball starts inside the radius and moves further in, the time is 0, or negative for a corner.
 *
 * A path that misses takes the root of a negative number or divides by zero. Every hit needs an ordered compare that is
 * true, so NaN misses. */

/* True unless the hit is a graze. `approach`: -n.d at the contact; `left`: the rest of the path. */
static inline Mask counts(Lanes approach, Lanes left, const Sweep *sweep)
{
    /* mutant: graze_by_slope_alone */
    return mask_or(lanes_less(lanes_set((Real)GRAZE_SLOPE), approach),
                   lanes_less(sweep->graze_depth, lanes_mul(approach, left)));
}

/* The first half of counts_round. */
static inline Mask is_steep(Lanes approach2, const Sweep *sweep)
{
    return lanes_less(sweep->graze_g2, approach2);
}

/* `counts` for edges and corners. `approach2`: approach^2 R^2. */
static inline Mask counts_round(Lanes approach2, Lanes left, const Sweep *sweep)
{
    return mask_or(is_steep(approach2, sweep),
                   lanes_less(sweep->graze_d2, lanes_mul(lanes_mul(approach2, left), left)));
}

/* The depth up to which rounding can hide a contact from the test of an edge or a corner. */
static inline Lanes hidden_depth(Lanes size)
{
    return lanes_mul(lanes_set((Real)(HIDDEN_FACTOR * REAL_ROUNDOFF)), size);
}

/* The path of a ball towards the plane of a face. */
typedef struct Descent
{
    Lanes height, approach, t;
    Mask comes; /* reaches the radius within the path */
} Descent;

static inline Descent descend(const Face *face, const Path *path, const Sweep *sweep)
{
    Lanes zero = lanes_set(0);
    Descent descent = {.height = lanes_abs(path->distance)};
    /* mutant: one_sided_face */
    descent.approach = lanes_select(lanes_less(path->distance, zero), path->rate, lanes_negate(path->rate));
    Lanes gap = lanes_max(lanes_sub(descent.height, sweep->radius), zero); /* mutant: face_not_clamped */
    descent.t = lanes_div(gap, descent.approach);
    /* mutant: end_is_a_miss */
    descent.comes = mask_and(lanes_less(face->least_approach, descent.approach),
                             lanes_less_equal(descent.t, sweep->length));
    return descent;
}

/* A ball that reaches the plane just outside an edge hits the edge. On a shallow path its depth there can be so small
 * that rounding hides it from the edge's test. If the ball then moves over the edge no deeper than that, it hits the
 * face late, at the time it crosses the edge.
 *
 * `late`: a superset of the lanes with a late hit. sweep_late_face decides them. */
static inline Lanes sweep_face(const Face *face, const Path *path, const Sweep *sweep, Mask *late)
{
    Lanes zero = lanes_set(0), least = lanes_set((Real)INFINITY);
    Descent descent = descend(face, path, sweep);
    for (uint32_t i = 0; i < 3; ++i)
    {
        least = lanes_min(lanes_add(path->edge[i], lanes_mul(path->edge_rate[i], descent.t)), least);
    }
    Mask within = mask_and(descent.comes, lanes_less_equal(zero, least)); /* mutant: unbounded_face */
    /* From outside an edge, the ball needs at least the distance / rate to reach the triangle. Rates are at most 1 plus
     * rounding, hence twice the hidden depth. */
    Lanes sinks = lanes_mul(lanes_negate(least), descent.approach), hidden = hidden_depth(face->size);
    *late = mask_and(descent.comes, lanes_less_equal(sinks, lanes_add(hidden, hidden)));
    *late = mask_without(*late, within);
    Mask hit = mask_and(within, counts(descent.approach, lanes_sub(sweep->length, descent.t), sweep));
    return lanes_select(hit, descent.t, lanes_set((Real)INFINITY));
}

static inline Lanes sweep_late_face(const Face *face, const Path *path, const Sweep *sweep)
{
    Lanes zero = lanes_set(0), wait = zero, edge[3], hidden = hidden_depth(face->size);
    Descent descent = descend(face, path, sweep);
    Mask hit = mask_and(descent.comes, lanes_less_equal(lanes_sub(sweep->radius, hidden), descent.height));
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes rate = path->edge_rate[i];
        edge[i] = lanes_add(path->edge[i], lanes_mul(rate, descent.t));
        Mask outside = lanes_less(edge[i], zero), turns_in = lanes_less(zero, rate);
        Lanes own = lanes_select(mask_and(outside, turns_in), lanes_div(lanes_negate(edge[i]), rate), zero);
        wait = lanes_max(own, wait);
        hit = mask_and(hit, mask_or(lanes_less_equal(zero, edge[i]), turns_in));
    }
    for (uint32_t i = 0; i < 3; ++i) /* a ball inside an edge must still be inside */
    {
        Lanes later = lanes_add(edge[i], lanes_mul(path->edge_rate[i], wait));
        hit = mask_and(hit, mask_or(lanes_less_equal(zero, later), lanes_less(edge[i], zero)));
    }
    Lanes t = lanes_add(descent.t, wait);
    hit = mask_and(hit, lanes_less_equal(lanes_mul(descent.approach, wait), hidden));
    hit = mask_and(hit, lanes_less_equal(t, sweep->length));
    hit = mask_and(hit, counts(descent.approach, lanes_sub(sweep->length, t), sweep));
    return lanes_select(hit, t, lanes_set((Real)INFINITY));
}

/* Edges and corners have a fast path and an exact path. The fast path marks the lanes that it cannot decide: grazes,
 * and balls that enter just beyond an end of an edge. Their block is then tested on the exact path. The caller rejects
 * hits of the fast path beyond the end of the path, once instead of six times.
 *
 * `unsure`: receives the lanes that the fast path cannot decide; NULL selects the exact path. */

/* p: the corner relative to the path's origin. */
FORCE_INLINE Lanes sweep_corner(LaneVec3 p, const Sweep *sweep, Mask *unsure, Lanes first)
{
    Lanes zero = lanes_set(0);
    Lanes k = lane3_dot(p, sweep->direction);
    LaneVec3 q = lane3_sub_scaled(p, sweep->direction, k); /* closest approach of the path */
    Lanes h = lanes_sub(sweep->radius2, lane3_dot(q, q));
    /* mutant: direction_as_unit */
    Lanes t = lanes_sub(k, lanes_add(lanes_sqrt(h), lanes_mul(k, sweep->excess)));
    Mask hit = lanes_less(zero, lanes_min(h, k)); /* mutant: corner_behind */
    if (unsure)
    {
        *unsure = mask_or(*unsure, mask_without(hit, is_steep(h, sweep)));
    }
    else
    {
        Mask counted = counts_round(h, lanes_sub(sweep->length, t), sweep);
        hit = mask_and(hit, mask_or(counted, lanes_less_equal(t, zero)));
        hit = mask_and(hit, lanes_less_equal(t, sweep->length));
    }
    return lanes_min_where(hit, t, first);
}

/* The path and an edge: a ray against a circle in the plane that the edge is normal to. The axes of that plane are the
 * face's normal and the edge's inward normal, on which the path's coordinates are known from the plane tests. */
typedef struct Rim
{
    Lanes height, rate;    /* along the face's normal: at the origin, and per length */
    Lanes inward, turn;    /* along the edge's inward normal: at the origin, and per length */
    Lanes la, mu;          /* along the edge: the direction, and the first end relative to the origin */
    Lanes end;             /* minus the edge's length; infinity if it is too short for a direction */
    Lanes c, away;         /* at the origin: squared distance - R^2, and half its derivative */
    Lanes a2;              /* squared speed perpendicular to the edge */
    Lanes approach2, root; /* (n.d)^2 R^2 where the path enters the cylinder, and its root */
    Lanes t;               /* the time of entry */
    Lanes before;          /* distance of the entry before the edge's first end */
    Lanes beyond;          /* distance of the entry beyond the ends; negative between them */
    Lanes twice_hidden;    /* 2 R times the hidden depth */
} Rim;

/* |p|^2 - R^2 at a time. */
static inline Lanes rim_outside(const Rim *rim, const Sweep *sweep, Lanes t)
{
    Lanes height = lanes_add(rim->height, lanes_mul(rim->rate, t));
    Lanes inward = lanes_add(rim->inward, lanes_mul(rim->turn, t));
    return lanes_sub(lanes_add(lanes_mul(height, height), lanes_mul(inward, inward)), sweep->radius2);
}

/* sweep_late_face, one dimension lower: a ball that passes an end of the edge at a depth that the corner's test cannot
 * see hits the edge at that time. If the path enters the cylinder no deeper than that, its root is rounding, so the
 * position is checked. Writes the time to rim->t. */
static inline Mask decide_rim(Rim *rim, const Sweep *sweep)
{
    Lanes zero = lanes_set(0), shallow2 = lanes_mul(rim->a2, rim->twice_hidden);
    Mask between = lanes_less_equal(rim->beyond, zero), inside = lanes_less_equal(rim->c, zero);
    Lanes back = lanes_select(lanes_less(zero, rim->before), rim->la, lanes_negate(rim->la));
    Lanes t = lanes_add(rim->t, lanes_div(rim->beyond, back));
    rim->t = lanes_select(between, rim->t, t);
    Lanes outside = rim_outside(rim, sweep, rim->t);  /* height or depth, times 2 R */
    Lanes doubled = lanes_mul(outside, lanes_set(2)); /* the outer bound is half the inner one */
    Mask is_there = lanes_less_equal(doubled, rim->twice_hidden);
    Mask late = mask_and(is_there, lanes_less_equal(lanes_negate(outside), rim->twice_hidden));
    late = mask_without(mask_and(late, lanes_less(zero, back)), mask_or(between, inside));
    Mask deep = lanes_less(shallow2, rim->approach2); /* by more than the hidden depth */
    /* mutant: no_late_edge */
    Mask hit = mask_or(late, mask_and(between, mask_or(deep, is_there)));
    Mask counted = counts_round(rim->approach2, lanes_sub(sweep->length, rim->t), sweep);
    return mask_or(mask_and(hit, counted), mask_and(inside, between));
}

/* The formula of the corner in the plane normal to the edge, with the root of a2 h = a2 R^2 - (p x d)^2 instead of that
 * of h. The fields of `rim` before c are set. */
FORCE_INLINE void rim_across(Rim *rim, const Sweep *sweep)
{
    Lanes moment = lanes_sub(lanes_mul(rim->height, rim->turn), lanes_mul(rim->rate, rim->inward));
    rim->a2 = lanes_add(lanes_mul(rim->rate, rim->rate), lanes_mul(rim->turn, rim->turn));
    rim->away = lanes_add(lanes_mul(rim->height, rim->rate), lanes_mul(rim->inward, rim->turn));
    rim->approach2 = lanes_sub(lanes_mul(rim->a2, sweep->radius2), lanes_mul(moment, moment));
    Lanes over = lanes_sub(lanes_mul(rim->height, rim->height), sweep->radius2);
    rim->c = lanes_add(over, lanes_mul(rim->inward, rim->inward));
    rim->root = lanes_sqrt(rim->approach2);
}

/* Edge i; p: its first end relative to the path's origin. */
FORCE_INLINE Rim rim_of(const Face *face, const Path *path, uint32_t i, LaneVec3 p, const Sweep *sweep)
{
    Lanes two_r = lanes_add(sweep->radius, sweep->radius);
    Rim rim = {.height = path->distance,
               .rate = path->rate,
               .inward = path->edge[i],
               .turn = path->edge_rate[i],
               .la = lane3_dot(face->along[i], sweep->direction),
               .mu = lane3_dot(face->along[i], p),
               .end = face->end[i],
               .twice_hidden = lanes_mul(two_r, hidden_depth(face->size))};
    rim_across(&rim, sweep);
    return rim;
}

/* The time is computed from c, which needs no division by a2. Writes t, before and beyond. */
FORCE_INLINE Lanes sweep_edge(Rim *rim, const Sweep *sweep, Mask *unsure, Lanes first)
{
    Lanes zero = lanes_set(0);
    /* mutant: edge_not_clamped */
    rim->t = lanes_div(lanes_max(rim->c, zero), lanes_sub(rim->root, rim->away));
    rim->before = lanes_sub(rim->mu, lanes_mul(rim->t, rim->la));
    rim->beyond = lanes_max(rim->before, lanes_sub(rim->end, rim->before));
    /* Near lanes are between the ends, or reach an end at a hidden depth. The depth there is about root * wait, with
     * wait = beyond / |la|. Without a root it is NaN and the lane is not near. */
    Lanes sinks = lanes_mul(rim->root, rim->beyond);
    Mask comes = lanes_less(rim->away, zero); /* mutant: edge_behind */
    if (unsure)
    {
        /* |la| and a2 are at most 1 plus rounding. So `near` contains all hits of the exact path, and `plain` only such
         * hits. */
        Lanes tolerance = lanes_add(rim->twice_hidden, rim->twice_hidden);
        Mask near = mask_and(comes, lanes_less_equal(sinks, tolerance));
        Mask plain = lanes_less(lanes_max(tolerance, sweep->graze_g2), rim->approach2);
        plain = mask_and(plain, mask_and(comes, lanes_less_equal(rim->beyond, zero)));
        *unsure = mask_or(*unsure, mask_without(near, plain));
        return lanes_min_where(plain, rim->t, first);
    }
    Mask near = lanes_less_equal(sinks, lanes_mul(rim->twice_hidden, lanes_abs(rim->la)));
    Mask open = mask_and(near, comes);
    if (!mask_bits(open))
    {
        return first;
    }
    Mask hit = mask_and(open, decide_rim(rim, sweep));
    hit = mask_and(hit, lanes_less_equal(rim->t, sweep->length));
    return lanes_min_where(hit, rim->t, first);
}
