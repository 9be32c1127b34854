/* The distance between an ellipsoid, or a capsule with elliptic ends, and a triangle, feature by feature. In each case the answer lies on
 * a normal of the ellipsoid that is perpendicular to the feature:
 *
 *     face    the normal is the face's
 *     edge    seen along the edge, the ellipsoid is an ellipse and the edge a point
 *     corner  D. Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013
 *
 * Each end of a capsule is an ellipsoid. Seen along the core, what is between the ends is an ellipse, edges are edges and corners points.
 *
 * Apart, the nearest of the points that lie on the triangle is the answer. Overlapping, each normal gives a displacement that ends the
 * overlap, and the shortest is the answer. */
#include "query/ellipsoid.h"

/* Steps of Newton's method from below; nine were the most for aspects up to 100. */
#define MOST_STEPS 32

/* Heights relative to the longest edge. With less, rounding turns the face's normal by more than the face differs from its edges. */
#define LEAST_HEIGHT 1e-8

/* Half widths of the ellipsoid: above the rounding of a distance. */
#define TOUCHING 1e-12

typedef struct Trial
{
    const Vec3 *corners;
    Vec3 radii;
    double core; /* half of a capsule's core, along y; 0: an ellipsoid */
    Vec3 end;    /* the end of the core that is tried */
    bool overlaps;
    double best;
    double gap;  /* along `normal` */
    Vec3 normal; /* from the ellipsoid to the triangle */
    Vec3 point;
    uint16_t feature;
} Trial;

/* ---- the normal of an ellipsoid that points at a point ---- */

/* sum (r y / (t + d))^2 - 1 and its derivative by t, over the coordinates of the point that are not zero. */
static double excess(const double *r, const double *y, const double *d, double t, double *slope)
{
    double sum = -1;
    *slope = 0;
    for (int i = 0; i < 3; ++i)
    {
        if (y[i] != 0)
        {
            double ratio = r[i] * y[i] / (t + d[i]);
            sum += ratio * ratio;
            *slope -= 2 * ratio * ratio / (t + d[i]);
        }
    }
    return sum;
}

/* Begins at `t`, from which Newton's method moves towards the root `by` one sign, since the function is convex. Returns false if it
 * finds none. */
static bool find_root(const double *r, const double *y, const double *d, double by, double *t)
{
    double slope, over = excess(r, y, d, *t, &slope);
    for (int step = 0; over > 0 && step < MOST_STEPS; ++step)
    {
        double next = *t - over / slope;
        if (slope * by >= 0)
        {
            return false;
        }
        if ((next - *t) * by <= 0)
        {
            break;
        }
        *t = next;
        over = excess(r, y, d, *t, &slope);
    }
    return true;
}

/* At the root t, the normal is y / (t + r^2); t is measured from the pole of the least axis, so that nothing cancels. */
bool sidle_normal_towards(Vec3 radii, Vec3 at, double side, Vec3 *out)
{
    const double r[3] = {radii.x, radii.y, radii.z}, y[3] = {at.x, at.y, at.z};
    int least = r[0] <= r[1] && r[0] <= r[2] ? 0 : r[1] <= r[2] ? 1 : 2;
    double d[3], t = 0;
    for (int i = 0; i < 3; ++i)
    {
        d[i] = (r[i] - r[least]) * (r[i] + r[least]);
        t = larger(t, r[i] * fabs(y[i]) - d[i]); /* below the root */
    }
    t = side < 0 ? -r[least] * fabs(y[least]) : t;
    bool is_on_pole = t == 0;
    if (!(is_on_pole && side < 0) && !find_root(r, y, d, side, &t))
    {
        return false;
    }
    double n[3], rest = 1;
    for (int i = 0; i < 3; ++i)
    {
        n[i] = y[i] != 0 ? y[i] / (t + d[i]) : 0;
        rest -= r[i] * n[i] * r[i] * n[i];
    }
    if (is_on_pole && t == 0 &&
        rest > 0) /* inside, in the middle of the least axis: both sides are equally near */
    {
        n[least] = side * sqrt(rest) / r[least];
    }
    *out = vec3_normalize(vec3(n[0], n[1], n[2]));
    return true;
}

/* ---- features ---- */

Vec3 sidle_surface_at(Vec3 radii, Vec3 n, double *support)
{
    Vec3 turned = vec3_mul(radii, n);
    *support = vec3_length(turned);
    return vec3_scale(vec3_mul(radii, turned), 1 / *support);
}

