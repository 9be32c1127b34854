/* One triangle and a capsule in double: whether the core crosses the triangle, their distance, and the contact of a
 * hit. The core lies along the y axis. */
#include "kernels/core_contact.h"

/* Radii. A contact on an edge this close to its end is one of the corner, unless core_contact.h finds it. Above the rounding of a contact's point, 6 u
 * S, for S up to 28 radii; beyond that a corner can be reported as an edge. */
#define AT_CORNER 1e-5

/* Radii. A core lies along a plane if its ends differ in height by less than this; all of its points are then equally
 * near. For walls that are upright in the mesh and in the world the difference is exactly 0. */
#define LIES_ALONG 1e-9

/* T. Moeller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997, as signed volumes: the ends are on
 * different sides, and the line is inside all three edges. A segment that ends on the triangle hits it; one that starts
 * on it does not, so that a centre on a face can leave. The signs are exact: rounded ones let a segment in the plane of
 * a triangle hit it from any distance. */
bool sidle_segment_hits(const Vec3 v[3], Vec3 from, Vec3 to)
{
    double a = exact_orient3d_sign(v[0], v[1], v[2], from), b = exact_orient3d_sign(v[0], v[1], v[2], to);
    if (a == 0 || (a > 0 && b > 0) || (a < 0 && b < 0))
    {
        return false;
    }
    double side[3];
    for (int i = 0; i < 3; ++i)
    {
        side[i] = exact_orient3d_sign(from, to, v[i], v[(i + 1) % 3]);
    }
    return (side[0] >= 0 && side[1] >= 0 && side[2] >= 0) || (side[0] <= 0 && side[1] <= 0 && side[2] <= 0);
}

typedef struct CoreTriangle
{
    const Vec3 *corners;
    Vec3 n; /* unit; zero: no face */
    double core;
} CoreTriangle;

static CoreTriangle core_triangle(const Vec3 corners[3], double core, double thin)
{
    Vec3 n = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
    n = triangle_is_higher(corners, n, thin) ? vec3_normalize(n) : vec3(0, 0, 0);
    return (CoreTriangle){corners, n, core};
}

static bool core_crosses(const CoreTriangle *t, Vec3 center, KernelContact *out)
{
    Vec3 half = vec3(0, t->core, 0);
    if (vec3_is_zero(t->n) || !sidle_segment_hits(t->corners, vec3_sub(center, half), vec3_add(center, half)))
    {
        return false;
    }
    double height = vec3_dot(t->n, vec3_sub(center, t->corners[0])), reach = t->n.y * t->core;
    double s = reach == 0 ? 0 : lesser(larger(-height / reach, -1), 1);
    *out = (KernelContact){fabs(height) - fabs(reach), vec3_add_scaled(center, half, s),
                           vec3_scale(t->n, height < 0 ? -1 : 1), SIDLE_FEATURE_FACE};
    return true;
}

/* Tries an end of the core that is over the face. An end that is not is no nearer than an edge. */
static void core_try_end(const CoreTriangle *t, Vec3 end, KernelContact *best)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        Vec3 inward = vec3_cross(t->n, vec3_sub(t->corners[(i + 1) % 3], t->corners[i]));
        if (!(vec3_dot(inward, vec3_sub(end, t->corners[i])) >= 0))
        {
            return;
        }
    }
    double height = vec3_dot(t->n, vec3_sub(end, t->corners[0]));
    if (fabs(height) < best->t)
    {
        *best = (KernelContact){fabs(height), vec3_add_scaled(end, t->n, -height),
                                vec3_scale(t->n, height < 0 ? -1 : 1), SIDLE_FEATURE_FACE};
    }
}

