/* The distance d(t) between an ellipsoid with cores and a point that moves along a straight path is convex, so Newton's method from
 * the start stays before the first contact and converges on it. */
#include "query/pair.h"

#include "query/ellipsoid.h"

/* Steps to a contact: seven for most; a graze halves its distance with each. */
#define MOST_STEPS 80

/* Steps to the nearest place of a core. */
#define CORE_STEPS 60

/* Relative to the sizes of both shapes, and to the distance of the start: above the rounding of a distance. */
#define NEAR  1e-12
#define ROUND 1e-15

/* Relative to the length of a core, below the error NEAR. */
#define CORE_NEAR 1e-14

/* The square of the sine between two cores that count as parallel, which moves an end by NEAR of its length. */
#define PARALLEL2 1e-24

/* One-sided Jacobi rotations of three axes: sweeps, of which five are usual, and the cosine that counts as a right angle. */
#define MOST_SWEEPS 30
#define RIGHT_ANGLE 1e-15

/* What the point is compared with, and the point's radius. In the axes of the ellipsoid. */
typedef struct Body
{
    Vec3 radii;
    bool is_ball;
    Vec3 core[2];
    uint32_t core_count;
    Vec3 own_core; /* the part of core[0] that is the agent's */
    double radius; /* of the point */
    double size;
    Vec3 from, path;
    Mat3 to_world; /* directions and displacements that belong to the agent */
    bool is_world; /* the axes have the unit of the world */
} Body;

typedef struct Gap
{
    double distance;   /* of the point from the surface; 0: inside */
    Vec3 normal, foot; /* foot: on the ellipsoid before it is swept */
    double along[2];   /* -1 to 1: where on the cores */
} Gap;

/* ---- the nearest place on the cores ---- */

static void gap_of_ellipsoid(const Body *body, Vec3 at, Gap *out)
{
    double support;
    Vec3 share = vec3_div(at, body->radii);
    out->distance = 0;
    out->normal = out->foot = vec3(0, 0, 0);
    if (vec3_length2(share) > 1 && sidle_normal_towards(body->radii, at, 1, &out->normal))
    {
        out->foot = sidle_surface_at(body->radii, out->normal, &support);
        out->distance = larger(vec3_dot(out->normal, at) - support, 0);
    }
}

static void gap_along_core(const Body *body, uint32_t core, Vec3 at, Gap *out);

/* Returns the change of the distance with the place on the core, in units of half a core. 0: the point is inside. */
static double try_place(const Body *body, uint32_t core, Vec3 at, double along, Gap *out)
{
    gap_along_core(body, core + 1, vec3_add_scaled(at, body->core[core], -along), out);
    out->along[core] = along;
    return -vec3_dot(out->normal, body->core[core]);
}

/* The distance is convex along a core, so its slope has one root. Regula falsi, which halves the value of an end that stays ("Illinois";
 * M. Dowell, P. Jarratt, "A Modified Regula Falsi Method for Computing the Root of an Equation", 1971). */
static void gap_along_core(const Body *body, uint32_t core, Vec3 at, Gap *out)
{
    if (core == body->core_count)
    {
        gap_of_ellipsoid(body, at, out);
        return;
    }
    double low = -1, high = 1, above = try_place(body, core, at, high, out);
    if (above <= 0)
    {
        return;
    }
    double below = try_place(body, core, at, low, out);
    double enough = CORE_NEAR * vec3_length(body->core[core]);
    int stays = 0;
    for (int step = 0; below < 0 && step < CORE_STEPS; ++step)
    {
        double along = (low * above - high * below) / (above - below);
        double slope = try_place(body, core, at, along, out);
        if (fabs(slope) * (high - low) <= enough || along <= low || along >= high)
        {
            return;
        }
        if (slope > 0)
        {
            high = along;
            above = slope;
            below = stays > 0 ? below / 2 : below;
            stays = 1;
        }
        else
        {
            low = along;
            below = slope;
            above = stays < 0 ? above / 2 : above;
            stays = -1;
        }
    }
}

