/* Triangles against the ray. Edge functions of corners that neighbours share decide which triangles it pierces
 * (wide/pierce.inl). The time is computed here in double from the stored vertices. All of it happens in the stored space of an
 * instance, where times are shares of the path as everywhere. */
#include "query/caster.h"

/* ---- into an instance ---- */

/* Without branches, which would be predicted wrong. */
static inline void aim_ray(Ray *ray, Quad center, Vec3 path)
{
    const double d[3] = {path.x, path.y, path.z};
    const double size[3] = {fabs(d[0]), fabs(d[1]), fabs(d[2])};
    uint32_t k = size[1] > size[0];
    k = size[2] > size[k] ? 2 : k;
    double inverse = 1 / d[k];
    ray->axis[0] = k == 0;
    ray->axis[1] = k == 2 ? 1 : 2;
    ray->axis[2] = k;
    ray->length = size[k];
    ray->sign = d[k] < 0 ? -1 : 1;
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
    const float *a = mesh->bounds.min, *b = mesh->bounds.max;
    Quad low = quad_abs(quad_sub(quad_set((double)a[0], (double)a[1], (double)a[2], 0), center)),
         high = quad_abs(quad_sub(quad_set((double)b[0], (double)b[1], (double)b[2], 0), center));
    quad_store(each, quad_max(low, high));
    return larger(larger(each[0], each[1]), each[2]);
}

/* A ray has no width, but float moves the corners of a triangle, and the tree must find its exact place. With s the
 * farthest corner's distance, the two subtractions have an error of 2.1 u s, the rounded slope, the product and the last subtraction
 * 1 u s, .5 u s and 1 u s. So corners move by at most 6.7 u s across the ray and 3.7 u s along it. */
static OUT_OF_LINE void enter_ray(Caster *caster, const Placed *given)
{
    Placed between;
    const Placed *placed = given->moves ? sidle_placed_at(given, caster->filter.time, &between) : given;
    Vec3 from = vec3_sub(caster->frame.center, placed->position), path = caster->displacement;
    if (!placed->is_plain)
    {
        from = mat3_mul(placed->inverse, from);
        path = mat3_mul(placed->inverse, path);
    }
    Quad center = quad_of(vec3_sub(from, placed->mesh->origin));
    aim_ray(&caster->ray, center, path);
    double error = PACK_ERROR * farthest(placed->mesh, center);
    caster->ray.margin = error / caster->ray.length;
    caster->has_box = false;
    begin_trace(&caster->triangles, placed->mesh->nodes, 0, center, quad_all(2 * error), quad_of(path));
}

/* ---- the best hit ---- */

/* The number and the surface are looked up late, since nearer hits follow most hits. `copy` holds the packet until then. */
static void name_pierced(Caster *caster)
{
    if (caster->copy.packet)
    {
        Candidate *c = &caster->best.candidate;
        PacketOrigin origin = sidle_packet_origin(caster->copy.packet, caster->copy.local);
        *c = (Candidate){.key = snapshot_placed(caster->snapshot, c->instance)->key,
                         .triangle = origin.source,
                         .instance = c->instance,
                         .surface = origin.surface,
                         .local = caster->copy.local};
        caster->copy.packet = NULL;
    }
}

static void answer_ray(Caster *caster, sidle_cast_hit *out)
{
    const Best *best = &caster->best;
    const Candidate *candidate = &best->candidate;
    name_pierced(caster);
    Placed between;
    const Placed *placed = snapshot_placed(caster->snapshot, candidate->instance);
    uint32_t generation = placed->generation;
    placed = placed->moves ? sidle_placed_at(placed, caster->filter.time, &between) : placed;
    Vec3 path = caster->displacement, normal = best->contact.normal;
    normal = placed->is_plain ? normal : mat3_mul_transposed(placed->inverse, normal);
    normal = vec3_is_zero(normal) ? path : normal;
    normal = vec3_scale(vec3_normalize(normal), vec3_dot(normal, path) > 0 ? -1 : 1);
    Vec3 point = vec3_add_scaled(caster->frame.center, path, best->time);
    *out = (sidle_cast_hit){.t = best->time,
                            .point = {point.x, point.y, point.z},
                            .normal = vec3_to_float(normal),
                            .hit = SIDLE_CAST_HIT,
                            .instance_key = candidate->key,
                            .instance = {candidate->instance, generation},
                            .triangle = candidate->triangle,
                            .surface = candidate->surface,
                            .feature = SIDLE_FEATURE_FACE};
}

/* ---- a triangle ---- */

/* The z at which the triangle's outline is nearest to the ray. */
static double nearest_on_outline(const Vec3 v[3])
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

/* The z at which the ray pierces a triangle: the corners' z weighted by the edge functions. If their signs differ in
 * double, only float's rounding has moved the triangle onto the ray, and the nearest point of the outline is used. The
 * outline is also reliable for triangles seen nearly edge-on, where the plane is not. */
static double pierced_at(const Vec3 v[3])
{
    double w0 = v[1].x * v[2].y - v[1].y * v[2].x, w1 = v[2].x * v[0].y - v[2].y * v[0].x;
    double w2 = v[0].x * v[1].y - v[0].y * v[1].x, sum = w0 + w1 + w2;
    bool inside = (w0 >= 0 && w1 >= 0 && w2 >= 0) || (w0 <= 0 && w1 <= 0 && w2 <= 0);
    return inside && sum != 0 ? (w0 * v[0].z + w1 * v[1].z + w2 * v[2].z) / sum : nearest_on_outline(v);
}

