/* What one triangle and a capsule have to do with each other, in double: whether the core crosses the triangle, how
 * far it is from it, and the contact of a hit. The core lies along the y axis. */

/* Radii: a contact on an edge this close to its end is one of the corner. Above the rounding of a contact's
 * point, 6 u S, for S up to 28 radii. Farther away a corner may be reported as an edge. */
#define AT_CORNER 1e-5

/* The square of the sine from which an edge and the core are not parallel. Below a sine of 1e-11 any place along
 * the core is as near as the best to within 1e-11 of its length. Above it, their cross product errs by 2 * 2^-53
 * of their lengths and the place by that over the square of the sine. The distance w there grows by the square of
 * the sine times that of the place's error, over 2 w: it is the least to within 2 (2^-53 / sine)^2 w, 3e-10. */
#define PARALLEL2 1e-22

/* 1 less the cosine of the angle, 1.4e-3, between the normals of a contact and of the triangle within which the
 * contact is one of the face: a core that lies along a wall touches it over an edge, straight on. Both err by 6 u S
 * over the triangle's height h: together by less for S up to 1900 h. Beyond, a wall may be reported as its edge. */
#define SAME_FACE 1e-6

/* The nearer end of the core touches a face if it is over it and not farther than the radius by more than this share:
 * the time of the touch is known to 1e-15 of S. */
#define TOUCH_ROOM 1e-9

/* T. Moeller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997, as signed volumes: the
 * ends on different sides, and the line inside all three edges. Reaching the triangle counts; a segment that
 * starts on it only leaves it, which is how a centre that lies on a face gets away. */
bool segment_meets(const Vec3 v[3], Vec3 from, Vec3 to)
{
    Vec3 d = vec3_sub(to, from), n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    double a = vec3_dot(n, vec3_sub(from, v[0])), b = vec3_dot(n, vec3_sub(to, v[0]));
    if (vec3_is_zero(n) || a == 0 || (a > 0 && b > 0) || (a < 0 && b < 0))
    {
        return false;
    }
    double side[3];
    for (int i = 0; i < 3; ++i)
    {
        Vec3 p = vec3_sub(v[i], from), q = vec3_sub(v[(i + 1) % 3], from);
        side[i] = vec3_dot(d, vec3_cross(p, q));
    }
    return (side[0] >= 0 && side[1] >= 0 && side[2] >= 0) || (side[0] <= 0 && side[1] <= 0 && side[2] <= 0);
}

typedef struct CoreTriangle
{
    const Vec3 *corners;
    Vec3 n; /* unit; zero: no face */
    double core;
} CoreTriangle;

static CoreTriangle core_triangle(const Vec3 corners[3], double core)
{
    Vec3 n = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
    n = triangle_has_face(corners, n) ? vec3_normalize(n) : vec3(0, 0, 0);
    return (CoreTriangle){corners, n, core};
}

static bool core_crosses(const CoreTriangle *t, Vec3 center, KernelContact *out)
{
    Vec3 half = vec3(0, t->core, 0);
    if (vec3_is_zero(t->n) || !segment_meets(t->corners, vec3_sub(center, half), vec3_add(center, half)))
    {
        return false;
    }
    double height = vec3_dot(t->n, vec3_sub(center, t->corners[0])), reach = t->n.y * t->core;
    double s = reach == 0 ? 0 : lesser(larger(-height / reach, -1), 1);
    *out = (KernelContact){fabs(height) - fabs(reach), vec3_add_scaled(center, half, s),
                           vec3_scale(t->n, height < 0 ? -1 : 1), SIDLE_FEATURE_FACE};
    return true;
}

/* An end of the core over the face. Where it is not, an edge is as near. */
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

/* Where the core and an edge from q along e are closest (C. Ericson, "Real-Time Collision Detection", 2005, section
 * 5.1.9), as shares of the half core, s in [-1, 1], and of the edge, f in [0, 1]. By his dot products the place of
 * two that are nearly parallel would be rounding from a sine of 1e-8 on. */
static void core_closest_on_edge(Vec3 center, double core, Vec3 q, Vec3 e, double *s, double *f)
{
    Vec3 r = vec3_sub(center, q);
    double ee = vec3_length2(e), across2 = e.x * e.x + e.z * e.z, beside = r.x * e.x + r.z * e.z;
    double place = across2 > PARALLEL2 * ee ? (e.y * beside / across2 - r.y) / core : 0;
    *s = lesser(larger(place, -1), 1);
    *f = ee > 0 ? lesser(larger((beside + e.y * (r.y + core * *s)) / ee, 0), 1) : 0;
    *s = lesser(larger((e.y * *f - r.y) / core, -1), 1);
    *f = ee > 0 ? lesser(larger((beside + e.y * (r.y + core * *s)) / ee, 0), 1) : 0;
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
    Vec3 normal = distance < NO_DIRECTION ? contact_of_closest(t->corners, center, center).normal
                                          : vec3_scale(away, 1 / distance);
    *best = (KernelContact){distance, point, normal, is_corner ? SIDLE_FEATURE_VERTEX : SIDLE_FEATURE_EDGE};
}

static void core_try_edges(const CoreTriangle *t, Vec3 center, KernelContact *best)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        core_try_edge(t, i, center, best);
    }
    best->feature = fabs(vec3_dot(t->n, best->normal)) > 1 - SAME_FACE ? SIDLE_FEATURE_FACE : best->feature;
}

KernelContact contact_of_core(const Vec3 corners[3], double core, Vec3 center)
{
    CoreTriangle t = core_triangle(corners, core);
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
    core_try_edges(&t, center, &best);
    return best;
}

/* The contact where the capsule just touches. Most touches are those of an end with a face. */
KernelContact contact_of_core_touch(const Vec3 corners[3], double core, Vec3 center, double radius)
{
    CoreTriangle t = core_triangle(corners, core);
    KernelContact best = {.t = INFINITY};
    if (!vec3_is_zero(t.n))
    {
        bool is_above = vec3_dot(t.n, vec3_sub(center, corners[0])) * t.n.y < 0;
        core_try_end(&t, vec3(center.x, center.y + (is_above ? core : -core), center.z), &best);
        if (best.t <= radius * (1 + TOUCH_ROOM))
        {
            return best;
        }
    }
    core_try_edges(&t, center, &best);
    return best;
}

/* When one triangle is hit, by a double lane. */
static double core_time(const Vec3 corners[3], const SweepQuery *query, double core)
{
    _Alignas(64) double block[FIELD_COUNT];
    LaneVec3 v[3];
    Shape shape;
    Face face;
    Batch one = {block, 1, 1};
    lanes_of_corners(corners, v);
    face_of(v, query->length, THIN_HEIGHT, &face, &shape);
    face.size = sqrt(shape.size2 + core * core);
    memcpy(block + FIELD_V0, corners, 3 * sizeof *corners);
    face_store(block, &face);
    return core_sweep_batch(&one, query, core, NULL, NULL).t;
}

bool contact_of_core_sweep(const Vec3 corners[3], const SweepQuery *query, double core, KernelContact *out)
{
    double t = core_time(corners, query, core);
    if (!(t < INFINITY))
    {
        return false;
    }
    Vec3 center = vec3_add_scaled(query->origin, query->direction, t);
    *out = t > 0 ? contact_of_core_touch(corners, core, center, query->radius)
                 : contact_of_core(corners, core, query->origin);
    out->t = t;
    return true;
}
