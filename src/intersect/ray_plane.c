/* C. Ericson, "Real-Time Collision Detection", 2005, section 5.3.1. Departure: which side of the plane a
 * point is on, and whether the ray runs along it, is decided exactly; an epsilon for "parallel" would make a
 * ray miss what it meets far away. */
#include "intersect/path.h"

/* How far a point is in front of the plane, times the normal's length; the sign is exact. */
static double height_of(const sidle_plane *plane, Vec3 point)
{
    const double left[4] = {plane->normal.x, plane->normal.y, plane->normal.z, plane->offset};
    const double right[4] = {point.x, point.y, point.z, -1};
    return exact_dot(left, right, 4);
}

/* How fast a ray gains height; how much a segment gains that begins on the plane. */
static double slope_of(const sidle_plane *plane, const Path *path)
{
    const double left[3] = {plane->normal.x, plane->normal.y, plane->normal.z};
    const double right[3] = {path->direction.x, path->direction.y, path->direction.z};
    return path->is_segment ? height_of(plane, path->target) : exact_dot(left, right, 3);
}

/* Where what begins off the plane meets it: false if it does not. Heights at the two ends, or height and
 * slope, differ in sign where it does, so that nothing cancels. */
static bool meet(const sidle_plane *plane, const Path *path, double height, double *t)
{
    double slope = slope_of(plane, path);
    if (path->is_segment ? slope != 0 && (slope > 0) == (height > 0)
                         : slope == 0 || (slope > 0) == (height > 0))
    {
        return false;
    }
    *t = path->is_segment ? height / (height - slope) : height / -slope;
    return true;
}

static bool hit_plane(const Path *path, const sidle_plane *plane, sidle_ray_hit *out)
{
    Vec3 normal = vec3_from_position(plane->normal);
    if (nothing_of_vec3(normal) + nothing_of(plane->offset) != 0 || vec3_is_zero(normal))
    {
        return false;
    }
    sidle_ray_hit hit = {.t = 0};
    double height = height_of(plane, path->origin);
    bool from_back = height < 0;
    if (height == 0)
    {
        double slope = slope_of(plane, path);
        hit.t_exit = slope == 0 ? path->end : 0;
        from_back = slope > 0;
    }
    else if (meet(plane, path, height, &hit.t))
    {
        hit.t_exit = hit.t;
    }
    else
    {
        return false;
    }
    hit.point = position_of(path_at(path, hit.t));
    hit.normal = position_of(unit_or(from_back ? vec3_scale(normal, -1) : normal, normal));
    return tell_hit(&hit, out);
}

bool sidle_ray_plane(const sidle_ray *ray, const sidle_plane *plane, sidle_ray_hit *out)
{
    Path path;
    return path_of_ray(ray, &path) && hit_plane(&path, plane, out);
}

bool sidle_segment_plane(const sidle_segment *segment, const sidle_plane *plane, sidle_ray_hit *out)
{
    Path path;
    return path_of_segment(segment, &path) && hit_plane(&path, plane, out);
}
