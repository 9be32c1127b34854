/* Triangles against the ray. Edge functions of corners that neighbours share decide which triangles it pierces
 * (wide/pierce.inl). The time is computed here in double from the stored vertices. All of it happens in the stored space of an
 * instance, where times are shares of the path as everywhere. */
#include "query/ray.h"

/* A leaf, and with eight lanes the stored coordinates of its vertices, axis by axis. */
typedef struct RayLeaf
{
    const LeafPacket *packet;
#if LANE_COUNT == 8
    _Alignas(32) float at[3][32]; /* a power of two, of which PACKET_VERTICES are used */
#endif
} RayLeaf;

/* ---- into an instance ---- */

/* Without branches, which would be predicted wrong. */
static inline void aim_ray(Ray *ray, Quad center, Vec3 path)
{
    const double d[3] = {path.x, path.y, path.z};
    double x = fabs(path.x), y = fabs(path.y), z = fabs(path.z), most = larger(y, x);
    uint32_t is_y = y > x, is_z = z > most, k = is_z << 1 | (is_y & ~is_z);
    double inverse = 1 / d[k];
    ray->axis[0] = 1 ^ (is_y | is_z);
    ray->axis[1] = 2 - is_z;
    ray->axis[2] = k;
    ray->length = larger(z, most);
    ray->sign = copysign(1, d[k]);
    ray->lane_inverse = (float)inverse;
    quad_store(ray->center, center);
    quad_store_floats(ray->high, center);
    quad_store_floats(ray->low, quad_sub(center, quad_load_floats(ray->high)));
    for (uint32_t i = 0; i < 2; ++i)
    {
        ray->slope[i] = d[ray->axis[i]] * inverse;
        ray->lane_slope[i] = (float)ray->slope[i];
    }
}

/* The largest distance of a corner of the mesh from the ray's start, along an axis. */
static inline double farthest(const sidle_mesh *mesh, Quad center)
{
    double each[4];
    Quad min = quad_load_floats(mesh->bounds.min), max = quad_turn(quad_load_floats(&mesh->bounds.min[2]));
    quad_store(each, quad_max(quad_abs(quad_sub(min, center)), quad_abs(quad_sub(max, center))));
    return larger(larger(each[0], each[1]), each[2]);
}

/* A ray has no width, but float moves the corners of a triangle, and the tree must find its exact place. With s the
 * farthest corner's distance, the two subtractions have an error of 2.1 u s, the rounded slope, the product and the last subtraction
 * 1 u s, .5 u s and 1 u s. So corners move by at most 6.7 u s across the ray and 3.7 u s along it. */
static inline void ray_enter(RayCaster *caster, const Placed *given)
{
    Placed between;
    Ray *ray = &caster->ray;
    if (!filter_takes(&caster->filter, given))
    {
        return;
    }
    const Placed *placed = given->moves ? sidle_placed_at(given, caster->filter.time, &between) : given;
    const sidle_mesh *mesh = placed->mesh;
    Vec3 from = vec3_sub(caster->from, placed->position), path = caster->path;
    if (!placed->is_plain)
    {
        from = mat3_mul(placed->inverse, from);
        path = mat3_mul(placed->inverse, path);
    }
    Quad center = quad_of(vec3_sub(from, mesh->origin));
    double error = PACK_ERROR * farthest(mesh, center);
    caster->placed = given;
    caster->field = mesh->field;
    caster->one_sided = caster->filter.one_sided | ((given->flags & SIDLE_INSTANCE_ONE_SIDED) != 0);
    aim_ray(ray, center, path);
    ray->margin = error / ray->length;
    ray->lane_begin = round_down(-ray->margin);
    ray->lane_end = round_up(caster->best.time + ray->margin);
    caster->triangles.leaves = (const char *)mesh->packets;
    caster->triangles.leaf_unit = PACKET_UNIT;
    begin_trace(&caster->triangles, mesh->nodes, 0, center, quad_all(2 * error), quad_of(path));
}

/* ---- a triangle ---- */

