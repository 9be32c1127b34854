/* The distance and the depth of two shapes by planes between them. A plane with the normal n leaves the gap
 *
 *     g(n) = n c - sum |E n| - sum |n u|
 *
 * where c leads from the agent to the asked shape, E are the half axes of the ellipsoids and u the cores: a capsule has one, and a box
 * is three of them. The largest gap is the distance, or minus the shortest displacement that ends an overlap (S. Cameron, R. Culley,
 * "Determining the Minimum Translational Distance between Two Convex Polyhedra", 1986). It is where n is perpendicular to no core, to
 * one, or to two. For given ends of the other cores the gap is smooth there, and Newton's method climbs to its maximum.
 *
 * Apart, g has one maximum above 0, since it is concave along straight lines. Overlapping, it has several. Then many climbs
 * are needed. */
#include "query/climb.h"
#include "query/pair.h"

#define MOST_CORES 4

/* Sines between a normal and a core that count as 0, above the rounding of a normal. */
#define ACROSS 1e-10

/* Of the place on a core: halvings down to a rounding, and the miss that ends them: rounding, relative to the size. */
#define MOST_HALVINGS 60
#define NO_MISS       1e-13

typedef struct Planes
{
    Vec3 between;
    Ellipsoids ellipsoids; /* the agent's is the first */
    Vec3 core[MOST_CORES]; /* half of each; the agent's is the first, if it has one */
    uint32_t core_count;
    bool agent_is_round;
    double best;
    Vec3 normal;
} Planes;

/* ---- gaps ---- */

static Planes planes_of(const PairQuery *query, const PairShape *agent)
{
    Mat3 axes = mat3_transpose(agent->axes), asked = mat3_transpose(query->frame.to_w);
    Vec3 r = agent->radii;
    Planes planes = {.between = vec3_sub(query->frame.center, agent->center),
                     .agent_is_round = r.x == r.y && r.x == r.z,
                     .best = -INFINITY};
    planes.ellipsoids.half_axes[0] =
        (Mat3){{vec3_scale(axes.row[0], r.x), vec3_scale(axes.row[1], r.y), vec3_scale(axes.row[2], r.z)}};
    planes.ellipsoids.half_axes[1] = asked; /* a box's: for starts alone */
    planes.ellipsoids.count = query->is_box ? 1 : 2;
    planes.ellipsoids.size = vec3_max_component(r) + agent->core + vec3_max_component(query->frame.radii);
    if (agent->core > 0)
    {
        planes.core[planes.core_count++] = vec3_scale(axes.row[1], agent->core);
    }
    for (int i = 0; i < 3 && query->is_box; ++i)
    {
        planes.core[planes.core_count++] = asked.row[i];
    }
    if (query->frame.is_capsule)
    {
        planes.core[planes.core_count++] = mat3_mul(query->frame.to_w, query->frame.core);
        planes.ellipsoids.size += vec3_length(planes.core[planes.core_count - 1]);
    }
    return planes;
}

static double gap_along(const Planes *planes, Vec3 n)
{
    double gap = sidle_gap_of_ellipsoids(&planes->ellipsoids, planes->between, n);
    for (uint32_t i = 0; i < planes->core_count; ++i)
    {
        gap -= fabs(vec3_dot(n, planes->core[i]));
    }
    return gap;
}

static void take(Planes *planes, Vec3 n)
{
    double gap = vec3_is_zero(n) ? -INFINITY : gap_along(planes, n);
    if (gap > planes->best)
    {
        planes->best = gap;
        planes->normal = n;
    }
}

/* The ends of cores that touch a plane: bit i is set where n leads along core i. */
static uint32_t ends_along(const Planes *planes, Vec3 n)
{
    uint32_t ends = 0;
    for (uint32_t i = 0; i < planes->core_count; ++i)
    {
        ends |= (uint32_t)(vec3_dot(n, planes->core[i]) > 0) << i;
    }
    return ends;
}

/* Between the ellipsoids if each core is at that end. */
static Vec3 between_ends(const Planes *planes, uint32_t ends)
{
    Vec3 between = planes->between;
    for (uint32_t i = 0; i < planes->core_count; ++i)
    {
        between = vec3_add_scaled(between, planes->core[i], ends >> i & 1 ? -1 : 1);
    }
    return between;
}

/* ---- cases ---- */

