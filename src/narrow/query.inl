/* Sweeps: the earliest hit of float lanes and double lanes. Its contact is computed in double. */
#include "kernels/core_contact.h"
#include "narrow/questions.h"

/* The component of a normal along a capsule's core. Below it the core lies along the face and touches it with more than
 * an end. Far above the rounding of a normal. */
#define LEAST_LEAN .01

/* The first field of a candidate in float. Its fields are LANE_COUNT apart. */
static inline const float *wide_lane(const Candidates *c, uint32_t candidate)
{
    uint32_t block = candidate / LANE_COUNT, lane = candidate % LANE_COUNT;
    return (const float *)c->wide.blocks + (size_t)block * FIELD_COUNT * LANE_COUNT + lane;
}

static inline void wide_corners(const float *x, Vec3 corners[3])
{
    for (uint32_t i = 0; i < 3; ++i, x += 3 * LANE_COUNT)
    {
        corners[i] = vec3((double)x[0], (double)x[LANE_COUNT], (double)x[2 * LANE_COUNT]);
    }
}

static void candidates_corners(const Candidates *c, uint32_t candidate, Vec3 corners[3])
{
    if (is_exact(c, candidate))
    {
        const double *x = (const double *)c->exact.blocks + (size_t)exact_lane(c, candidate) * FIELD_COUNT;
        for (uint32_t i = 0; i < 3; ++i, x += 3)
        {
            corners[i] = vec3(x[0], x[1], x[2]);
        }
        return;
    }
    wide_corners(wide_lane(c, candidate), corners);
}

static SweepAnswer earlier(const Candidates *c, SweepAnswer a, SweepAnswer b)
{
    if (a.t != b.t || a.candidate == NO_HIT || b.candidate == NO_HIT)
    {
        return b.t < a.t ? b : a;
    }
    /* mutant: float_before_double */
    return candidate_before(candidate_of(c, b.candidate), candidate_of(c, a.candidate)) ? b : a;
}

static void count_batch(const Candidates *c, const Kernels *kernels, const Batch *batch,
                        const SweepQuery *query)
{
    if (c->core > 0)
    {
        kernels->core_count(batch, query, c->core, c->stats);
    }
    else
    {
        kernels->count(batch, query, c->stats);
    }
}

static void count_sweep_of(const Candidates *c, const SweepQuery *query)
{
    count_batch(c, c->kernels, &c->wide, query);
    if (c->exact.count > 0)
    {
        uint32_t lanes = c->stats->lanes;
        count_batch(c, &sidle_kernels_1d, &c->exact, query);
        c->stats->lanes = lanes; /* of the wide kernels alone */
    }
    ++c->stats->sweeps;
}

static void count_hit(const Candidates *c, uint16_t feature)
{
    c->stats->hit_face += feature == SIDLE_FEATURE_FACE;
    c->stats->hit_edge += feature == SIDLE_FEATURE_EDGE;
    c->stats->hit_vertex += feature == SIDLE_FEATURE_VERTEX;
}

/* The length by which the time in double can exceed that of a float lane. On a shallow path the difference can be
 * radii, and no lane has been tested in between. The limit is the part of the culls' margin that the error law of the
 * lanes leaves (constants.h), so that no other triangle is entered deeper. */
static inline double lane_tolerance(const float *lane)
{
    return (FLOAT_ERROR_FACTOR - LAW_FACTOR) * FLOAT_ROUNDOFF * (double)lane[FIELD_SIZE * LANE_COUNT];
}

static double time_tolerance(const Candidates *c, uint32_t candidate)
{
    return is_exact(c, candidate) ? INFINITY : lane_tolerance(wide_lane(c, candidate));
}

/* The contact of a lane that hit its face: the plane alone, in double from the same corners. (A float normal errs by
 * 1.5e-4 for a triangle that spans 2,500 radii.) `core`: of a capsule, whose nearer end touches. Returns false if in
 * double the path does not reach the plane before `latest`, or if both ends of the core are equally near. */