static double clamped(double along)
{
    return along < -1 ? -1 : along > 1 ? 1 : along;
}

static double nearest_along(Vec3 at, Vec3 core)
{
    return clamped(vec3_dot(at, core) / vec3_length2(core));
}

static void try_balls(const Body *body, Vec3 at, double first, double second, double *least2, Gap *out)
{
    Vec3 rest = vec3_add_scaled(vec3_add_scaled(at, body->core[0], -first), body->core[1], -second);
    double length2 = vec3_length2(rest);
    if (length2 < *least2)
    {
        *least2 = length2;
        out->normal = rest;
        out->along[0] = first;
        out->along[1] = second;
    }
}

/* The nearest point of the parallelogram that two cores span: inside of it or on a side. */
static void nearest_on_two_cores(const Body *body, Vec3 at, Gap *out)
{
    Vec3 a = body->core[0], b = body->core[1];
    double aa = vec3_length2(a), ab = vec3_dot(a, b), bb = vec3_length2(b), pa = vec3_dot(a, at),
           pb = vec3_dot(b, at), det = aa * bb - ab * ab, least2 = INFINITY;
    double first = (pa * bb - pb * ab) / det, second = (pb * aa - pa * ab) / det;
    if (det > 0 && fabs(first) <= 1 && fabs(second) <= 1)
    {
        try_balls(body, at, first, second, &least2, out);
    }
    for (int side = -1; side <= 1; side += 2)
    {
        double end = side;
        try_balls(body, at, end, nearest_along(vec3_add_scaled(at, a, -end), b), &least2, out);
        try_balls(body, at, nearest_along(vec3_add_scaled(at, b, -end), a), end, &least2, out);
    }
}

static void gap_of_ball(const Body *body, Vec3 at, Gap *out)
{
    out->along[0] = out->along[1] = 0;
    out->normal = at;
    if (body->core_count == 2)
    {
        nearest_on_two_cores(body, at, out);
    }
    else if (body->core_count == 1)
    {
        out->along[0] = nearest_along(at, body->core[0]);
        out->normal = vec3_add_scaled(at, body->core[0], -out->along[0]);
    }
    double length = vec3_length(out->normal);
    out->distance = larger(length - body->radii.x, 0);
    out->normal = length > 0 ? vec3_scale(out->normal, 1 / length) : out->normal;
    out->foot = vec3_scale(out->normal, body->radii.x);
}

static Gap gap_at(const Body *body, Vec3 at)
{
    Gap gap = {.along = {0, 0}};
    if (body->is_ball)
    {
        gap_of_ball(body, at, &gap);
    }
    else
    {
        gap_along_core(body, 0, at, &gap); /* mutant: pair_without_cores */
    }
    return gap;
}

/* ---- the space of a pair ---- */

static void turn_apart(Vec3 *a, Vec3 *b, bool *turned)
{
    double aa = vec3_length2(*a), bb = vec3_length2(*b), ab = vec3_dot(*a, *b);
    if (ab * ab <= RIGHT_ANGLE * RIGHT_ANGLE * aa * bb)
    {
        return;
    }
    double half = (bb - aa) / (2 * ab), tangent = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
    double c = 1 / sqrt(1 + tangent * tangent), s = tangent * c;
    Vec3 p = vec3_add_scaled(vec3_scale(*a, c), *b, -s), q = vec3_add_scaled(vec3_scale(*b, c), *a, s);
    *a = p;
    *b = q;
    *turned = true;
}

/* Turns three half axes of an ellipsoid that are at no right angles into those that are. M. Hestenes, "Inversion of Matrices by
 * Biorthogonalization and Related Results", 1958. */