/* The z at which the triangle's outline is nearest to the ray. */
static OUT_OF_LINE double nearest_on_outline(const Vec3 v[3])
{
    double least2 = INFINITY, z = 0;
    for (int i = 0; i < 3; ++i)
    {
        Vec3 p = v[i], e = vec3_sub(v[(i + 1) % 3], p);
        double e2 = e.x * e.x + e.y * e.y, along = -(p.x * e.x + p.y * e.y);
        double t = along > 0 && e2 > 0 ? lesser(along / e2, 1) : 0;
        Vec3 q = vec3_add_scaled(p, e, t);
        double d2 = q.x * q.x + q.y * q.y;
        if (d2 < least2 || (d2 <= least2 && q.z < z))
        {
            least2 = d2;
            z = q.z;
        }
    }
    return z;
}

static inline double outline_at(Quad x, Quad y, Quad z)
{
    double each[3][4];
    quad_store(each[0], x);
    quad_store(each[1], y);
    quad_store(each[2], z);
    const Vec3 v[3] = {vec3(each[0][0], each[1][0], each[2][0]), vec3(each[0][1], each[1][1], each[2][1]),
                       vec3(each[0][2], each[1][2], each[2][2])};
    return nearest_on_outline(v);
}

/* The z at which the ray pierces a triangle: the corners' z weighted by the edge functions. If their signs differ in
 * double, only float's rounding has moved the triangle onto the ray, and the nearest point of the outline is used. The
 * outline is also reliable for triangles seen nearly edge-on, where the plane is not. Each vector holds a coordinate of
 * the three corners. */
static inline double pierced_at(Quad x, Quad y, Quad z)
{
    Quad x1 = quad_turn3(x), y1 = quad_turn3(y), zero = quad_all(0);
    Quad w = quad_sub(quad_mul(x1, quad_turn3(y1)), quad_mul(y1, quad_turn3(x1)));
    int above = quad_less_equal(zero, w) & 7, below = quad_less_equal(w, zero) & 7;
    double sum = quad_sum3(w);
    return (above == 7 || below == 7) && sum != 0 ? quad_sum3(quad_mul(w, z)) / sum : outline_at(x, y, z);
}

/* Each corner's coordinate on an axis of stored space. */
static inline Quad ray_corners(const RayLeaf *leaf, uint32_t local, uint32_t axis)
{
#if LANE_COUNT == 8
    const float *at = leaf->at[axis];
    const uint8_t *index = packet_index(leaf->packet)[local];
    return quad_of_float4(float4_set(at[index[0]], at[index[1]], at[index[2]], 0));
#else
    float v[3][3];
    sidle_packet_corners(leaf->packet, local, v);
    return quad_of_float4(float4_set(v[0][axis], v[1][axis], v[2][axis], 0));
#endif
}

static bool ray_ignores(const RayCaster *caster, const LeafPacket *packet, uint32_t local)
{
    return caster->ignored_surfaces &&
           surface_is_in(caster->ignored_surfaces, sidle_packet_origin(packet, local).surface);
}

/* The number and the surface are looked up late, since nearer hits follow most hits. */
static inline void ray_name(RayHit *best)
{
    if (!best->is_named)
    {
        PacketOrigin origin = sidle_packet_origin(best->packet, best->local);
        best->triangle = origin.source;
        best->surface = origin.surface;
        best->is_named = true;
    }
}

/* Returns true if a triangle hit at the time of the best hit comes before it. */
static OUT_OF_LINE bool ray_prefers(RayCaster *caster, const LeafPacket *packet, uint32_t local)
{
    RayHit *best = &caster->best;
    ray_name(best);
    Candidate known = {.key = best->placed->key, .triangle = best->triangle, .instance = best->placed->slot};
    Candidate next = {.key = caster->placed->key,
                      .triangle = sidle_packet_origin(packet, local).source,
                      .instance = caster->placed->slot};
    return candidate_before(&next, &known);
}

/* Call this after the limit has come nearer. */
static inline void ray_shorten(RayCaster *caster)
{
    caster->share = caster->is_any ? -1 : round_up(caster->best.time); /* any: everything else is too late */
    caster->ray.lane_end = round_up(caster->best.time + caster->ray.margin);
}