static void core_try_edge(const CoreTriangle *t, uint32_t i, Vec3 center, KernelContact *best)
{
    Vec3 from = t->corners[i], to = t->corners[(i + 1) % 3], e = vec3_sub(to, from);
    double s, f;
    core_closest_on_edge(center, t->core, from, e, &s, &f);
    Vec3 point = f < 1 ? vec3_add_scaled(from, e, f) : to;
    Vec3 away = vec3_sub(vec3(center.x, center.y + t->core * s, center.z), point);
    double distance2 = vec3_length2(away);
    if (!(distance2 < best->t * best->t))
    {
        return;
    }
    double end = AT_CORNER / larger(vec3_length(e), AT_CORNER), distance = sqrt(distance2);
    bool is_corner = !(f > end && f < 1 - end);
    Vec3 normal = distance < NO_DIRECTION ? sidle_contact_of_closest(t->corners, center, center).normal
                                          : vec3_scale(away, 1 / distance);
    *best = (KernelContact){distance, point, normal, is_corner ? SIDLE_FEATURE_VERTEX : SIDLE_FEATURE_EDGE};
}

/* A core that lies along the plane touches the face with its whole part over the triangle. If none is, the contact stays where it is. */
static void core_center_on_face(const CoreTriangle *t, Vec3 center, KernelContact *contact)
{
    Vec3 middle;
    if (fabs(t->n.y * t->core) <= LIES_ALONG &&
        core_middle_over_face(t->corners, t->n, t->core, center, &middle))
    {
        contact->point = vec3_add_scaled(middle, t->n, -vec3_dot(t->n, vec3_sub(middle, t->corners[0])));
    }
}

/* Turns a contact on an edge into one of the face if the normals agree, and centres contacts of the face. */
static void core_take_face(const CoreTriangle *t, Vec3 center, KernelContact *best)
{
    if (best->feature == SIDLE_FEATURE_FACE || fabs(vec3_dot(t->n, best->normal)) > 1 - SAME_FACE)
    {
        best->feature = SIDLE_FEATURE_FACE;
        core_center_on_face(t, center, best);
    }
}

static KernelContact closest_of_core(const Vec3 corners[3], double core, Vec3 center, double thin)
{
    CoreTriangle t = core_triangle(corners, core, thin);
    KernelContact best = {.t = INFINITY};
    if (core_crosses(&t, center, &best))
    {
        return best;
    }
    if (!vec3_is_zero(t.n))
    {
        core_try_end(&t, vec3(center.x, center.y + core, center.z), &best);
        core_try_end(&t, vec3(center.x, center.y - core, center.z), &best);
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        core_try_edge(&t, i, center, &best);
    }
    core_take_face(&t, center, &best);
    return best;
}

KernelContact sidle_contact_of_core(const Vec3 corners[3], double core, Vec3 center)
{
    return closest_of_core(corners, core, center, THIN_HEIGHT);
}

KernelContact sidle_closest_of_core(const Vec3 corners[3], double core, Vec3 center)
{
    return closest_of_core(corners, core, center, FLAT_SINE * sqrt(longest_edge2(corners)));
}

/* ---- the contact of a hit ---- */

typedef struct CoreHit
{
    const Vec3 *corners;
    LaneVec3 v[3];
    Face face;
    CoreSweep sweep;
    Path path;
    Lean lean;
    double t;
    uint32_t edge; /* the edge or corner that is hit, unless is_cap */
    bool is_cap;   /* the face is hit */
} CoreHit;

static void core_hit_begin(CoreHit *hit, const Vec3 corners[3], const SweepQuery *query, double core)
{
    Shape shape;
    hit->corners = corners;
    hit->sweep = core_sweep_set(query, core, query->slack * GRAZE_OF_SLACK);
    lanes_of_corners(corners, hit->v);
    face_of(hit->v, query->length, THIN_HEIGHT, &hit->face, &shape);
    hit->face.size = sqrt(shape.size2 + core * core);
    path_to_plane(&hit->face, &hit->sweep.ball, &hit->path);
    path_to_edges(&hit->face, &hit->sweep.ball, &hit->path);
    lean_of(&hit->face, &hit->sweep, &hit->lean);
}

/* Finds the earliest side, rim, post or tip. Returns false if the fast path cannot decide. `exact`: use the exact
 * path. */
