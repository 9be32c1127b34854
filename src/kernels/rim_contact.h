/* A ball against one corner or edge of a triangle, in double. Most hits of a rim are plain: at the start the triangle is outside
 * the radius, and the ball hits this feature first, at a steep angle. Their contact needs that feature alone. Grazes and hits
 * where two features meet are left to sidle_contact_of_sweep. */
#ifndef KERNELS_RIM_CONTACT_H
#define KERNELS_RIM_CONTACT_H

#include "kernels/kernels.h"

/* The least approach of a plain hit, per length of the path, for a radius of 1. For a corner it is half of the chord that the path
 * cuts from the ball around it, for an edge that of the cylinder, times the sine between path and edge. The time errs by at most 50
 * times the error of its square. A graze approaches a hundred times more slowly. */
#define STEEP .01

/* From the origin of the corners. */
typedef struct RimPath
{
    Vec3 direction; /* unit */
    double length, radius;
} RimPath;

typedef struct RimHit
{
    Vec3 point, away; /* away: from the point to the centre */
    double t;
    int is_plain; /* steep, on the path, and between the ends of an edge */
} RimHit;

static inline RimHit hit_point(Vec3 p, RimPath path)
{
    double k = vec3_dot(p, path.direction);
    Vec3 q = vec3_add_scaled(p, path.direction, -k); /* from the path's closest approach */
    double h = path.radius * path.radius - vec3_length2(q), t = k - sqrt(h);
    RimHit hit = {p, vec3_sub(vec3_scale(path.direction, t), p), t, 0};
    hit.is_plain = (h >= STEEP * STEEP) & (t > 0) & (t <= path.length);
    return hit;
}

/* The edge from a to b: a point in the plane normal to it. */
static inline RimHit hit_segment(Vec3 a, Vec3 b, RimPath path)
{
    Vec3 e = vec3_sub(b, a);
    double inverse = 1 / vec3_length2(e), along = vec3_dot(e, path.direction) * inverse,
           at = vec3_dot(e, a) * inverse;
    Vec3 d = vec3_add_scaled(path.direction, e, -along), p = vec3_add_scaled(a, e, -at); /* across the edge */
    double d2 = vec3_length2(d), closest = vec3_dot(p, d) / d2;
    double h = path.radius * path.radius - vec3_length2(vec3_add_scaled(p, d, -closest));
    double t = closest - sqrt(h / d2), f = t * along - at; /* f: where between the ends */
    Vec3 point = vec3_add_scaled(a, e, f);
    RimHit hit = {point, vec3_sub(vec3_scale(path.direction, t), point), t, 0};
    hit.is_plain = (d2 * h >= STEEP * STEEP) & (t > 0) & (t <= path.length);
    hit.is_plain &= (f >= 0) & (f <= 1); /* mutant: edge_beyond_its_ends */
    return hit;
}

static inline void set_rim_contact(const RimHit *hit, uint16_t feature, KernelContact *out)
{
    out->t = hit->t;
    out->point = hit->point;
    out->normal = vec3_normalize(hit->away);
    out->feature = feature;
}

/* The corner p, with edges to `next` and `last`. It is hit first if no point of those edges is nearer at that time, since the
 * distance to a convex body is convex along the path. Returns false unless the hit is plain. */
static inline bool contact_of_corner(Vec3 p, Vec3 next, Vec3 last, RimPath path, KernelContact *out)
{
    RimHit hit = hit_point(p, path);
    hit.is_plain &= vec3_dot(hit.away, vec3_sub(next, p)) <= 0; /* mutant: corner_beside_edge */
    hit.is_plain &= vec3_dot(hit.away, vec3_sub(last, p)) <= 0;
    set_rim_contact(&hit, SIDLE_FEATURE_VERTEX, out);
    return hit.is_plain;
}

/* The edge from a to b, with the third corner opposite. */
static inline bool contact_of_edge(Vec3 a, Vec3 b, Vec3 opposite, RimPath path, KernelContact *out)
{
    RimHit hit = hit_segment(a, b, path);
    hit.is_plain &= vec3_dot(hit.away, vec3_sub(opposite, a)) <= 0; /* mutant: edge_over_face */
    set_rim_contact(&hit, SIDLE_FEATURE_EDGE, out);
    return hit.is_plain;
}

/* The same of the corner or the edge that is nearest at a time, which need not be exact. */
static inline bool contact_of_rim(const Vec3 v[3], RimPath path, double time, KernelContact *out)
{
    Vec3 center = vec3_scale(path.direction, time), e[3];
    double along[3], e2[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        e[i] = vec3_sub(v[(i + 1) % 3], v[i]);
        e2[i] = vec3_length2(e[i]);
        along[i] = vec3_dot(vec3_sub(center, v[i]), e[i]); /* times the edge's length */
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t next = (i + 1) % 3, last = (i + 2) % 3;
        if (along[i] <= 0 && along[last] >= e2[last])
        {
            return contact_of_corner(v[i], v[next], v[last], path, out);
        }
        /* How far the centre is on the third corner's side of the edge, times a square and a length. */
        Vec3 side = vec3_scale(e[last], -1);
        double beyond = vec3_dot(vec3_sub(center, v[i]), side) * e2[i] - along[i] * vec3_dot(side, e[i]);
        if (along[i] > 0 && along[i] < e2[i] && beyond <= 0)
        {
            return contact_of_edge(v[i], v[next], v[last], path, out);
        }
    }
    return false;
}

#endif
