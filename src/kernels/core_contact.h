/* A capsule against a wall, or against one corner or edge of a triangle, in double, as rim_contact.h for balls. The core lies along
 * the y axis. Most hits are plain: their contact needs that feature alone. Others are left to capsule_contact.inl, which shares the
 * constants and the closest points. */
#ifndef KERNELS_CORE_CONTACT_H
#define KERNELS_CORE_CONTACT_H

#include "kernels/rim_contact.h"

/* The square of a sine, 1e-11. Below it an edge and the core count as parallel: any point of the core is as near as the
 * best to within 1e-11 of its length. Above it the point errs by less than 2 * 2^-53 of its distance over the square of the sine,
 * and the distance w exceeds the least by at most 2 (2^-53 / sine)^2 w, or 3e-10. */
#define PARALLEL2 1e-22 /* mutant: wide_parallels */

/* 1 - cos of the angle, 1.4e-3, between the normals of a contact and of the triangle below which the contact is one of
 * the face. A core that lies along a wall hits it over an edge, head-on. Both normals err by 6 u S over the
 * triangle's height h, less than the angle for S up to 1900 h. Beyond that a wall can be reported as its edge. */
#define SAME_FACE 1e-6

/* The closest points of the core and of an edge from q along e, as fractions of the half core, s in [-1, 1], and of the
 * edge, f in [0, 1]. C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.9. His dot products lose the point
 * of nearly parallel segments below a sine of 1e-8, so a cross product replaces them. */
static inline void core_closest_on_edge(Vec3 center, double core, Vec3 q, Vec3 e, double *s, double *f)
{
    Vec3 r = vec3_sub(center, q);
    double ee = vec3_length2(e), across2 = e.x * e.x + e.z * e.z, beside = r.x * e.x + r.z * e.z;
    double place = across2 > PARALLEL2 * ee ? (e.y * beside / across2 - r.y) / core : 0;
    *s = lesser(larger(place, -1), 1);
    *f = ee > 0 ? lesser(larger((beside + e.y * (r.y + core * *s)) / ee, 0), 1) : 0;
    *s = lesser(larger((e.y * *f - r.y) / core, -1), 1);
    *f = ee > 0 ? lesser(larger((beside + e.y * (r.y + core * *s)) / ee, 0), 1) : 0;
}

/* The middle of the part of a core along the plane, with unit normal n, that is over the triangle. Its height decides whether a
 * wall is tried as a step. Returns false if no part is. */
static inline bool core_middle_over_face(const Vec3 v[3], Vec3 n, double core, Vec3 center, Vec3 *middle)
{
    double low = -1, high = 1;
    for (uint32_t i = 0; i < 3; ++i)
    {
        Vec3 inward = vec3_cross(n, vec3_sub(v[(i + 1) % 3], v[i]));
        double at = vec3_dot(inward, vec3_sub(center, v[i])), rate = inward.y * core;
        low = rate > 0 ? larger(low, -at / rate) : low;
        high = rate < 0 ? lesser(high, -at / rate) : rate == 0 && at < 0 ? -INFINITY : high;
    }
    *middle = vec3(center.x, center.y + core * (low + high) / 2, center.z);
    return low <= high; /* mutant: core_end_first */
}

/* A contact of the face, if that is exactly upright, and a part of the core is over it when the capsule reaches its plane. */
static inline bool contact_of_wall(const Vec3 v[3], double core, RimPath path, KernelContact *out)
{
    Vec3 n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    if (n.y < 0 || n.y > 0 || !triangle_has_face(v, n))
    {
        return false;
    }
    n = vec3_normalize(n);
    double distance = -vec3_dot(n, v[0]), side = distance < 0 ? -1 : 1,
           approach = -side * vec3_dot(n, path.direction);
    double t = (fabs(distance) - path.radius) / approach;
    Vec3 center = vec3_scale(path.direction, t), middle;
    bool is_over = core_middle_over_face(v, n, core, center, &middle);
    out->t = t;
    out->point = vec3_add_scaled(middle, n, -vec3_dot(n, vec3_sub(middle, v[0])));
    out->normal = vec3_scale(n, side);
    out->feature = SIDLE_FEATURE_FACE;
    bool comes = approach >= STEEP && t > 0 && t <= path.length; /* mutant: wall_from_inside */
    return comes && is_over;                                     /* mutant: beside_a_wall */
}