static void try_sphere(Planes *planes, uint32_t ends, Vec3 start)
{
    if (!vec3_is_zero(start))
    {
        take(planes, sidle_climb(&planes->ellipsoids, between_ends(planes, ends), start, NULL));
    }
}

/* Normals across two cores. */
static void try_crossings(Planes *planes)
{
    for (uint32_t i = 0; i < planes->core_count; ++i)
    {
        for (uint32_t j = 0; j < i; ++j)
        {
            Vec3 u = planes->core[i], v = planes->core[j], n = vec3_cross(u, v);
            if (vec3_length2(n) > ACROSS * ACROSS * vec3_length2(u) * vec3_length2(v))
            {
                n = vec3_normalize(n);
                take(planes, n);
                take(planes, vec3_scale(n, -1)); /* mutant: one_crossing */
            }
        }
    }
}

/* Climbs for all ends of cores, from the direction between the ellipsoids, or against it. */
static void try_spheres(Planes *planes, double side)
{
    for (uint32_t ends = 0; ends < 1u << planes->core_count; ++ends)
    {
        try_sphere(planes, ends, vec3_normalize(vec3_scale(between_ends(planes, ends), side)));
    }
}

/* Climbs perpendicular to one core, for all ends of the other cores. If `start` is zero, from the direction between the ellipsoids. */
static void try_circles(Planes *planes, uint32_t core, Vec3 start)
{
    Vec3 axis = vec3_normalize(planes->core[core]);
    for (uint32_t ends = 0; ends < 1u << planes->core_count; ++ends)
    {
        Vec3 between = between_ends(planes, ends), n = vec3_is_zero(start) ? between : start;
        n = vec3_normalize(vec3_without(n, axis));
        n = vec3_is_zero(n) ? vec3_across(axis) : n;
        if (!(ends >> core & 1))
        {
            n = sidle_climb(&planes->ellipsoids, between, n, &axis);
            take(planes, n); /* mutant: planes_without_circles */
        }
    }
}

/* A climb from the direction between two ellipsoids that are apart reaches the one maximum. */
static void part(Planes *planes)
{
    try_spheres(planes, 1);
    for (uint32_t core = 0; core < planes->core_count; ++core)
    {
        try_circles(planes, core, vec3(0, 0, 0));
    }
}

/* ---- overlapping ---- */

static void try_start(Planes *planes, Vec3 start)
{
    Vec3 n = vec3_normalize(start);
    try_sphere(planes, ends_along(planes, n), n);
}

/* In the space where a shape is a ball or a cube, so that many lie along its thin axes. */
static void start_around(Planes *planes, const Mat3 *half_axes)
{
    Vec3 length2 = vec3_mul(mat3_row_lengths(*half_axes), mat3_row_lengths(*half_axes));
    for (int i = 0; i < 27; ++i)
    {
        Vec3 along = vec3_div(vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1), length2);
        try_start(planes, mat3_mul_transposed(*half_axes, along));
    }
}

/* A start with a small gap can be the only one below the highest maximum. So all of them climb. */
static void try_starts(Planes *planes)
{
    const Mat3 *half_axes = planes->ellipsoids.half_axes;
    start_around(planes, &half_axes[1]);
    if (planes->agent_is_round) /* it has no thin axes */
    {
        return;
    }
    start_around(planes, &half_axes[0]);
    for (int i = 0; i < 9; ++i)
    {
        Vec3 n = vec3_cross(half_axes[0].row[i % 3], half_axes[1].row[i / 3]);
        try_start(planes, n);
        try_start(planes, vec3_scale(n, -1));
    }
}

/* The long axis of an ellipsoid's outline perpendicular to a core. `u`, `v`: unit, perpendicular to it and to each other. */
static Vec3 axis_around(const Mat3 *half_axes, Vec3 u, Vec3 v)
{
    Vec3 eu = mat3_mul(*half_axes, u), ev = mat3_mul(*half_axes, v);
    double both = vec3_dot(eu, ev), half = (vec3_length2(eu) - vec3_length2(ev)) / 2,
           spread = sqrt(half * half + both * both);
    Vec3 axis = half > 0 ? vec3_add_scaled(vec3_scale(u, half + spread), v, both)
                         : vec3_add_scaled(vec3_scale(v, spread - half), u, both);
    axis = vec3_normalize(axis);
    return vec3_is_zero(axis) ? u : axis;
}