/* The corners along the ray, the normal in stored space, and how far the start lies behind the plane, times its length. */
static inline double ray_corners(const Ray *ray, const LeafPacket *packet, uint32_t local, Vec3 seen[3],
                                 Vec3 *normal)
{
    float stored[3][3];
    Vec3 corners[3];
    sidle_packet_corners(packet, local, stored);
    for (uint32_t i = 0; i < 3; ++i)
    {
        const float *v = stored[i];
        double d[3];
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            d[axis] = (double)v[axis] - ray->center[axis];
        }
        double along = d[ray->axis[2]];
        corners[i] = vec3(d[0], d[1], d[2]);
        seen[i] = vec3(d[ray->axis[0]] - ray->slope[0] * along, d[ray->axis[1]] - ray->slope[1] * along,
                       along * ray->sign);
    }
    *normal = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
    return vec3_dot(*normal, corners[0]);
}

static void take_pierced(Caster *caster, const LeafPacket *packet, uint32_t local)
{
    const Ray *ray = &caster->ray;
    Best *best = &caster->best;
    Vec3 seen[3], normal;
    if (is_ignored(caster, packet, local))
    {
        return;
    }
    double behind = ray_corners(ray, packet, local, seen, &normal), t = pierced_at(seen) / ray->length;
    if ((caster->rules.one_sided && behind > 0) || !(t >= 0) || !(t <= caster_limit(caster)))
    {
        return;
    }
    if (best->found && t >= best->time)
    {
        Candidate candidate = packet_candidate(caster, packet, local);
        name_pierced(caster);
        if (!candidate_before(&candidate, &best->candidate))
        {
            return;
        }
    }
    best->found = true;
    best->time = t;
    best->contact.normal = normal;
    best->candidate.instance = caster->slot;
    caster->copy.packet = packet;
    caster->copy.local = (uint8_t)local;
    caster_shorten(caster);
}

/* ---- a leaf ---- */

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
static inline LaneVec3 ray_vertices(const Ray *ray, const PacketAxis axes[3], uint32_t first)
{
    return ray_lanes(ray, (LaneVec3){axis_numbers(&axes[ray->axis[0]], first),
                                     axis_numbers(&axes[ray->axis[1]], first),
                                     axis_numbers(&axes[ray->axis[2]], first)});
}

/* Shears each vertex once, then copies it to its corners. */
static inline void ray_triangles(const Ray *ray, const LeafPacket *packet, uint32_t first, LaneVec3 v[3])
{
    PacketAxis axes[3];
    uint32_t count = packet->vertex_count;
    (void)first;
    packet_axes(packet, axes);
    LaneVec3 low = ray_vertices(ray, axes, 0), high = low;
    if (count > LANE_COUNT)
    {
        high = ray_vertices(ray, axes, LANE_COUNT);
    }
    PickCorners corners = pick_corners(packet_index(packet));
    PickTable x = {low.x, high.x}, y = {low.y, high.y}, z = {low.z, high.z};
    if (count <= PICK_MOST)
    {
        for (int i = 0; i < 3; ++i)
        {
            Picks picks = picks_of(&corners, i);
            v[i] = (LaneVec3){pick(x, picks), pick(y, picks), pick(z, picks)};
        }
        return;
    }
    LaneVec3 rest = ray_vertices(ray, axes, PICK_MOST);
    for (int i = 0; i < 3; ++i)
    {
        Picks picks = picks_of(&corners, i);
        v[i] = (LaneVec3){pick_of_more(x, rest.x, picks), pick_of_more(y, rest.y, picks),
                          pick_of_more(z, rest.z, picks)};
    }
}
#else
static inline void ray_triangles(const Ray *ray, const LeafPacket *packet, uint32_t first, LaneVec3 v[3])
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        const LaneVec3 stored = leaf_corner(packet, first, i);
        const Lanes *axis = &stored.x;
        v[i] = ray_lanes(ray, (LaneVec3){axis[ray->axis[0]], axis[ray->axis[1]], axis[ray->axis[2]]});
    }
}
#endif

/* A shared vertex has the same bits in all its triangles. Lanes beyond the last triangle hold anything. */
static inline void ray_block(Caster *caster, const LeafPacket *packet, uint32_t first)
{
    const Ray *ray = &caster->ray;
    LaneVec3 v[3];
    uint32_t unclear, left = packet->triangle_count - first;
    ray_triangles(ray, packet, first, v);
    Lanes begin = lanes_set((Real)round_down(-ray->margin)),
          end = lanes_set((Real)round_up(caster_limit(caster) + ray->margin));
    Lanes least = lanes_min(v[0].z, lanes_min(v[1].z, v[2].z));
    Lanes most = lanes_max(v[0].z, lanes_max(v[1].z, v[2].z));
    uint32_t bits = pierced_roughly(v, &unclear) &
                    mask_bits(mask_and(lanes_less_equal(least, end), lanes_less_equal(begin, most))) &
                    (left < LANE_COUNT ? (1u << left) - 1 : UINT32_MAX);
    if (bits & unclear)
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
        take_pierced(caster, packet, first + (uint32_t)__builtin_ctz(bits));
    }
}

static OUT_OF_LINE void caster_test_leaf_ray(Caster *caster, const LeafPacket *packet)
{
    for (uint32_t first = 0; first < packet->triangle_count && caster->length > 0; first += LANE_COUNT)
    {
        ray_block(caster, packet, first);
    }
}