FORCE_INLINE bool core_hit_rims(CoreHit *hit, bool exact)
{
    bool unsure = false;
    hit->t = INFINITY;
    for (uint32_t i = 0; i < 3; ++i)
    {
        LaneVec3 p = lane3_sub(hit->v[i], hit->sweep.ball.origin);
        Mask *flags = exact ? NULL : &unsure;
        double t = core_edge(&hit->face, &hit->path, &hit->lean, i, p, &hit->sweep, flags, hit->t);
        t = core_corner(p, &hit->sweep, hidden_depth(hit->face.size), flags, t);
        hit->edge = t < hit->t ? i : hit->edge;
        hit->t = t;
    }
    return !unsure;
}

static __attribute__((noinline)) void core_hit_rims_exact(CoreHit *hit)
{
    core_hit_rims(hit, true);
}

/* The passes of capsule_sweep.inl for one triangle. */
static bool core_hit_find(CoreHit *hit)
{
    Mask late, beside;
    hit->t = core_face(&hit->face, &hit->path, &hit->lean, &hit->sweep, &late);
    hit->is_cap = hit->t < INFINITY;
    if (!hit->is_cap)
    {
        if (!core_hit_rims(hit, false))
        {
            core_hit_rims_exact(hit);
        }
        if (late)
        {
            Path end = path_of_nearest_end(&hit->path, &hit->lean, &beside);
            double t = sweep_late_face(&hit->face, &end, &hit->sweep.ball);
            hit->is_cap = t < hit->t;
            hit->t = lesser(t, hit->t);
        }
    }
    return hit->t <= hit->sweep.ball.length;
}

static bool core_hit_begins_near(const CoreHit *hit)
{
    double rest2 = core_rest_over_plane(&hit->path, hit->lean.n, &hit->sweep, 0);
    return rest2 >= 0 && core_reaches(&hit->path, &hit->lean, rest2, &hit->sweep.ball, 0) &&
           core_passes_sides(&hit->path, &hit->lean, &hit->sweep, 0);
}

static void core_cap_contact(const CoreHit *hit, Vec3 center, KernelContact *out)
{
    Vec3 n = vec3_of(hit->face.normal);
    double side = hit->path.distance < 0 ? -1 : 1;
    double nearest = turn_where_negative(hit->sweep.core, nearest_end(&hit->path, &hit->lean));
    Vec3 end = vec3(center.x, center.y + nearest, center.z);
    double height = hit->path.distance + nearest * n.y + hit->path.rate * hit->t;
    *out = (KernelContact){hit->t, vec3_add_scaled(end, n, -height), vec3_scale(n, side), SIDLE_FEATURE_FACE};
    CoreTriangle t = {hit->corners, n, hit->sweep.core};
    core_center_on_face(&t, center, out);
}

static void core_edge_contact(const CoreHit *hit, Vec3 center, KernelContact *out)
{
    CoreTriangle t = core_triangle(hit->corners, hit->sweep.core, THIN_HEIGHT);
    /* The two edges at corner hit->edge. */
    const uint32_t edges[2] = {hit->edge, (hit->edge + 2) % 3};
    out->t = INFINITY;
    for (uint32_t i = 0; i < 2; ++i)
    {
        core_try_edge(&t, edges[i], center, out);
    }
    core_take_face(&t, center, out);
    out->t = hit->t;
}

bool sidle_contact_of_core_sweep(const Vec3 corners[3], const SweepQuery *query, double core,
                                 KernelContact *out)
{
    CoreHit hit;
    core_hit_begin(&hit, corners, query, core);
    if (!core_hit_find(&hit))
    {
        return false;
    }
    if (hit.t <= 0 || (!hit.is_cap && core_hit_begins_near(&hit)))
    {
        KernelContact closest = sidle_contact_of_core(corners, core, query->origin);
        if (hit.t <= 0 || closest.t <= query->radius)
        {
            *out = closest;
            out->t = 0;
            return closest.t > NO_DIRECTION && vec3_dot(closest.normal, query->direction) < 0;
        }
    }
    Vec3 center = vec3_add_scaled(query->origin, query->direction, hit.t);
    if (hit.is_cap)
    {
        core_cap_contact(&hit, center, out);
    }
    else
    {
        core_edge_contact(&hit, center, out);
    }
    return true;
}
