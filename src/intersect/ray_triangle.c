/* S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection", 2013: which side of each edge the ray
 * passes on is computed alike for both triangles that share it, so that it cannot pass on the wrong side of
 * both. Departures: they shear the scene so that the ray becomes an axis and round there, once for both
 * triangles; and ask again in double where a value is 0. Here the three volumes d . (p x q) are exact in sign
 * as they stand, by J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 * Predicates", 1997: not just that nothing slips through, but that what is hit is what is there. They also
 * are good to 2 u in value, and none differs in sign from another where there is a hit: so their sums and
 * ratios, t and the weights of the corners, are good, too, however thin the triangle and however flat the
 * ray. */
#include "intersect/path.h"

#include "intersect/ray_outline.h"

/* Edge i runs from corner i to the next; volume i belongs to corner i and the edge across from it. */
static sidle_feature feature_of(const double volumes[3])
{
    for (int i = 0; i < 3; ++i)
    {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        if (volumes[next] == 0 && volumes[last] == 0)
        {
            return (sidle_feature){SIDLE_FEATURE_VERTEX, (uint16_t)i};
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        if (volumes[i] == 0)
        {
            return (sidle_feature){SIDLE_FEATURE_EDGE, (uint16_t)((i + 1) % 3)};
        }
    }
    return (sidle_feature){SIDLE_FEATURE_FACE, 0};
}

/* The ray's line passes all edges on one side: 1 where it comes from behind, -1 from the front, 0 if it does
 * not pass through, 2 if it runs in the plane, or there is none. */
static int side_through(const ExactVec3 *direction, const ExactVec3 corners[3], bool one_sided)
{
    bool positive = false, negative = false;
    for (int i = 0; i < 3 && !(positive && negative); ++i)
    {
        double volume = exact_det3_sign(direction, &corners[(i + 1) % 3], &corners[(i + 2) % 3]);
        positive = positive || volume > 0;
        negative = negative || volume < 0;
    }
    if (positive == negative)
    {
        return positive ? 0 : 2;
    }
    return positive && one_sided ? 0 : positive ? 1 : -1;
}

/* Where a path that passes through the triangle's edges meets its plane: false if it begins behind or ends
 * before it. */
static bool meet(const Path *path, const sidle_dtriangle *triangle, const ExactVec3 corners[3],
                 const double volumes[3], double *t)
{
    double sum = volumes[0] + volumes[1] + volumes[2];
    double height = exact_det3(&corners[0], &corners[1], &corners[2]);
    if (height != 0 && (height > 0) != (sum > 0))
    {
        return false;
    }
    if (!path->is_segment)
    {
        *t = fabs(height / sum);
        return true;
    }
    double beyond =
        exact_orient3d(vec3_from_position(triangle->corners[0]), vec3_from_position(triangle->corners[1]),
                       vec3_from_position(triangle->corners[2]), path->target);
    if (beyond != 0 && (beyond > 0) == (sum > 0))
    {
        return false;
    }
    *t = height == 0 ? 0 : height / (height - beyond);
    return true;
}

/* From the first corner, so that a coordinate which all corners share comes out as it is. */
static sidle_position weighted(const sidle_dtriangle *triangle, const double weights[3])
{
    Vec3 corners[3], out;
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = vec3_from_position(triangle->corners[i]);
    }
    out = vec3_add_scaled(corners[0], vec3_sub(corners[1], corners[0]), weights[1]);
    return position_of(vec3_add_scaled(out, vec3_sub(corners[2], corners[0]), weights[2]));
}

static Vec3 normal_of(const sidle_dtriangle *triangle)
{
    Vec3 corner = vec3_from_position(triangle->corners[0]);
    ExactVec3 a = exact_vec3_sub(vec3_from_position(triangle->corners[1]), corner);
    ExactVec3 b = exact_vec3_sub(vec3_from_position(triangle->corners[2]), corner);
    return exact_cross(&a, &b);
}

static bool hit_through(const Path *path, const sidle_dtriangle *triangle, const ExactVec3 corners[3],
                        const ExactVec3 *direction, int side, sidle_ray_hit *out)
{
    sidle_ray_hit hit = {.t = 0};
    double volumes[3];
    for (int i = 0; i < 3; ++i)
    {
        volumes[i] = exact_det3(direction, &corners[(i + 1) % 3], &corners[(i + 2) % 3]);
    }
    if (!meet(path, triangle, corners, volumes, &hit.t))
    {
        return false;
    }
    double sum = volumes[0] + volumes[1] + volumes[2];
    for (int i = 0; i < 3; ++i)
    {
        hit.barycentric[i] = fabs(volumes[i] / sum); /* no -0 */
    }
    hit.t_exit = hit.t;
    hit.point = weighted(triangle, hit.barycentric);
    hit.normal = position_of(unit_or(vec3_scale(normal_of(triangle), -(double)side), vec3(0, 0, 0)));
    hit.feature = feature_of(volumes);
    return tell_hit(&hit, out);
}

/* In the triangle's plane, or a point on it. */
static bool hit_outline(const Path *path, const sidle_dtriangle *triangle, sidle_ray_hit *out)
{
    Vec3 normal = normal_of(triangle);
    sidle_ray_hit hit = {.t = 0};
    if (vec3_is_zero(normal) || !sidle_outline_meet(path, triangle, normal, &hit))
    {
        return false;
    }
    hit.point = position_of(path_at(path, hit.t));
    hit.normal = position_of(unit_or(normal, vec3(0, 0, 0)));
    return tell_hit(&hit, out);
}

static bool hit_triangle(const Path *path, const sidle_dtriangle *triangle, uint32_t flags,
                         sidle_ray_hit *out)
{
    bool one_sided = flags & SIDLE_RAY_ONE_SIDED;
    ExactVec3 direction = path_direction(path), corners[3];
    double nothing = 0;
    for (int i = 0; i < 3; ++i)
    {
        nothing += nothing_of_position(triangle->corners[i]);
        corners[i] = exact_vec3_sub(vec3_from_position(triangle->corners[i]), path->origin);
    }
    if (nothing != 0)
    {
        return false;
    }
    int side = side_through(&direction, corners, one_sided);
    if (side == 2)
    {
        return !one_sided && hit_outline(path, triangle, out);
    }
    return side != 0 && hit_through(path, triangle, corners, &direction, side, out);
}

bool sidle_ray_triangle(const sidle_ray *ray, const sidle_dtriangle *triangle, uint32_t flags,
                        sidle_ray_hit *out)
{
    Path path;
    return path_of_ray(ray, &path) && hit_triangle(&path, triangle, flags, out);
}

bool sidle_segment_triangle(const sidle_segment *segment, const sidle_dtriangle *triangle, uint32_t flags,
                            sidle_ray_hit *out)
{
    Path path;
    return path_of_segment(segment, &path) && hit_triangle(&path, triangle, flags, out);
}