static inline void take_pierced(RayCaster *caster, const RayLeaf *leaf, uint32_t local)
{
    const Ray *ray = &caster->ray;
    RayHit *best = &caster->best;
    double d[3][4];
    if (ray_ignores(caster, leaf->packet, local))
    {
        return;
    }
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        quad_store(d[axis], quad_sub(ray_corners(leaf, local, axis), quad_all(ray->center[axis])));
    }
    Quad along = quad_load(d[ray->axis[2]]);
    Quad x = quad_sub(quad_load(d[ray->axis[0]]), quad_mul(quad_all(ray->slope[0]), along)),
         y = quad_sub(quad_load(d[ray->axis[1]]), quad_mul(quad_all(ray->slope[1]), along));
    double t = pierced_at(x, y, quad_mul(along, quad_all(ray->sign))) / ray->length;
    if (!(t >= 0) || !(t <= best->time))
    {
        return;
    }
    Vec3 first = vec3(d[0][0], d[1][0], d[2][0]);
    Vec3 normal = vec3_cross(vec3_sub(vec3(d[0][1], d[1][1], d[2][1]), first),
                             vec3_sub(vec3(d[0][2], d[1][2], d[2][2]), first));
    bool is_behind = caster->one_sided && vec3_dot(normal, first) > 0;
    if (is_behind || (best->found && t >= best->time && !ray_prefers(caster, leaf->packet, local)))
    {
        return;
    }
    best->found = true;
    best->time = t;
    best->normal = normal;
    best->placed = caster->placed;
    best->packet = leaf->packet;
    best->is_named = false;
    best->local = local;
    ray_shorten(caster);
}

/* ---- a leaf ---- */

/* The vertices sheared, and along the ray as shares of the path. `v`: on the ray's axes. */
static inline LaneVec3 ray_lanes(const Ray *ray, LaneVec3 v)
{
    const uint32_t *axis = ray->axis;
    LaneVec3 d = lane3_sub(v, lane3_set(ray->high[axis[0]], ray->high[axis[1]], ray->high[axis[2]]));
    d = lane3_sub(d, lane3_set(ray->low[axis[0]], ray->low[axis[1]], ray->low[axis[2]]));
    return (LaneVec3){lanes_sub(d.x, lanes_mul(lanes_set(ray->lane_slope[0]), d.z)),
                      lanes_sub(d.y, lanes_mul(lanes_set(ray->lane_slope[1]), d.z)),
                      lanes_mul(d.z, lanes_set(ray->lane_inverse))};
}

#if LANE_COUNT == 8
static inline LaneVec3 ray_vertices(const Ray *ray, const RayLeaf *leaf, uint32_t first)
{
    return ray_lanes(ray, (LaneVec3){lanes_load(leaf->at[ray->axis[0]] + first),
                                     lanes_load(leaf->at[ray->axis[1]] + first),
                                     lanes_load(leaf->at[ray->axis[2]] + first)});
}

/* ray_triangles for packets with more vertices than two vectors hold. */
static OUT_OF_LINE void ray_triangles_of_many(const Ray *ray, RayLeaf *leaf, LaneVec3 v[3])
{
    PacketAxis axes[3];
    packet_axes(leaf->packet, axes);
    for (uint32_t n = 0; n < 9; ++n)
    {
        uint32_t axis = n / 3, first = n % 3 * LANE_COUNT;
        lanes_store(leaf->at[axis] + first, axis_numbers(&axes[axis], first));
    }
    LaneVec3 low = ray_vertices(ray, leaf, 0), high = ray_vertices(ray, leaf, LANE_COUNT),
             rest = ray_vertices(ray, leaf, PICK_MOST);
    PickCorners corners = pick_corners(packet_index(leaf->packet));
    PickTable x = {low.x, high.x}, y = {low.y, high.y}, z = {low.z, high.z};
    for (int i = 0; i < 3; ++i)
    {
        Picks picks = picks_of(&corners, i);
        v[i] = (LaneVec3){pick_of_more(x, rest.x, picks), pick_of_more(y, rest.y, picks),
                          pick_of_more(z, rest.z, picks)};
    }
}