static void find_axes(Vec3 axis[3])
{
    bool turned = true;
    for (int sweep = 0; turned && sweep < MOST_SWEEPS; ++sweep)
    {
        turned = false;
        turn_apart(&axis[0], &axis[1], &turned);
        turn_apart(&axis[0], &axis[2], &turned);
        turn_apart(&axis[1], &axis[2], &turned);
    }
}

/* A core of one direction counts as a part of the other. */
static void add_cores(Body *body, Vec3 agent, Vec3 asked)
{
    double a2 = vec3_length2(agent), b2 = vec3_length2(asked);
    body->own_core = agent;
    if (a2 > 0 && b2 > 0 && vec3_length2(vec3_cross(agent, asked)) <= PARALLEL2 * a2 * b2)
    {
        agent = vec3_add_scaled(agent, asked, vec3_dot(agent, asked) < 0 ? -1 : 1);
        b2 = 0;
    }
    if (a2 > 0)
    {
        body->core[body->core_count++] = agent;
    }
    if (b2 > 0)
    {
        body->core[body->core_count++] = asked;
    }
    body->size += sqrt(a2) + sqrt(b2);
}

/* The asked shape is round: the agent's own axes, in the unit of the world. */
static Body round_body(const PairQuery *query, const PairShape *agent)
{
    const Frame *frame = &query->frame;
    Mat3 to_own = mat3_transpose(agent->axes);
    Vec3 r = agent->radii;
    Body body = {.radii = r,
                 .is_ball = r.x == r.y && r.x == r.z,
                 .radius = query->is_point ? 0 : frame->radii.x,
                 .from = mat3_mul(to_own, vec3_sub(frame->center, agent->center)),
                 .path = mat3_mul(to_own, query->path),
                 .to_world = agent->axes,
                 .is_world = true};
    body.size = vec3_max_component(r) + body.radius;
    add_cores(&body, vec3(0, agent->core, 0), mat3_mul(to_own, mat3_mul(frame->to_w, frame->core)));
    return body;
}

/* The space of the asked shape, turned to the axes that the agent's ellipsoid has there. */
static Body shaped_body(const PairQuery *query, const PairShape *agent)
{
    const Frame *frame = &query->frame;
    Mat3 own = mat3_transpose(agent->axes);
    Vec3 axis[3] = {mat3_mul(frame->to_e, vec3_scale(own.row[0], agent->radii.x)),
                    mat3_mul(frame->to_e, vec3_scale(own.row[1], agent->radii.y)),
                    mat3_mul(frame->to_e, vec3_scale(own.row[2], agent->radii.z))};
    Vec3 core = mat3_mul(frame->to_e, vec3_scale(own.row[1], agent->core));
    find_axes(axis);
    Body body = {.radii = vec3(vec3_length(axis[0]), vec3_length(axis[1]), vec3_length(axis[2])),
                 .radius = 1};
    Mat3 turn = {{vec3_scale(axis[0], 1 / body.radii.x), vec3_scale(axis[1], 1 / body.radii.y),
                  vec3_scale(axis[2], 1 / body.radii.z)}};
    body.from = mat3_mul(turn, mat3_mul(frame->to_e, vec3_sub(frame->center, agent->center)));
    body.path = mat3_mul(turn, mat3_mul(frame->to_e, query->path));
    body.to_world = mat3_product(frame->to_w, mat3_transpose(turn));
    body.size = vec3_max_component(body.radii) + 1;
    add_cores(&body, mat3_mul(turn, core), mat3_mul(turn, frame->core));
    return body;
}

static Body body_of(const PairQuery *query, const PairShape *agent)
{
    return query->is_round ? round_body(query, agent) : shaped_body(query, agent);
}

static double near_of(const Body *body)
{
    return NEAR * body->size + ROUND * vec3_length(body->from);
}

/* ---- answers ---- */

