/* Triangles against the ray. Edge functions of corners that neighbours share decide which triangles it pierces
 * (wide/pierce.inl). The time is computed here in double from the stored vertices. */
#include "query/caster.h"

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

static bool pierce(const Caster *caster, const Vec3 corners[3], KernelContact *out)
{
    Vec3 n = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
    double z = pierced_at(corners);
    if ((caster->filter.one_sided && vec3_dot(n, corners[0]) > 0) || !(z >= 0) || !(z <= caster->length))
    {
        return false;
    }
    Vec3 against = vec3_is_zero(n) ? vec3(0, 0, -1) : vec3_scale(n, n.z > 0 ? -1 : 1);
    *out = (KernelContact){z, vec3(0, 0, z), against, SIDLE_FEATURE_FACE};
    return true;
}

static void take_pierced(Caster *caster, const LeafPacket *packet, uint32_t local)
{
    Vec3 corners[3];
    KernelContact contact;
    if (is_ignored(caster, packet, local))
    {
        return;
    }
    view_packet_corners(&caster->view, caster->placed, packet, local, corners);
    if (!pierce(caster, corners, &contact) || contact.t > caster_limit(caster))
    {
        return;
    }
    Candidate candidate = packet_candidate(caster, packet, local);
    if (caster_prefers(caster, contact.t, &candidate))
    {
        caster->best = (Best){true, false, contact.t, contact, candidate};
        caster_shorten(caster);
    }
}

/* Shears each vertex once. So the ray is the z axis here, and a shared vertex has the same bits in all its triangles. */
static inline void ray_block(Caster *caster, const LeafPacket *packet, uint32_t first)
{
    LaneVec3 v[3];
    uint32_t unclear;
    leaf_corners(packet, first, &caster->transform, false, v);
    Lanes begin = lanes_set((Real)round_down(-caster->margin)),
          end = lanes_set((Real)round_up(caster_limit(caster) + caster->margin));
    Lanes least = lanes_min(v[0].z, lanes_min(v[1].z, v[2].z));
    Lanes most = lanes_max(v[0].z, lanes_max(v[1].z, v[2].z));
    uint32_t bits = pierced_roughly(v, &unclear) &
                    mask_bits(mask_and(lanes_less_equal(least, end), lanes_less_equal(begin, most)));
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