/* Shears each vertex once, then copies it to its corners. */
static inline void ray_triangles(const Ray *ray, RayLeaf *leaf, uint32_t first, LaneVec3 v[3])
{
    PacketAxis axes[3];
    uint32_t count = leaf->packet->vertex_count;
    (void)first;
    if (count > PICK_MOST)
    {
        ray_triangles_of_many(ray, leaf, v);
        return;
    }
    packet_axes(leaf->packet, axes);
    PickCorners corners = pick_corners(packet_index(leaf->packet));
    if (count <= LANE_COUNT)
    {
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            lanes_store(leaf->at[axis], axis_numbers(&axes[axis], 0));
        }
        LaneVec3 low = ray_vertices(ray, leaf, 0);
        for (int i = 0; i < 3; ++i)
        {
            Picks picks = picks_of(&corners, i);
            v[i] = (LaneVec3){pick_again(low.x, picks), pick_again(low.y, picks), pick_again(low.z, picks)};
        }
        return;
    }
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        PickTable table = axis_table(&axes[axis]);
        lanes_store(leaf->at[axis], table.low);
        lanes_store(leaf->at[axis] + LANE_COUNT, table.high);
    }
    LaneVec3 low = ray_vertices(ray, leaf, 0), high = ray_vertices(ray, leaf, LANE_COUNT);
    PickTable x = {low.x, high.x}, y = {low.y, high.y}, z = {low.z, high.z};
    for (int i = 0; i < 3; ++i)
    {
        Picks picks = picks_of(&corners, i);
        v[i] = (LaneVec3){pick(x, picks), pick(y, picks), pick(z, picks)};
    }
}
#else
static inline void ray_triangles(const Ray *ray, RayLeaf *leaf, uint32_t first, LaneVec3 v[3])
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        const LaneVec3 stored = leaf_corner(leaf->packet, first, i);
        const Lanes *axis = &stored.x;
        v[i] = ray_lanes(ray, (LaneVec3){axis[ray->axis[0]], axis[ray->axis[1]], axis[ray->axis[2]]});
    }
}
#endif

/* A shared vertex has the same bits in all its triangles. Lanes beyond the last triangle hold anything. */
static inline void ray_block(RayCaster *caster, RayLeaf *leaf, uint32_t first)
{
    const Ray *ray = &caster->ray;
    LaneVec3 v[3];
    Lanes sides[3];
    uint32_t left = leaf->packet->triangle_count - first; /* at most PACKET_TRIANGLES */
    ray_triangles(ray, leaf, first, v);
    uint32_t bits = pierced_roughly(v, sides) & ((1u << left) - 1);
    if (!bits)
    {
        return;
    }
    Lanes least = lanes_min(v[0].z, lanes_min(v[1].z, v[2].z));
    Lanes most = lanes_max(v[0].z, lanes_max(v[1].z, v[2].z));
    bits &= mask_bits(mask_and(lanes_less_equal(least, lanes_set((Real)ray->lane_end)),
                               lanes_less_equal(lanes_set((Real)ray->lane_begin), most)));
    if (pierced_unclear(bits, sides))
    {
        _Alignas(64) Real corners[9 * LANE_COUNT];
        for (uint32_t i = 0; i < 3; ++i)
        {
            lane3_store(corner_at(corners, i), v[i]);
        }
        bits &= pierced_lanes(corners, v);
    }
    for (; bits; bits &= bits - 1)
    {
        take_pierced(caster, leaf, first + (uint32_t)__builtin_ctz(bits));
    }
}

static OUT_OF_LINE void ray_packet(RayCaster *caster, const LeafPacket *packet)
{
    RayLeaf leaf;
    uint32_t first = 0;
    leaf.packet = packet;
    do
    {
        ray_block(caster, &leaf, first);
        first += LANE_COUNT;
    }
    while (LANE_COUNT < PACKET_TRIANGLES && first < packet->triangle_count);
}

/* Tests the packets of a leaf of a heightfield that the ray enters. */
static OUT_OF_LINE void ray_square(RayCaster *caster, const Field *field, uint32_t leaf)
{
    uint32_t packets[FIELD_LEAF * FIELD_LEAF], count = sidle_field_leaf(field, leaf, packets);
    for (uint32_t i = 0; i < count; ++i)
    {
        Bounds box = sidle_field_packet_box(field, packets[i]);
        if (trace_enters(&caster->triangles, caster->share, &box))
        {
            FieldPacket memory;
            ray_packet(caster, sidle_field_packet(field, packets[i], &memory));
            ray_name(&caster->best);
        }
    }
}