/* Normals of the asked shape's space go to the world by the inverse transpose. */
static void describe(const PairQuery *query, const PairShape *agent, const Body *body, const Gap *gap,
                     PairContact *out)
{
    Vec3 point = vec3_add_scaled(gap->foot, body->own_core, body->core_count > 0 ? gap->along[0] : 0);
    out->point = vec3_add(agent->center, mat3_mul(body->to_world, point));
    out->normal = mat3_mul(body->to_world, gap->normal);
    if (!body->is_world)
    {
        /* to_e^T to_e (to_w n) = to_e^T n */
        out->normal = mat3_mul_transposed(query->frame.to_e, mat3_mul(query->frame.to_e, out->normal));
    }
    out->normal = vec3_normalize(out->normal);
}

bool sidle_pair_cast(const PairQuery *query, const PairShape *agent, PairContact *out)
{
    Body body = body_of(query, agent);
    double near = near_of(&body), t = 0;
    for (int step = 0; step < MOST_STEPS; ++step)
    {
        Gap gap = gap_at(&body, vec3_add_scaled(body.from, body.path, t));
        double rest = gap.distance - body.radius, rate = vec3_dot(gap.normal, body.path);
        if (rest <= 0 && step == 0)
        {
            sidle_pair_describe_overlap(query, agent, out);
            return true;
        }
        if (!(rate < 0)) /* the distance grows from here on */
        {
            return false;
        }
        if (rest <= near)
        {
            *out = (PairContact){.t = t};
            describe(query, agent, &body, &gap, out);
            return true;
        }
        t -= rest / rate;
        if (!(t <= 1))
        {
            return false;
        }
    }
    return false;
}

bool sidle_pair_overlaps(const PairQuery *query, const PairShape *agent)
{
    Body body = body_of(query, agent);
    return gap_at(&body, body.from).distance <= body.radius;
}

/* The asked core, which reaches into the agent, as a triangle without area. */
static void describe_depth(const PairShape *agent, const PairQuery *query, const Body *body, PairContact *out)
{
    Vec3 core = mat3_mul_transposed(body->to_world, mat3_mul(query->frame.to_w, query->frame.core)),
         radii = body->radii;
    Vec3 high = vec3_add(body->from, core), low = vec3_sub(body->from, core), ends[3] = {high, low, low};
    KernelContact contact = sidle_contact_of_ellipsoid(ends, radii, agent->core, ELLIPSOID_OVERLAPS);
    Vec3 n = vec3_scale(contact.normal, -1);
    double support;
    Vec3 point = sidle_surface_at(radii, n, &support);
    point.y += n.y < 0 ? -agent->core : agent->core;
    *out = (PairContact){.distance = contact.t - body->radius,
                         .overlaps = true,
                         .point = vec3_add(agent->center, mat3_mul(body->to_world, point)),
                         .normal = vec3_normalize(mat3_mul(body->to_world, n))};
}

void sidle_pair_closest(const PairQuery *query, const PairShape *agent, double most, PairContact *out)
{
    if (query->is_box || !query->is_round)
    {
        sidle_pair_closest_by_planes(query, agent, most, out);
        return;
    }
    Body body = round_body(query, agent);
    Gap gap = gap_at(&body, body.from);
    if (gap.distance <= 0)
    {
        describe_depth(agent, query, &body, out);
        return;
    }
    *out = (PairContact){.distance = gap.distance - body.radius, .overlaps = gap.distance <= body.radius};
    describe(query, agent, &body, &gap, out);
}

double sidle_pair_gap_along(const PairQuery *query, const PairShape *agent, Vec3 normal)
{
    const Frame *frame = &query->frame;
    Vec3 own = mat3_mul_transposed(agent->axes, normal), n = mat3_mul_transposed(frame->to_w, normal);
    double reach = vec3_length(vec3_mul(agent->radii, own)) + agent->core * fabs(own.y) + vec3_length(n) +
                   fabs(vec3_dot(n, frame->core));
    return vec3_dot(normal, vec3_sub(frame->center, agent->center)) - reach;
}
