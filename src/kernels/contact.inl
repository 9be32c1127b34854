/* The contact of one triangle in double, by the functions of the wide kernels. A float normal errs by 1.5e-4 for a
 * triangle that spans 2,500 radii, which the response would magnify. */

static inline void lanes_of_corners(const Vec3 corners[3], LaneVec3 v[3])
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        v[i] = lane3_set(corners[i].x, corners[i].y, corners[i].z);
    }
}

static inline Vec3 vec3_of(LaneVec3 v)
{
    return vec3(v.x, v.y, v.z);
}

static inline bool is_earlier(Lanes t, KernelContact *out, uint16_t feature)
{
    if (t < out->t)
    {
        out->t = t;
        out->feature = feature;
        return true;
    }
    return false;
}

static void face_contact(const Face *face, const Path *path, Vec3 center, KernelContact *out)
{
    double side = path->distance < 0 ? -1 : 1, height = path->distance + path->rate * out->t;
    out->normal = vec3_scale(vec3_of(face->normal), side);
    out->point = vec3_add_scaled(center, vec3_of(face->normal), -height);
}

static void rim_contact(const Vec3 corners[3], uint32_t corner, Vec3 center, KernelContact *out)
{
    out->point = corners[corner];
    if (out->feature == SIDLE_FEATURE_EDGE)
    {
        Vec3 e = vec3_sub(corners[(corner + 1) % 3], corners[corner]);
        double f = vec3_dot(vec3_sub(center, corners[corner]), e) / vec3_length2(e);
        out->point = vec3_add_scaled(corners[corner], e, f);
    }
    out->normal = vec3_normalize(vec3_sub(center, out->point));
}

/* Finds the earliest of face, edges, corners and late face, the first of equal ones. Returns the number of the corner,
 * or of the corner at which the edge begins. */
static uint32_t find_first_feature(const LaneVec3 v[3], const Face *face, const Path *path,
                                   const Sweep *sweep, KernelContact *out)
{
    uint32_t corner = 0;
    *out = (KernelContact){.t = INFINITY};
    Mask late;
    if (is_earlier(sweep_face(face, path, sweep, &late), out, SIDLE_FEATURE_FACE))
    {
        return corner;
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        LaneVec3 p = lane3_sub(v[i], sweep->origin);
        Rim rim = rim_of(face, path, i, p, sweep);
        Lanes t = sweep_edge(&rim, sweep, NULL, (Real)INFINITY);
        corner = is_earlier(t, out, SIDLE_FEATURE_EDGE) ? i : corner;
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        LaneVec3 p = lane3_sub(v[i], sweep->origin);
        corner =
            is_earlier(sweep_corner(p, sweep, NULL, (Real)INFINITY), out, SIDLE_FEATURE_VERTEX) ? i : corner;
    }
    if (mask_bits(late))
    {
        is_earlier(sweep_late_face(face, path, sweep), out, SIDLE_FEATURE_FACE);
    }
    return corner;
}

bool sidle_contact_of_sweep(const Vec3 corners[3], const SweepQuery *query, KernelContact *out)
{
    LaneVec3 v[3];
    Shape shape;
    Path path;
    lanes_of_corners(corners, v);
    Sweep sweep = sweep_set(query, query->slack * GRAZE_OF_SLACK);
    Face face;
    face_of(v, query->length, THIN_HEIGHT, &face, &shape);
    path_to_plane(&face, &sweep, &path);
    path_to_edges(&face, &sweep, &path);
    uint32_t corner = find_first_feature(v, &face, &path, &sweep, out);
    /* A ball that begins inside the radius is held only if it approaches the closest point. If it hits the face at a
     * later time, it does not begin inside. */
    bool at_once = out->t <= 0, later = out->t < INFINITY && out->feature != SIDLE_FEATURE_FACE;
    if (at_once || path_begins_near(&path, &sweep, later))
    {
        KernelContact closest = sidle_contact_of_closest(corners, query->origin, query->origin);
        if (at_once || closest.t <= query->radius)
        {
            *out = closest;
            out->t = 0;
            return vec3_dot(out->normal, query->direction) < 0;
        }
    }
    Vec3 center = vec3_add_scaled(query->origin, query->direction, out->t);
    if (!(out->t < INFINITY))
    {
        return false;
    }
    if (out->feature == SIDLE_FEATURE_FACE)
    {
        face_contact(&face, &path, center, out);
    }
    else
    {
        rim_contact(corners, corner, center, out);
    }
    return true;
}

static void try_point(Vec3 point, Vec3 center, uint16_t feature, double *least2, KernelContact *out)
{
    double d2 = vec3_length2(vec3_sub(center, point));
    if (d2 < *least2)
    {
        *least2 = d2;
        out->point = point;
        out->feature = feature;
    }
}

/* A unit vector perpendicular to the longest edge of a triangle without a face; the x axis for a point. */
static Vec3 any_across(const Vec3 corners[3])
{
    Vec3 e = vec3(0, 0, 0);
    for (uint32_t i = 0; i < 3; ++i)
    {
        Vec3 own = vec3_sub(corners[(i + 1) % 3], corners[i]);
        e = vec3_length2(own) > vec3_length2(e) ? own : e;
    }
    return vec3_is_zero(e) ? vec3(1, 0, 0) : vec3_across(e);
}

/* `thin`: as in face_shape. */
static KernelContact closest_of_triangle(const Vec3 corners[3], Vec3 center, Vec3 previous, double thin)
{
    LaneVec3 v[3];
    Shape shape;
    Path path;
    lanes_of_corners(corners, v);
    Face face;
    face_of(v, 0, thin, &face, &shape);
    SweepQuery query = {center, vec3(0, 0, 0), 0, 1, 0};
    Sweep at = sweep_set(&query, 0);
    path_to_plane(&face, &at, &path);
    path_to_edges(&face, &at, &path);
    KernelContact contact = {.t = 0};
    double least2 = INFINITY;
    Vec3 n = face.least_approach == 0 ? vec3_of(face.normal) : vec3(0, 0, 0);
    if (!vec3_is_zero(n) && path.edge[0] >= 0 && path.edge[1] >= 0 && path.edge[2] >= 0)
    {
        try_point(vec3_add_scaled(center, n, -path.distance), center, SIDLE_FEATURE_FACE, &least2, &contact);
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        Vec3 from = corners[i], e = vec3_sub(corners[(i + 1) % 3], from);
        double e2 = vec3_length2(e), t = e2 > 0 ? vec3_dot(vec3_sub(center, from), e) / e2 : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        uint16_t feature = t == 0 || t == 1 ? SIDLE_FEATURE_VERTEX : SIDLE_FEATURE_EDGE;
        Vec3 point = t == 1 ? corners[(i + 1) % 3] : vec3_add_scaled(from, e, t);
        try_point(point, center, feature, &least2, &contact);
    }
    contact.t = sqrt(least2);
    contact.normal = vec3_normalize(vec3_sub(center, contact.point));
    if (contact.t < NO_DIRECTION)
    {
        double side = vec3_dot(n, previous) < face.plane ? -1 : 1;
        contact.normal = vec3_is_zero(n) ? any_across(corners) : vec3_scale(n, side);
    }
    return contact;
}

KernelContact sidle_contact_of_closest(const Vec3 corners[3], Vec3 center, Vec3 previous)
{
    return closest_of_triangle(corners, center, previous, THIN_HEIGHT);
}

KernelContact sidle_closest_of_point(const Vec3 corners[3], Vec3 center)
{
    /* mutant: small_is_thin */
    return closest_of_triangle(corners, center, center, FLAT_SINE * sqrt(longest_edge2(corners)));
}