/* By how far the whole triangle is beyond the shape along n. */
static double gap_along(const Trial *trial, Vec3 n)
{
    const Vec3 *v = trial->corners;
    double support, least = lesser(lesser(vec3_dot(n, v[0]), vec3_dot(n, v[1])), vec3_dot(n, v[2]));
    sidle_surface_at(trial->radii, n, &support);
    return least - support - trial->core * fabs(n.y);
}

static bool is_better(const Trial *trial, double distance)
{
    return trial->overlaps ? distance > trial->best : distance < trial->best;
}

/* Tries a normal that leads to `point`, `distance` away if the two are apart. What is then below 0 by more than rounding is nearest to
 * another feature. Of normals whose distances are equal but for rounding, the one whose plane leaves the larger gap is exact. */
static void take(Trial *trial, Vec3 n, double distance, double support, Vec3 point, uint16_t feature)
{
    double gap = gap_along(trial, n), rounding = TOUCHING * support;
    bool is_beside = distance < -rounding;
    distance = trial->overlaps ? gap : larger(distance, 0);
    bool ties = !trial->overlaps && fabs(distance - trial->best) <= rounding;
    if ((is_beside && !trial->overlaps) || !(ties ? gap > trial->gap : is_better(trial, distance)))
    {
        return;
    }
    trial->best = ties ? lesser(distance, trial->best) : distance;
    trial->gap = gap;
    trial->normal = n;
    trial->point = point;
    trial->feature = feature;
}

static void try_corner(Trial *trial, uint32_t i, double side)
{
    double support;
    Vec3 at = vec3_sub(trial->corners[i], trial->end), n;
    if (sidle_normal_towards(trial->radii, at, side, &n))
    {
        sidle_surface_at(trial->radii, n, &support);
        take(trial, n, vec3_dot(n, at) - support, support, trial->corners[i], SIDLE_FEATURE_VERTEX);
    }
}

/* sidle_normal_towards for the ellipse that the ellipsoid is when seen along an edge, and the point as which the edge is seen. */
static bool normal_across(Vec3 radii, Vec3 edge, Vec3 from, double side, Vec3 *out)
{
    Vec3 u = vec3_normalize(edge), a = vec3_across(u);
    Vec3 b = vec3_cross(u, a), ra = vec3_mul(radii, a), rb = vec3_mul(radii, b);
    /* The ellipse has the matrix (aa ab; ab bb), which one rotation makes diagonal. */
    double aa = vec3_length2(ra), ab = vec3_dot(ra, rb), bb = vec3_length2(rb), tangent = 0;
    if (ab != 0)
    {
        double half = (bb - aa) / (2 * ab);
        tangent = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
    }
    double c = 1 / sqrt(1 + tangent * tangent), s = tangent * c;
    Vec3 p = vec3_add_scaled(vec3_scale(a, c), b, -s), q = vec3_add_scaled(vec3_scale(b, c), a, s);
    double rp = vec3_length(vec3_mul(radii, p)), rq = vec3_length(vec3_mul(radii, q));
    Vec3 n, at = vec3(vec3_dot(p, from), vec3_dot(q, from), 0);
    bool found = sidle_normal_towards(vec3(rp, rq, larger(rp, rq)), at, side, &n);
    *out = found ? vec3_add_scaled(vec3_scale(p, n.x), q, n.y) : vec3(0, 0, 0);
    return found;
}

