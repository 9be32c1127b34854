/* When a ball on its path touches the face, an edge or a corner of a triangle; infinity for never.
 *
 * A start inside the radius hits at time 0 if it moves further in. A touch counts unless it is a mere graze.
 */

/* Not a mere graze: approach is -n.d at the contact, left the rest of the path. */
static inline Mask counts(Lanes approach, Lanes left, const Sweep *sweep)
{
    return mask_or(lanes_less(lanes_set((Real)GRAZE_SLOPE), approach),
                   lanes_less(sweep->graze_depth, lanes_mul(approach, left)));
}

typedef struct Descent /* onto the plane of a face */
{
    Lanes height, approach, t;
    Mask comes; /* down to the radius, within the path */
} Descent;

static inline Descent descend(const Path *path, const Sweep *sweep)
{
    Lanes zero = lanes_set(0);
    Descent descent = {.height = lanes_abs(path->distance)};
    descent.approach = lanes_select(lanes_less(path->distance, zero), path->rate, lanes_negate(path->rate));
    descent.comes = lanes_less(zero, descent.approach);
    Lanes gap = lanes_max(lanes_sub(descent.height, sweep->radius), zero);
    descent.t = lanes_div(gap, safe_denominator(descent.comes, descent.approach));
    descent.comes = mask_and(descent.comes, lanes_less_equal(descent.t, sweep->length));
    return descent;
}

static inline Lanes sweep_face(const Path *path, const Sweep *sweep)
{
    Descent descent = descend(path, sweep);
    Mask hit = mask_and(descent.comes, counts(descent.approach, lanes_sub(sweep->length, descent.t), sweep));
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes edge = lanes_add(path->edge[i], lanes_mul(path->edge_rate[i], descent.t));
        hit = mask_and(hit, lanes_less_equal(lanes_set(0), edge));
    }
    return lanes_select(hit, descent.t, lanes_set((Real)INFINITY));
}

/* A ball that comes down onto the plane just outside an edge touches the edge. On a shallow path it may sink
 * in so little there that rounding hides it from the edge's test, and then it would go on into the face. So a
 * ball that enters over an edge no deeper than that hits the face, at the time it enters. (Growing the face
 * by a fixed margin instead is too little for shallow paths and too much for the tips of needles.) */
static inline Lanes sweep_late_face(const Face *face, const Path *path, const Sweep *sweep)
{
    Lanes zero = lanes_set(0), never = lanes_set((Real)INFINITY), wait = zero, edge[3];
    Lanes hidden = lanes_mul(lanes_set((Real)(HIDDEN_FACTOR * REAL_ROUNDOFF)), face->size);
    Descent descent = descend(path, sweep);
    Mask hit = mask_and(descent.comes, lanes_less_equal(lanes_sub(sweep->radius, hidden), descent.height));
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes rate = path->edge_rate[i];
        edge[i] = lanes_add(path->edge[i], lanes_mul(rate, descent.t));
        Mask outside = lanes_less(edge[i], zero), turns_in = lanes_less(zero, rate);
        Lanes own = lanes_div(lanes_negate(edge[i]), safe_denominator(mask_and(outside, turns_in), rate));
        wait = lanes_max(lanes_select(outside, own, zero), wait);
        hit = mask_and(hit, mask_or(lanes_less_equal(zero, edge[i]), turns_in));
    }
    for (uint32_t i = 0; i < 3; ++i) /* who was inside an edge is still */
    {
        Lanes later = lanes_add(edge[i], lanes_mul(path->edge_rate[i], wait));
        hit = mask_and(hit, mask_or(lanes_less_equal(zero, later), lanes_less(edge[i], zero)));
    }
    Lanes t = lanes_add(descent.t, wait);
    hit = mask_and(hit, lanes_less_equal(lanes_mul(descent.approach, wait), hidden));
    hit = mask_and(hit, lanes_less_equal(t, sweep->length));
    hit = mask_and(hit, counts(descent.approach, lanes_sub(sweep->length, t), sweep));
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

/* How long a ball that enters the cylinder around an edge at f, beyond one of its ends, must go on (by la along the
 * edge per length) to come past the end; 0 for one that enters between the ends, infinity for one that never comes. */
static inline Lanes wait_for_end(Lanes f, Lanes la)
{
    Lanes zero = lanes_set(0), beyond = lanes_max(lanes_negate(f), lanes_sub(f, lanes_set(1)));
    Lanes inward = lanes_select(lanes_less(f, zero), la, lanes_negate(la));
    Mask off = lanes_less(zero, beyond), comes = mask_and(off, lanes_less(zero, inward));
    Lanes wait = lanes_div(beyond, safe_denominator(comes, inward));
    return lanes_select(off, lanes_select(comes, wait, lanes_set((Real)INFINITY)), zero);
}

/* p: the edge's first end relative to the path's origin; e: the edge; size: S. The corner's formula in the plane
 * across it. A ball that enters the cylinder just beyond an end touches the corner there, perhaps by less than
 * rounding lets the corner's test see. If it comes past the end no deeper than that, it hits the edge then: the late
 * face, one dimension lower. */
static inline Lanes sweep_edge(LaneVec3 p, LaneVec3 e, Lanes e2, Lanes size, const Sweep *sweep)
{
    Lanes zero = lanes_set(0), never = lanes_set((Real)INFINITY);
    Lanes hidden = lanes_mul(lanes_set((Real)(HIDDEN_FACTOR * REAL_ROUNDOFF)), size);
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
    Mask outside = lanes_less(zero, c);
    Lanes wait = wait_for_end(lanes_sub(lanes_mul(t, la), mu), la);
    t = lanes_add(t, wait);
    LaneVec3 there = lane3_sub_scaled(pp, across, t);
    Lanes depth = lanes_abs(lanes_sub(sweep->radius2, lane3_dot(there, there))); /* times 2 R */
    Mask late = lanes_less_equal(depth, lanes_mul(lanes_add(sweep->radius, sweep->radius), hidden));
    hit = mask_and(hit, mask_or(lanes_less_equal(wait, zero), mask_and(outside, late)));
    Lanes slope = lanes_div(lanes_select(outside, root, k2),
                            lanes_select(outside, sweep->radius, safe_denominator(hit, lanes_sqrt(p2))));
    hit = mask_and(hit, lanes_less_equal(t, sweep->length));
    hit = mask_and(hit, counts(slope, lanes_sub(sweep->length, t), sweep));
    return lanes_select(hit, t, never);
}
