/* A path against planes, the first test of every query. In most blocks the planes alone cull all lanes. */

/* A query in lanes. */
typedef struct Sweep
{
    LaneVec3 origin, direction;
    Lanes excess; /* |direction|^2 - 1, from rounding */
    Lanes length, radius, radius2, cull2;
    Lanes graze_depth; /* the largest total approach of a graze */
    /* Bounds of a graze: of (n.d)^2 R^2, and of that times the square of the rest of the path. */
    Lanes graze_g2, graze_d2;
} Sweep;

/* |d|^2 - 1 of a unit vector, the excess that rounding leaves. Squares of floats are exact in double. For double lanes
 * the low parts are added, and summing from the largest square on hardly rounds. */
static inline double excess_of(Vec3 d)
{
    Vec3 high = vec3((double)(float)d.x, (double)(float)d.y, (double)(float)d.z), low = vec3_sub(d, high);
    double x2 = high.x * high.x, y2 = high.y * high.y, z2 = high.z * high.z;
    if (sizeof(Real) == sizeof(float))
    {
        return x2 - 1 + y2 + z2;
    }
    double most = larger(x2, larger(y2, z2)), least = lesser(x2, lesser(y2, z2));
    double middle = lesser(larger(x2, y2), larger(lesser(x2, y2), z2));
    return most - 1 + middle + least + vec3_dot(low, vec3_add(d, high));
}

/* `depth`: the largest total approach of a graze; 0 makes every approach a hit. */
static inline Sweep sweep_set(const SweepQuery *query, double depth)
{
    Vec3 o = query->origin, d = query->direction;
    Real radius = (Real)query->radius, cull = (Real)(query->radius + query->slack); /* mutant: tight_cull */
    Real slope_r = (Real)GRAZE_SLOPE * radius, depth_r = (Real)depth * radius;
    return (Sweep){
        .origin = lane3_set((Real)o.x, (Real)o.y, (Real)o.z),
        .direction = lane3_set((Real)d.x, (Real)d.y, (Real)d.z),
        .excess = lanes_set((Real)excess_of(d)),
        .length = lanes_set((Real)query->length),
        .radius = lanes_set(radius),
        .radius2 = lanes_set(radius * radius),
        .cull2 = lanes_set(cull * cull),
        .graze_depth = lanes_set((Real)depth),
        .graze_g2 = lanes_set(slope_r * slope_r),
        .graze_d2 = lanes_set(depth_r * depth_r),
    };
}

static inline void path_to_plane(const Face *face, const Sweep *sweep, Path *path)
{
    path->distance = lanes_sub(lane3_dot(face->normal, sweep->origin), face->plane);
    path->rate = lane3_dot(face->normal, sweep->direction);
}

static inline void path_to_edges(const Face *face, const Sweep *sweep, Path *path)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        path->edge[i] = lanes_sub(lane3_dot(face->inward[i], sweep->origin), face->offset[i]);
        path->edge_rate[i] = lane3_dot(face->inward[i], sweep->direction);
    }
}

/* Stores a path in the block, by the first pass of a sweep for its second. */
static inline void path_keep(Real *block, const Path *path)
{
    Real *kept = field_at(block, FIELD_PATH);
    lanes_store(kept, path->distance);
    lanes_store(kept + LANE_COUNT, path->rate);
    for (uint32_t i = 0; i < 3; ++i)
    {
        lanes_store(kept + (2 + i) * LANE_COUNT, path->edge[i]);
        lanes_store(kept + (5 + i) * LANE_COUNT, path->edge_rate[i]);
    }
}

static inline void path_kept(Real *block, Path *path)
{
    const Real *kept = field_at(block, FIELD_PATH);
    path->distance = lanes_load(kept);
    path->rate = lanes_load(kept + LANE_COUNT);
    for (uint32_t i = 0; i < 3; ++i)
    {
        path->edge[i] = lanes_load(kept + (2 + i) * LANE_COUNT);
        path->edge_rate[i] = lanes_load(kept + (5 + i) * LANE_COUNT);
    }
}

/* The cull radius squared less s^2, with s the least distance from the plane along the path. Negative if the plane is
 * out of reach, NaN in lanes without a triangle. */
static inline Lanes rest_over_plane(const Path *path, const Sweep *sweep, Lanes length)
{
    Lanes end = lanes_add(path->distance, lanes_mul(path->rate, length));
    Lanes low = lanes_min(path->distance, end), high = lanes_max(path->distance, end);
    Lanes least = lanes_max(lanes_set(0), lanes_max(low, lanes_negate(high))); /* keeps NaN */
    return lanes_sub(sweep->cull2, lanes_mul(least, least));
}

/* The square of the largest distance by which a point is outside an edge. `edge`: its edge functions. */
static inline Lanes most_outside2(const Lanes edge[3])
{
    Lanes outside = lanes_min(lanes_min(edge[0], edge[1]), lanes_min(edge[2], lanes_set(0)));
    return lanes_mul(outside, outside);
}

/* The lanes that the path can hit. Let s be the least distance from the plane, and E the least, over the edges, of the
 * greatest signed distance inside along the path. If E < 0, every point of the path is at least sqrt(s^2 + E^2) away.
 * NaN is culled. */
static inline Mask path_reaches(const Path *path, Lanes rest2, Lanes length)
{
    Lanes far[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        far[i] = lanes_max(path->edge[i], lanes_add(path->edge[i], lanes_mul(path->edge_rate[i], length)));
    }
    return lanes_less_equal(most_outside2(far), rest2); /* mutant: cull_inside_edge */
}

/* A superset of the lanes in `asked` whose triangle is within the radius at the start of the path. */
static inline Mask path_begins_near(const Path *path, const Sweep *sweep, Mask asked)
{
    Lanes rest2 = lanes_sub(sweep->cull2, lanes_mul(path->distance, path->distance));
    Mask near = mask_and(asked, lanes_less_equal(lanes_set(0), rest2));
    if (mask_bits(near))
    {
        near = mask_and(near, lanes_less_equal(most_outside2(path->edge), rest2));
    }
    return near;
}

/* Returns the lanes that the path can hit. Loads edges only if a plane is in reach. */
static inline Mask path_enters(Real *block, const Sweep *sweep, Lanes length, Face *face, Path *path)
{
    face_load_plane(block, face);
    path_to_plane(face, sweep, path);
    Lanes rest2 = rest_over_plane(path, sweep, length);
    Mask enters = lanes_less_equal(lanes_set(0), rest2);
    if (mask_bits(enters))
    {
        face_load_edges(block, face);
        path_to_edges(face, sweep, path);
        enters = path_reaches(path, rest2, length);
    }
    return enters;
}

/* The lanes that the path reaches within `length`, from the Path that the first pass has stored. */
static inline Mask path_still_reaches(Real *block, const Sweep *sweep, Lanes length)
{
    Path path;
    path_kept(block, &path);
    return path_reaches(&path, rest_over_plane(&path, sweep, length), length);
}