static bool is_before(Vec3 a, Vec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static void try_edge(Trial *trial, uint32_t i, double side)
{
    Vec3 from = trial->corners[i], to = trial->corners[(i + 1) % 3];
    if (is_before(to, from)) /* the same bits for both triangles of an edge */
    {
        Vec3 end = from;
        from = to;
        to = end;
    }
    Vec3 edge = vec3_sub(to, from), n;
    double length2 = vec3_length2(edge), support;
    from = vec3_sub(from, trial->end);
    if (!(length2 > 0) || !normal_across(trial->radii, edge, from, side, &n))
    {
        return;
    }
    Vec3 on = sidle_surface_at(trial->radii, n, &support);
    double along = vec3_dot(vec3_sub(on, from), edge) / length2;
    if (trial->overlaps || (along > 0 && along < 1))
    {
        along = lesser(larger(along, 0), 1);
        Vec3 point = vec3_add(vec3_add_scaled(from, edge, along), trial->end);
        take(trial, n, vec3_dot(n, from) - support, support, point, SIDLE_FEATURE_EDGE);
    }
}

static bool is_inside(const Vec3 v[3], Vec3 normal, Vec3 point)
{
    bool inside = true;
    for (int i = 0; i < 3; ++i)
    {
        Vec3 edge = vec3_sub(v[(i + 1) % 3], v[i]);
        inside = inside && vec3_dot(vec3_cross(normal, edge), vec3_sub(point, v[i])) >= 0;
    }
    return inside;
}

static void try_face(Trial *trial, Vec3 normal, double side)
{
    Vec3 n = vec3_scale(normal, side);
    double support;
    Vec3 on = sidle_surface_at(trial->radii, n, &support);
    double distance = vec3_dot(n, vec3_sub(trial->corners[0], trial->end)) - support;
    Vec3 point = vec3_add(vec3_add_scaled(on, n, distance), trial->end);
    if (trial->overlaps || is_inside(trial->corners, normal, point))
    {
        take(trial, n, distance, support, point, SIDLE_FEATURE_FACE);
    }
}

/* Slivers that move agents as edges (triangle_has_face) still have a face here. */
static bool has_face(const Vec3 v[3], Vec3 normal)
{
    return vec3_length(normal) > LEAST_HEIGHT * longest_edge2(v);
}

static void try_edges_and_corners(Trial *trial)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        try_edge(trial, i, 1); /* mutant: ellipsoid_without_edges */
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        try_corner(trial, i, 1);
    }
    for (uint32_t i = 0; i < 3 && trial->overlaps; ++i)
    {
        try_edge(trial, i, -1);
        try_corner(trial, i, -1);
    }
}

/* ---- between the ends ---- */

static void try_edge_beside_core(Trial *trial, uint32_t i, double side)
{
    Vec3 from = trial->corners[i], edge = vec3_sub(trial->corners[(i + 1) % 3], from);
    double flat2 = edge.x * edge.x + edge.z * edge.z, support;
    if (!(flat2 > 0))
    {
        return;
    }
    Vec3 n = vec3_scale(vec3_normalize(vec3(-edge.z, 0, edge.x)), side);
    Vec3 on = sidle_surface_at(trial->radii, n, &support);
    double distance = vec3_dot(n, from) - support;
    Vec3 foot = vec3_sub(vec3_add_scaled(on, n, distance), from);
    double along = (foot.x * edge.x + foot.z * edge.z) / flat2;
    bool is_beside = along > 0 && along < 1;
    Vec3 point = vec3_add_scaled(from, edge, lesser(larger(along, 0), 1));
    if (trial->overlaps || (is_beside && fabs(point.y) <= trial->core))
    {
        take(trial, n, distance, support, point, SIDLE_FEATURE_EDGE);
    }
}

static void try_corner_beside_core(Trial *trial, uint32_t i, double side)
{
    Vec3 at = trial->corners[i], n;
    double support;
    if ((trial->overlaps || fabs(at.y) <= trial->core) &&
        normal_across(trial->radii, vec3(0, 1, 0), at, side, &n))
    {
        sidle_surface_at(trial->radii, n, &support);
        take(trial, n, vec3_dot(n, at) - support, support, at, SIDLE_FEATURE_VERTEX);
    }
}

static void try_middle(Trial *trial)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        try_edge_beside_core(trial, i, 1);
        try_edge_beside_core(trial, i, -1);
        try_corner_beside_core(trial, i, 1);
        if (trial->overlaps)
        {
            try_corner_beside_core(trial, i, -1);
        }
    }
}

KernelContact sidle_contact_of_ellipsoid(const Vec3 corners[3], Vec3 radii, double core, EllipsoidCase is)
{
    Trial trial = {.corners = corners, .radii = radii, .core = core, .overlaps = is != ELLIPSOID_APART};
    trial.best = trial.overlaps ? -(double)INFINITY : (double)INFINITY;
    Vec3 normal = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
    bool faces = has_face(corners, normal);
    normal = vec3_normalize(normal);
    for (int end = 1; end >= (core > 0 ? -1 : 1); end -= 2)
    {
        trial.end = vec3(0, end * core, 0);
        if (faces)
        {
            try_face(&trial, normal, 1);
            try_face(&trial, normal, -1);
        }
        if (!faces || is != CORE_CROSSES)
        {
            try_edges_and_corners(&trial);
        }
    }
    if (core > 0 && (!faces || is != CORE_CROSSES)) /* mutant: capsule_of_two_ends */
    {
        try_middle(&trial);
    }
    return (KernelContact){trial.best, trial.point, vec3_scale(trial.normal, -1), trial.feature};
}
