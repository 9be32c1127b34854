/* A path against planes: what every question begins with. In most blocks the planes alone tell that there is
 * nothing to ask. */

typedef struct Sweep /* a query in lanes */
{
    LaneVec3 origin, direction;
    Lanes length, radius, radius2, cull2;
    Lanes graze_depth;        /* the whole approach of a mere graze */
    Lanes graze_g2, graze_d2; /* what (n.d)^2 R^2 of a graze, and that times the rest of the path squared, is
                                 below */
} Sweep;

typedef struct Path /* how the plane and the edge functions of a face run along the path */
{
    Lanes distance, rate; /* signed distance from the plane at the origin, and per length */
    Lanes edge[3], edge_rate[3];
} Path;

/* `depth`: the whole approach of a mere graze; 0: every approach counts. */
static inline Sweep sweep_set(const SweepQuery *query, double depth)
{
    Vec3 o = query->origin, d = query->direction;
    Real radius = (Real)query->radius, cull = (Real)(query->radius + query->slack);
    Real slope_r = (Real)GRAZE_SLOPE * radius, depth_r = (Real)depth * radius;
    return (Sweep){
        .origin = lane3_set((Real)o.x, (Real)o.y, (Real)o.z),
        .direction = lane3_set((Real)d.x, (Real)d.y, (Real)d.z),
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

/* A path as the first pass of a sweep leaves it for the second. */
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

/* All of a block, for the few lanes that ask for more than a cull. */
static inline void path_load(Real *block, const Sweep *sweep, Face *face, Path *path)
{
    face_load_plane(block, face);
    face_load_edges(block, face);
    path_to_plane(face, sweep, path);
    path_to_edges(face, sweep, path);
}

/* What the cull radius squared leaves over the least distance s from the plane along the path: negative where
 * the plane stays too far away. NaN where the lane is none. */
static inline Lanes rest_over_plane(const Path *path, const Sweep *sweep, Lanes length)
{
    Lanes zero = lanes_set(0);
    Lanes end = lanes_add(path->distance, lanes_mul(path->rate, length));
    Lanes nearest = lanes_min(lanes_abs(path->distance), lanes_abs(end));
    Lanes least = lanes_select(lanes_less_equal(lanes_mul(path->distance, end), zero), zero, nearest);
    return lanes_sub(sweep->cull2, lanes_mul(least, least));
}

/* How far outside of one of a face's edges a point is at most, squared; `edge`: its edge functions. NaN, of an
 * edge without direction, counts for nothing. */
static inline Lanes most_outside2(const Face *face, const Lanes edge[3])
{
    Lanes zero = lanes_set(0), most2 = zero;
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes outside = lanes_min(edge[i], zero);
        most2 = lanes_max(lanes_mul(lanes_mul(outside, outside), face->inverse_e2[i]), most2);
    }
    return most2;
}

/* Lanes that the path can touch at all. With s the least distance from the plane and E_i / |e_i| the greatest
 * signed distance inside edge i along the path, a point of the path is at least sqrt(s^2 + E_i^2 / e_i^2)
 * away where E_i < 0. No root, no division; phrased so that NaN is out. */
static inline Mask path_reaches(const Face *face, const Path *path, Lanes rest2, Lanes length)
{
    Lanes far[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        far[i] = lanes_max(path->edge[i], lanes_add(path->edge[i], lanes_mul(path->edge_rate[i], length)));
    }
    return lanes_less_equal(most_outside2(face, far), rest2);
}

/* Of the lanes asked for those that the path may begin inside of, and some more. */
static inline Mask path_begins_near(const Face *face, const Path *path, const Sweep *sweep, Mask asked)
{
    Lanes rest2 = lanes_sub(sweep->cull2, lanes_mul(path->distance, path->distance));
    Mask near = mask_and(asked, lanes_less_equal(lanes_set(0), rest2));
    if (mask_bits(near))
    {
        near = mask_and(near, lanes_less_equal(most_outside2(face, path->edge), rest2));
    }
    return near;
}

/* Loads a block as far as needed and finds the lanes that the path can touch: in most blocks the planes alone
 * tell that there are none. */
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
        enters = path_reaches(face, path, rest2, length);
    }
    return enters;
}