/* The hit of the edge from a by the core between its ends: a point against the parallelogram that both span. */
static inline RimHit hit_side(Vec3 a, Vec3 e, double core, RimPath path)
{
    double across2 = e.x * e.x + e.z * e.z, inverse = 1 / sqrt(across2);
    Vec3 m = vec3(-e.z * inverse, 0, e.x * inverse);
    double distance = -(m.x * a.x + m.z * a.z), side = distance < 0 ? -1 : 1;
    double approach = -side * (m.x * path.direction.x + m.z * path.direction.z);
    double t = (fabs(distance) - path.radius) / approach;
    Vec3 center = vec3_scale(path.direction, t);
    double f = ((center.x - a.x) * e.x + (center.z - a.z) * e.z) / across2;
    Vec3 point = vec3_add_scaled(a, e, f);
    RimHit hit = {point, vec3(m.x * side * path.radius, 0, m.z * side * path.radius), t, 0};
    hit.is_plain =
        (approach >= STEEP) & (across2 >= STEEP * STEEP * vec3_length2(e)) & (t > 0) & (t <= path.length);
    hit.is_plain &= (f >= 0) & (f <= 1);
    hit.is_plain &= fabs(point.y - center.y) <= core; /* mutant: side_beyond_its_ends */
    return hit;
}

/* Where the core and an edge of a triangle are closest. */
typedef struct CoreRim
{
    double s, f; /* as in core_closest_on_edge */
    uint32_t edge;
} CoreRim;

static inline CoreRim nearest_rim(const Vec3 v[3], double core, Vec3 center)
{
    CoreRim nearest = {0, 0, 0};
    double least2 = INFINITY;
    for (uint32_t i = 0; i < 3; ++i)
    {
        CoreRim rim = {.edge = i};
        Vec3 e = vec3_sub(v[(i + 1) % 3], v[i]);
        core_closest_on_edge(center, core, v[i], e, &rim.s, &rim.f);
        Vec3 away =
            vec3_sub(vec3(center.x, center.y + core * rim.s, center.z), vec3_add_scaled(v[i], e, rim.f));
        double distance2 = vec3_length2(away);
        nearest = distance2 < least2 ? rim : nearest;
        least2 = lesser(distance2, least2);
    }
    return nearest;
}

/* The hit by an end of the core, or by any point between the ends: of an edge along the core, by the nearest one. */
static inline RimHit hit_core_rim(Vec3 a, Vec3 b, CoreRim rim, double core, RimPath path)
{
    Vec3 e = vec3_sub(b, a), up = vec3(0, core * rim.s, 0);
    bool is_corner = !(rim.f > 0 && rim.f < 1), is_end = !(rim.s > -1 && rim.s < 1);
    if (is_corner)
    {
        Vec3 p = rim.f > 0 ? b : a, half = vec3(0, core, 0);
        RimHit hit = is_end ? hit_point(vec3_sub(p, up), path)
                            : hit_segment(vec3_sub(p, half), vec3_add(p, half), path);
        hit.point = p;
        return hit;
    }
    if (is_end || !(e.x * e.x + e.z * e.z > 0))
    {
        RimHit hit = hit_segment(vec3_sub(a, up), vec3_sub(b, up), path);
        hit.point = vec3_add(hit.point, up);
        return hit;
    }
    return hit_side(a, e, core, path);
}

/* The corner or the edge that is nearest at a time, which need not be exact. It is hit first if along the triangle and along the
 * core the distance grows from there, since the distance of convex bodies is convex. If it is along the normal, it is one of the
 * face. */
static inline bool contact_of_core_rim(const Vec3 v[3], double core, RimPath path, double time,
                                       KernelContact *out)
{
    CoreRim rim = nearest_rim(v, core, vec3_scale(path.direction, time));
    Vec3 a = v[rim.edge], b = v[(rim.edge + 1) % 3], c = v[(rim.edge + 2) % 3];
    RimHit hit = hit_core_rim(a, b, rim, core, path);
    bool is_corner = !(rim.f > 0 && rim.f < 1);
    Vec3 along = rim.f > 0 ? vec3_sub(a, b) : vec3_sub(b, a), n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    double over = vec3_dot(n, hit.away), length2 = vec3_length2(n) * (path.radius * path.radius);
    hit.is_plain &= vec3_dot(hit.away, vec3_sub(c, rim.f > 0 ? b : a)) <= 0; /* mutant: core_over_face */
    hit.is_plain &= !is_corner | (vec3_dot(hit.away, along) <= 0);           /* mutant: core_beside_edge */
    hit.is_plain &= !(fabs(rim.s) >= 1) | (rim.s * hit.away.y <= 0);         /* mutant: core_beyond_end */
    hit.is_plain &= over * over < (1 - 2 * SAME_FACE) * length2;             /* mutant: walls_are_edges */
    set_rim_contact(&hit, is_corner ? SIDLE_FEATURE_VERTEX : SIDLE_FEATURE_EDGE, out);
    return hit.is_plain;
}

static inline bool contact_of_core(const Vec3 v[3], double core, RimPath path, double time,
                                   KernelContact *out)
{
    return contact_of_wall(v, core, path, out) || contact_of_core_rim(v, core, path, time, out);
}

#endif
