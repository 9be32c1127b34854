/* Triangles against the ray. Edge functions of corners that neighbours share decide which triangles it pierces
 * (kernels/ray.inl). The time is computed here in double from the stored vertices. */
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

static void caster_test_ray(Caster *caster)
{
    Candidates *c = caster->candidates;
    if (caster->length <= 0)
    {
        return;
    }
    LaneTime hits[CAST_CAPACITY];
    double margin = caster->margin;
    uint32_t count = c->kernels->ray(&c->wide, -margin, caster_limit(caster) + margin, hits);
    lane_times_sort(hits, count);
    for (uint32_t i = 0; i < count && hits[i].t - margin <= caster_limit(caster); ++i)
    {
        const Candidate *candidate = &c->list[hits[i].lane];
        Vec3 corners[3];
        KernelContact contact;
        view_corners(&caster->view, caster->placed, candidate, corners);
        if (pierce(caster, corners, &contact) && caster_prefers(caster, contact.t, candidate))
        {
            caster->best = (Best){true, false, contact.t, contact, *candidate};
        }
    }
}