FORCE_INLINE bool face_contact_of(const Quad v[3], const SweepQuery *query, double core, double latest,
                                  KernelContact *out)
{
    Quad n = quad_cross(quad_sub(v[1], v[0]), quad_sub(v[2], v[0]));
    n = quad_mul(n, quad_all(1 / sqrt(quad_dot3(n, n))));
    Quad origin = quad_load3(&query->origin.x), direction = quad_load3(&query->direction.x);
    double distance = quad_dot3(n, quad_sub(origin, v[0])), rate = quad_dot3(n, direction);
    double side = distance < 0 ? -1 : 1, approach = -side * rate;
    double lean = core > 0 ? quad_second(n) : 0, height = side * distance - fabs(lean) * core;
    double t = larger(height - query->radius, 0) / approach;
    if (!(approach > 0 && t <= latest) || (core > 0 && fabs(lean) < LEAST_LEAN))
    {
        return false;
    }
    out->t = t;
    quad_store3(&out->normal.x, quad_mul(n, quad_all(side)));
    Quad center = quad_add_scaled(origin, direction, t);
    height = distance + rate * t;
    if (core > 0)
    {
        double end = lean * side > 0 ? -core : core;
        center = quad_add(center, quad_set(-0.0, end, -0.0, -0.0)); /* x and z keep their bits */
        height += lean * end;
    }
    quad_store3(&out->point.x, quad_add_scaled(center, n, -height));
    out->feature = SIDLE_FEATURE_FACE;
    return true;
}

/* contact_of_rim or contact_of_core in the query's space. */
FORCE_INLINE bool plain_contact(const Vec3 corners[3], const SweepQuery *query, double core, double time,
                                KernelContact *out)
{
    Vec3 v[3];
    RimPath path = {query->direction, query->length, query->radius};
    for (uint32_t i = 0; i < 3; ++i)
    {
        v[i] = vec3_sub(corners[i], query->origin);
    }
    if (!(core > 0 ? contact_of_core(v, core, path, time, out) : contact_of_rim(v, path, time, out)))
    {
        return false;
    }
    out->point = vec3_add(out->point, query->origin);
    return true;
}

/* The contact in double. If double finds no hit, or a much later one, the float hit is within the error law, and the
 * contact is the closest point at its time. */
FORCE_INLINE void precise_contact(const Candidates *c, const SweepQuery *query, bool is_capsule,
                                  SweepAnswer answer, KernelContact *out)
{
    double core = is_capsule ? c->core : 0;
    Vec3 corners[3];
    candidates_corners(c, answer.candidate, corners);
    KernelContact seen;
    bool is_seen = plain_contact(corners, query, core, answer.t, &seen) ||
                   (is_capsule ? sidle_contact_of_core_sweep(corners, query, core, &seen)
                               : sidle_contact_of_sweep(corners, query, &seen));
    /* mutant: no_second_pass */
    if (is_seen && !(seen.t > answer.t + time_tolerance(c, answer.candidate)))
    {
        *out = seen;
        return;
    }
    Vec3 center = vec3_add_scaled(query->origin, query->direction, answer.t);
    *out = is_capsule ? sidle_contact_of_core(corners, core, center)
                      : sidle_contact_of_closest(corners, center, query->origin);
    out->t = answer.t;
    out->normal = is_seen && !is_capsule ? seen.normal : out->normal;
}

/* Out of line: most hits are faces. */
static OUT_OF_LINE void ball_contact(const Candidates *c, const SweepQuery *query, SweepAnswer answer,
                                     KernelContact *out)
{
    precise_contact(c, query, false, answer, out);
}

static OUT_OF_LINE void capsule_contact(const Candidates *c, const SweepQuery *query, SweepAnswer answer,
                                        KernelContact *out)
{
    precise_contact(c, query, true, answer, out);
}