/* Around a core, the maxima are near the axes of one outline or the other. */
static void try_around(Planes *planes, uint32_t core)
{
    Vec3 along = vec3_normalize(planes->core[core]), u = vec3_across(along), v = vec3_cross(along, u);
    for (uint32_t i = 0; i < planes->ellipsoids.count; ++i)
    {
        Vec3 axis = axis_around(&planes->ellipsoids.half_axes[i], u, v);
        for (int quarter = 0; quarter < 4; ++quarter, axis = vec3_cross(along, axis))
        {
            try_circles(planes, core, axis);
        }
    }
}

/* The best so far may belong to other ends than its climb assumed. */
static void try_again(Planes *planes)
{
    double before = -INFINITY;
    while (planes->best > before + LAST_GAIN * planes->ellipsoids.size)
    {
        Vec3 n = planes->normal;
        before = planes->best;
        try_sphere(planes, ends_along(planes, n), n);
        for (uint32_t core = 0; core < planes->core_count; ++core)
        {
            try_circles(planes, core, n);
        }
    }
}

static void end_overlap(Planes *planes)
{
    try_starts(planes);
    try_spheres(planes, 1);
    try_spheres(planes, -1);
    for (uint32_t core = 0; core < planes->core_count; ++core)
    {
        try_around(planes, core);
    }
    try_again(planes);
}

/* ---- the answer ---- */

/* From the point where the agent touches its plane, with that share of its core, to the nearest point where the asked shape touches its
 * own; its component along the agent's core. Cores across the normal touch at any share. Those of a box are perpendicular. */
static double miss_along(const Planes *planes, Vec3 rest, uint32_t loose, double share)
{
    rest = vec3_add_scaled(rest, planes->core[0], -share);
    for (uint32_t i = 1; i < planes->core_count; ++i)
    {
        Vec3 core = planes->core[i];
        double nearest = lesser(larger(vec3_dot(rest, core) / vec3_length2(core), -1), 1);
        rest = loose >> i & 1 ? vec3_add_scaled(rest, core, -nearest) : rest;
    }
    return vec3_dot(rest, planes->core[0]);
}

/* The share, -1 to 1, of the agent's core at which the two are nearest. The miss falls with it. */
static double share_of_core(const Planes *planes)
{
    Vec3 n = planes->normal, rest = vec3_add_scaled(planes->between, n, -planes->best);
    uint32_t loose = 0;
    for (uint32_t i = 0; i < planes->ellipsoids.count; ++i)
    {
        rest = vec3_sub(rest, surface_at(&planes->ellipsoids.half_axes[i], n));
    }
    for (uint32_t i = 0; i < planes->core_count; ++i)
    {
        double along = vec3_dot(n, planes->core[i]), length = vec3_length(planes->core[i]);
        bool is_across = fabs(along) <= ACROSS * length;
        loose |= (uint32_t)is_across << i;
        rest = i == 0 || is_across ? rest : vec3_add_scaled(rest, planes->core[i], along > 0 ? -1 : 1);
    }
    if (!(loose & 1))
    {
        return vec3_dot(n, planes->core[0]) > 0 ? 1 : -1;
    }
    double low = -1, high = 1, middle = 0;
    for (int i = 0; i < MOST_HALVINGS; ++i, middle = (low + high) / 2)
    {
        double miss = miss_along(planes, rest, loose, middle);
        if (fabs(miss) <= NO_MISS * planes->ellipsoids.size * vec3_length(planes->core[0]))
        {
            break;
        }
        *(miss > 0 ? &low : &high) = middle;
    }
    return middle;
}

void sidle_pair_closest_by_planes(const PairQuery *query, const PairShape *agent, double most,
                                  PairContact *out)
{
    Planes planes = planes_of(query, agent);
    take(&planes, vec3_normalize(planes.between));
    try_crossings(&planes);
    *out = (PairContact){.distance = planes.best};
    if (planes.best > most)
    {
        return;
    }
    out->overlaps =
        query->is_box ? sidle_pair_box_overlaps(&query->frame, agent) : sidle_pair_overlaps(query, agent);
    if (out->overlaps)
    {
        end_overlap(&planes);
    }
    else
    {
        part(&planes);
    }
    Vec3 point = surface_at(&planes.ellipsoids.half_axes[0], planes.normal);
    if (agent->core > 0)
    {
        point = vec3_add_scaled(point, planes.core[0], share_of_core(&planes));
    }
    out->distance = out->overlaps ? lesser(planes.best, 0) : larger(planes.best, 0);
    out->point = vec3_add(agent->center, point);
    out->normal = planes.normal;
}