/* face_contact_of for the only float lane that hit, by its face. `core`: the constant 0 for balls, else c->core. */
FORCE_INLINE bool face_contact_of_lane(const Candidates *c, const SweepQuery *query, double core,
                                       SweepAnswer answer, KernelContact *out)
{
    if (!answer.is_face || c->exact.count > 0)
    {
        return false;
    }
    const float *x = wide_lane(c, answer.candidate);
    Quad v[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        const float *corner = x + 3 * i * LANE_COUNT;
        v[i] = quad_of_float4(float4_set(corner[0], corner[LANE_COUNT], corner[2 * LANE_COUNT], 0));
    }
    return face_contact_of(v, query, core, answer.t + lane_tolerance(x), out);
}

/* The first of the lanes that tie at t, by candidate_before. */
static OUT_OF_LINE uint32_t first_tied(const Candidates *c, Real t)
{
    Candidate best;
    uint32_t winner = NO_HIT, run = 0;
    for (uint32_t block = 0; block < block_count(&c->wide); ++block)
    {
        Lanes times = lanes_load(field_at(block_at(&c->wide, block), FIELD_ANSWER));
        for (uint32_t bits = mask_bits(lanes_less_equal(times, lanes_set(t))); bits; bits &= bits - 1)
        {
            uint32_t lane = block * LANE_COUNT + (uint32_t)__builtin_ctz(bits);
            for (; c->runs[run].end <= lane; ++run)
            {
            }
            const Placed *placed = c->runs[run].placed;
            Candidate own = {
                .key = placed->key, .triangle = triangle_of(c, placed->slot, lane), .instance = placed->slot};
            if (winner == NO_HIT || candidate_before(&own, &best)) /* mutant: tie_by_lane */
            {
                winner = lane;
                best = own;
            }
        }
    }
    return winner;
}

/* The answer with ties resolved, and among the triangles that need double. Few sweeps have either. */
static OUT_OF_LINE void name_answer(const Candidates *c, const SweepQuery *query, SweepAnswer *answer)
{
    const Kernels *precise = &sidle_kernels_1d;
    if (answer->is_tied) /* without a tie the lane is the candidate */
    {
        answer->candidate = first_tied(c, (Real)answer->t);
    }
    if (c->exact.count > 0)
    {
        *answer = earlier(c, *answer,
                          c->core > 0 ? precise->core_sweep(&c->exact, query, c->core, c->list, c->exact_of)
                                      : precise->sweep(&c->exact, query, c->list, c->exact_of));
    }
}

FORCE_INLINE bool sweep_for(const Candidates *c, const SweepQuery *query, bool is_capsule, Hit *out)
{
    double core = is_capsule ? c->core : 0;
    SweepAnswer answer = is_capsule ? core_sweep_lanes(&c->wide, query, core) : sweep_lanes(&c->wide, query);
    if (answer.is_tied || c->exact.count > 0)
    {
        SweepAnswer named = answer; /* the answer itself stays in registers */
        name_answer(c, query, &named);
        answer = named;
    }
    if (answer.candidate == NO_HIT)
    {
        return false;
    }
    out->candidate = answer.candidate;
    if (!face_contact_of_lane(c, query, core, answer, &out->contact))
    {
        (is_capsule ? capsule_contact : ball_contact)(c, query, answer, &out->contact);
    }
    return true;
}

static OUT_OF_LINE bool capsule_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    return sweep_for(c, query, true, out);
}

FORCE_INLINE bool ball_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    return sweep_for(c, query, false, out);
}

static OUT_OF_LINE bool counted_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    count_sweep_of(c, query);
    bool is_hit = c->core > 0 ? capsule_sweep(c, query, out) : ball_sweep(c, query, out);
    if (is_hit)
    {
        count_hit(c, out->contact.feature);
    }
    return is_hit;
}

static bool candidates_sweep(const Candidates *c, const SweepQuery *query, Hit *out)
{
    if (c->stats)
    {
        return counted_sweep(c, query, out);
    }
    return c->core > 0 ? capsule_sweep(c, query, out) : ball_sweep(c, query, out);
}
